// How large a page is drawn: to the width of its pane or wholly in sight, and by how much more or less.

import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useShortcut } from "@/kit/shortcuts";

const STEP = 1.25;
const LEAST = STEP ** -5;
const MOST = STEP ** 7;
/** Pixels of a wheel for one step. */
const WHEEL = 100;

/** The size of a page with what changes it. */
export type Zoom = ReturnType<typeof useZoom>;

/** The size of a page on `screen`, which defines the keys; they work while `shown`. */
export function useZoom(screen: "assess" | "chunk-lab", shown: boolean) {
  const [wide, setWide] = useState(true);
  const [factor, setFactor] = useState(1);
  const by = (steps: number) => setFactor((now) => Math.max(LEAST, Math.min(MOST, now * STEP ** steps)));
  const zoom = {
    /** As wide as the pane rather than wholly in sight. */
    wide: wide && factor === 1,
    /** Whether the width of the pane is what `factor` multiplies, rather than the whole page. */
    byWidth: wide,
    factor,
    by,
    in: () => by(1),
    out: () => by(-1),
    /** To the width of the pane; from there, wholly into sight. */
    fit: () => {
      setWide(factor !== 1 || !wide);
      setFactor(1);
    },
  };
  useShortcut(`${screen}.zoom-in`, zoom.in, shown);
  useShortcut(`${screen}.zoom-out`, zoom.out, shown);
  useShortcut(`${screen}.zoom-fit`, zoom.fit, shown);
  return zoom;
}

/** Zooms what scrolls in `root` by Ctrl and the wheel, and keeps its middle where it is. */
export function useZoomed(root: RefObject<HTMLElement | null>, { by, factor }: Zoom): void {
  const turn = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return;
    // The window itself would be zoomed.
    event.preventDefault();
    by(-event.deltaY / WHEEL);
  });
  useEffect(() => {
    const element = root.current;
    const listen = (event: WheelEvent) => turn(event);
    element?.addEventListener("wheel", listen, { passive: false });
    return () => element?.removeEventListener("wheel", listen);
  }, [root]);
  const before = useRef(factor);
  useLayoutEffect(() => {
    const element = root.current;
    const grown = factor / before.current;
    before.current = factor;
    if (!element || grown === 1) return;
    const { clientWidth, clientHeight } = element;
    element.scrollLeft = (element.scrollLeft + clientWidth / 2) * grown - clientWidth / 2;
    element.scrollTop = (element.scrollTop + clientHeight / 2) * grown - clientHeight / 2;
  }, [root, factor]);
}
