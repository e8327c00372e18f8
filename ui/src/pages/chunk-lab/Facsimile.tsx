import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { Mark, Facsimile as PageImage, PageView } from "@/api/types";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useSize } from "@/kit/size";
import { ErrorState, useDelayed } from "@/kit/states";
import { citedPage } from "@/parts/cited";
import { turning } from "@/parts/PageField";
import { useZoomed, type Zoom } from "@/parts/use-zoom";
import { t } from "@/text";
import { BlockLegend, BlockOverlay } from "./Blocks";
import { firstWhere, type Range } from "./cut";
import css from "./facsimile.module.css";
import type { Cut } from "./use-chunking";

/** Steps in which a picture grows with its pane: a drag must not redraw the page with every pixel. */
const STEP = 200;
const LEAST = 400;
const MOST = 2400;
/** Height to width of a page that was not seen yet: A4. */
const A4 = Math.SQRT2;
/** Pixels above the marked lines when they are brought into sight. */
const ABOVE = 72;

/** Physical page on which a place of the text stands. */
export const pageAt = (pages: readonly PageView[], at: number): number =>
  pages[firstWhere(pages, (each) => each.range[1] > at)]?.number ?? pages.at(-1)?.number ?? 1;

/** The page on screen: the one asked for, else the first of the selected chunk. */
export function pageOf(
  pages: readonly PageView[],
  page: number | undefined,
  range: Range | undefined,
): number {
  const last = pages.at(-1)?.number ?? 1;
  return Math.max(1, Math.min(last, page ?? (range ? pageAt(pages, range[0]) : 1)));
}

type FacsimileProps = {
  /** Row id of the document. */
  document: number;
  name: string;
  page: number;
  /** Label printed on the page. */
  label: string | null;
  pages: number;
  cut: Cut;
  selected: number | undefined;
  /** Words that are marked in place of the selected chunk. */
  mark: Range | undefined;
  zoom: Zoom;
  /** Whether its blocks and their order are drawn over it. */
  blocks: boolean;
  onPage: (page: number) => void;
};

/** The picture of a page, and what is marked on it once that is known of `place`. */
function useMarks(query: UseQueryResult<PageImage, EngineError>, page: number, place: string) {
  // What is kept while the next answer comes may be the page before.
  const shown = query.data?.page === page ? query.data : undefined;
  const [marked, setMarked] = useState<{ place: string; marks: readonly Mark[] }>({ place: "", marks: [] });
  if (shown && !query.isPlaceholderData && (marked.place !== place || marked.marks !== shown.marks))
    setMarked({ place, marks: shown.marks });
  // A picture of another width has the same marks: they stay while it comes.
  const settled = shown !== undefined && marked.place === place;
  return { shown, settled, marks: settled ? marked.marks : [] };
}

/** A page of the file as it looks, with the selected chunk marked. */
export function Facsimile(props: FacsimileProps) {
  const { document, name, page, label, pages, cut, selected, mark, zoom, blocks, onPage } = props;
  const { root, size } = useSize();
  useZoomed(root, zoom);
  const view = selected === undefined ? undefined : cut.layout.chunks[selected]?.view;
  const [start, end] = mark ?? view?.range ?? [];
  const wanted = (size?.width ?? 0) * zoom.factor * window.devicePixelRatio;
  const width = Math.max(LEAST, Math.min(MOST, Math.ceil(wanted / STEP) * STEP));
  const query = useCommand(
    "document.page_image",
    { document_id: document, page, width, ...(start !== undefined && end !== undefined && { start, end }) },
    { enabled: size !== undefined, keep: true },
  );
  const layout = useCommand(
    "document.page_layout",
    { source: { kind: "document", id: document }, page },
    { enabled: blocks },
  );
  const place = `${document} ${page} ${start} ${end}`;
  const { shown, settled, marks } = useMarks(query, page, place);
  const ratio = query.data ? query.data.height / query.data.width : A4;
  const late = useDelayed(!shown && !query.error);
  const chunk = view && view.ordinal + 1;
  const top = marks[0]?.y;
  const reveal = useEffectEvent((share: number) => {
    const element = root.current;
    const paper = element?.querySelector<HTMLElement>("[data-paper]");
    if (element && paper) element.scrollTop = paper.offsetTop + share * paper.clientHeight - ABOVE;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page or chunk is shown from its marks on, else from the top.
  useEffect(() => {
    if (settled) reveal(top ?? 0);
  }, [settled, place]);
  const told = [
    settled && mark && marks.length === 0 && t("chunk-lab.page.words_not_here"),
    settled && !mark && chunk !== undefined && marks.length === 0 && t("chunk-lab.page.not_here", { chunk }),
  ].filter((each) => typeof each === "string");
  const cited = citedPage(page, label);
  const fitting =
    size && (zoom.byWidth ? size.width - 32 : Math.min(size.width - 32, (size.height - 32) / ratio));
  const across = fitting && fitting * zoom.factor;
  return (
    <div className={css.facsimile}>
      <ScrollRegion
        label={t("chunk-lab.page.title")}
        ref={root}
        className={css.pages}
        onKeyDown={turning({ page, pages, onPage })}
      >
        {query.error ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div
            className={css.paper}
            data-paper
            dir="ltr"
            style={{ aspectRatio: `1 / ${ratio}`, width: across }}
            {...(!shown && { role: "status", "aria-busy": true, "aria-label": t("kit.loading") })}
          >
            {shown ? (
              <>
                <img
                  src={`data:image/png;base64,${shown.png}`}
                  width={shown.width}
                  height={shown.height}
                  alt={
                    marks.length === 0 || (!mark && chunk === undefined)
                      ? t("chunk-lab.page.alt", { page: cited, name })
                      : mark
                        ? t("chunk-lab.page.alt_words", { page: cited, name })
                        : t("chunk-lab.page.alt_marked", { page: cited, name, chunk: chunk ?? 0 })
                  }
                />
                <Marks marks={marks} />
                {blocks && layout.data && <BlockOverlay layout={layout.data} ratio={ratio} />}
              </>
            ) : (
              late && <span className={`skel ${css.paperSkeleton}`} />
            )}
          </div>
        )}
      </ScrollRegion>
      <div className={css.pageNote} role="status">
        {told.length > 0 && <span>{told.join(" · ")}</span>}
      </div>
      {blocks && layout.error ? (
        <div className={css.unplaced}>
          <ErrorState error={layout.error} onRetry={() => void layout.refetch()} />
        </div>
      ) : (
        blocks && layout.data && <BlockLegend layout={layout.data} />
      )}
    </div>
  );
}

/** Frames around the marked lines of a page. */
function Marks({ marks }: { marks: readonly Mark[] }) {
  return marks.map(({ x, y, width, height }) => (
    <i
      key={`${x} ${y}`}
      className={css.pageMark}
      data-mark
      style={{
        insetInlineStart: `${x * 100}%`,
        insetBlockStart: `${y * 100}%`,
        width: `${width * 100}%`,
        height: `${height * 100}%`,
      }}
    />
  ));
}
