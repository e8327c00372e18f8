import type { EditorView } from "@codemirror/view";
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { whenPainted } from "@/kit/painted";
import { combination, keysOf } from "@/kit/shortcuts";
import { useSteady } from "@/kit/steady";
import { styleNonce } from "@/kit/theme";
import { askable } from "@/state/selection";
import { t } from "@/text";
import { chunkAt, firstWhere, headerOf, type Range } from "./cut";
import { openEditor, redraw, scrollTo, sightOf, topOf } from "./editor";
import written from "./editor.module.css";
import { Minimap } from "./Minimap";
import css from "./source.module.css";
import type { Base, Cut } from "./use-chunking";

/** What another part of the screen can ask of the text. */
export type SourceHandle = { scrollTo: (at: number) => void; top: () => number };

type SourceProps = {
  base: Base;
  cut: Cut;
  selected: number | undefined;
  onSelect: (chunk: number) => void;
  /** Moves the selection along the chunks. */
  onStep: (by: number) => void;
  /** A stretch that was looked for. */
  found?: Range;
  /** A stretch that a link marks; until a chunk is chosen it is what stays in sight. */
  mark?: Range;
  label: string;
  /** Name of the document, where what is selected in it can be asked about. */
  name?: string;
  minimap?: boolean;
  /** Hears of the place in sight, a frame after it moved. */
  onSight?: (sight: Range) => void;
  /** Hears that the boundaries of a cut are painted. */
  onPainted?: (cut: Cut) => void;
  handle?: (handle: SourceHandle | undefined) => void;
};

/** Pixels above a chunk that is brought into sight, so that its beginning shows. */
const ABOVE = 96;
/** Pixels that the beginning of a chunk takes above its text, with a header and without one. */
const HEADER = 32;
const PADDING = 6;

/** The stretch of the text that is in sight, looked at a frame after something may have moved it. */
function useSight(editor: RefObject<EditorView | undefined>, onSight: SourceProps["onSight"]) {
  const [sight, setSight] = useState<Range>([0, 0]);
  const frame = useRef(0);
  const look = useSteady(() => {
    if (!editor.current) return;
    const now = sightOf(editor.current);
    setSight((before) => (before[0] === now[0] && before[1] === now[1] ? before : now));
    onSight?.(now);
  });
  const lookSoon = useSteady(() => {
    cancelAnimationFrame(frame.current);
    frame.current = requestAnimationFrame(look);
  });
  const stopLooking = useSteady(() => cancelAnimationFrame(frame.current));
  return { sight, lookSoon, stopLooking };
}

/** The whole document with its chunks. */
export function Source(props: SourceProps) {
  const { base, cut, selected, mark, label, name, minimap = true } = props;
  const found = props.found ?? mark;
  const root = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const pressed = useRef<number>(undefined);
  const { sight, lookSoon, stopLooking } = useSight(editor, props.onSight);
  const press = useEffectEvent((at: number, chunk: number | undefined) => {
    const hit = chunk ?? chunkAt(cut.layout, at);
    if (hit === undefined) return;
    pressed.current = hit;
    props.onSelect(hit);
  });
  const step = useEffectEvent((event: KeyboardEvent) => {
    for (const [id, by] of [
      ["chunk-lab.next", 1],
      ["chunk-lab.previous", -1],
    ] as const)
      if (keysOf(id).split(" ").includes(combination(event))) {
        props.onStep(by);
        return true;
      }
    return false;
  });
  // A chunk that begins at the upper edge shows its header too.
  const headRoom = useEffectEvent((at: number) => {
    const { starts, chunks } = cut.layout;
    const start = starts[firstWhere(starts, (each) => each.at >= at)];
    const view = start?.at === at ? chunks[start.chunk]?.view : undefined;
    return view === undefined ? 0 : headerOf(view) ? HEADER : PADDING;
  });
  const tell = useEffectEvent((handle: SourceHandle | undefined) => props.handle?.(handle));

  useLayoutEffect(() => {
    if (!root.current) return;
    const view = openEditor(root.current, base.text, label, styleNonce(), {
      onPress: (at, chunk) => press(at, chunk),
      onKey: (event) => step(event),
      onScroll: lookSoon,
    });
    editor.current = view;
    tell({ scrollTo: (at) => scrollTo(view, at, headRoom(at)), top: () => topOf(view) });
    return () => {
      stopLooking();
      tell(undefined);
      editor.current = undefined;
      view.destroy();
    };
  }, [base, label, lookSoon, stopLooking]);

  const painted = useEffectEvent((done: Cut) => props.onPainted?.(done));
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new editor has nothing drawn on it yet.
  useLayoutEffect(() => {
    if (!editor.current) return;
    redraw(editor.current, {
      layout: cut.layout,
      selected,
      found,
      sections: base.structure.sections,
      tokens: (count) => t("chunk-lab.tokens_short", { tokens: count }),
    });
    lookSoon();
  }, [base, label, cut, selected, found]);
  useEffect(() => whenPainted(() => painted(cut)), [cut]);

  const range = selected === undefined ? undefined : cut.layout.chunks[selected]?.view.range;
  const reveal = useEffectEvent((at: number) => {
    if (!editor.current) return;
    const [first, last] = sightOf(editor.current);
    // What was pressed in the text is in sight, and the text stays where it is.
    if (!mark && pressed.current !== selected && (at < first || at > last - (last - first) / 4))
      scrollTo(editor.current, at, ABOVE);
    pressed.current = undefined;
  });
  const start = range?.[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text begins at its top.
  useEffect(() => {
    if (start !== undefined) reveal(start);
  }, [start, base]);
  useEffect(() => {
    if (found && editor.current) scrollTo(editor.current, found[0], ABOVE);
  }, [found]);

  return (
    <div className={css.source}>
      <div ref={root} className={written.text} {...askable({ document: name })} />
      {minimap && (
        <Minimap
          layout={cut.layout}
          length={base.text.length}
          selected={selected}
          sight={sight}
          onGo={(at) => editor.current && scrollTo(editor.current, at)}
        />
      )}
    </div>
  );
}
