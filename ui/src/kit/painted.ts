import { startTransition, useEffect, useState } from "react";

/** Calls `tell` once what was just drawn is painted. Gives what calls it off. */
export function whenPainted(tell: () => void): () => void {
  let task: ReturnType<typeof setTimeout>;
  const frame = requestAnimationFrame(() => {
    // A frame is laid out and painted after its callbacks, before any other task.
    task = setTimeout(tell);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(task);
  };
}

/**
 * `value` as it was, until what is drawn with the new one is painted. What explains an answer may come a frame after the
 * answer itself, and what comes with it is drawn in pieces that input interrupts.
 */
export function useOncePainted<T>(value: T): T {
  const [painted, setPainted] = useState(value);
  useEffect(() => {
    if (value === painted) return;
    return whenPainted(() => startTransition(() => setPainted(value)));
  }, [value, painted]);
  return painted;
}
