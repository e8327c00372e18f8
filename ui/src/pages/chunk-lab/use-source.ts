// Where the document comes from: the library, a file, a text given by hand.

import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { subscribeDrag } from "@/api/client";
import type { Lab } from "./state";
import type { Source as CutOf } from "./use-chunking";

// A text given by hand lives as long as the window: it is too long for the address.
let given: { key: string; name: string; text: string } | undefined;
let givenBefore = 0;

/** Keeps a text given by hand; the state then names it by `text`. */
export function give(name: string, text: string): void {
  givenBefore += 1;
  given = { key: `text:${givenBefore}`, name, text };
}

/** Name of the text given by hand. */
export const givenName = (): string => given?.name ?? "";

/** What the state names, as the engine takes it. */
export function useSource({ document, path, text }: Lab): CutOf | undefined {
  const key = text
    ? given?.key
    : path !== undefined
      ? `path:${path}`
      : document !== undefined
        ? `document:${document}`
        : undefined;
  return useMemo(() => {
    if (key === undefined) return undefined;
    if (key.startsWith("text:") && given)
      return { key, source: { kind: "text", name: given.name, text: given.text } };
    if (path !== undefined) return { key, source: { kind: "path", path } };
    return { key, source: { kind: "document", id: document ?? 0 } };
  }, [key, path, document]);
}

/** Hears of files let go over the window. Gives whether some hang over it. */
export function useDropped(onDrop: (path: string) => void): boolean {
  const [over, setOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(
    () =>
      subscribeDrag((event) => {
        if (event.kind === "over") return;
        setOver(event.kind === "enter");
        const path = event.kind === "drop" ? event.paths[0] : undefined;
        if (path !== undefined) drop(path);
      }),
    [],
  );
  return over;
}

/** Hears of text pasted anywhere but into a field. */
export function usePasted(onText: (text: string) => void) {
  const paste = useEffectEvent(onText);
  useEffect(() => {
    const listen = (event: ClipboardEvent) => {
      if (event.target instanceof Element && event.target.closest("input, textarea")) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim() !== "") paste(text);
    };
    window.addEventListener("paste", listen);
    return () => window.removeEventListener("paste", listen);
  }, []);
}
