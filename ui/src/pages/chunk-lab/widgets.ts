// What stands in the text without being a part of it.

import { WidgetType } from "@codemirror/view";
import css from "./editor.module.css";

/** All columns together stay a hair's breadth below the whole, so that rounding breaks no row. */
export const cellWidth = (share: number) => `${(share * 0.996).toFixed(2)}%`;

export type Label = {
  chunk: number;
  index: string;
  tokens: string;
  warn: boolean;
  header: string;
  on: boolean;
};

/** Number, tokens and context header of the chunks that begin at one place. */
export class Start extends WidgetType {
  readonly labels: readonly Label[];
  readonly repeated: string;
  constructor(labels: readonly Label[], repeated: string) {
    super();
    this.labels = labels;
    this.repeated = repeated;
  }
  override eq(other: Start) {
    return JSON.stringify([this.labels, this.repeated]) === JSON.stringify([other.labels, other.repeated]);
  }
  override toDOM() {
    const root = document.createElement("span");
    root.className = css.start ?? "";
    const gutter = root.appendChild(document.createElement("span"));
    gutter.className = css.gutter ?? "";
    if (this.repeated) gutter.append(this.repeated);
    for (const label of this.labels) {
      const entry = gutter.appendChild(document.createElement("span"));
      entry.dataset.chunk = String(label.chunk);
      entry.className = label.on ? (css.entryOn ?? "") : (css.entry ?? "");
      const index = entry.appendChild(document.createElement("bdi"));
      index.textContent = label.index;
      const tokens = entry.appendChild(document.createElement("small"));
      tokens.textContent = label.tokens;
      if (label.warn) tokens.className = css.warn ?? "";
    }
    const header = this.labels.find((label) => label.header)?.header;
    if (header) {
      const ghost = root.appendChild(document.createElement("span"));
      ghost.className = css.ghost ?? "";
      ghost.dataset.tip = header;
      const arrow = ghost.appendChild(document.createElement("span"));
      arrow.textContent = "⤷";
      arrow.setAttribute("aria-hidden", "true");
      const words = ghost.appendChild(document.createElement("span"));
      words.className = "ell";
      words.textContent = header;
    }
    return root;
  }
  override ignoreEvent() {
    return false;
  }
}

/** A cell without words: it keeps its column. */
export class Blank extends WidgetType {
  readonly width: number;
  constructor(width: number) {
    super();
    this.width = width;
  }
  override eq(other: Blank) {
    return this.width === other.width;
  }
  override toDOM() {
    const root = document.createElement("span");
    root.className = css.cell ?? "";
    root.style.width = cellWidth(this.width);
    return root;
  }
}

/** What is read in place of a break that is only how the source was wrapped. */
export class Space extends WidgetType {
  override eq() {
    return true;
  }
  override toDOM() {
    const root = document.createElement("span");
    root.textContent = " ";
    return root;
  }
}
