// The part of the address after `#`. Web views limit how often a page may replace it (WebKit: 100 times in 30 s,
// then it throws). So a page that changes it faster runs ahead of what the window shows, and the latest is
// written.

/** Replacements that are written at once within {@link SPAN}. */
const AT_ONCE = 50;
/** Milliseconds. */
const SPAN = 30_000;
/** Milliseconds between two replacements once that many were written. */
const PAUSE = 600;

let ahead: string | undefined;
/** What the window showed when the page ran ahead of it. */
let behind = "";
let timer: ReturnType<typeof setTimeout> | undefined;
let written: number[] = [];

const shown = () => window.location.hash;

function drop() {
  ahead = undefined;
  clearTimeout(timer);
  timer = undefined;
}

function write() {
  const to = ahead;
  drop();
  if (to === undefined) return;
  written.push(Date.now());
  window.history.replaceState(null, "", to);
}

/** The address as it is, also where the window has not shown it yet. */
export function address(): string {
  // Back and Forward lead away from what was to be written.
  if (ahead !== undefined && shown() !== behind) drop();
  return ahead ?? shown();
}

/** Calls `watcher` when the address changes, until stopped. */
export function watchAddress(watcher: () => void): () => void {
  window.addEventListener("hashchange", watcher);
  return () => window.removeEventListener("hashchange", watcher);
}

/** Goes to an address; Back returns. */
export function pushAddress(to: string): void {
  write();
  window.location.hash = to;
}

/** Goes to an address in place of the present one. */
export function replaceAddress(to: string): void {
  const now = Date.now();
  written = written.filter((at) => now - at < SPAN);
  behind = shown();
  ahead = to;
  if (written.length < AT_ONCE && timer === undefined) write();
  else timer ??= setTimeout(write, PAUSE);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
