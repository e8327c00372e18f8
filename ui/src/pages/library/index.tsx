import {
  IconBulb,
  IconClipboardCheck,
  IconFileImport,
  IconFolderOpen,
  IconLicense,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { useEffect, useEffectEvent } from "react";
import { EngineError, may } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import { pickFiles, pickFolders } from "@/api/shell";
import type { Overview } from "@/api/types";
import { Button } from "@/kit/Button";
import { Menu } from "@/kit/Menu";
import { Pane, Panes } from "@/kit/Panes";
import { whenPainted } from "@/kit/painted";
import { ErrorState, Loaded, SkeletonFigures, SkeletonRows } from "@/kit/states";
import { PageHeader } from "@/parts/PageHeader";
import { openCure } from "@/state/cure";
import { address, href, navigate, parseRoute, useQueryState } from "@/state/router";
import { reportError } from "@/state/trouble";
import { useWorkspaces } from "@/state/workspace";
import { t } from "@/text";
import { askToAdd } from "./adding";
import { Bin } from "./Bin";
import { Corpora } from "./Corpora";
import { Empty } from "./Empty";
import { Inspector } from "./Inspector";
import { JobDock } from "./JobDock";
import { jobToShow } from "./job";
import { Licensed } from "./Licensed";
import css from "./layout.module.css";
import shared from "./shared.module.css";
import { shippedOffers } from "./shipped";
import { Totals } from "./Totals";

/** The job in the dock. A closed dock stays closed until another job comes. */
function useDock() {
  const list = useCommand("job.list", {});
  const jobs = list.data ?? [];
  const [wanted, choose] = useQueryState("job", "");
  const [closed, close] = useQueryState("closed", "");
  const shown = jobToShow(jobs, wanted);
  const newest = String(jobs[0]?.id ?? "");
  return {
    jobs,
    /** The list, where it could not be loaded. */
    failed: list.data === undefined && list.error ? { error: list.error, retry: list.refetch } : undefined,
    job: closed !== "" && closed === newest ? undefined : shown,
    choose,
    close: () => close(newest),
  };
}

type Actions = Parameters<typeof Empty>[0];

/** The screen before it knows its corpora: its panes and rows stand where they will stand. */
function Expected() {
  return (
    <Panes id="library">
      <Pane id="centre">
        <div className={shared.totals}>
          <SkeletonFigures count={6} />
        </div>
        <div className={css.headless} />
        <SkeletonRows rows={9} />
      </Pane>
      <Pane id="inspector" size={316} min={260} fold="end" sunken>
        <div className="heading" />
        <SkeletonRows rows={7} height={24} bare quiet />
      </Pane>
    </Panes>
  );
}

function Shelves({ overview, actions }: { overview: Overview; actions: Actions }) {
  const [wanted, setWanted] = useQueryState("corpus", "");
  const dock = useDock();
  useEffect(() => whenPainted(() => performance.mark("library")), []);
  const empty = overview.corpora.length === 0;
  const names = overview.corpora.map((each) => each.corpus.name);
  const selected = names.includes(wanted) ? wanted : (names[0] ?? null);
  return (
    <Panes id="library">
      <Pane id="centre">
        <Panes id="library-centre" direction="column">
          <Pane id="corpora" label={t("library.corpora")} min={180}>
            {empty ? (
              <Empty {...actions} />
            ) : (
              <>
                <Totals overview={overview} />
                <Corpora corpora={overview.corpora} selected={selected} onSelect={setWanted} />
              </>
            )}
          </Pane>
          {(dock.job || dock.failed) && (
            <Pane id="job" label={t("library.job.title")} size={304} min={140}>
              {dock.job && (
                <JobDock jobs={dock.jobs} job={dock.job} onChoose={dock.choose} onClose={dock.close} />
              )}
              {dock.failed && (
                <ErrorState error={dock.failed.error} onRetry={() => void dock.failed?.retry()} />
              )}
            </Pane>
          )}
        </Panes>
      </Pane>
      {!empty && (
        <Pane id="inspector" label={t("library.inspector.title")} size={316} min={260} fold="end" sunken>
          <Inspector
            name={selected}
            onDeleted={() => setWanted("")}
            onStarted={(job) => dock.choose(String(job))}
          />
        </Pane>
      )}
    </Panes>
  );
}

/** Begins what the address asks for: menu and palette lead here. It asks once, whatever redraws. */
function useAsked(begin: (what: string) => void): [string, (what: string) => void] {
  const [asked, ask] = useQueryState("add", "");
  const run = useEffectEvent(() => {
    // An effect may run twice; the address has forgotten by then.
    const now = parseRoute(address()).query.get("add");
    if (!now || now === LICENSED) return;
    ask("");
    begin(now);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every wish.
  useEffect(() => run(), [asked]);
  return [asked, ask];
}

const LICENSED = "licensed";

/** The screen. */
export default function LibraryPage() {
  const overview = useCommand("library.overview", {});
  const { current, enter } = useWorkspaces();
  const start = useAction("ingest.start");
  const sample = useAction("sample.open");
  const [, chooseJob] = useQueryState("job", "");
  const [bin, showBin] = useQueryState("bin", "");
  const pick = (ask: () => Promise<string[]>) => {
    void ask().then(
      (paths) => askToAdd(paths),
      (thrown) => reportError(EngineError.from(thrown)),
    );
  };
  const actions: Actions = {
    onFiles: () => pick(pickFiles),
    onFolder: () => pick(pickFolders),
    // No sources at all mean the texts that come with the program.
    onShipped: (corpus) =>
      start.mutate(
        { sources: [], corpus, embed: "instant" },
        { onSuccess: ({ id }) => chooseJob(String(id)) },
      ),
    onSample: () =>
      !sample.isPending &&
      sample.mutate(
        {},
        {
          onSuccess: ({ workspace, corpus, job }) => {
            if (workspace !== current) enter(workspace);
            navigate(href("library", [], { corpus, ...(job === null ? {} : { job: String(job) }) }));
          },
        },
      ),
  };
  const [asked, ask] = useAsked((what) => {
    if (what === "files") actions.onFiles();
    else if (what === "folder" && may("shell.pick_folders")) actions.onFolder();
    else if (what === "sample" && may("sample.open")) actions.onSample();
    else if (shippedOffers().some(({ group }) => group === what)) actions.onShipped(what);
  });
  return (
    <div className={css.page}>
      <PageHeader
        context={[current, overview.data?.folder].filter(Boolean).join(" · ")}
        actions={
          <>
            {may("bin.list") && (
              <Button
                tone="quiet"
                icon={<IconTrash className="small" aria-hidden />}
                onClick={() => showBin("open")}
              >
                {t("library.bin.title")}
              </Button>
            )}
            {overview.data?.corpora.length === 0 && may("assess.new") && (
              <Button
                icon={<IconClipboardCheck className="small" aria-hidden />}
                onClick={() => navigate(href("assess"))}
              >
                {t("library.empty.assess")}
              </Button>
            )}
            {may("ingest.start") && <AddMenu actions={actions} onLicensed={() => ask(LICENSED)} />}
          </>
        }
      />
      <Loaded query={overview} skeleton={<Expected />} onCure={openCure}>
        {(data) => <Shelves overview={data} actions={actions} />}
      </Loaded>
      {bin !== "" && <Bin onClose={() => showBin("")} />}
      {asked === LICENSED && <Licensed onClose={() => ask("")} onStarted={(job) => chooseJob(String(job))} />}
    </div>
  );
}

/** Everything that can be added. */
function AddMenu({ actions, onLicensed }: { actions: Actions; onLicensed: () => void }) {
  return (
    <Menu
      label={t("library.add.open")}
      entries={[
        {
          label: t("library.add.files"),
          icon: <IconFileImport className="small" aria-hidden />,
          keys: "mod+o",
          onClick: actions.onFiles,
        },
        may("shell.pick_folders") && {
          label: t("library.add.folder"),
          icon: <IconFolderOpen className="small" aria-hidden />,
          onClick: actions.onFolder,
        },
        "line",
        ...shippedOffers().map(({ group, add, Icon }) => ({
          label: add,
          icon: <Icon className="small" aria-hidden />,
          onClick: () => actions.onShipped(group),
        })),
        may("sample.open") && {
          label: t("library.add.sample"),
          icon: <IconBulb className="small" aria-hidden />,
          onClick: actions.onSample,
        },
        {
          label: t("library.add.licensed"),
          icon: <IconLicense className="small" aria-hidden />,
          onClick: onLicensed,
        },
      ]}
    >
      <Button tone="primary" icon={<IconPlus className="small" aria-hidden />}>
        {t("library.add.open")}
      </Button>
    </Menu>
  );
}
