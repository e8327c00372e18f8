// The document in CodeMirror: every chunk tinted, what it repeats hatched, its header and its number where it begins.
// Decorations are made for the lines in sight only, so that a new cut of a large document costs no more than a screen.

import {
  EditorState,
  type Extension,
  type Range as Placed,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { SectionView } from "@/api/types";
import { aidsOf, EMPTY, firstWhere, headerOf, type Layout, type Range } from "./cut";
import css from "./editor.module.css";
import {
  cellsOf,
  emphasisIn,
  inColumns,
  type Paragraph,
  paragraphAt,
  softBreaks,
  strongIn,
  type Table,
  tablesOf,
} from "./markdown";
import shared from "./shared.module.css";
import { Blank, cellWidth, type Label, Space, Start } from "./widgets";

/** What is drawn over the text. */
export type Drawn = {
  layout: Layout;
  /** Chunk that is outlined. */
  selected: number | undefined;
  /** What was looked for. */
  found: Range | undefined;
  sections: readonly SectionView[];
  /** Words for the gutter: `287 t`. */
  tokens: (count: number) => string;
};

const draw = StateEffect.define<Drawn>();
const nothing: Drawn = { layout: EMPTY, selected: undefined, found: undefined, sections: [], tokens: String };

const drawnField = StateField.define<Drawn>({
  create: () => nothing,
  update: (value, transaction) =>
    transaction.effects.reduce((now, effect) => (effect.is(draw) ? effect.value : now), value),
});

const names = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(" ");

function labelOf({ layout, selected, tokens }: Drawn, chunk: number): Label {
  const { view } = layout.chunks[chunk] as Layout["chunks"][number];
  const warnings = layout.warnings[chunk] ?? [];
  return {
    chunk,
    index: `#${view.ordinal + 1}`,
    tokens: tokens(view.tokens),
    warn: warnings.includes("orphan") || warnings.includes("oversize"),
    header: headerOf(view),
    on: chunk === selected,
  };
}

const SIGNS = /^(#{1,6})\s+/;
const TABLE = /^\s*\|/;

// White space at the end of the line and the beginning of the next goes with the break.
function flow(doc: Text, soft: ReadonlySet<number>): DecorationSet {
  const breaks = [...soft].sort((a, b) => a - b);
  return Decoration.set(
    breaks.map((number) => {
      const [line, next] = [doc.line(number), doc.line(number + 1)];
      const from = line.from + line.text.trimEnd().length;
      const to = next.from + (next.text.length - next.text.trimStart().length);
      return Decoration.replace({ widget: new Space() }).range(from, to);
    }),
  );
}

type Flow = { soft: ReadonlySet<number>; breaks: DecorationSet };

const flowOf = (doc: Text): Flow => {
  const soft = softBreaks(doc);
  return { soft, breaks: flow(doc, soft) };
};

// Breaks change the lines on screen, so they are known before what is in sight: a field holds them, no view plugin.
const flowField = StateField.define<Flow>({
  create: (state) => flowOf(state.doc),
  update: (value, transaction) => (transaction.docChanged ? flowOf(transaction.newDoc) : value),
  provide: (field) => EditorView.decorations.from(field, ({ breaks }) => breaks),
});

/** Decorations of the lines in sight. */
function decorate(view: EditorView, tables: Tables): DecorationSet {
  const marks = new Marks(view.state.field(drawnField), tables);
  const { doc } = view.state;
  const { soft } = view.state.field(flowField);
  for (const visible of view.visibleRanges) {
    for (let at = visible.from; at <= visible.to; ) {
      const line = paragraphAt(doc, soft, at);
      at = line.to + 1;
      marks.line(line, visible);
    }
  }
  return Decoration.set(marks.out, true);
}

/** The table that a line belongs to. */
type Tables = (number: number) => Table | undefined;

/** Collects the decorations of one line after the other. */
class Marks {
  readonly out: Placed<Decoration>[] = [];
  readonly drawn: Drawn;
  readonly tables: Tables;
  /** Where the selected chunk begins and ends. */
  readonly outline: Range | undefined;
  /** What it repeats from elsewhere: titles around an item, the head of a table. */
  readonly repeats: readonly Range[];
  readonly aids: ReturnType<typeof aidsOf>;
  /** Beginning of the line that was parted last. */
  parted = -1;

  constructor(drawn: Drawn, tables: Tables) {
    const { layout, selected } = drawn;
    this.drawn = drawn;
    this.tables = tables;
    this.aids = aidsOf(layout);
    const chunk = selected === undefined ? undefined : layout.chunks[selected];
    this.repeats = (chunk?.view.pieces ?? []).flatMap((piece) =>
      piece.kind === "source" && !["body", "aid", "overlap"].includes(piece.role) ? [piece.range] : [],
    );
    const range = chunk?.view.range;
    const last = range && layout.stretches.findLast((each) => each.chunk === selected);
    // The outline holds the white space behind the chunk too, as its tint does.
    const past = chunk?.view.parent === null ? last?.to : undefined;
    this.outline = range && [range[0], Math.max(range[1], past ?? range[1])];
  }

  // A line may be far longer than the screen: then several ranges of it are in sight, and only they are looked at.
  line(line: Paragraph, visible: { from: number; to: number }) {
    const { drawn, outline, aids } = this;
    const { layout, found, sections } = drawn;
    const begin = Math.max(line.from, visible.from);
    const end = Math.min(line.to, visible.to);
    const cuts = new Set<number>([begin]);
    for (
      let look = firstWhere(layout.stretches, (each) => each.to > begin);
      look < layout.stretches.length;
      look += 1
    ) {
      const stretch = layout.stretches[look] as Layout["stretches"][number];
      if (stretch.from > end) break;
      for (const edge of [stretch.from, stretch.to]) if (edge > begin && edge < line.to) cuts.add(edge);
    }
    for (let look = firstWhere(layout.starts, (start) => start.at > begin); ; look += 1) {
      const start = layout.starts[look];
      if (!start || start.at >= line.to || start.at > end) break;
      cuts.add(start.at);
    }
    if (outline)
      for (const edge of outline) if (edge > begin && edge < Math.min(end, line.to)) cuts.add(edge);
    const edges = [...cuts].sort((a, b) => a - b);
    const whole = edges.length === 1 && begin === line.from && end === line.to;
    const blank = line.text.trim() === "";
    const near = aids[firstWhere(aids, ([, to]) => to > line.from)];
    const aid = near !== undefined && near[0] <= line.from;
    const heading = headingAt(sections, line.from, line.to);
    const table = TABLE.test(line.text) ? this.tables(line.number) : undefined;
    const written = TABLE.test(line.text) && !table;
    const level = heading ? Math.min(4, heading.level) : 0;
    edges.forEach((from, index) => {
      const to = edges[index + 1] ?? end;
      const spot = layout.stretches[firstWhere(layout.stretches, (each) => each.to > from)];
      const stretch = spot && spot.from <= from ? spot : undefined;
      const inside = outline !== undefined && from >= outline[0] && from < outline[1];
      const tone = stretch ? layout.tone[stretch.chunk] : undefined;
      const look = names(
        css.block,
        tone === "a" && css.toneA,
        tone === "b" && css.toneB,
        stretch?.over !== undefined && css.overlap,
        blank && css.blank,
        heading && css.heading,
        level === 1 && css.heading1,
        level === 2 && css.heading2,
        written && css.written,
        aid && css.aid,
        table && css.row,
        table?.first === line.number && css.rowHead,
        table?.rule === line.number && css.rowRule,
        inside && css.on,
        inside && from === outline[0] && css.onFirst,
        inside && to >= outline[1] - (index === edges.length - 1 ? 1 : 0) && css.onLast,
      );
      const starting: Label[] = [];
      for (let place = firstWhere(layout.starts, (start) => start.at >= from); ; place += 1) {
        const start = layout.starts[place];
        if (!start || start.at !== from) break;
        starting.push(labelOf(drawn, start.chunk));
      }
      const over =
        stretch?.over !== undefined && stretch.from === from ? layout.chunks[stretch.over] : undefined;
      const labelled = starting.length > 0 || over !== undefined;
      const start =
        labelled &&
        Decoration.widget({
          widget: new Start(starting, over ? `+${over.view.overlap_tokens}` : ""),
          side: whole ? -1 : 1,
        });
      const classes = names(look, labelled && css.labelled);
      if (whole) this.out.push(Decoration.line({ class: classes }).range(line.from));
      else {
        if (this.parted !== line.from) this.out.push(Decoration.line({ class: css.parted }).range(line.from));
        this.parted = line.from;
        // Without an attribute of its own a part would be joined with an equal one beside it.
        if (to > from)
          this.out.push(
            Decoration.mark({
              class: classes,
              inclusiveStart: true,
              attributes: { "data-from": String(from) },
            }).range(from, to),
          );
      }
      if (start) this.out.push(start.range(from));
    });
    const signs = heading ? (SIGNS.exec(line.text)?.[0].length ?? 0) : 0;
    if (signs > 0) this.mark([line.from, line.from + signs], css.hidden, begin, end);
    if (table && inColumns(line.text)) this.columns(line, table, begin, end);
    for (const each of strongIn(line.text)) this.between(line.from, each, 2, css.strong, begin, end);
    for (const each of emphasisIn(line.text)) this.between(line.from, each, 1, css.emphasis, begin, end);
    if (found) this.mark(found, css.found, begin, end);
    for (const repeat of this.repeats) this.mark(repeat, shared.repeated, begin, end);
  }

  columns(line: Paragraph, table: Table, least: number, most: number) {
    if (line.number === table.rule) return this.mark([line.from, line.to], css.rule, least, most);
    let past = line.from;
    cellsOf(line.text).forEach(([from, to], column) => {
      const width = table.widths[column];
      if (width === undefined) return;
      this.mark([past, line.from + from], css.hidden, least, most);
      past = line.from + to;
      if (from === to) {
        if (past >= least && past <= most)
          this.out.push(Decoration.widget({ widget: new Blank(width), side: 1 }).range(past));
        return;
      }
      const begin = Math.max(line.from + from, least);
      const end = Math.min(past, most);
      if (end > begin)
        this.out.push(
          Decoration.mark({
            class: names(css.cell, table.ends[column] && css.figure),
            attributes: { style: `width:${cellWidth(width)}`, "data-column": String(column) },
          }).range(begin, end),
        );
    });
    this.mark([past, line.to], css.hidden, least, most);
  }

  /** Words between marks of `size` characters, without the marks. */
  between(
    line: number,
    { from, to }: { from: number; to: number },
    size: number,
    look: string | undefined,
    least: number,
    most: number,
  ) {
    this.mark([line + from, line + from + size], css.hidden, least, most);
    this.mark([line + from + size, line + to - size], look, least, most);
    this.mark([line + to - size, line + to], css.hidden, least, most);
  }

  mark([from, to]: Range, look: string | undefined, least: number, most: number) {
    const begin = Math.max(from, least);
    const end = Math.min(to, most);
    if (end > begin) this.out.push(Decoration.mark({ class: look }).range(begin, end));
  }
}

function headingAt(sections: readonly SectionView[], from: number, to: number): SectionView | undefined {
  const section = sections[firstWhere(sections, (each) => each.range[0] >= from)];
  return section && section.range[0] <= to && section.title !== "" ? section : undefined;
}

const painter = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    tables: Tables;
    constructor(view: EditorView) {
      this.tables = tablesOf(view.state.doc);
      this.decorations = decorate(view, this.tables);
    }
    update(update: ViewUpdate) {
      if (update.docChanged) this.tables = tablesOf(update.state.doc);
      const redrawn = update.startState.field(drawnField) !== update.state.field(drawnField);
      if (redrawn || update.docChanged || update.viewportChanged)
        this.decorations = decorate(update.view, this.tables);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** What the reader does in the text. */
export type Heard = {
  /** A place or, in the gutter, a chunk was pressed. */
  onPress: (at: number, chunk: number | undefined) => void;
  onKey: (event: KeyboardEvent) => boolean;
  /** The text moved. */
  onScroll: () => void;
};

/** A read-only editor on `text` in `parent`. `nonce` is what the security policy gives to style elements. */
export function openEditor(
  parent: HTMLElement,
  text: string,
  label: string,
  nonce: string,
  heard: Heard,
): EditorView {
  const extensions: Extension[] = [
    EditorView.cspNonce.of(nonce),
    // Offsets of the engine count every character; only the line feed ends a line.
    EditorState.lineSeparator.of("\n"),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    drawnField,
    flowField,
    painter,
    EditorView.domEventHandlers({
      click: (event, view) => {
        if (
          !view.state.selection.main.empty ||
          (view.dom.ownerDocument.getSelection()?.toString() ?? "") !== ""
        )
          return false;
        const entry =
          event.target instanceof Element ? event.target.closest<HTMLElement>("[data-chunk]") : null;
        const at = placeAt(view, event.clientX, event.clientY);
        heard.onPress(at, entry ? Number(entry.dataset.chunk) : undefined);
        return false;
      },
      keydown: (event) => heard.onKey(event),
      copy: (event, view) => {
        const text = selectedText(view);
        if (text === "" || !event.clipboardData) return false;
        event.clipboardData.setData("text/plain", text);
        event.preventDefault();
        return true;
      },
      scroll: () => {
        heard.onScroll();
        return false;
      },
    }),
  ];
  return new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
}

/** What is selected, as it is stored: headers and numbers that are only drawn are no part of it, hidden marks are. */
function selectedText(view: EditorView): string {
  const selection = view.dom.ownerDocument.getSelection();
  const { anchorNode, focusNode } = selection ?? {};
  const within = (node: Node | null | undefined): node is Node => view.contentDOM.contains(node ?? null);
  if (!selection || selection.isCollapsed || !within(anchorNode) || !within(focusNode)) return "";
  const ends = [
    view.posAtDOM(anchorNode, selection.anchorOffset),
    view.posAtDOM(focusNode, selection.focusOffset),
  ].sort((a, b) => a - b);
  return view.state.sliceDoc(...ends);
}

/** Draws over the text; the text itself stays. */
export function redraw(view: EditorView, drawn: Drawn): void {
  view.dispatch({ effects: draw.of(drawn) });
}

/** Pixels by which a line may be past the upper edge and still begin there. */
const EDGE = 4;

// What is folded away has no place on screen.
const placeAt = (view: EditorView, x: number, y: number): number =>
  view.scrollDOM.getBoundingClientRect().height > 0 ? view.posAtCoords({ x, y }, false) : view.viewport.from;

/** The place at the upper edge of what is in sight. */
export function topOf(view: EditorView): number {
  const box = view.scrollDOM.getBoundingClientRect();
  if (box.height > 0) {
    // Above the first words of a line may stand the header of a chunk: the line begins there.
    const edge = box.top - view.documentTop;
    const line = view.lineBlockAtHeight(edge + EDGE);
    if (line.top >= edge - EDGE) return line.from;
  }
  return placeAt(view, box.left + 80, box.top + 4);
}

/** First and last place in sight. */
export function sightOf(view: EditorView): Range {
  const box = view.scrollDOM.getBoundingClientRect();
  return [topOf(view), placeAt(view, box.right - 24, box.bottom - 4)];
}

/** Brings a place to the upper edge. */
export function scrollTo(view: EditorView, at: number, margin = 0): void {
  // The beginning of the text shows with everything that stands before it.
  if (at <= 0) {
    view.scrollDOM.scrollTop = 0;
    return;
  }
  view.dispatch({
    effects: EditorView.scrollIntoView(Math.min(at, view.state.doc.length), { y: "start", yMargin: margin }),
  });
}
