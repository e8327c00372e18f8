import type { CSSProperties } from "react";
import type { Mark, PageBlock, PageBlockKind, PageLayout } from "@/api/types";
import { classes } from "@/kit/class-names";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./blocks.module.css";

const KINDS: readonly PageBlockKind[] = [
  "heading",
  "paragraph",
  "item",
  "table",
  "figure",
  "key_figure",
  "contents",
  "other",
];

const percent = (share: number) => `${share * 100}%`;

const placed = ({ x, y, width, height }: Mark): CSSProperties => ({
  insetInlineStart: percent(x),
  insetBlockStart: percent(y),
  width: percent(width),
  height: percent(height),
});

const kindOf = ({ kind, level }: PageBlock): string =>
  kind === "heading" && level !== null
    ? t("chunk-lab.blocks.level", { level })
    : t(`chunk-lab.blocks.kinds.${kind}`);

/** Running text, which follows so closely that a name above it would cover words: its number stands beside it. */
const TEXT: readonly PageBlockKind[] = ["paragraph", "item"];

function badge(block: PageBlock, number: number, continued: boolean): string {
  if (continued) return t("chunk-lab.blocks.continued", { number });
  return TEXT.includes(block.kind) ? String(number) : `${number} ${kindOf(block)}`;
}

/** How a page was read, drawn over it: its regions, and its blocks in reading order with a line from one to the next. */
export function BlockOverlay({ layout, ratio }: { layout: PageLayout; ratio: number }) {
  const { regions, blocks } = layout;
  const corners = blocks.flatMap(({ boxes }) => boxes.map(({ x, y }) => `${x * 1000},${y * 1000 * ratio}`));
  return (
    <div className={css.overlay}>
      {regions.map((region, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: regions keep their place.
        <i key={index} data-region className={css.region} style={placed(region)} />
      ))}
      <svg viewBox={`0 0 1000 ${1000 * ratio}`} preserveAspectRatio="none" aria-hidden>
        <polyline points={corners.join(" ")} />
      </svg>
      <ol aria-label={t("chunk-lab.blocks.list")}>
        {blocks.map((block, index) => {
          const number = index + 1;
          const kind = kindOf(block);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks keep their place.
            <li key={index} className={css[block.kind]}>
              {block.rows.map((row, at) => (
                <i
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their place.
                  key={at}
                  data-row
                  className={classes(css.tableRow, at < block.header_rows && css.headerRow)}
                  style={placed(row)}
                />
              ))}
              {block.boxes.map((place, part) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: parts keep their place.
                <div key={part} data-block={number} className={css.box} style={placed(place)}>
                  <span className={classes(css.badge, TEXT.includes(block.kind) && css.beside)} aria-hidden>
                    {badge(block, number, part > 0)}
                  </span>
                </div>
              ))}
              <span className="sr-only">
                {[kind, block.rows.length > 0 && t("chunk-lab.blocks.rows", { count: block.rows.length })]
                  .filter(Boolean)
                  .join(", ")}
                : {visible(block.text)}
              </span>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

/** What the colours mean, with how many blocks of each kind there are. */
export function BlockLegend({ layout }: { layout: PageLayout }) {
  const { regions, blocks } = layout;
  const counts = new Map<PageBlockKind, number>();
  for (const { kind } of blocks) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (blocks.length === 0)
    return (
      <div className={css.legend} role="status">
        {t("chunk-lab.blocks.none")}
      </div>
    );
  if (blocks.every(({ boxes }) => boxes.length === 0))
    return (
      <div className={css.legend} role="status">
        {t("chunk-lab.blocks.no_place")}
      </div>
    );
  return (
    <ul className={css.legend} aria-label={t("chunk-lab.blocks.legend")}>
      {regions.length > 0 && (
        <li>
          <i className={classes(css.swatch, css.regionSwatch)} aria-hidden />
          {t("chunk-lab.blocks.region")} <span className="number mut">{regions.length}</span>
        </li>
      )}
      {KINDS.filter((kind) => counts.has(kind)).map((kind) => (
        <li key={kind} className={css[kind]}>
          <i className={css.swatch} aria-hidden />
          {t(`chunk-lab.blocks.kinds.${kind}`)} <span className="number mut">{counts.get(kind)}</span>
        </li>
      ))}
    </ul>
  );
}
