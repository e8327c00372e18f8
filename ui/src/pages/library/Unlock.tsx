import { IconLock } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, EngineError, may } from "@/api/client";
import { refresh, tagsOf } from "@/api/queries";
import type { JobFile } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { TextField } from "@/kit/fields";
import { Note } from "@/kit/Note";
import { t } from "@/text";
import { visible } from "@/text/visible";

/** Whether a password is all that a file lacks. */
export const isLocked = ({ state, code }: JobFile) =>
  may("ingest.unlock") && state === "failed" && (code === "password_needed" || code === "password_wrong");

type UnlockProps = {
  /** A file of a job that a password locks. */
  file: JobFile;
  job: number;
  onClose: () => void;
};

/** Asks for the password of a locked file, and has the file read again with it. */
export function Unlock({ file, job, onClose }: UnlockProps) {
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState("");
  const title = t("library.unlock.title", { name: visible(file.path) });
  // A mutation of the cache would keep its input, and with it the password, for minutes.
  const unlock = async () => {
    setPending(true);
    setProblem("");
    try {
      await call("ingest.unlock", { passwords: [password] });
      await call("job.retry", { id: job, file: file.ordinal });
      await refresh(queries, tagsOf("job.retry"));
      onClose();
    } catch (thrown) {
      setProblem(EngineError.from(thrown).message);
      setPending(false);
    }
  };
  return (
    <Dialog open onClose={onClose} label={title} width={440}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== "" && !pending) void unlock();
        }}
      >
        <div className="ask">
          <h2>{title}</h2>
          <p className="sec">{t("library.unlock.about")}</p>
          {file.code === "password_wrong" && <Note kind="warn">{t("library.unlock.wrong")}</Note>}
          <TextField
            label={t("library.unlock.field")}
            className="grow"
            type="password"
            autoComplete="off"
            data-autofocus
            icon={<IconLock className="small" aria-hidden />}
            value={password}
            error={problem !== ""}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {problem && (
            <div role="alert">
              <Note kind="bad">{visible(problem)}</Note>
            </div>
          )}
        </div>
        <DialogFoot>
          <span className="grow" />
          <Button onClick={onClose}>{t("library.unlock.cancel")}</Button>
          <Button type="submit" tone="primary" disabled={password === "" || pending}>
            {t("library.unlock.read")}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
