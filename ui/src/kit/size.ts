import { useEffect, useRef, useState } from "react";

/** Pixels across and down inside an element, and again when they change; nothing before it is laid out. */
export function useSize() {
  const root = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState<{ width: number; height: number }>();
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const look = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    look();
    const watch = new ResizeObserver(look);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return { root, size };
}
