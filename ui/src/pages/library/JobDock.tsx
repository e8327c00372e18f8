import {
  IconFileText,
  IconFileTypeCsv,
  IconFileTypeDocx,
  IconFileTypeHtml,
  IconFileTypePdf,
  IconFileTypeXls,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSquare,
  IconX,
} from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useAction } from "@/api/queries";
import { usePages } from "@/api/row-pages";
import type { Job, JobEvent, JobFile } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { type Column, DataTable } from "@/kit/DataTable";
import { Select } from "@/kit/fields";
import { Meter } from "@/kit/Meter";
import { Name } from "@/kit/Name";
import { Note } from "@/kit/Note";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { Status, StatusIcon } from "@/kit/Status";
import { EmptyState, Loaded, SkeletonRows } from "@/kit/states";
import { useSteady } from "@/kit/steady";
import { liveFile, useJobs } from "@/state/jobs";
import { showTrouble } from "@/state/trouble";
import { type TextKey, t, text } from "@/text";
import { cost, decimal, milliseconds, moment, percent, seconds, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { Alike } from "./Alike";
import { ending } from "./adding";
import { shortModel } from "./corpus";
import { JobGone } from "./JobGone";
import {
  atWork,
  canCancel,
  canResume,
  chunksOf,
  corpusOf,
  cutOf,
  doneOf,
  embeddedOf,
  FILE_FILTERS,
  type FileFilter,
  failedOf,
  fileCounts,
  fileKind,
  filesOf,
  jobKind,
  latest,
  type Progress,
  pagesOf,
  passes,
  type StageView,
  stagesOf,
  statesOf,
} from "./job";
import css from "./job-dock.module.css";
import { isLocked, Unlock } from "./Unlock";

const FILE_ICONS: Record<string, typeof IconFileText> = {
  PDF: IconFileTypePdf,
  DOCX: IconFileTypeDocx,
  XLSX: IconFileTypeXls,
  CSV: IconFileTypeCsv,
  HTML: IconFileTypeHtml,
};

/** Refused texts that are named; `sibyl jobs show` lists all. */
const NAMED = 3;

const nameOf = (job: Job) =>
  t(job.kind === "embed" ? "library.job.embed" : "library.job.ingest", { id: String(job.id) });

const stateOf = (job: Job) => t(`library.job.states.${job.interrupted ? "interrupted" : job.state}`);

const rateOf = (rate: number) => (rate < 10 ? decimal(rate, 1) : whole(rate));

function figure({ stage }: StageView, progress: Progress): string {
  const event = atWork(progress.job) ? progress.event : undefined;
  const parts: string[] = [];
  const failed = failedOf(progress);
  const pages = pagesOf(progress);
  if (stage === "read") {
    parts.push(t("library.job.read", { count: filesOf(progress) }));
    if (pages > 0) parts.push(t("library.job.pages", { count: pages }));
    if (event && event.ocr_done < event.ocr_pages)
      parts.push(t("library.job.ocr", { done: event.ocr_done, all: event.ocr_pages }));
    if (failed > 0) parts.push(t("library.job.failed", { count: failed }));
  } else if (stage === "chunk") {
    parts.push(t("library.job.chunks", { count: cutOf(progress) }));
    if (event && event.page_rate > 0)
      parts.push(t("library.job.page_rate", { rate: rateOf(event.page_rate) }));
  } else if (stage === "store") parts.push(t("library.job.rows", { count: chunksOf(progress) }));
  else {
    const { done, all } = embeddedOf(progress);
    const { spent, price, model } = progress.event ?? {};
    const paid = typeof spent === "number" && typeof price === "number";
    if (paid) parts.push(whole(done));
    else if (all === undefined) parts.push(t("library.job.vectors", { count: done }));
    else parts.push(t("library.job.embedded", { done, all }));
    if (event?.stage === "embed" && event.rate > 0)
      parts.push(t("library.job.rate", { rate: rateOf(event.rate) }));
    if (paid) parts.push(t("library.job.spent", { spent: cost(spent), price: cost(price) }));
    // Last, for it is the longest and the first to be cut.
    if (model) parts.push(shortModel(model));
  }
  return parts.join(" · ");
}

function Stages({ progress }: { progress: Progress }) {
  return (
    <ol className={css.stages}>
      {stagesOf(progress).map((view) => {
        const label = t(`library.job.stages.${view.stage}`);
        return (
          <li key={view.stage}>
            <div className={css.stage}>
              <span className={`status-mark ${view.kind}`}>
                <StatusIcon kind={view.kind} />
              </span>
              {label}
              <span className="mut number">{view.share === undefined ? "—" : percent(view.share)}</span>
            </div>
            <Meter
              label={label}
              value={view.share ?? 0}
              tone={view.share === 1 ? "base" : "accent"}
              progress={atWork(progress.job)}
            />
            <div className={css.stageFigure} data-tip={figure(view, progress)}>
              {figure(view, progress)}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

const shortTime = (value: number) => (value < 1 ? milliseconds(value * 1000) : seconds(value));

function fileWords(file: JobFile): string {
  if (file.error) return file.error;
  if (file.state === "done" && file.moved_from !== null)
    return t("library.job.moved", { from: file.moved_from });
  if (file.state === "running" && file.stage === "chunk" && file.pages)
    return t("library.job.file.chunk_pages", { count: file.pages });
  if (
    file.state === "done" &&
    file.seconds !== null &&
    (file.result === "created" || file.result === "updated")
  )
    return t(`library.job.file.${file.result}_in`, { time: shortTime(file.seconds) });
  const key = file.state === "running" ? file.stage : (file.state === "done" && file.result) || file.state;
  return text(`library.job.file.${key}`) ?? key;
}

function FileIcon({ path }: { path: string }) {
  const Icon = FILE_ICONS[ending(path) ?? ""] ?? IconFileText;
  return <Icon className="small" aria-hidden />;
}

const COLUMNS: Column<JobFile>[] = [
  {
    id: "file",
    header: t("library.columns.file"),
    width: "minmax(180px, 1fr)",
    sort: (file) => file.path,
    cell: (file) => (
      <span className={`row gap-6 ${css.file}`}>
        <FileIcon path={file.path} />
        <Name tip={file.origin}>{file.path}</Name>
      </span>
    ),
  },
  {
    id: "pages",
    header: t("library.columns.pages"),
    width: "72px",
    numeric: true,
    sort: (file) => file.pages ?? 0,
    cell: (file) => (file.pages ? whole(file.pages) : "—"),
  },
  {
    id: "state",
    header: t("library.columns.state"),
    width: "minmax(160px, 1fr)",
    sort: fileWords,
    cell: (file) => (
      <span data-tip={visible(fileWords(file))}>
        <Status kind={fileKind(file)}>{visible(fileWords(file))}</Status>
      </span>
    ),
  },
  {
    id: "chunks",
    header: t("library.columns.chunks"),
    width: "72px",
    numeric: true,
    sort: (file) => file.chunks,
    cell: (file) => (file.chunks > 0 ? whole(file.chunks) : "—"),
  },
];

/** Where a file goes; shown where a job fills several corpora. */
const CORPUS: Column<JobFile> = {
  id: "corpus",
  header: t("library.columns.corpus"),
  width: "minmax(80px, 160px)",
  sort: (file) => file.corpus,
  cell: (file) => <Name className="sec">{file.corpus}</Name>,
};

/** Tells why a file failed, with its retry. */
function tellFailure(file: JobFile, { report }: Job, retry: () => void) {
  const reported = report.failed.find((each) => each.path === file.path);
  showTrouble({
    title: t("library.job.failed_file", { name: file.path }),
    message: file.error ?? "",
    code: reported?.code ?? file.stage,
    choices: [
      {
        label: t("library.job.retry_file", { name: visible(file.path) }),
        detail: t("library.job.retry_detail"),
        action: t("library.job.again"),
        run: retry,
      },
    ],
    details: `${file.origin}\n${t(`library.job.stages.${file.stage}`)}\n${file.error ?? ""}`,
  });
}

type Remedies = {
  retry: (file: JobFile) => void;
  unlock: (file: JobFile) => void;
  /** Whether any of the files is locked. */
  locked: boolean;
};

/** What can be done with a file that failed. */
function failureColumn(job: Job, { retry, unlock, locked }: Remedies): Column<JobFile> {
  return {
    id: "failure",
    header: <span className="sr-only">{t("library.job.again")}</span>,
    width: locked ? "190px" : "132px",
    cell: (file, active) =>
      file.state === "failed" && (
        <span className={`row gap-4 ${css.failure}`}>
          {isLocked(file) ? (
            <Button
              size="tiny"
              tabIndex={active ? 0 : -1}
              aria-label={t("library.unlock.title", { name: visible(file.path) })}
              onClick={() => unlock(file)}
            >
              {t("library.unlock.open")}
            </Button>
          ) : (
            <Button
              size="tiny"
              tabIndex={active ? 0 : -1}
              aria-label={t("library.job.retry_file", { name: visible(file.path) })}
              onClick={() => retry(file)}
            >
              {t("library.job.again")}
            </Button>
          )}
          <Button
            size="tiny"
            tone="quiet"
            tabIndex={active ? 0 : -1}
            aria-label={t("library.job.details_file", { name: visible(file.path) })}
            onClick={() => tellFailure(file, job, () => retry(file))}
          >
            {t("library.job.details")}
          </Button>
        </span>
      ),
  };
}

const ordinalOf = ({ ordinal }: JobFile) => ordinal;

/** The files as the job at work tells of them just now; as they are where none does. */
const asTold = (files: readonly JobFile[], told: JobEvent | undefined): readonly JobFile[] =>
  told ? files.map((file) => latest(file, liveFile(told.job, file.ordinal))) : files;

function Files({ progress }: { progress: Progress }) {
  const { job } = progress;
  const all = usePages("job.files", { id: job.id }, { keyOf: ordinalOf });
  const retry = useAction("job.retry");
  const [filter, setFilter] = useState<FileFilter>("all");
  const working = atWork(job);
  // Redrawn for every word of the job.
  const told = working ? progress.event : undefined;
  const known = useMemo(() => asTold(all.rows, told), [all.rows, told]);
  const partial = filter !== "all" && filesOf(progress) > known.length;
  const filtered = usePages(
    "job.files",
    { id: job.id, states: statesOf(filter) },
    { keyOf: ordinalOf, enabled: partial },
  );
  const shown = partial ? filtered : all;
  const rows = useMemo(() => {
    const files = partial && !filtered.former ? asTold(filtered.rows, told) : known;
    return files.filter((file) => passes(file, filter));
  }, [known, partial, filtered.former, filtered.rows, filter, told]);
  const counts = fileCounts(progress, known);
  const failed = Math.max(failedOf(progress), counts.failed);
  const again = useSteady((file: JobFile) => retry.mutate({ id: job.id, file: file.ordinal }));
  const several = corpusOf(known) === undefined;
  const [opening, setOpening] = useState<JobFile>();
  const locked = known.some(isLocked);
  const columns = useMemo(() => {
    const remedies = { retry: again, unlock: setOpening, locked };
    return [...COLUMNS, ...(several ? [CORPUS] : []), ...(failed > 0 ? [failureColumn(job, remedies)] : [])];
  }, [several, failed, job, again, locked]);
  return (
    <>
      <div className={css.filesHead}>
        <span className="lab">{t("library.job.filter")}</span>
        <SegmentedControl
          label={t("library.job.filter")}
          size="small"
          value={filter}
          onChange={setFilter}
          options={FILE_FILTERS.map((value) => ({
            value,
            label: t(`library.job.filters.${value}` satisfies TextKey, { count: counts[value] }),
          }))}
        />
        <span className="grow" />
        {failed > 0 && (
          <Button
            size="tiny"
            icon={<IconRefresh className="xs" aria-hidden />}
            disabled={retry.isPending}
            onClick={() => retry.mutate({ id: job.id })}
          >
            {t("library.job.retry", { count: failed })}
          </Button>
        )}
      </div>
      {opening && <Unlock file={opening} job={job.id} onClose={() => setOpening(undefined)} />}
      <Loaded query={shown.query} skeleton={<SkeletonRows rows={3} height={28} />}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title={t("library.job.no_files")} />
          ) : (
            <DataTable
              label={t("library.job.list")}
              columns={columns}
              rows={rows}
              rowKey={(file) => String(file.ordinal)}
              total={counts[filter]}
              onMore={shown.more}
              rowHeight={28}
            />
          )
        }
      </Loaded>
    </>
  );
}

function Controls({ job }: { job: Job }) {
  const pause = useAction("job.pause");
  const cancel = useAction("job.cancel");
  const resume = useAction("job.resume");
  const busy = pause.isPending || cancel.isPending || resume.isPending;
  return (
    <>
      {atWork(job) && (
        <Button
          size="small"
          icon={<IconPlayerPause className="small" aria-hidden />}
          disabled={busy}
          onClick={() => pause.mutate({ id: job.id })}
        >
          {t("library.job.pause")}
        </Button>
      )}
      {canResume(job) && (
        <Button
          size="small"
          icon={<IconPlayerPlay className="small" aria-hidden />}
          disabled={busy}
          onClick={() => resume.mutate({ id: job.id })}
        >
          {t("library.job.resume")}
        </Button>
      )}
      {canCancel(job) && (
        <Button
          size="small"
          tone="danger"
          icon={<IconSquare className="small" aria-hidden />}
          disabled={busy}
          onClick={() => cancel.mutate({ id: job.id })}
        >
          {t("library.job.cancel")}
        </Button>
      )}
    </>
  );
}

/** Texts that the provider would not embed, the first few by name. */
function Refused({ job }: { job: Job }) {
  const retry = useAction("job.retry");
  const { refused } = job.report;
  if (refused.length === 0) return null;
  return (
    <div className={css.jobError}>
      <Note kind="warn">
        <div className="row gap-6">
          {t("library.job.refused", { count: refused.length })}
          <Button size="tiny" disabled={retry.isPending} onClick={() => retry.mutate({ id: job.id })}>
            {t("library.job.again")}
          </Button>
        </div>
        {refused.slice(0, NAMED).map((each) => (
          <div key={`${each.path} ${each.message}`}>{visible(`${each.path}: ${each.message}`)}</div>
        ))}
      </Note>
    </div>
  );
}

type JobDockProps = {
  /** The newest first; not empty. */
  jobs: readonly Job[];
  job: Job;
  onChoose: (id: string) => void;
  onClose: () => void;
};

/** A job: its stages, its files and what can be done with it. */
export function JobDock({ jobs, job, onChoose, onClose }: JobDockProps) {
  const event = useJobs().get(job.id);
  const progress: Progress = { job, event };
  const files = filesOf(progress);
  const left = atWork(job) ? event?.seconds_left : null;
  const detail = [
    stateOf(job),
    files > 0 ? t("library.job.files", { done: doneOf(progress), files }) : undefined,
    t("library.job.started", { at: moment(job.created_at) }),
    typeof left === "number" ? t("library.job.left", { time: seconds(left) }) : undefined,
  ];
  const error = job.error ?? event?.error;
  const corpus = corpusOf(usePages("job.files", { id: job.id }, { keyOf: ordinalOf }).rows);
  return (
    <div className={css.dock} data-testid="job-dock">
      <div className="heading">
        <span className={`status-mark ${jobKind(job)}`}>
          <StatusIcon kind={jobKind(job)} />
        </span>
        <h2 className={css.jobName}>
          <Name>{corpus === undefined ? nameOf(job) : `${nameOf(job)}: ${corpus}`}</Name>
        </h2>
        <span className="sm mut number ell">{detail.filter(Boolean).join(" · ")}</span>
        <span className="end">
          {jobs.length > 1 && (
            <Select
              label={t("library.job.choose")}
              width={190}
              value={String(job.id)}
              onChange={onChoose}
              options={jobs.map((each) => ({
                value: String(each.id),
                label: `${nameOf(each)} · ${stateOf(each)}`,
              }))}
            />
          )}
          <Controls key={job.id} job={job} />
          <IconButton size="small" label={t("library.job.close")} onClick={onClose}>
            <IconX className="small" aria-hidden />
          </IconButton>
        </span>
      </div>
      {error && (
        <div className={css.jobError}>
          <Note kind="bad">{visible(error)}</Note>
        </div>
      )}
      <Refused key={`refused-${job.id}`} job={job} />
      <JobGone gone={job.report.gone} />
      {job.kind !== "embed" && <Alike job={job.id} />}
      <Stages progress={progress} />
      {job.kind !== "embed" && <Files key={job.id} progress={progress} />}
    </div>
  );
}
