import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowsLeftRight, IconDownload } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { may } from "@/api/client";
import type { Assessment, AssessmentGrid } from "@/api/types";
import { Button } from "@/kit/Button";
import { useNarrow } from "@/kit/narrow";
import { Pane, Panes } from "@/kit/Panes";
import { combination, inField, useShortcut } from "@/kit/shortcuts";
import { EmptyState } from "@/kit/states";
import { focusCell } from "@/kit/virtual-rows";
import { t } from "@/text";
import { Ask } from "./Ask";
import { areOfTwo, firstPair } from "./changed/changes";
import { type CellId, type Deciding, useDeciding } from "./deciding";
import { Export } from "./Export";
import { FilterBar } from "./FilterBar";
import { Foot } from "./Foot";
import { Grid } from "./Grid";
import { useWide } from "./measures";
import { keptBy, linesOf, type Model, modelOf } from "./model";
import { PagePane } from "./PagePane";
import { Progress } from "./Progress";
import { RequirementPane } from "./RequirementPane";
import { useReviewer } from "./reviewer";
import { runStateOf } from "./run-state";
import type { Assess } from "./state";
import { tell } from "./tell";
import { useCell } from "./use-cell";
import { useEvidence } from "./use-evidence";
import { usePlace } from "./use-place";
import { usePrograms } from "./use-programs";
import { useSteps } from "./use-steps";
import { useTargets } from "./use-targets";
import { useWalk, type Walk } from "./use-walk";
import { WhoDecidesFirst } from "./WhoDecides";

/** Milliseconds that the words of the filter stand before they take effect. */
const PAUSE = 150;

type BoardProps = {
  stored: AssessmentGrid;
  state: Assess;
  change: (part: Partial<Assess>) => void;
  /** The menu of assessments, with the actions of the page. */
  menu: (assessment: Assessment, actions: React.ReactNode) => React.ReactNode;
};

/** The rows that are in sight, and which branches are closed. */
function useLines(model: Model, { rows, columns }: AssessmentGrid, { only, words }: Assess, me: string) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [later] = useDebouncedValue(words, PAUSE);
  // Whoever leaves the field for the grid waits for nothing.
  const [flushed, flush] = useState<string>();
  const text = flushed === words ? words : later;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is decided stays in sight until the filters change.
  const kept = useMemo(() => keptBy(model, only, text, me), [rows, columns, only.join(), text, me]);
  const filtered = only.length > 0 || text.trim() !== "";
  // What a filter finds is not hidden by a closed branch.
  const lines = useMemo(
    () => linesOf(model, kept, filtered ? new Set() : closed),
    [model, kept, filtered, closed],
  );
  const branches = model.rows.filter(({ branch }) => branch).map(({ key }) => key);
  const fold = (key: string, open: boolean) =>
    setClosed((last) => new Set(open ? [...last].filter((each) => each !== key) : [...last, key]));
  return {
    kept,
    lines,
    fold,
    expanded: closed.size === 0,
    expandAll: () => setClosed(new Set(closed.size === 0 ? branches : [])),
    flush,
    reveal: (keys: readonly string[]) =>
      setClosed((last) => new Set([...last].filter((each) => !keys.includes(each)))),
  };
}

/** The assessment with what is decided here, its rows in sight, and the cell in use. */
function useGrid(stored: AssessmentGrid, state: Assess, change: BoardProps["change"]) {
  const me = useReviewer();
  const deciding = useDeciding(stored);
  const model = useMemo(() => modelOf(deciding.grid), [deciding.grid]);
  const programs = usePrograms({ id: stored.assessment.id, deciding, model });
  const rows = useLines(model, stored, state, me);
  const walk = useWalk({
    model,
    lines: rows.lines,
    named: { requirement: state.requirement, report: state.report },
    onCell: change,
    onFold: rows.fold,
    onReveal: rows.reveal,
  });
  return { me, deciding, model, programs, walk, rows };
}

/** Takes back the last decision by Ctrl+Z, wherever the focus is but in a field. */
function useUndo({ undo }: Deciding) {
  const press = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (combination(event) !== "mod+z" || inField(event.target)) return;
    event.preventDefault();
    undo();
  });
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => press(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);
}

