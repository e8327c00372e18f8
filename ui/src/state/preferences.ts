// How this window looks and reacts. Kept by the window itself, so that it is right before the engine answers.

import { useSyncExternalStore } from "react";
import { type Density, setDensity } from "@/kit/density";
import { type Remapping, remapShortcuts } from "@/kit/shortcuts";
import { createStore } from "@/kit/store";
import { SYSTEM, writeLike } from "@/text/locale";

/** What a person can set about the window. */
export type Preferences = {
  theme: "system" | "light" | "dark";
  density: Density;
  /** Size of all text in percent, 80 to 150. */
  textSize: number;
  /** Hold still, whatever the system says. */
  reduceMotion: boolean;
  /** How numbers and dates are written: a locale, or as the system does. */
  format: string;
  /** Replaced single-letter shortcuts. */
  shortcuts: Remapping;
};

/** The preferences of a new window. */
export const DEFAULTS: Preferences = {
  theme: "system",
  density: "standard",
  textSize: 100,
  reduceMotion: false,
  format: SYSTEM,
  shortcuts: {},
};

const KEY = "sibyl.preferences";
const dark = () => window.matchMedia("(prefers-color-scheme: dark)");

function read(): Preferences {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...(typeof kept === "object" ? kept : {}) };
  } catch {
    return DEFAULTS;
  }
}

const store = createStore(read());

/** The preferences now. */
export const preferences = store.get;

/** The preferences; the component follows their changes. */
export const usePreferences = store.use;

/** Light or dark, as it is shown. */
export const scheme = (): "light" | "dark" => {
  const { theme } = store.get();
  return theme === "system" ? (dark().matches ? "dark" : "light") : theme;
};

/** Puts the preferences on the document; before the first paint, and after each change. */
export function applyPreferences(): void {
  const { density, reduceMotion, textSize, shortcuts, format } = store.get();
  const root = document.documentElement;
  root.dataset.mantineColorScheme = scheme();
  setDensity(density);
  root.dataset.motion = reduceMotion ? "reduced" : "full";
  root.style.setProperty("--text", String(textSize / 100));
  remapShortcuts(shortcuts);
  writeLike(format);
}
// What follows the preferences is drawn after the document has them.
store.watch(applyPreferences);

/** Changes some preferences. */
export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...store.get(), ...change };
  localStorage.setItem(KEY, JSON.stringify(next));
  store.set(next);
}

function watchScheme(watcher: () => void) {
  const system = dark();
  const turned = () => {
    applyPreferences();
    watcher();
  };
  system.addEventListener("change", turned);
  const stop = store.watch(watcher);
  return () => {
    system.removeEventListener("change", turned);
    stop();
  };
}

/** Light or dark, as it is shown; the component follows it. */
export const useScheme = (): "light" | "dark" => useSyncExternalStore(watchScheme, scheme);
