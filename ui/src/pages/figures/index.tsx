import { useDebouncedValue } from "@mantine/hooks";
import { IconCopy, IconTableExport } from "@tabler/icons-react";
import { useMemo, useRef, useState } from "react";
import { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { DocumentRow, FigureList } from "@/api/types";
import { Button } from "@/kit/Button";
import { useNarrow } from "@/kit/narrow";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, ErrorState, NotLoaded, SkeletonRows } from "@/kit/states";
import { commaSeparated, saveCsv } from "@/parts/csv";
import { PageHeader } from "@/parts/PageHeader";
import { useAddressState } from "@/state/address-state";
import { copyText } from "@/state/copy";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { Details } from "./Details";
import { FilterBar } from "./FilterBar";
import { Foot } from "./Foot";
import css from "./figures.module.css";
import { Grid } from "./Grid";
import { columnName, placeHref, plainTable, rowName, rowsOf, tabSeparated } from "./names";
import { type Column, marked, pivot, type Row, type Table, tableInOneUnit } from "./pivot";
import { sheetOf } from "./sheet";
import { cleared, type Figures, fromAddress, queryOf, toAddress } from "./state";
import { useReports } from "./use-reports";
import { useWalk } from "./use-walk";

/** Milliseconds that the words of the filter stand before they are asked for. */
const PAUSE = 200;
/** Most columns that are drawn. */
const MOST_COLUMNS = 200;

/** The screen. */
export default function FiguresPage() {
  const [state, setState] = useAddressState("figures", fromAddress, toAddress);
  const [words] = useDebouncedValue(state.words, PAUSE);
  const list = useCommand("figure.list", queryOf(state, words), { keep: true });
  const { query, reports, documents } = useReports();
  const field = useRef<HTMLInputElement>(null);
  const known = query.data !== undefined || query.error !== null;
  const whole = useMemo(
    () =>
      list.data && known
        ? pivot(list.data.figures, ({ document_id }) => documents.get(document_id))
        : undefined,
    [list.data, known, documents],
  );
  const table = useMemo(() => {
    const narrowed = whole && state.only ? marked(whole, state.only) : whole;
    return narrowed && state.units === "one" ? tableInOneUnit(narrowed) : narrowed;
  }, [whole, state.only, state.units]);
  const change = (filters: Partial<Figures>) => setState((last) => ({ ...last, from: 0, ...filters }));
  const none = list.data?.total === 0 && reports.length === 0 && query.data !== undefined;
  const onUnits = (units: Figures["units"]) => setState((last) => ({ ...last, units }));
  useShortcut("app.search", () => field.current?.select());
  useShortcut("figures.units", () => onUnits(state.units === "one" ? "printed" : "one"));
  return (
    <div className={css.page}>
      {!(table && list.data && rowsOf(table).length > 0) && <PageHeader context={t("figures.context")} />}
      {none ? (
        <EmptyState
          title={t("figures.empty.title")}
          action={
            <Button tone="primary" onClick={() => navigate(href("library", [], { add: "files" }))}>
              {t("figures.empty.add")}
            </Button>
          }
        />
      ) : (
        <Body
          {...{ state, table, documents }}
          list={list.data}
          bar={
            <>
              <FilterBar
                {...{ state, reports, field, onUnits }}
                onChange={change}
                figures={list.data?.figures ?? []}
                marks={whole?.marks}
              />
              <NotLoaded query={query} />
            </>
          }
          onFigure={(figure) => setState((last) => ({ ...last, figure }))}
          onFrom={(from) => setState((last) => ({ ...last, from }))}
          onClear={() => setState(cleared)}
          trouble={
            list.error && !list.data ? (
              <ErrorState error={list.error} onRetry={() => void list.refetch()} />
            ) : undefined
          }
        />
      )}
    </div>
  );
}

type BodyProps = {
  state: Figures;
  /** Nothing before it has come. */
  table: Table | undefined;
  list: FigureList | undefined;
  documents: ReadonlyMap<number, DocumentRow>;
  bar: React.ReactNode;
  trouble: React.ReactNode;
  onFigure: (figure: number | undefined) => void;
  onFrom: (from: number) => void;
  onClear: () => void;
};

const NOTHING: Table = { columns: [], groups: [], marks: { conflict: 0, restated: 0, rounded: 0 } };