/** An assessment: its grid, the requirement of the cell in use, and the page of its evidence. */
export function Board({ stored, state, change, menu }: BoardProps) {
  const { assessment, agreements } = stored;
  const { me, deciding, model, programs, walk, rows } = useGrid(stored, state, change);
  const { kept, lines, fold, expanded, expandAll, flush } = rows;
  const grid = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const narrow = useNarrow();
  const wide = useWide();
  const [tab, setTab] = useState<"evidence" | "page">("evidence");
  const [exporting, setExporting] = useState(false);
  const column = model.columns[walk.at.column];
  const here = askedAt(model, walk.at);
  const cell = useCell(assessment.id, here);
  const evidence = useEvidence({
    cell,
    back: () => focusCell(grid.current),
    onPin: (passages, review, onSent) => {
      const { status = "open" } = model.cell(walk.at.row, walk.at.column) ?? {};
      if (here) deciding.decide([here], { status, passages }, review, onSent);
    },
    onNone: () => tell(t("assess.said.no_passage")),
  });
  const leaf = usePlace(evidence, column?.report_id);
  const { question, decideOn, answer, forget } = useTargets({ model, walk, deciding });
  const { settle, move } = useSteps({ model, walk, kept, focus: () => focusCell(grid.current) });
  const enter = (words: string) => {
    flush(words);
    focusCell(grid.current);
  };
  useUndo(deciding);
  useShortcut("app.search", () => field.current?.select());
  const confirm = (cell: CellId) => {
    const carried = model.cell(walk.at.row, walk.at.column)?.carried;
    if (carried) deciding.confirm(cell, carried);
    return Boolean(carried);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && may("assess.carry_over") && here && confirm(here))
      return true;
    if (event.key !== " ") return false;
    if (narrow) setTab(tab === "page" ? "evidence" : "page");
    else change({ page: !state.page });
    return true;
  };
  const page = (
    <PagePane {...{ evidence, leaf }} onHide={narrow ? undefined : () => change({ page: false })} />
  );
  return (
    <>
      {menu(assessment, <Actions {...{ stored, change }} onExport={() => setExporting(true)} />)}
      <div role="status" className="sr-only">
        {deciding.said}
      </div>
      <Panes key={`${narrow} ${wide}`} id={narrow ? "assess-narrow" : wide ? "assess-wide" : "assess"}>
        <Pane id="grid" label={t("assess.grid.label")}>
          <FilterBar {...{ state, change, model, me, field }} onLeave={enter} />
          <Progress whole={model.whole} />
          {lines.length === 0 ? (
            <Nothing state={state} onClear={() => change({ words: "", only: [] })} />
          ) : (
            <Grid
              {...{ model, lines, walk, expanded, onKey }}
              unsaved={deciding.unsaved}
              onExpand={expandAll}
              onFold={fold}
              root={grid}
            />
          )}
          <Foot id={assessment.id} made={runStateOf(stored)} {...{ model, agreements }} />
        </Pane>
        <Pane
          id="requirement"
          label={t("assess.pane.label")}
          size={narrow ? 384 : wide ? 410 : 348}
          min={320}
          max={640}
          fold="end"
        >
          <RequirementPane
            {...{ model, walk, cell, evidence, leaf, deciding, programs, decideOn, narrow, tab, page }}
            here={here}
            onTab={setTab}
            onPage={narrow || state.page ? undefined : () => change({ page: true })}
            onStep={move}
            onNext={() => settle(1)}
            onConfirm={confirm}
          />
        </Pane>
        {!narrow && state.page && (
          <Pane id="page" label={t("assess.page.label")} size={wide ? 520 : 392} min={360} max={900} sunken>
            {page}
          </Pane>
        )}
      </Panes>
      <WhoDecidesFirst />
      {question && <Ask asked={question} onDecide={answer} onClose={forget} />}
      {exporting && <Export assessment={assessment} onClose={() => setExporting(false)} />}
    </>
  );
}

/** The requirement and the report of a cell; nothing where the report is not asked for it. */
function askedAt(model: Model, at: Walk["at"]): CellId | undefined {
  const row = model.rows[at.row];
  const column = model.columns[at.column];
  if (!row?.requirement || !row.id || !column || !model.asked(at.row, at.column)) return undefined;
  return { requirement: row.id, report_id: column.report_id };
}

type ActionsProps = Pick<BoardProps, "stored" | "change"> & { onExport: () => void };

/** What is done with the whole assessment: two of its reports compared, a pack made. */
function Actions({ stored, change, onExport }: ActionsProps) {
  const pair = firstPair(stored);
  const columnOf = (id: string | undefined) => stored.columns.find(({ report_id }) => report_id === id);
  const two = pair !== undefined && areOfTwo(columnOf(pair.from), columnOf(pair.to));
  const compare = () => pair && change(pair);
  const compares = pair !== undefined && may("assess.compare");
  useShortcut("assess.compare", compare, compares);
  useShortcut("assess.export", onExport, may("assess.export"));
  return (
    <>
      {compares && (
        <Button icon={<IconArrowsLeftRight className="small" aria-hidden />} onClick={compare}>
          {t(two ? "assess.changed.open_two" : "assess.changed.open_page")}
        </Button>
      )}
      {may("assess.export") && (
        <Button icon={<IconDownload className="small" aria-hidden />} onClick={onExport}>
          {t("assess.export.title")}
        </Button>
      )}
    </>
  );
}

/** Says what left nothing. */
function Nothing({ state: { only, words }, onClear }: { state: Assess; onClear: () => void }) {
  const named = only.map((each) => t(`assess.filter.named.${each}`));
  const [last, ...before] = [...named].reverse();
  const what =
    last === undefined
      ? ""
      : before.length === 0
        ? last
        : t("assess.and", { first: before.reverse().join(", "), last });
  const text = words.trim();
  if (what === "" && text === "") return <EmptyState title={t("assess.filter.all")} />;
  return (
    <EmptyState
      title={
        text === ""
          ? t("assess.filter.none", { what })
          : t("assess.filter.none_words", {
              what: what === "" ? "" : t("assess.filter.that_is", { what }),
              words: text,
            })
      }
      action={
        <Button size="small" onClick={onClear}>
          {t("assess.filter.clear")}
        </Button>
      }
    />
  );
}
