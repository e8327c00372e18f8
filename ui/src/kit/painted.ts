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
