import type { ReactNode } from "react";
import { Button } from "@/kit/Button";
import { Meter } from "@/kit/Meter";
import { Note } from "@/kit/Note";
import { stageWords } from "@/parts/stage-words";
import { t } from "@/text";
import { explain } from "@/text/errors";
import { visible } from "@/text/visible";
import css from "./run-progress.module.css";
import type { Running } from "./running";

type ProgressProps = {
  running: Pick<Running, "progress" | "error">;
  onRetry: () => void;
  onForget: () => void;
  /** Stands at the end while it is at work. */
  end?: ReactNode;
};

/** How far a run is, or why it ended. */
export function RunProgress({ running, onRetry, onForget, end }: ProgressProps) {
  const { progress, error } = running;
  if (error) {
    const explained = explain(error);
    return (
      <div className={css.strap} role="alert">
        <Note kind="bad">
          <b>{explained.title}</b> {visible(explained.message)}{" "}
          <Button size="tiny" onClick={onRetry}>
            {t("errors.cure.retry")}
          </Button>{" "}
          <Button size="tiny" tone="quiet" onClick={onForget}>
            {t("evaluate.close")}
          </Button>
        </Note>
      </div>
    );
  }
  const share = progress && progress.total > 0 ? progress.done / progress.total : 0;
  const words = progress ? stageWords(progress) : t("evaluate.run.begins");
  return (
    <div className={css.progress}>
      <Meter
        progress
        label={t("evaluate.run.progress")}
        value={share}
        tone="accent"
        width={180}
        text={words}
      />
      <span className="sm sec number" role="status">
        {words}
      </span>
      {end && <span className={css.end}>{end}</span>}
    </div>
  );
}
