import {
  IconCircleX,
  IconCloud,
  IconCloudOff,
  IconDatabase,
  IconFolder,
  IconKeyboard,
  IconLoader2,
  IconVector,
} from "@tabler/icons-react";
import type { JobEvent } from "@/api/types";
import { Menu } from "@/kit/Menu";
import { Meter } from "@/kit/Meter";
import { t } from "@/text";
import { bytes, percent, whole } from "@/text/format";
import { jobShare, useJobs } from "./jobs";
import { href, navigate } from "./router";
import { useStatus } from "./status";
import { useWorkspaces } from "./workspace";

function Job({ job }: { job: JobEvent }) {
  const open = () => navigate(href("library", [], { job: String(job.job) }));
  if (job.state === "failed")
    return (
      <button type="button" className="c-bad" onClick={open}>
        <IconCircleX className="s" aria-hidden />
        {t("status.job_failed", { job: String(job.job) })}
      </button>
    );
  const stage = t(`stages.${job.state === "queued" ? "queued" : job.stage}`);
  const words = t("status.job", { job: String(job.job), stage });
  const share = jobShare(job);
  return (
    <button type="button" onClick={open}>
      <IconLoader2 className="s spin" aria-hidden />
      {words}
      <Meter label={words} value={share} tone="accent" progress width={72} />
      <span className="n">{percent(share)}</span>
    </button>
  );
}

/** The status bar: network, model, running job, size, workspace, keyboard map. */
export function StatusBar({ onKeyboard }: { onKeyboard: () => void }) {
  const status = useStatus();
  const job = [...useJobs().values()].findLast((each) =>
    ["running", "queued", "failed"].includes(each.state),
  );
  const { current, names, enter } = useWorkspaces();
  return (
    <footer className="status" data-pane="status" tabIndex={-1}>
      {status.silent ? (
        <span className="c-bad">
          <IconCircleX className="s" aria-hidden />
          {t("status.no_engine")}
        </span>
      ) : (
        <span>
          {status.online ? (
            <IconCloud className="s" aria-hidden />
          ) : (
            <IconCloudOff className="s" aria-hidden />
          )}
          {status.online ? t("status.online") : t("status.offline")}
        </span>
      )}
      {status.model !== undefined && (
        <span>
          <IconVector className="s" aria-hidden />
          {status.dimensions === undefined
            ? status.model
            : t("status.model", { model: status.model, dimensions: String(status.dimensions) })}
        </span>
      )}
      {job && <Job job={job} />}
      <span className="spacer" />
      {status.chunks !== undefined && (
        <span>
          <IconDatabase className="s" aria-hidden />
          <span className="n">
            {t("status.size", { chunks: whole(status.chunks), size: bytes(status.bytes ?? 0) })}
          </span>
        </span>
      )}
      <Menu
        label={t("app.workspaces")}
        position="top-end"
        entries={names.map((name) => ({
          label: name,
          checked: name === current,
          onClick: () => enter(name),
        }))}
      >
        <button type="button" className="hide-s" aria-label={`${t("app.workspace")}: ${current}`}>
          <IconFolder className="s" aria-hidden />
          {current}
        </button>
      </Menu>
      <button type="button" aria-label={t("app.keyboard")} onClick={onKeyboard}>
        <IconKeyboard className="s" aria-hidden />?
      </button>
    </footer>
  );
}
