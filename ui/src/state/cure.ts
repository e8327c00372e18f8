// What mends an error, where that is a place of the window.

import type { Cure, Explained } from "@/text/errors";
import { href, navigate } from "./router";

const PLACES: Partial<Record<Cure, string>> = {
  "settings.models": href("settings", ["models"]),
  "settings.retrieval": href("settings", ["retrieval"]),
  "settings.data": href("settings", ["data"]),
  "settings.logs": href("settings", ["logs"]),
  library: href("library"),
};

/** Goes where an error is mended; nothing where that is no place. */
export function openCure({ cure }: Explained): void {
  const place = PLACES[cure];
  if (place) navigate(place);
}

/** The words and the way of a cure that is a place. */
export function cureOf(explained: Explained): { label: string; action: string; run: () => void } | undefined {
  if (!PLACES[explained.cure] || !explained.action) return undefined;
  return { label: explained.action, action: explained.action, run: () => openCure(explained) };
}