function Body({ state, table, list, documents, bar, trouble, onFigure, onFrom, onClear }: BodyProps) {
  const narrow = useNarrow();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const fold = (group: string) =>
    setFolded(
      (last) => new Set(last.has(group) ? [...last].filter((each) => each !== group) : [...last, group]),
    );
  const sheet = useMemo(() => sheetOf(table ?? NOTHING, folded), [table, folded]);
  const { walk, cell, row, column, seek } = useWalk({
    sheet,
    figure: state.figure,
    onCell: (chosen) => onFigure(chosen?.figure.id),
    onOpen: ({ figure }) => navigate(placeHref(figure, documents.get(figure.document_id))),
    onFold: fold,
    onCopy: copy,
  });
  useShortcut("figures.conflict", () => seek(({ mark }) => mark === "conflict"));
  const rows = useMemo(() => rowsOf(table ?? NOTHING), [table]);
  const wide = table !== undefined && table.columns.length > MOST_COLUMNS;
  const save = () => table && saveTable(rows, table.columns);
  useShortcut("figures.export", () => void save(), rows.length > 0);
  // Over the table the pane opens for what was chosen; beside it it shows the cell with the frame.
  const shows = rows.length > 0 && !wide;
  const details = shows && cell && row && column && (!narrow || state.figure !== undefined) && (
    <Details
      key={cell.figure.id}
      {...{ row, column, cell, documents }}
      onClose={narrow ? () => onFigure(undefined) : undefined}
    />
  );
  const centre = (
    <>
      {bar}
      {trouble ??
        (!table || !list ? (
          <SkeletonRows rows={20} height={29} bare />
        ) : rows.length === 0 ? (
          <Nothing state={state} onClear={onClear} />
        ) : wide ? (
          <EmptyState title={t("figures.wide", { count: table.columns.length })} />
        ) : (
          <Grid sheet={sheet} walk={walk} onFold={fold} />
        ))}
      {table && list && (
        <Foot
          shown={figuresIn(rows)}
          came={list.figures.length}
          total={list.total}
          from={state.from}
          onFrom={onFrom}
        />
      )}
    </>
  );
  return (
    <>
      {rows.length > 0 && list && (
        <PageHeader
          context={t("figures.counted", { context: t("figures.context"), count: list.total })}
          actions={
            <>
              <Button
                icon={<IconCopy className="small" aria-hidden />}
                onClick={() => table && copy(rows, table.columns)}
              >
                {t("figures.copy")}
              </Button>
              <Button icon={<IconTableExport className="small" aria-hidden />} onClick={() => void save()}>
                {t("figures.export")}
              </Button>
            </>
          }
        />
      )}
      <Panes key={narrow ? "narrow" : "wide"} id={narrow ? "figures-narrow" : "figures"}>
        <Pane id="table" label={t("figures.table")}>
          {centre}
        </Pane>
        {!narrow && (
          <Pane id="figure" label={t("figures.pane.title")} size={342} min={260} max={640} fold="end" sunken>
            {details || <NoValue {...{ row, column }} any={shows} />}
          </Pane>
        )}
      </Panes>
      {narrow && details && (
        <aside className={css.over} aria-label={t("figures.pane.title")}>
          {details}
        </aside>
      )}
    </>
  );
}

/** The pane beside a cell without a value, or beside none. */
function NoValue({ row, column, any }: { row: Row | undefined; column: Column | undefined; any: boolean }) {
  const title =
    row && column
      ? t("figures.pane.not_given", { what: rowName(row), column: columnName(column) })
      : t("figures.pane.none");
  return (
    <>
      <PaneHead title={t("figures.pane.title")} />
      {any && <EmptyState title={title} />}
    </>
  );
}

const figuresIn = (rows: readonly Row[]): number =>
  rows.reduce((sum, { cells }) => [...cells.values()].reduce((own, { all }) => own + all.length, sum), 0);

/** Puts a part of the table on the clipboard. */
function copy(rows: readonly Row[], columns: readonly Column[]): void {
  const values = rows.flatMap((row) => columns.filter(({ key }) => row.cells.has(key)));
  if (values.length === 0) return;
  void copyText(tabSeparated(plainTable(rows, columns)), t("figures.copied", { count: values.length }));
}

/** Saves the table that is shown. */
function saveTable(rows: readonly Row[], columns: readonly Column[]): Promise<void> {
  return saveCsv(t("figures.file"), commaSeparated(plainTable(rows, columns))).then(
    (place) => {
      if (place) toast({ kind: "ok", title: t("figures.exported"), detail: place });
    },
    (thrown) => reportError(EngineError.from(thrown)),
  );
}

/** Says which filters left nothing. */
function Nothing({ state, onClear }: { state: Figures; onClear: () => void }) {
  const { words, reports, measure, years, status, only } = state;
  const fits = [
    words.trim() !== "" && t("figures.none.words", { words: words.trim() }),
    measure && t("figures.none.measure", { measure: t(`figures.measure.${measure}`) }),
    years.length > 0 && t("figures.none.years", { years: years.join(", ") }),
    reports.length > 0 && t("figures.none.reports", { count: reports.length }),
    status && t("figures.none.status", { status: t(`figures.status.${status}`) }),
    only && t("figures.none.only", { mark: t(`figures.mark.${only}`) }),
  ].filter((each) => typeof each === "string");
  if (fits.length === 0) return <EmptyState title={t("figures.empty.unread")} />;
  return (
    <EmptyState
      title={t("figures.none.title", { fits: fits.join(" ") })}
      action={
        <Button size="small" onClick={onClear}>
          {t("figures.none.clear")}
        </Button>
      }
    />
  );
}
