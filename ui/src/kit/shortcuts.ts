// One registry of keyboard shortcuts. A definition says which keys and where it is listed; a component that is on
// screen gives it its handler. Single letters work outside fields only, and can be remapped or switched off.

import { useEffectEvent, useLayoutEffect } from "react";
import { text } from "@/text";
import { createStore } from "./store";

/** A shortcut as the keyboard map lists it. */
export type ShortcutDefinition = {
  /** Stable name, such as `search.run`. */
  id: string;
  /** Keys, such as `mod+k`, `f6`, `shift+?`; `mod` is Ctrl, or ⌘ on macOS. Alternatives parted by spaces. */
  keys: string;
  /** What it does. */
  label: string;
  /** Heading it is listed under. */
  group: string;
  /** Listed only; the part that has the focus handles it, as lists do with arrows. */
  listedOnly?: boolean;
  /** Left out of the keyboard map, where another entry stands for it. */
  unlisted?: boolean;
};

/** Replaced keys by shortcut; an empty string switches it off. */
export type Remapping = Record<string, string>;

const definitions = new Map<string, ShortcutDefinition>();
const handlers = new Map<string, ((event: KeyboardEvent) => void)[]>();
const listed = createStore<readonly ShortcutDefinition[]>([]);
let remapping: Remapping = {};

function changed() {
  listed.set([...definitions.values()].filter((definition) => !definition.unlisted));
}

const isMac = () => /mac/i.test(navigator.platform);

/** Adds shortcuts to the registry; the same id again replaces its definition. */
export function defineShortcuts(list: readonly ShortcutDefinition[]): void {
  for (const definition of list) definitions.set(definition.id, definition);
  changed();
}

/** Replaces the keys of some shortcuts. */
export function remapShortcuts(next: Remapping): void {
  remapping = next;
  changed();
}

/** Keys that trigger `id` now. */
export const keysOf = (id: string): string => remapping[id] ?? definitions.get(id)?.keys ?? "";

/** Whether a shortcut is one key without modifier, and so may be remapped. */
export const isSingleKey = (keys: string): boolean => keys.split(" ").every((one) => [...one].length === 1);

/** Every shortcut, in order of definition. */
export const useShortcutList = listed.use;

/** The caps of a combination, in the reader's terms. */
export function keyNames(keys: string): string[] {
  return keys.split(" ").flatMap((one) =>
    (one === "+" ? [one] : one.endsWith("++") ? [...one.slice(0, -2).split("+"), "+"] : one.split("+")).map(
      (part) => {
        const named = text(`keys.caps.${part === "mod" && isMac() ? "command" : part}`);
        return named ?? (part.length === 1 ? part.toUpperCase() : part.replace(/^f(\d+)$/, "F$1"));
      },
    ),
  );
}

/** A pressed key as a combination. With Alt the physical key counts, because macOS types other letters there. */
export function combination(event: KeyboardEvent): string {
  const physical = event.altKey ? /^(?:Key|Digit)(.)$/.exec(event.code)?.[1]?.toLowerCase() : undefined;
  const key = physical ?? (event.key === " " ? "space" : event.key.toLowerCase());
  const letter = /^[a-z0-9]$/.test(key) || key.length > 1;
  return [
    (isMac() ? event.metaKey : event.ctrlKey) && "mod",
    event.altKey && "alt",
    // A sign such as `?` already holds its Shift.
    event.shiftKey && letter && "shift",
    key,
  ]
    .filter(Boolean)
    .join("+");
}

const FIELDS =
  "input:not([type=checkbox],[type=radio],[type=range],[type=button]), textarea, select, [contenteditable]";

/** Whether typing goes into a field. */
export const inField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(FIELDS) !== null;

// A choice of many is a field that takes no letters, and the focus stays in it.
const takes = (target: EventTarget | null, pressed: string): boolean =>
  inField(target) && !(target instanceof HTMLInputElement && target.readOnly && isSingleKey(pressed));

// One key without modifier: it may be a letter of a text.
const isBare = (pressed: string): boolean => !/(mod|alt)\+|^f\d+$/.test(pressed);

