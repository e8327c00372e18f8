import { IconFilter } from "@tabler/icons-react";
import { memo, useMemo } from "react";
import { IconButton } from "@/kit/Button";
import { Menu } from "@/kit/Menu";
import { PaneHead } from "@/kit/Panes";
import { Pill } from "@/kit/Pill";
import { EmptyState } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { VirtualList } from "@/kit/VirtualList";
import { t } from "@/text";
import { whole } from "@/text/format";
import css from "./chunk-list.module.css";
import { type Layout, limitsOf, titleOf, WARNINGS } from "./cut";
import type { Only, Order } from "./state";
import type { Cut } from "./use-chunking";

const ROW = 40;

/** The chunks that are listed, in their order. */
export function listed(layout: Layout, order: Order, only: Only): number[] {
  const all = layout.chunks.map((_, index) => index);
  const kept =
    only === "all"
      ? all
      : all.filter((index) => {
          const warnings = layout.warnings[index] ?? [];
          return only === "warnings" ? warnings.length > 0 : warnings.includes(only);
        });
  if (order === "position") return kept;
  const tokens = (index: number) => layout.chunks[index]?.view.tokens ?? 0;
  const sign = order === "longest" ? -1 : 1;
  return kept.sort((a, b) => sign * (tokens(a) - tokens(b)) || a - b);
}

function Row({ cut, text, index, most }: { cut: Cut; text: string; index: number; most: number }) {
  const chunk = cut.layout.chunks[index];
  const warnings = cut.layout.warnings[index] ?? [];
  if (!chunk) return null;
  const { view } = chunk;
  const tone = view.oversize ? "c-bad" : warnings.includes("orphan") ? "c-warn" : "";
  const word = view.oversize
    ? t("chunk-lab.list.oversize")
    : warnings.includes("orphan")
      ? t("chunk-lab.list.orphan")
      : undefined;
  const cuts = warnings.find((each) => each === "cut_table" || each === "cut_paragraph");
  const title = titleOf(view, text);
  return (
    <div className={view.parent === null ? css.item : css.itemNested}>
      <span className={css.number}>
        <i className={cut.layout.tone[index] === "a" ? css.swatchA : css.swatchB} />
        <bdi>{view.ordinal + 1}</bdi>
      </span>
      <span className={css.itemBody}>
        <span className="ell" data-tip={title}>
          {title}
        </span>
        <span className={css.bar}>
          <i
            className={tone || undefined}
            style={{ width: `${Math.min(100, (view.tokens / most) * 100)}%` }}
          />
        </span>
      </span>
      <span className={`${css.count} ${tone}`}>
        {whole(view.tokens)}
        {word ? <small>{word}</small> : cuts && <small className="mut">{t(`chunk-lab.list.${cuts}`)}</small>}
      </span>
    </div>
  );
}

type ChunkListProps = {
  cut: Cut;
  text: string;
  order: Order;
  only: Only;
  rows: readonly number[];
  selected: number | undefined;
  onSelect: (chunk: number) => void;
  onOrder: (order: Order) => void;
  onOnly: (only: Only) => void;
};

const ORDERS: readonly Order[] = ["position", "longest", "shortest"];

/** Every chunk in a row. */
export const ChunkList = memo(function ChunkList({
  cut,
  text,
  order,
  only,
  rows,
  selected,
  onSelect,
  onOrder,
  onOnly,
}: ChunkListProps) {
  const most = useMemo(
    () => Math.max(1, cut.view.statistics.max, limitsOf(cut.view.settings).max ?? 0),
    [cut],
  );
  const place = selected === undefined ? -1 : rows.indexOf(selected);
  return (
    <div className={css.list}>
      <PaneHead
        title={t("chunk-lab.list.title")}
        detail={only === "all" ? undefined : t("chunk-lab.list.some", { count: rows.length })}
        end={
          <>
            <Menu
              label={t("chunk-lab.list.order")}
              entries={ORDERS.map((each) => ({
                label: t(`chunk-lab.list.orders.${each}`),
                checked: each === order,
                onClick: () => onOrder(each),
              }))}
            >
              <Pill
                menu
                label={<span className="hide-s">{t("chunk-lab.list.order")}</span>}
                {...tip(`${t("chunk-lab.list.order")} ${t(`chunk-lab.list.orders.${order}`)}`)}
                value={t(`chunk-lab.list.orders.${order}`)}
              />
            </Menu>
            <Menu
              label={t("chunk-lab.list.filter")}
              entries={(["all", "warnings", ...WARNINGS] as const).map((each) => ({
                label: t(`chunk-lab.list.only.${each}`),
                checked: each === only,
                onClick: () => onOnly(each),
              }))}
            >
              <IconButton size="small" label={t("chunk-lab.list.filter")} pressed={only !== "all"}>
                <IconFilter className="small" aria-hidden />
              </IconButton>
            </Menu>
          </>
        }
      />
      {rows.length === 0 ? (
        <EmptyState
          title={t(cut.view.chunks.length === 0 ? "chunk-lab.list.none" : "chunk-lab.list.none_left")}
        />
      ) : (
        <VirtualList
          label={t("chunk-lab.list.title")}
          count={rows.length}
          rowHeight={ROW}
          rowKey={(index) => rows[index] ?? index}
          selected={place}
          onSelect={(index) => {
            const chunk = rows[index];
            if (chunk !== undefined) onSelect(chunk);
          }}
          row={(index) => <Row cut={cut} text={text} index={rows[index] ?? 0} most={most} />}
        />
      )}
    </div>
  );
});
