import { IconDots, IconDownload, IconFileImport } from "@tabler/icons-react";
import { useState } from "react";
import { call, EngineError } from "@/api/client";
import { useAction } from "@/api/queries";
import { pickFiles, saveText } from "@/api/shell";
import type { EvalRun, GoldSet } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { classes } from "@/kit/class-names";
import { Menu } from "@/kit/Menu";
import { Name } from "@/kit/Name";
import { PaneHead } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, Loaded } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { commaSeparated, saveCsv } from "@/parts/csv";
import { measured, measureName } from "@/parts/measure";
import { shellWord } from "@/parts/shell-word";
import { copyText } from "@/state/copy";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { cost, decimal, milliseconds, moment, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import { RenameRun } from "./Rename";
import { RunDetails } from "./RunDetails";
import css from "./run-list.module.css";
import { configurationWords } from "./runs";

type RunListProps = {
  set: GoldSet;
  runs: Parameters<typeof Loaded<EvalRun[]>>[0]["query"];
  measure: string;
  candidate: EvalRun | undefined;
  baseline: EvalRun | undefined;
  onCandidate: (id: number) => void;
  onBaseline: (id: number) => void;
};

/** The runs of a gold set, the newest first; any two are held against each other. */
export function RunList(props: RunListProps) {
  const { set, runs, measure, candidate } = props;
  return (
    <>
      <PaneHead
        title={t("evaluate.runs.title")}
        end={<span className="xs mut">{t("evaluate.runs.any")}</span>}
      />
      <Loaded query={runs}>
        {(all) =>
          all.length === 0 ? (
            <>
              <EmptyState title={t("evaluate.runs.empty")} detail={t("evaluate.runs.empty_detail")} />
              <div className={css.foot}>
                <ImportRun set={set} />
              </div>
            </>
          ) : (
            <>
              <ScrollRegion ways="down" className={css.scroller} label={t("evaluate.runs.title")}>
                <table className="compact">
                  <thead>
                    <tr>
                      <th className={css.sides}>
                        <span className="sr-only">{t("evaluate.runs.sides")}</span>
                      </th>
                      <th>{t("evaluate.runs.run")}</th>
                      <th className="align-end">{measureName(measure)}</th>
                      <th className="align-end hide-s">{t("evaluate.runs.p50")}</th>
                      <th className="align-end hide-s">{t("evaluate.runs.cost")}</th>
                      <th>
                        <span className="sr-only">{t("evaluate.runs.more")}</span>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {all.map((run) => (
                      <Row key={run.id} run={run} {...props} />
                    ))}
                  </tbody>
                </table>
              </ScrollRegion>
              <div className={css.foot}>
                <Button
                  size="small"
                  icon={<IconDownload className="small" aria-hidden />}
                  onClick={() => saveRuns(set, all)}
                >
                  {t("evaluate.runs.csv")}
                </Button>
                <ImportRun set={set} />
                {candidate && <Guard run={candidate} measure={measure} />}
              </div>
            </>
          )
        }
      </Loaded>
    </>
  );
}

/** Writes the measures of every run as a table. */
function saveRuns(set: GoldSet, runs: readonly EvalRun[]): void {
  const measures = [...new Set(runs.flatMap((run) => Object.keys(run.measures)))];
  const table = commaSeparated([
    [
      t("evaluate.runs.run"),
      t("evaluate.runs.name"),
      t("evaluate.runs.date"),
      t("evaluate.runs.configuration"),
      t("evaluate.details.hash"),
      ...measures,
    ],
    ...runs.map((run) => [
      run.id,
      run.name,
      run.at,
      configurationWords(run.configuration),
      run.config_hash,
      ...measures.map((measure) => run.measures[measure] ?? ""),
    ]),
  ]);
  void saveCsv(`${set.name}.csv`, table).then(
    (place) => place && toast({ kind: "ok", title: t("evaluate.runs.saved"), detail: place }),
    (thrown) => reportError(EngineError.from(thrown)),
  );
}

/** A threshold that the run just reaches, as the command line takes it. */
function Guard({ run, measure }: { run: EvalRun; measure: string }) {
  const value = run.measures[measure];
  const mode = run.configuration.search?.mode;
  // What another system found, the command line cannot find again.
  if (value === undefined || !mode) return null;
  // Rounded down: the run itself must pass. A point, whatever the reader writes, for a program reads it.
  const floor = (Math.floor(value * 100) / 100).toFixed(2);
  const named = mode === "hybrid" ? measure : `${mode}:${measure}`;
  const words = `sibyl eval ${shellWord(run.set)} --modes ${mode} --fail-below ${named}=${floor}`;
  return (
    <Button
      size="small"
      onClick={() => void copyText(words, t("evaluate.runs.copied"))}
      {...tip(t("evaluate.runs.guard"))}
    >
      <span className="mono ell">{words}</span>
    </Button>
  );
}

function ImportRun({ set }: { set: GoldSet }) {
  const take = useAction("eval.run_import");
  return (
    <Button
      size="small"
      icon={<IconFileImport className="small" aria-hidden />}
      disabled={take.isPending}
      {...tip(t("evaluate.runs.import_note"))}
      onClick={() =>
        void pickFiles().then(
          ([path]) => {
            if (path === undefined) return;
            take.mutate(
              { path, set: set.name },
              {
                onSuccess: ({ run, notes }) =>
                  toast({
                    kind: notes.length > 0 ? "warn" : "ok",
                    title: t("evaluate.runs.imported", { name: run.name }),
                    detail: notes.map(({ message }) => visible(sentence(message))).join(" ") || undefined,
                  }),
              },
            );
          },
          (thrown) => reportError(EngineError.from(thrown)),
        )
      }
    >
      {t("evaluate.runs.import")}
    </Button>
  );
}

function Row({
  set,
  run,
  measure,
  candidate,
  baseline,
  onCandidate,
  onBaseline,
}: RunListProps & { run: EvalRun }) {
  const side = run.id === candidate?.id ? "b" : run.id === baseline?.id ? "a" : undefined;
  const words = configurationWords(run.configuration);
  return (
    <tr className={side === "b" ? "on" : undefined} data-run={run.id}>
      <td className={css.sides}>
        <span className="row gap-2">
          {(["a", "b"] as const).map((each) => (
            <button
              key={each}
              type="button"
              className={classes(css.side, side === each && (each === "a" ? css.baseline : css.candidate))}
              aria-pressed={side === each}
              aria-label={t(`evaluate.runs.as_${each}`, { name: run.name })}
              data-tip={t(`evaluate.runs.as_${each}`, { name: run.name })}
              disabled={each === "a" && side === "b"}
              onClick={() => (each === "a" ? onBaseline(run.id) : onCandidate(run.id))}
            >
              {each.toUpperCase()}
            </button>
          ))}
        </span>
      </td>
      <td className={css.named}>
        <div className="col">
          <Name className={css.name}>{run.name}</Name>
          <span className="xs mut ell" data-tip={words}>
            {words}
          </span>
          <span className="xs mut ell">
            {t("evaluate.runs.number", { id: String(run.id) })} · {moment(run.at)}
            {run.unjudged > 0 && ` · ${t("evaluate.runs.unjudged", { count: run.unjudged })}`}
          </span>
        </div>
      </td>
      <td className="align-end mono xs">{measured(measure, run.measures[measure])}</td>
      <td className="align-end number nowrap hide-s">{run.imported ? "—" : milliseconds(run.p50_ms)}</td>
      <td className="align-end number hide-s">
        {run.configuration.cost_usd === null ? `$${decimal(0, 0)}` : cost(run.configuration.cost_usd)}
      </td>
      <td className={css.more}>
        <RunMenu run={run} set={set} />
      </td>
    </tr>
  );
}

/** What can be done with a run. */
function RunMenu({ run, set }: { run: EvalRun; set: GoldSet }) {
  const [asked, setAsked] = useState<"details" | "rename" | "delete">();
  const remove = useAction("eval.run_delete");
  const write = () =>
    void call("eval.run_export", { id: run.id })
      .then(({ text }) => saveText(`${run.name}.run`, text))
      .then(
        (place) => place && toast({ kind: "ok", title: t("evaluate.runs.saved"), detail: place }),
        (thrown) => reportError(EngineError.from(thrown)),
      );
  return (
    <>
      <Menu
        label={t("evaluate.runs.more_of", { name: run.name })}
        entries={[
          { label: t("evaluate.details.open"), onClick: () => setAsked("details") },
          { label: t("evaluate.rename.open"), onClick: () => setAsked("rename") },
          { label: t("evaluate.runs.export"), onClick: write },
          "line",
          { label: t("evaluate.runs.delete"), danger: true, onClick: () => setAsked("delete") },
        ]}
      >
        <IconButton size="small" label={t("evaluate.runs.more_of", { name: run.name })}>
          <IconDots className="small" aria-hidden />
        </IconButton>
      </Menu>
      {asked === "details" && <RunDetails run={run} set={set} onClose={() => setAsked(undefined)} />}
      {asked === "rename" && <RenameRun run={run} onClose={() => setAsked(undefined)} />}
      {asked === "delete" && (
        <Confirm
          danger
          title={t("evaluate.runs.delete_title", { name: run.name })}
          detail={t("evaluate.runs.delete_detail")}
          confirm={t("evaluate.runs.delete_confirm")}
          keep={t("evaluate.keep")}
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ id: run.id }, { onSuccess: () => setAsked(undefined) })}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
