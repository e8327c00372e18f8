import { type KeyboardEvent, useState } from "react";

/** What {@link useRoving} walks. */
export type RovingOptions = {
  count: number;
  /** Chosen row, or -1. */
  selected: number;
  onSelect?: (index: number) => void;
  onOpen?: (index: number) => void;
  /** Rows a page key moves. */
  page: () => number;
  scrollTo: (index: number) => void;
  /** Keys beyond moving; gives whether the key was used. */
  extra?: (event: KeyboardEvent, index: number) => boolean;
};

/** One tab stop in a list: arrows move it and choose, Enter opens. */
export function useRoving({ count, selected, onSelect, onOpen, page, scrollTo, extra }: RovingOptions) {
  const [moved, setMoved] = useState(-1);
  const active = Math.min(count - 1, moved >= 0 ? moved : Math.max(0, selected));
  const go = (index: number, root: HTMLElement) => {
    const next = Math.max(0, Math.min(count - 1, index));
    setMoved(next);
    scrollTo(next);
    onSelect?.(next);
    // The row may not exist before the list has scrolled to it.
    requestAnimationFrame(() => root.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus());
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (count === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    // Keys inside a control of a row belong to that control.
    if (!(event.target as HTMLElement).hasAttribute("data-index")) return;
    const root = event.currentTarget;
    const targets: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page(),
      PageUp: active - page(),
      Home: 0,
      End: count - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      go(target, root);
    } else if (event.key === "Enter") {
      event.preventDefault();
      (onOpen ?? onSelect)?.(active);
    } else if (extra?.(event, active)) event.preventDefault();
  };
  return { active, setActive: setMoved, go, onKeyDown };
}
