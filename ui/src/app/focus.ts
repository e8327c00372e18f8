// F6 walks the parts of the window: rail, top bar, the panes in sight, status bar.

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), [tabindex="0"], [contenteditable="true"]';

const visible = (element: Element) => element.getClientRects().length > 0 && !element.closest("[inert]");

/** Moves the focus to the next part of the window, or the one before. */
export function walkPanes(step: 1 | -1): void {
  // A page without panes is one itself.
  const parts = document.querySelector("main [data-pane]") ? "[data-pane]" : "[data-pane], main";
  const panes = [...document.querySelectorAll<HTMLElement>(parts)].filter(visible);
  if (panes.length === 0) return;
  // Of nested panes the innermost holds the focus.
  const now = panes.findLastIndex((pane) => pane.contains(document.activeElement));
  const from = now < 0 ? (step > 0 ? -1 : 0) : now;
  const pane = panes[(from + step + panes.length) % panes.length];
  if (!pane) return;
  const inside = [...pane.querySelectorAll<HTMLElement>(FOCUSABLE)].find(
    (element) => element.tabIndex >= 0 && visible(element),
  );
  (inside ?? pane).focus();
}
