// Text that is asked about alone: any screen hands it over, and Ask answers from nothing else.

import { createStore } from "@/kit/store";
import { href, navigate } from "./router";

/** A selected text, and where it is from as far as that is known. */
export type Selected = {
  text: string;
  /** Path or name of the document; empty where there is none. */
  document: string;
  /** Heading above it; empty where there is none. */
  section: string;
  /** Physical page. */
  page: number | null;
  /** Label printed on it, where that differs. */
  page_label: string | null;
};

const NOTHING: Selected = { text: "", document: "", section: "", page: null, page_label: null };

const selected = createStore<Selected>(NOTHING);

/** The selected text; empty where nothing is selected. */
export const useSelected = selected.use;

/** Puts another text in its place. */
export const setSelected = (next: Partial<Selected>): void => selected.set({ ...NOTHING, ...next });

/** Opens Ask, ready for a question about `text` alone. */
export function askFrom(text: Partial<Selected>): void {
  setSelected(text);
  navigate(href("ask", [], { from: "selection" }));
}

/** Opens Ask with a question that still can be changed. */
export const askAbout = (question: string): void => navigate(href("ask", [], { q: question }));

const ATTRIBUTE = "data-askable";

/** Attributes of an element whose text can be selected to ask about it; escaped, so that no sign of a title stands raw. */
export const askable = (where: Partial<Omit<Selected, "text">> = {}): { [ATTRIBUTE]: string } => ({
  [ATTRIBUTE]: encodeURIComponent(JSON.stringify(where)),
});

/** What the reader has selected of a text that can be asked about, and where it stands in the window. */
export function selectionNow(): { selected: Selected; box: DOMRect } | undefined {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const text = selection.toString().trim();
  const range = selection.getRangeAt(0);
  const common = range.commonAncestorContainer;
  const element = common instanceof Element ? common : common.parentElement;
  const root = element?.closest(`[${ATTRIBUTE}]`);
  if (text === "" || !root) return undefined;
  const where = JSON.parse(decodeURIComponent(root.getAttribute(ATTRIBUTE) ?? "{}")) as Partial<Selected>;
  return { selected: { ...NOTHING, ...where, text }, box: range.getBoundingClientRect() };
}
