import "./looks";
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import * as React from "react";
import { afterAll, afterEach, vi } from "vitest";
import { missed, recorded } from "@/api/recording";
import { learnSourceTypes } from "@/state/source-types";

// A busy machine is slow, not wrong: only a test that hangs comes so far. Files of a worker share what one of them sets.
configure({ asyncUtilTimeout: 60_000, defaultHidden: false });

// React notes where each element was made, ten thousand times a second, for the words of its warnings. That is a tenth of
// the time of the tests; the tree of components stands in the warnings without it.
for (const [name, internals] of Object.entries(React))
  if (name.startsWith("__CLIENT_INTERNALS"))
    Object.defineProperty(internals, "recentlyCreatedOwnerStacks", {
      configurable: true,
      get: () => Number.POSITIVE_INFINITY,
      set: () => undefined,
    });

// The window knows the kinds of sources before it draws anything.
learnSourceTypes(recorded("source_type.list", {}));

// What jsdom leaves out and the kit needs.
class NoResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver = NoResizeObserver;
window.matchMedia = (query) => ({
  matches: false,
  media: query,
  onchange: null,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
});
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.scrollTo = () => undefined;
// A list in jsdom is as tall as a window, so that virtual rows exist.
for (const [name, size] of [
  ["offsetHeight", 600],
  ["offsetWidth", 800],
  ["clientHeight", 600],
  ["clientWidth", 800],
] as const)
  Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });

afterEach(() => {
  const asked = missed.splice(0);
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  window.location.hash = "";
  if (asked.length > 0) throw new Error(`not recorded (see ui/README.md):\n${asked.join("\n")}`);
});

// The files of a worker share its window and its libraries. Each has our own modules, and so what they remember, afresh.
afterAll(() => {
  document.body.replaceChildren();
  for (const name of document.documentElement.getAttributeNames())
    document.documentElement.removeAttribute(name);
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.resetModules();
});
