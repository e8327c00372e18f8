import { type ReactNode, useEffect, useEffectEvent } from "react";
import { classes } from "@/kit/class-names";
import { Id } from "@/kit/Id";
import { useRoving } from "@/kit/list-keys";
import { Name } from "@/kit/Name";
import { useDelayed } from "@/kit/states";
import { t } from "@/text";
import css from "./hits.module.css";

/** A row of a ranked list. */
export type LegRow = {
  chunkId: string;
  rank: number;
  /** Paragraph id or page, empty where it has none; never cut short. */
  id: string;
  /** What names it instead; may be cut short. */
  title?: string;
  /** What it belongs to; may be cut short. */
  source: string;
  snippet: string;
  /** Score and bar. */
  end: ReactNode;
  /** Not in the answer. */
  dim?: boolean;
};

type LegListProps = {
  label: string;
  rows: readonly LegRow[];
  /** Rows that exist just now: from the first to before the second. */
  window: readonly [number, number];
  /** Rows in all; the list is as tall as these. */
  height: number;
  rowHeight: number;
  selected: string | undefined;
  onSelect: (chunkId: string) => void;
  onOpen?: (chunkId: string) => void;
  /** Brings a row into sight. */
  scrollTo: (index: number) => void;
  className?: string;
};

/** A ranked list whose rows keep one height, so that lists beside each other stay in line. */
export function LegList(props: LegListProps) {
  const { label, rows, window, height, rowHeight, selected, onSelect, onOpen, scrollTo, className } = props;
  const chosen = rows.findIndex((row) => row.chunkId === selected);
  const roving = useRoving({
    count: rows.length,
    selected: chosen,
    onSelect: (index) => {
      const row = rows[index];
      if (row) onSelect(row.chunkId);
    },
    onOpen: onOpen
      ? (index) => {
          const row = rows[index];
          if (row) onOpen(row.chunkId);
        }
      : undefined,
    page: () => 8,
    scrollTo,
  });
  // The selection may come from another list or from a key: the tab stop goes with it.
  const follow = useEffectEvent((index: number) => {
    roving.setActive(index);
    scrollTo(index);
  });
  useEffect(() => {
    if (chosen >= 0) follow(chosen);
  }, [chosen]);
  const active = chosen >= 0 ? chosen : Math.max(0, roving.active);
  const shown: number[] = [];
  for (let index = window[0]; index < Math.min(window[1], rows.length); index += 1) shown.push(index);
  // The tab stop stays in the page even when it is scrolled away.
  if (rows.length > 0 && !shown.includes(active)) shown.push(active);
  return (
    <div
      role="listbox"
      aria-label={label}
      className={classes(css.list, className)}
      style={{ height: height * rowHeight }}
      tabIndex={rows.length === 0 ? 0 : undefined}
      onKeyDown={roving.onKeyDown}
    >
      {shown.map((index) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <div
            key={row.chunkId}
            role="option"
            data-index={index}
            aria-selected={index === chosen}
            aria-posinset={index + 1}
            aria-setsize={rows.length}
            tabIndex={index === active ? 0 : -1}
            className={classes(
              css.row,
              index === 0 && css.first,
              index === chosen && css.on,
              index === chosen + 1 && chosen >= 0 && css.after,
              row.dim && css.dim,
            )}
            style={{ transform: `translateY(${index * rowHeight}px)` }}
            onClick={() => {
              roving.setActive(index);
              onSelect(row.chunkId);
            }}
            onDoubleClick={() => onOpen?.(row.chunkId)}
          >
            <span className={css.rank}>{row.rank}</span>
            <div className={classes("col", css.words)}>
              <div className={css.name} data-tip={`${row.id}${row.title ?? ""} ${row.source}`.trim()}>
                {row.id !== "" && <Id>{row.id}</Id>}
                {row.title !== undefined && <Name className={css.title}>{row.title}</Name>}
                <span className={css.source}>{row.source}</span>
              </div>
              <div className={css.snippet}>{row.snippet}</div>
            </div>
            <div className={css.end}>{row.end}</div>
          </div>
        );
      })}
    </div>
  );
}

type LegSkeletonProps = {
  rows: number;
  rowHeight: number;
  /** Says what is on its way. */
  label?: string;
  /** Another list says so already. */
  quiet?: boolean;
  className?: string;
};

/** A ranked list to come: its places stand, what fills them follows. */
export function LegSkeleton({ rows, rowHeight, label, quiet, className }: LegSkeletonProps) {
  const late = useDelayed(true);
  const told = quiet
    ? { "aria-hidden": true }
    : { role: "status", "aria-label": label ?? t("kit.loading"), "aria-busy": true };
  return (
    <div className={classes(css.list, className)} style={{ height: rows * rowHeight }} {...told}>
      {Array.from({ length: rows }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: places keep their number.
          key={index}
          className={classes(css.row, css.awaited, index === 0 && css.first)}
          style={{ transform: `translateY(${index * rowHeight}px)` }}
        >
          <span className={css.rank}>{index + 1}</span>
          <div className={classes("col", css.words, css.bones)}>
            {late && (
              <>
                <span className="skel" style={{ width: `${34 + ((index * 17) % 24)}%` }} />
                <span className="skel" style={{ width: `${62 + ((index * 23) % 30)}%` }} />
              </>
            )}
          </div>
          <div className={css.end}>{late && <span className="skel" style={{ width: 40 }} />}</div>
        </div>
      ))}
    </div>
  );
}
