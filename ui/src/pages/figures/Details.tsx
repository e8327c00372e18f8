import { IconCheck, IconExternalLink, IconHistory, IconX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useCommand } from "@/api/queries";
import type { DocumentRow, FigureRow } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { Name } from "@/kit/Name";
import { PaneHead } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { ErrorState } from "@/kit/states";
import { navigate } from "@/state/router";
import { t, text } from "@/text";
import { percent } from "@/text/format";
import { visible } from "@/text/visible";
import { agreement, share } from "./compare";
import css from "./details.module.css";
import { MarkIcon } from "./Grid";
import { columnName, isDrawn, periodOf, placeHref, placeOf, printedOf, rowName, written } from "./names";
import { type Cell, type Column, type Row, rowInOneUnit } from "./pivot";

/** Places of one cell that are shown. */
const MOST = 8;
/** Width of the picture of a page in pixels. */
const PICTURE = 1200;

type DetailsProps = {
  row: Row;
  column: Column;
  cell: Cell;
  documents: ReadonlyMap<number, DocumentRow>;
  onClose: (() => void) | undefined;
};

/** A figure: its value as printed, what it is of, and each place that gives it. */
export function Details({ row, column, cell, documents, onClose }: DetailsProps) {
  const { figure, mark } = cell;
  const one = rowInOneUnit(row, () => column.issuer).cells.get(column.key)?.shown;
  const places = [...cell.all, ...cell.others].slice(0, MOST);
  return (
    <>
      <PaneHead
        title={row.names.at(-1)}
        end={
          <>
            <CopyButton
              label={t("figures.pane.copy")}
              text={() => [rowName(row), columnName(column), printedOf(figure), placeOf(figure)].join("\t")}
            />
            {onClose && (
              <IconButton size="small" label={t("dialog.close")} onClick={onClose}>
                <IconX className="small" aria-hidden />
              </IconButton>
            )}
          </>
        }
      />
      <ScrollRegion fill label={t("figures.pane.title")} ways="down">
        <div className={css.top}>
          <div className="row between">
            <Name className="mut sm grow">
              {[column.issuer, periodOf(column), t(`figures.status.${figure.status}`)].join(" · ")}
            </Name>
            {mark && (
              <span className={`${css.marked} ${css[mark]}`}>
                <MarkIcon mark={mark} />
                {t(`figures.marked.${mark}`)}
              </span>
            )}
          </div>
          <bdi className={css.value}>
            <b className="number">{visible(figure.printed)}</b> {visible(figure.unit ?? "")}
          </bdi>
          {one?.converted && (
            <span className="mut sm">{t("figures.pane.one_unit", { value: written(one) })}</span>
          )}
        </div>
        {places.map((place, at) => (
          <Place
            key={place.id}
            letter={places.length > 1 ? letterOf(at) : undefined}
            figure={place}
            document={documents.get(place.document_id)}
          />
        ))}
        <Checks places={places} />
      </ScrollRegion>
    </>
  );
}

const letterOf = (at: number) => String.fromCharCode("A".charCodeAt(0) + at);

type PlaceProps = { letter: string | undefined; figure: FigureRow; document: DocumentRow | undefined };

/** One place that gives the figure. */
function Place({ letter, figure, document }: PlaceProps) {
  const origin = text(`figures.origin.${figure.origin}`);
  const place = placeOf(figure);
  const facts: [string, string][] = [
    [t("figures.pane.row"), figure.label.join(" › ")],
    [t("figures.pane.column"), figure.column],
    [t("figures.pane.section"), figure.above.join(" › ")],
    [t("figures.pane.document"), figure.document],
  ];
  return (
    <section className={css.place} aria-label={[letter, place].filter(Boolean).join(" ")}>
      <div className="row gap-6">
        {letter && <span className={css.letter}>{letter}</span>}
        {place !== "" && <b className="nowrap">{place}</b>}
        {origin && <span className="mut sm ell">{origin}</span>}
        <b className="number nowrap push">{visible(figure.printed)}</b>
      </div>
      <dl className={css.facts}>
        {facts
          .filter(([, value]) => value !== "")
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{visible(value)}</bdi>
              </dd>
            </div>
          ))}
      </dl>
      {isDrawn(figure, document) && figure.page !== null && <Picture figure={figure} page={figure.page} />}
      <Button
        size="small"
        icon={<IconExternalLink className="small" aria-hidden />}
        aria-label={t("figures.pane.open_named", { name: printedOf(figure) })}
        onClick={() => navigate(placeHref(figure, document))}
      >
        {t("figures.pane.open")}
      </Button>
    </section>
  );
}

/** The page around a figure, which is marked. */
function Picture({ figure, page }: { figure: FigureRow; page: number }) {
  const [start, end] = figure.span;
  const query = useCommand("document.page_image", {
    document_id: figure.document_id,
    page,
    width: PICTURE,
    start,
    end,
  });
  const frame = useRef<HTMLDivElement>(null);
  const [mark] = query.data?.marks ?? [];
  useEffect(() => {
    const element = frame.current;
    if (!element || !mark) return;
    element.scrollTop = (mark.y + mark.height / 2) * element.scrollHeight - element.clientHeight / 2;
    element.scrollLeft = (mark.x + mark.width / 2) * element.scrollWidth - element.clientWidth / 2;
  }, [mark]);
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const { data } = query;
  const name = visible(figure.document);
  const alt = t("figures.pane.picture", { page: String(page), name });
  return (
    <ScrollRegion ref={frame} label={alt} className={css.picture}>
      {data ? (
        <div className={css.paper} dir="ltr" style={{ aspectRatio: `${data.width} / ${data.height}` }}>
          <img src={`data:image/png;base64,${data.png}`} alt={alt} width={data.width} height={data.height} />
          {data.marks.map(({ x, y, width, height }) => (
            <i
              key={`${x} ${y}`}
              style={{
                insetInlineStart: `${x * 100}%`,
                insetBlockStart: `${y * 100}%`,
                width: `${width * 100}%`,
                height: `${height * 100}%`,
              }}
            />
          ))}
        </div>
      ) : (
        <span className={`skel ${css.toCome}`} />
      )}
    </ScrollRegion>
  );
}

const SIGNS = { same: IconCheck, rounded: IconCheck, differs: IconX };

/** Whether the places agree, in words. */
function Checks({ places }: { places: readonly FigureRow[] }) {
  const [first, ...rest] = places;
  if (!first || first.year === null) return null;
  const restated = places.flatMap(({ status }, at) => (status === "restated" ? letterOf(at) : []));
  const found = rest.flatMap((place, index) => {
    const how = agreement(first, place);
    const words = { a: letterOf(0), b: letterOf(index + 1), share: percent(share(first, place) ?? 0, 1) };
    return how === "incomparable" ? [] : [{ id: place.id, how, words: t(`figures.pane.${how}`, words) }];
  });
  if (found.length === 0) return null;
  return (
    <ul className={css.checks}>
      {found.map(({ id, how, words }) => {
        const Sign = SIGNS[how];
        return (
          <li key={id} className={how === "differs" && restated.length === 0 ? css.conflict : undefined}>
            <Sign className="xs" aria-hidden />
            {words}
          </li>
        );
      })}
      {restated.map((letter) => (
        <li key={letter} className={css.restated}>
          <IconHistory className="xs" aria-hidden />
          {t("figures.pane.restated", { a: letter })}
        </li>
      ))}
    </ul>
  );
}
