// What stands at the end of the window and stays in reach: messages stand above it.

/** Tells messages how high an element is, while it is on screen; it carries `data-keep-clear`. */
export function keepClear(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  const { style } = document.documentElement;
  const look = () => style.setProperty("--foot", `${element.offsetHeight}px`);
  look();
  const watch = new ResizeObserver(look);
  watch.observe(element);
  return () => {
    watch.disconnect();
    style.removeProperty("--foot");
  };
}