/** What a key press would run. */
function boundTo(event: KeyboardEvent): ((event: KeyboardEvent) => void) | undefined {
  const pressed = combination(event);
  if (isBare(pressed) && (takes(event.target, pressed) || document.querySelector("[aria-modal=true]")))
    return undefined;
  for (const definition of definitions.values()) {
    if (definition.listedOnly || !keysOf(definition.id).split(" ").includes(pressed)) continue;
    const handler = handlers.get(definition.id)?.at(-1);
    if (handler) return handler;
  }
  return undefined;
}

/** Whether a key press stands for a shortcut now. */
export const hasShortcut = (event: KeyboardEvent): boolean => boundTo(event) !== undefined;

/** Milliseconds between two keys of one text. */
const ONE_TEXT = 1000;
let lastBare = Number.NEGATIVE_INFINITY;
let begunElsewhere = false;

/** Tells that another screen is shown: the rest of a text that is being typed was not meant for it. */
export function enterScreen(): void {
  begunElsewhere = true;
}

/** Whether a key press goes on with a text that was begun on another screen, in a field or without one. */
function belongsElsewhere(event: KeyboardEvent): boolean {
  if (event.timeStamp - lastBare >= ONE_TEXT) begunElsewhere = false;
  lastBare = event.timeStamp;
  return begunElsewhere;
}

const composers: (() => void)[] = [];

/**
 * While the component is on screen, what is typed belongs to its field: `focus` moves there. Single keys act where a pane
 * has the focus, but in what is marked `data-composer` only where `data-keys` stands.
 */
export function useComposer(focus: () => void): void {
  const run = useEffectEvent(focus);
  useLayoutEffect(() => {
    const composer = () => run();
    composers.push(composer);
    return () => void composers.splice(composers.indexOf(composer), 1);
  }, []);
}

/** What is typed outside fields, where there is a composer: a text for it, a shortcut, or neither. */
function typed(target: EventTarget | null): "text" | "key" | "neither" {
  if (!(target instanceof Element) || document.querySelector("[aria-modal=true]")) return "neither";
  const place = target.closest(
    "section[data-pane], [data-composer], [data-keys], [role=dialog], [role=menu], [role=listbox]",
  );
  if (!place || place.hasAttribute("data-composer")) return "text";
  return place.closest("section[data-pane]") ? "key" : "neither";
}

/** Runs the shortcut that a key press stands for. Gives whether there was one. */
export function handleKey(event: KeyboardEvent): boolean {
  if (event.isComposing) return false;
  const pressed = combination(event);
  // It ends the text also where a field has used it.
  if (/^(enter|escape)$/.test(pressed)) lastBare = Number.NEGATIVE_INFINITY;
  if (event.defaultPrevented) return false;
  const composer = composers.at(-1);
  if (isBare(pressed) && event.key.length === 1) {
    const elsewhere = belongsElsewhere(event);
    if (!takes(event.target, pressed)) {
      if (elsewhere) return false;
      // A text begins with no space, and `/` asks for the field itself.
      const meant = composer && !/[\s/]/.test(event.key) ? typed(event.target) : "key";
      // The key itself goes on to the field.
      if (meant === "text") composer?.();
      if (meant !== "key") return false;
    }
  } else if (pressed === "backspace" && composer && !takes(event.target, pressed)) {
    if (typed(event.target) !== "key") return false;
  }
  const handler = boundTo(event);
  if (!handler) return false;
  event.preventDefault();
  handler(event);
  return true;
}

/** Does `action` on the shortcut `id` while the component is on screen; the last one mounted wins. */
export function useShortcut(id: string, action: (event: KeyboardEvent) => void, enabled = true): void {
  const run = useEffectEvent(action);
  // What is hidden while another screen loads keeps its other effects, but not those of its layout.
  useLayoutEffect(() => {
    if (!enabled) return;
    const handler = (event: KeyboardEvent) => run(event);
    handlers.set(id, [...(handlers.get(id) ?? []), handler]);
    return () => {
      handlers.set(
        id,
        (handlers.get(id) ?? []).filter((one) => one !== handler),
      );
    };
  }, [id, enabled]);
}
