// How this window looks and reacts. Kept by the window itself, so that it is right before the engine answers.

import { useSyncExternalStore } from "react";
import { type Density, setDensity } from "@/kit/density";
import { type Remapping, remapShortcuts } from "@/kit/shortcuts";
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
const watchers = new Set<() => void>();
const dark = () => window.matchMedia("(prefers-color-scheme: dark)");

function read(): Preferences {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return { ...DEFAULTS, ...(typeof kept === "object" ? kept : {}) };
  } catch {
    return DEFAULTS;
  }
}

let current = read();

/** The preferences now. */
export const preferences = (): Preferences => current;

/** Light or dark, as it is shown. */
export const scheme = (): "light" | "dark" =>
  current.theme === "system" ? (dark().matches ? "dark" : "light") : current.theme;

/** Puts the preferences on the document; before the first paint, and after each change. */
export function applyPreferences(): void {
  const root = document.documentElement;
  root.dataset.mantineColorScheme = scheme();
  setDensity(current.density);
  root.dataset.motion = current.reduceMotion ? "reduced" : "full";
  root.style.setProperty("--text", String(current.textSize / 100));
  remapShortcuts(current.shortcuts);
  writeLike(current.format);
}

/** Changes some preferences. */
export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  localStorage.setItem(KEY, JSON.stringify(current));
  applyPreferences();
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void) {
  const system = dark();
  const turned = () => {
    applyPreferences();
    watcher();
  };
  system.addEventListener("change", turned);
  watchers.add(watcher);
  return () => {
    system.removeEventListener("change", turned);
    watchers.delete(watcher);
  };
}

/** The preferences; the component follows their changes. */
export const usePreferences = (): Preferences => useSyncExternalStore(watch, preferences);

/** Light or dark, as it is shown; the component follows it. */
export const useScheme = (): "light" | "dark" => useSyncExternalStore(watch, scheme);
