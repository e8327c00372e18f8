// Words for what is under the pointer or has the focus. One tooltip serves the window: whatever carries `data-tip`.

import { cloneElement, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Kbd } from "./Kbd";
import css from "./tooltip.module.css";

/** Milliseconds that the pointer or the focus rests before the words show. */
export const DELAY = 600;
/** Pixels between what they are about and the words, and between the words and the edge of the window. */
const GAP = 6;

type Tipped = { "data-tip"?: string; "data-tip-keys"?: string; "aria-description"?: string };

/** Words that say more than what an element shows, as its attributes. What only shows in full what is cut short, or
 * repeats the element's name, is given as `data-tip` alone. */
export const tip = (words: string | undefined): Tipped =>
  words ? { "data-tip": words, "aria-description": words } : {};

type TooltipProps = {
  label: string;
  /** Keys shown after the label, such as `mod+k`. */
  keys?: string;
  children: ReactElement<Tipped>;
};

/** Gives its child words and keys. */
export const Tooltip = ({ label, keys, children }: TooltipProps) =>
  cloneElement(children, { "data-tip": label, "data-tip-keys": keys });

const isCut = (element: Element): boolean =>
  element.scrollWidth > element.clientWidth || [...element.children].some(isCut);

/** Whether the words are in full view already. */
function isShown(element: HTMLElement, words: string): boolean {
  const plain = (text: string) => text.replace(/\s+/g, " ").trim();
  return plain(element.textContent ?? "").includes(plain(words)) && !isCut(element);
}

const tipped = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;

type Shown = { element: HTMLElement; words: string; keys?: string };

/** The element to tell of, once the pointer or the focus has rested on it. Any use of the window ends it. */
function useTipped(): Shown | undefined {
  const [shown, show] = useState<Shown>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let at: HTMLElement | null = null;
    const hide = () => {
      clearTimeout(timer);
      show(undefined);
    };
    const rest = (element: HTMLElement | null) => {
      if (element === at) return;
      at = element;
      hide();
      if (!element) return;
      timer = setTimeout(() => {
        const { tip: words, tipKeys: keys } = element.dataset;
        // What is open lies where the words would, and says more.
        const open = element.getAttribute("aria-expanded") === "true";
        if (words && element.isConnected && !open && (keys || !isShown(element, words)))
          show({ element, words, keys });
      }, DELAY);
    };
    const over = (event: PointerEvent) => rest(tipped(event.target));
    const leave = () => rest(null);
    // A press moves the focus too, and has been about the element already.
    let pressed = false;
    const press = () => {
      pressed = true;
      hide();
    };
    const key = () => {
      pressed = false;
      hide();
    };
    const focus = (event: FocusEvent) => {
      if (!pressed) rest(tipped(event.target));
    };
    const listeners = [
      ["pointerover", over],
      ["focusin", focus],
      ["focusout", leave],
      ["pointerdown", press],
      ["keydown", key],
      ["wheel", hide],
      ["scroll", hide],
      ["blur", leave],
    ] as const;
    for (const [name, listener] of listeners)
      window.addEventListener(name, listener as EventListener, { capture: true, passive: true });
    document.documentElement.addEventListener("pointerleave", leave);
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of listeners)
        window.removeEventListener(name, listener as EventListener, { capture: true });
      document.documentElement.removeEventListener("pointerleave", leave);
    };
  }, []);
  return shown;
}

/** Where words of a size stand by an element: below it, above where there is no room, inside the window. */
export function placeBy(
  near: Pick<DOMRect, "left" | "top" | "bottom">,
  size: { width: number; height: number },
  room: { width: number; height: number },
): { left: number; top: number } {
  const below = near.bottom + GAP;
  const fits = below + size.height + GAP <= room.height;
  return {
    left: Math.max(GAP, Math.min(near.left, room.width - size.width - GAP)),
    top: fits ? below : Math.max(GAP, near.top - GAP - size.height),
  };
}

/** The tooltip of the window, once in it. */
export function TooltipLayer() {
  const shown = useTipped();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!shown || !box.current) return;
    const { left, top } = placeBy(
      shown.element.getBoundingClientRect(),
      box.current.getBoundingClientRect(),
      {
        width: window.innerWidth,
        height: window.innerHeight,
      },
    );
    box.current.style.translate = `${left}px ${top}px`;
  }, [shown]);
  if (!shown) return null;
  return (
    <div ref={box} role="tooltip" className={css.tooltip}>
      <span className="row gap-6">
        <span>{shown.words}</span>
        {shown.keys && <Kbd keys={shown.keys} />}
      </span>
    </div>
  );
}
