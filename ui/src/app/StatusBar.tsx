import {
  IconCircleX,
  IconCloud,
  IconCloudOff,
  IconDatabase,
  IconFolder,
  IconKeyboard,
  IconLoader2,
  IconPlayerPause,
  IconVector,
} from "@tabler/icons-react";
import type { JobEvent } from "@/api/types";
import { Meter } from "@/kit/Meter";
import { Name } from "@/kit/Name";
import { tip } from "@/kit/Tooltip";
import { useRun } from "@/state/assessing";
import { jobShare } from "@/state/jobs";
import { href, navigate } from "@/state/router";
import { useWorkspaces } from "@/state/workspace";
import { t } from "@/text";
import { bytes, percent, whole } from "@/text/format";
import { useJobAtHand } from "./job-keys";
import { useStatus } from "./status";
import css from "./status-bar.module.css";
import { WorkspaceMenu } from "./workspaces";

function Job({ job }: { job: JobEvent }) {
  const open = () => navigate(href("library", [], { job: String(job.job) }));
  if (job.state === "failed")
    return (
      <button type="button" className="c-bad" onClick={open}>
        <IconCircleX className="small" aria-hidden />
        {t("status.job_failed", { job: String(job.job) })}
      </button>
    );
  const rests = job.state === "paused";
  const stage = t(`stages.${rests ? "paused" : job.state === "queued" ? "queued" : job.stage}`);
  const words = t("status.job", { job: String(job.job), stage });
  const share = jobShare(job);
  return (
    <button type="button" onClick={open}>
      {rests ? (
        <IconPlayerPause className="small" aria-hidden />
      ) : (
        <IconLoader2 className="small spin" aria-hidden />
      )}
      {words}
      <Meter label={words} value={share} tone="accent" progress={!rests} width={72} />
      <span className="number">{percent(share)}</span>
    </button>
  );
}

/** How far the proposals of an assessment are. */
function Proposals() {
  const run = useRun();
  if (!run || run.error) return null;
  const { done = 0, total = 0 } = run.progress ?? {};
  const share = total > 0 ? done / total : 0;
  return (
    <button type="button" onClick={() => navigate(href("assess", [], { id: String(run.assessment) }))}>
      <IconLoader2 className="small spin" aria-hidden />
      {t("status.proposals")}
      <Meter label={t("status.proposals")} value={share} tone="accent" progress width={72} />
      <span className="number">{percent(share)}</span>
    </button>
  );
}

/** The status bar: network, model, running job, size, workspace, keyboard map. */
export function StatusBar({ onKeyboard }: { onKeyboard: () => void }) {
  const status = useStatus();
  const job = useJobAtHand();
  const { current } = useWorkspaces();
  const models = () => navigate(href("settings", ["models"]));
  return (
    <footer className={css.status} data-pane="status" tabIndex={-1}>
      {status.silent ? (
        <span className="c-bad">
          <IconCircleX className="small" aria-hidden />
          {t("status.no_engine")}
        </span>
      ) : (
        <button
          type="button"
          onClick={models}
          {...tip(t(status.online ? "status.online_note" : "status.offline_note"))}
        >
          {status.online ? (
            <IconCloud className="small" aria-hidden />
          ) : (
            <IconCloudOff className="small" aria-hidden />
          )}
          {status.online ? t("status.online") : t("status.offline")}
        </button>
      )}
      {status.model !== undefined && (
        <button type="button" onClick={models} {...tip(t("status.open_models"))}>
          <IconVector className="small" aria-hidden />
          {status.dimensions === undefined
            ? status.model
            : t("status.model", { model: status.model, dimensions: String(status.dimensions) })}
        </button>
      )}
      {job && <Job job={job} />}
      <Proposals />
      <span className={css.spacer} />
      {status.chunks !== undefined && (
        <button
          type="button"
          onClick={() => navigate(href("settings", ["data"]))}
          {...tip(t("status.open_data"))}
        >
          <IconDatabase className="small" aria-hidden />
          <span className="number">
            {t("status.size", { chunks: whole(status.chunks), size: bytes(status.bytes ?? 0) })}
          </span>
        </button>
      )}
      <WorkspaceMenu position="top-end">
        <button type="button" className="hide-s" aria-label={`${t("app.workspace")}: ${current}`}>
          <IconFolder className="small" aria-hidden />
          <Name className={css.workspace}>{current}</Name>
        </button>
      </WorkspaceMenu>
      <button type="button" aria-label={t("app.keyboard")} onClick={onKeyboard}>
        <IconKeyboard className="small" aria-hidden />?
      </button>
    </footer>
  );
}
