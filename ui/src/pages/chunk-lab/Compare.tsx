import { IconCheck, IconLoader2 } from "@tabler/icons-react";
import { useEffect, useMemo, useRef } from "react";
import type { PageView } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, useDelayed } from "@/kit/states";
import { VirtualList } from "@/kit/VirtualList";
import { pagesOf } from "@/parts/cited";
import { type Figure, Figures } from "@/parts/Figures";
import { Letter, type Side } from "@/parts/Letter";
import { inOneLine } from "@/parts/passage";
import { t } from "@/text";
import { decimal, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./compare.module.css";
import { axisOf, binsOf, boundariesOf, boundaryChanges, chunkAt, chunkOf, pagesAt, type Range } from "./cut";
import { Chips, FormButton } from "./Form";
import { GoldRow, type PassagePlace } from "./GoldRow";
import { countWarnings } from "./Minimap";
import { Overlay } from "./Overlay";
import { Source, type SourceHandle } from "./Source";
import shared from "./shared.module.css";
import type { Base, Cut } from "./use-chunking";
import type { ConfigControl } from "./use-config";

/** One side of the comparison. */
export type CompareSide = {
  control: ConfigControl;
  cut: Cut;
  pending: boolean;
  error: { message: string } | undefined;
};

const minus = (text: string) => text.replace("-", "−");
const signed = (value: number, digits = 0) =>
  value === 0 ? "0" : minus(`${value > 0 ? "+" : ""}${digits > 0 ? decimal(value, digits) : whole(value)}`);

/** Keeps the same place of the document at the upper edge of both texts. */
function useAligned() {
  const handles = useRef<Partial<Record<Side, SourceHandle>>>({});
  const driver = useRef<Side>("a");
  return {
    handle: (side: Side) => (handle: SourceHandle | undefined) => {
      handles.current[side] = handle;
    },
    drive: (side: Side) => () => {
      driver.current = side;
    },
    moved: (side: Side) => () => {
      if (driver.current !== side) return;
      const top = handles.current[side]?.top();
      if (top !== undefined) handles.current[side === "a" ? "b" : "a"]?.scrollTo(top);
    },
    show: (at: number) => {
      for (const side of ["a", "b"] as const) handles.current[side]?.scrollTo(at);
    },
  };
}

/** Said only of a cut that takes long enough to be noticed. */
function Rebuilding({ pending }: { pending: boolean }) {
  const late = useDelayed(pending, 150);
  return (
    <span role="status" className="row">
      {late && <IconLoader2 className="small spin" aria-label={t("chunk-lab.form.rebuilding")} />}
    </span>
  );
}

type Changes = ReturnType<typeof boundaryChanges>;

function figures(a: Cut, b: Cut, changes: Changes): Figure[] {
  const left = a.view.statistics;
  const right = b.view.statistics;
  const warnA = countWarnings(a.layout);
  const warnB = countWarnings(b.layout);
  const row = (key: Parameters<typeof t>[0], from: number, to: number, good?: "less"): Figure => ({
    name: t(key),
    values: [whole(from), whole(to)],
    change: signed(to - from),
    better: good && to !== from ? to < from : undefined,
  });
  return [
    row("chunk-lab.compare.chunks", left.count, right.count),
    row("chunk-lab.compare.median", left.median, right.median),
    row("chunk-lab.compare.p95", left.p95, right.p95),
    {
      name: t("chunk-lab.compare.range"),
      values: [`${whole(left.min)}–${whole(left.max)}`, `${whole(right.min)}–${whole(right.max)}`],
      change: "",
    },
    row("chunk-lab.compare.total", left.total, right.total),
    {
      name: t("chunk-lab.compare.overlap"),
      values: [`${decimal(left.overlap_percent, 1)}%`, `${decimal(right.overlap_percent, 1)}%`],
      change: signed(right.overlap_percent - left.overlap_percent, 1),
    },
    row("chunk-lab.compare.orphans", left.orphans, right.orphans, "less"),
    row("chunk-lab.compare.oversize", left.oversize, right.oversize, "less"),
    row("chunk-lab.compare.cut_paragraphs", warnA.cut_paragraph, warnB.cut_paragraph, "less"),
    row("chunk-lab.compare.cut_tables", warnA.cut_table, warnB.cut_table, "less"),
    {
      name: t("chunk-lab.compare.boundaries"),
      values: [whole(changes.onlyA.length + changes.both), whole(changes.onlyB.length + changes.both)],
      change: minus(`+${whole(changes.onlyB.length)} -${whole(changes.onlyA.length)}`),
    },
  ];
}

const ROW = 28;

type CompareProps = {
  base: Base;
  a: CompareSide;
  b: CompareSide;
  at: Range | undefined;
  /** Words that a link marks. */
  mark: Range | undefined;
  onAt: (at: Range) => void;
  /** Shows a passage, in whichever document it stands. */
  onPassage: (place: PassagePlace) => void;
  onStep: (by: number) => void;
  onKeep: () => void;
  onApply: (() => void) | undefined;
  narrow: boolean;
  /** Name of the corpus that the document belongs to; nothing for a text of its own. */
  corpus: string | undefined;
  /** What applying B would embed, in words. */
  cost: string | undefined;
};

/** Two cuts of one document side by side, and how they differ. */
export function Compare(props: CompareProps) {
  const { narrow, corpus, base, a, b, at, mark, onAt, onPassage, onStep, onKeep, onApply, cost } = props;
  const aligned = useAligned();
  const sides = { a, b };
  const changes = useMemo(
    () => boundaryChanges(boundariesOf(a.cut.layout), boundariesOf(b.cut.layout)),
    [a.cut.layout, b.cut.layout],
  );
  const show = aligned.show;
  const start = at?.[0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: both texts begin at the selected chunk, once.
  useEffect(() => {
    if (start !== undefined) show(start);
  }, []);
  return (
    <Panes id="chunk-lab-compare" direction="column">
      <Pane id="texts" min={160}>
        <Panes id="chunk-lab-compare-texts">
          {(["a", "b"] as const).map((side) => (
            <Pane
              key={side}
              id={side}
              label={t("chunk-lab.form.configuration", { side: side.toUpperCase() })}
              min={280}
            >
              <CutText
                side={side}
                of={sides[side]}
                base={base}
                at={at}
                mark={mark}
                onAt={onAt}
                onStep={onStep}
                aligned={aligned}
              />
            </Pane>
          ))}
        </Panes>
      </Pane>
      <Pane
        key={narrow ? "low" : "high"}
        id={narrow ? "figures-low" : "figures"}
        size={narrow ? 236 : 372}
        min={120}
        fold="start"
      >
        <Panes id="chunk-lab-compare-figures">
          <Pane id="numbers" label={t("chunk-lab.compare.figures")} size={371} min={260}>
            <PaneHead title={t("chunk-lab.compare.figures")} detail={t("chunk-lab.stats.here")} />
            <ScrollRegion fill ways="down" label={t("chunk-lab.compare.table")}>
              <Figures
                head={[
                  t("chunk-lab.compare.figure"),
                  <Letter key="a" side="a" />,
                  <Letter key="b" side="b" />,
                  t("chunk-lab.compare.change"),
                ]}
                rows={figures(a.cut, b.cut, changes)}
              />
              {corpus !== undefined && (
                <GoldRow corpus={corpus} a={a.control} b={b.control} onPassage={onPassage} />
              )}
            </ScrollRegion>
          </Pane>
          <Pane id="sizes" label={t("chunk-lab.compare.sizes")} size={340} min={240}>
            <Sizes a={a.cut} b={b.cut} changes={changes} onKeep={onKeep} onApply={onApply} cost={cost} />
          </Pane>
          <Pane id="boundaries" label={t("chunk-lab.compare.boundaries_changed")} min={280}>
            <Boundaries base={base} sides={sides} changes={changes} onAt={onAt} onShow={show} />
          </Pane>
        </Panes>
      </Pane>
    </Panes>
  );
}

type CutTextProps = Pick<CompareProps, "base" | "at" | "mark" | "onAt" | "onStep"> & {
  side: Side;
  of: CompareSide;
  aligned: ReturnType<typeof useAligned>;
};

/** The document as one side cuts it, below what that side is. */
function CutText({ side, of, base, at, mark, onAt, onStep, aligned }: CutTextProps) {
  const { control, cut, pending, error } = of;
  const select = (chunk: number) => {
    const range = cut.layout.chunks[chunk]?.view.range;
    if (range) onAt(range);
  };
  // The other cut knows another chunk at this place.
  const selected = at && (chunkOf(cut.layout, at) ?? chunkAt(cut.layout, at[0]));
  return (
    <>
      <div className={css.compareHead}>
        <Letter side={side} />
        <Chips control={control} active={side === "b"} />
        <Rebuilding pending={pending} />
        <FormButton side={side} control={control} cut={cut} />
      </div>
      {error && (
        <div className={shared.strap} role="alert">
          <Note kind="bad">{visible(sentence(error.message))}</Note>
        </div>
      )}
      <div
        className={css.compareText}
        onPointerEnter={aligned.drive(side)}
        onFocusCapture={aligned.drive(side)}
        onWheel={aligned.drive(side)}
      >
        <Source
          base={base}
          cut={cut}
          selected={selected}
          mark={mark}
          onSelect={select}
          onStep={onStep}
          label={t("chunk-lab.source.side", { side: side.toUpperCase() })}
          minimap={side === "b"}
          onSight={aligned.moved(side)}
          handle={aligned.handle(side)}
        />
      </div>
    </>
  );
}

type SizesProps = Pick<CompareProps, "onKeep" | "onApply" | "cost"> & { a: Cut; b: Cut; changes: Changes };

/** How large the chunks of both cuts are, and what to do with B. */
function Sizes({ a, b, changes, onKeep, onApply, cost }: SizesProps) {
  const { onlyA, onlyB, both } = changes;
  const chart = useMemo(() => {
    const axis = axisOf(Math.max(a.view.statistics.max, b.view.statistics.max));
    return { a: binsOf(a.view.chunks, axis, {}), b: binsOf(b.view.chunks, axis, {}), end: axis.end };
  }, [a, b]);
  return (
    <>
      <PaneHead
        title={t("chunk-lab.compare.sizes")}
        end={
          <span className="row gap-10 xs mut">
            <span className="row gap-4">
              <i className={css.keyBar} />A
            </span>
            <span className="row gap-4">
              <i className={css.keyLine} />B
            </span>
          </span>
        }
      />
      <ScrollRegion ways="down" className={css.sizes}>
        <Overlay label={t("chunk-lab.compare.histogram")} {...chart} />
        <Note kind="info">
          {onlyA.length + onlyB.length === 0
            ? t("chunk-lab.compare.same")
            : t("chunk-lab.compare.differ", { both, a: onlyA.length, b: onlyB.length })}
        </Note>
        <div className="row gap-6">
          <Button size="small" onClick={onKeep}>
            {t("chunk-lab.compare.keep")}
          </Button>
          {onApply && (
            <Button size="small" tone="primary" onClick={onApply}>
              {t("chunk-lab.compare.apply")}
            </Button>
          )}
        </div>
        {cost && <span className="xs mut">{cost}</span>}
      </ScrollRegion>
    </>
  );
}

type BoundariesProps = Pick<CompareProps, "base" | "onAt"> & {
  sides: Record<Side, CompareSide>;
  changes: Changes;
  /** Shows a place in both texts. */
  onShow: (at: number) => void;
};

/** The boundaries that only one of the cuts has, in the order of the text. */
function Boundaries({ base, sides, changes, onAt, onShow }: BoundariesProps) {
  const { onlyA, onlyB, both } = changes;
  const differing = useMemo(
    () =>
      [
        ...onlyA.map((place) => ({ at: place, side: "a" as const })),
        ...onlyB.map((place) => ({ at: place, side: "b" as const })),
      ].sort((one, other) => one.at - other.at),
    [onlyA, onlyB],
  );
  const select = (index: number) => {
    const change = differing[index];
    if (!change) return;
    const { layout } = sides[change.side].cut;
    const chunk = chunkAt(layout, change.at);
    if (chunk !== undefined) onAt(layout.chunks[chunk]?.view.range ?? [change.at, change.at]);
    onShow(change.at);
  };
  const row = (index: number) => {
    const change = differing[index];
    return (
      change && (
        <div className={css.change}>
          <Letter side={change.side} />
          <span className="ell sm">{wordsAt(base, change.at)}</span>
          <span className="xs mut number nowrap">{pageAt(base, change.at)}</span>
          <span className="xs mut number nowrap">{whole(change.at)}</span>
        </div>
      )
    );
  };
  return (
    <>
      <PaneHead
        title={t("chunk-lab.compare.boundaries_changed")}
        detail={t("chunk-lab.compare.counts", { a: onlyA.length, b: onlyB.length, both })}
      />
      {differing.length === 0 ? (
        <EmptyState title={t("chunk-lab.compare.no_change")} icon={<IconCheck aria-hidden />} />
      ) : (
        <VirtualList
          label={t("chunk-lab.compare.boundaries_changed")}
          count={differing.length}
          rowHeight={ROW}
          onSelect={select}
          row={row}
        />
      )}
    </>
  );
}

/** The words that begin at a place, in one line. */
const wordsAt = ({ text }: Base, place: number) =>
  inOneLine(text.slice(place, place + 90).split("\n")[0] ?? "");

/** The pages that a place stands on, as they are called. */
function pageAt({ structure }: Base, place: number): string | undefined {
  const found = pagesAt(structure.pages, place);
  if (!found) return undefined;
  const [first, last] = found;
  const label = ({ label, number }: PageView) => label ?? String(number);
  return pagesOf({ pages: [first.number, last.number], page_labels: [label(first), label(last)] });
}
