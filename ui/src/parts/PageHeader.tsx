// A page puts its context and its actions into the top bar, wherever in the page they are made.

import { createContext, type ReactNode, useContext } from "react";
import { createPortal } from "react-dom";

/** Places in the top bar. */
export type HeaderSlots = { context: HTMLElement | null; actions: HTMLElement | null };

/** Where the shell tells pages of its top bar. */
export const HeaderContext = createContext<HeaderSlots>({ context: null, actions: null });

type PageHeaderProps = {
  /** What the page is about just now, after its title. */
  context?: ReactNode;
  /** Buttons at the end. */
  actions?: ReactNode;
};

/** Fills the top bar while the page is on screen. */
export function PageHeader({ context, actions }: PageHeaderProps) {
  const slots = useContext(HeaderContext);
  return (
    <>
      {slots.context &&
        context !== undefined &&
        createPortal(
          // Words give way as a whole where there is room for a letter or two; what can be pressed stays.
          typeof context === "string" ? context !== "" && <span data-words>{context}</span> : context,
          slots.context,
        )}
      {slots.actions && actions !== undefined && createPortal(actions, slots.actions)}
    </>
  );
}
