import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useCommand } from "@/api/queries";
import type { Mark, PageLayout } from "@/api/types";
import { classes } from "@/kit/class-names";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useSize } from "@/kit/size";
import { ErrorState, useDelayed } from "@/kit/states";
import { citedPage } from "@/parts/cited";
import { type Turning, turning as turningKeys } from "@/parts/PageField";
import { useZoomed, type Zoom } from "@/parts/use-zoom";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./page.module.css";
import { keyOf, type Quoted } from "./passages";
import { type Spot, spanOf, spotsOf } from "./spots";
import type { Evidence } from "./use-evidence";
import type { useSelecting } from "./use-place";

/** Pixels across where only the places of words are wanted. */
export const PLACING = 100;
/** Steps in which a picture grows with its pane, and its limits. */
const STEP = 200;
const LEAST = 400;
const MOST = 2400;
/** Height to width of a page that was not seen yet: A4. */
const A4 = Math.SQRT2;
/** Pixels above the marked lines when they are brought into sight, and around the page. */
const ABOVE = 72;
const AROUND = 12;

type PagePictureProps = {
  evidence: Evidence;
  document: number;
  path: string;
  turning: Turning;
  zoom: Zoom;
  select: ReturnType<typeof useSelecting>;
};

const marksOf = ({ document_id, page, span: [start, end] }: Quoted) => ({
  document_id,
  page: page ?? 1,
  width: PLACING,
  start,
  end,
});

/** A page as it looks, to the width of its pane, with the passages on it marked and its text to be selected. */
export function PagePicture({ evidence, document, path, turning, zoom, select }: PagePictureProps) {
  const { root, size } = useSize();
  useZoomed(root, zoom);
  const { page, label } = turning;
  const wanted = (size?.width ?? 0) * zoom.factor * window.devicePixelRatio;
  const width = Math.max(LEAST, Math.min(MOST, Math.ceil(wanted / STEP) * STEP));
  const ready = size !== undefined;
  const query = useCommand(
    "document.page_image",
    { document_id: document, page, width },
    { enabled: ready, keep: true },
  );
  const picture = query.data?.page === page ? query.data : undefined;
  const { shown } = evidence;
  const isHere = (each: Quoted) => each.document_id === document && each.page === page;
  const here = shown && isHere(shown) ? shown : undefined;
  const placed = useCommand(
    "document.page_image",
    here ? marksOf(here) : { document_id: document, page, width: PLACING },
    { enabled: ready },
  );
  const layout = useCommand(
    "document.page_layout",
    { source: { kind: "document", id: document }, page },
    { enabled: picture !== undefined },
  );
  const late = useDelayed(!picture && !query.error);
  const ratio = query.data ? query.data.height / query.data.width : A4;
  const top = here ? placed.data?.marks[0]?.y : 0;
  const reveal = useEffectEvent(() => {
    const element = root.current;
    const paper = element?.querySelector<HTMLElement>("[data-paper]");
    if (element && paper) element.scrollTop = top ? paper.offsetTop + top * paper.clientHeight - ABOVE : 0;
  });
  // A passage that was selected on the page stands in sight already.
  const place = evidence.at < 0 && here ? `${page}` : `${page} ${evidence.selection}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page or passage is shown from its marks on.
  useEffect(() => reveal(), [place, top === undefined, picture !== undefined]);
  const alt = t(here ? "assess.page.alt" : "assess.page.alt_bare", {
    page: citedPage(page, label),
    name: visible(path),
  });
  const room = (size?.width ?? 0) - 2 * AROUND;
  const across = zoom.byWidth ? room : Math.min(room, ((size?.height ?? 0) - 2 * AROUND) / ratio);
  return (
    <ScrollRegion ref={root} fill label={alt} className={css.pages} onKeyDown={turningKeys(turning)}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <div
          className={css.paper}
          data-paper
          dir="ltr"
          style={{ width: across * zoom.factor, aspectRatio: `1 / ${ratio}` }}
          {...(!picture && { role: "status", "aria-busy": true, "aria-label": t("kit.loading") })}
        >
          {picture ? (
            <>
              <img
                src={`data:image/png;base64,${picture.png}`}
                alt={alt}
                width={picture.width}
                height={picture.height}
              />
              {evidence.passages.map(
                (each, at) =>
                  isHere(each) && (
                    <Marks key={keyOf(each)} passage={each} number={at + 1} on={evidence.at === at} />
                  ),
              )}
              {here && evidence.at < 0 && <Marks key={keyOf(here)} passage={here} on />}
              {layout.data && (
                <Spots
                  key={page}
                  layout={layout.data}
                  onSelect={(spot) => select(document, (view) => spanOf(view, layout.data, spot))}
                />
              )}
            </>
          ) : (
            late && <span className={`skel ${css.toCome}`} />
          )}
        </div>
      )}
    </ScrollRegion>
  );
}

const placedAt = ({ x, y, width, height }: Mark) => ({
  insetInlineStart: `${x * 100}%`,
  insetBlockStart: `${y * 100}%`,
  width: `${width * 100}%`,
  height: `${height * 100}%`,
});

type MarksProps = { passage: Quoted; number?: number; on: boolean };

/** The lines of one passage. */
function Marks({ passage, number, on }: MarksProps) {
  const { data } = useCommand("document.page_image", marksOf(passage));
  const [first] = data?.marks ?? [];
  if (!first) return null;
  return (
    <>
      {data?.marks.map((each) => (
        <i key={`${each.x} ${each.y}`} className={classes(css.mark, on && css.on)} style={placedAt(each)} />
      ))}
      {number !== undefined && (
        <b
          aria-hidden
          className={classes(css.badge, on && css.on)}
          style={{
            insetInlineStart: `max(0px, calc(${first.x * 100}% - 20px))`,
            insetBlockStart: `${first.y * 100}%`,
          }}
        >
          {number}
        </b>
      )}
    </>
  );
}

/** Where an arrow key leads among `count` stretches. */
const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => Math.min(count - 1, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_, count) => count - 1,
};

type SpotsProps = { layout: PageLayout; onSelect: (spot: Spot) => Promise<unknown> };

/** The stretches of a page, each a button over its words: one stop of the Tab key, arrows within. */
function Spots({ layout, onSelect }: SpotsProps) {
  const spots = spotsOf(layout);
  const root = useRef<HTMLFieldSetElement>(null);
  const [active, setActive] = useState(0);
  const [busy, setBusy] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = step(active, spots.length);
    setActive(next);
    root.current?.querySelector<HTMLElement>(`[data-spot="${next}"]`)?.focus();
  };
  const select = async (spot: Spot, at: number) => {
    setActive(at);
    setBusy(true);
    await onSelect(spot);
    setBusy(false);
  };
  return (
    <fieldset
      ref={root}
      className={classes(css.spots, busy && css.busy)}
      aria-label={t("assess.page.spots")}
      onKeyDown={onKeyDown}
    >
      {spots.map((spot, at) =>
        spot.boxes.map((box, part) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: stretches keep their place.
            key={`${at} ${part}`}
            type="button"
            data-spot={part === 0 ? at : undefined}
            tabIndex={part === 0 && at === active ? 0 : -1}
            aria-hidden={part > 0 || undefined}
            aria-label={
              spot.row === undefined
                ? t("assess.page.spot", { words: visible(spot.block_words) })
                : t("assess.page.spot_row", { row: spot.row + 1, words: visible(spot.block_words) })
            }
            style={placedAt(box)}
            onFocus={() => setActive(at)}
            onClick={() => void select(spot, at)}
          />
        )),
      )}
    </fieldset>
  );
}
