import { type KeyboardEvent, type RefObject, useMemo } from "react";
import { useRowHeight } from "@/kit/density";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useSize } from "@/kit/size";
import { useSteady } from "@/kit/steady";
import { focusCell, useVirtualGrid } from "@/kit/virtual-rows";
import { t } from "@/text";
import css from "./grid.module.css";
import { Head } from "./Head";
import { LineOf, type LineProps, NAME } from "./LineOf";
import { HEAD, type Measures, useMeasures } from "./measures";
import type { Line, Model } from "./model";
import type { Walk } from "./use-walk";

type GridProps = {
  model: Model;
  lines: readonly Line[];
  walk: Walk;
  /** Cells whose decision could not be stored. */
  unsaved: ReadonlySet<string>;
  /** Whether every branch is open. */
  expanded: boolean;
  onExpand: () => void;
  onFold: (key: string, open: boolean) => void;
  /** Keys beyond moving; gives whether the key was used. */
  onKey: (event: KeyboardEvent) => boolean;
  root: RefObject<HTMLDivElement | null>;
};

/** Rows and columns in sight; those of the cell in use are always among them. */
function useSight({ lines, walk, model }: GridProps) {
  const { root: scroller, size } = useSize();
  const measures = useMeasures(size?.width ?? 0, model.columns.length);
  const height = useRowHeight(measures.row);
  const { at, line: active } = walk;
  const { down, across } = useVirtualGrid({
    scroller,
    rows: {
      count: lines.length,
      height,
      active,
      head: HEAD,
      cover: height * (lines[active]?.row.above.length ?? 0),
    },
    columns: {
      count: model.columns.length,
      width: () => measures.cell,
      active: at.name ? -1 : at.column,
      name: measures.name,
    },
    sizes: measures,
    cell: walk.taken ? `${active} ${at.column} ${at.name}` : undefined,
  });
  const drawn = across.getVirtualItems().map(({ index }) => index);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same columns are the same list, and no row is drawn again for it.
  const shown = useMemo(() => drawn, [drawn.join()]);
  return { scroller, measures, height, down, shown };
}

/** The requirements down, the reports across. */
export function Grid(props: GridProps) {
  const { model, lines, walk, unsaved, expanded, onExpand, onFold, onKey, root } = props;
  const { scroller, measures, height, down, shown } = useSight(props);
  const { at, selected } = walk;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target as HTMLElement).hasAttribute("data-cell")) return;
    const moved = walk.onKey(event);
    if (!moved && !onKey(event)) return;
    event.preventDefault();
    if (moved) focusCell(event.currentTarget);
  };
  const go = useSteady(walk.go);
  const goName = useSteady((row: number) => walk.go({ row, column: at.column, name: true }));
  const toggle = useSteady(walk.toggle);
  const fold = useSteady(onFold);
  const top = Math.floor((down.scrollOffset ?? 0) / height);
  const stuck = useMemo(() => stuckAt(lines, top), [lines, top]);
  const shared = { model, measures, height, unsaved, shown, selected, go, goName, toggle, fold };
  return (
    <div
      ref={root}
      role="treegrid"
      aria-label={t("assess.grid.label")}
      aria-multiselectable
      aria-rowcount={lines.length + 1}
      aria-colcount={model.columns.length + 1}
      className={css.grid}
      onKeyDown={onKeyDown}
    >
      <ScrollRegion fill ref={scroller} role="presentation">
        <Head {...{ model, walk, measures, shown, expanded, onExpand }} />
        <Stuck lines={stuck} {...shared} />
        <div
          role="rowgroup"
          className={css.body}
          style={{ width: widthOf(measures), height: down.getTotalSize() }}
        >
          {down.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index];
            const here = line?.row.index === at.row;
            return (
              line && (
                <LineOf
                  key={key}
                  {...shared}
                  line={line}
                  at={index}
                  top={start - HEAD}
                  active={here ? (at.name ? NAME : at.column) : undefined}
                />
              )
            );
          })}
        </div>
      </ScrollRegion>
    </div>
  );
}

const widthOf = ({ name, cell, columns }: Measures) => `max(100%, ${name + cell * columns}px)`;

/** The rows around the first one in sight that are themselves above the edge. */
function stuckAt(lines: readonly Line[], top: number): Line[] {
  const places = new Map(lines.map(({ row }, place) => [row.index, place]));
  let held: Line[] = [];
  for (;;) {
    const first = lines[top + held.length];
    const around = (first?.row.above ?? []).flatMap((each, depth) => {
      const place = places.get(each) ?? 0;
      return place < top + depth ? (lines[place] ?? []) : [];
    });
    if (around.length <= held.length) return held;
    held = around.slice(0, held.length + 1);
  }
}

type StuckProps = { lines: readonly Line[] } & Omit<LineProps, "line" | "at" | "top" | "active">;

/** What stands around the first row in sight, for the eye: assistive technology has the rows themselves. */
function Stuck({ lines, ...shared }: StuckProps) {
  if (lines.length === 0) return null;
  return (
    <div aria-hidden className={css.stuck} style={{ insetBlockStart: HEAD }}>
      <div style={{ width: widthOf(shared.measures), height: shared.height * lines.length }}>
        {lines.map((line, place) => (
          <LineOf
            key={line.row.key}
            {...shared}
            line={line}
            at={-1}
            active={undefined}
            top={place * shared.height}
          />
        ))}
      </div>
    </div>
  );
}
