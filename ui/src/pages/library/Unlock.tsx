import { IconLock } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call, EngineError, may } from "@/api/client";
import { refresh, tagsOf } from "@/api/queries";
import type { JobFile, PreflightFile } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { TextField } from "@/kit/fields";
import { Name } from "@/kit/Name";
import { Note } from "@/kit/Note";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";
import shared from "./shared.module.css";
import css from "./unlock.module.css";

/** Whether a password is all that what has this `code` lacks. */
const lacksPassword = (code: string | null) =>
  may("ingest.unlock") && (code === "password_needed" || code === "password_wrong");

/** Whether a password is all that a file of a job lacks. */
export const isLocked = ({ state, code }: JobFile) => state === "failed" && lacksPassword(code);

type PasswordProps = {
  /** Whether the last one did not fit. */
  wrong: boolean;
  /** What comes once the password is there to be tried. */
  onGiven: () => Promise<unknown>;
  /** Around the field, with `send` for the button that hands it over. */
  children: (field: ReactNode, send: { disabled: boolean }) => ReactNode;
};

/** Asks for a password. It is handed to the engine, which keeps it in memory, and is kept nowhere here. */
function Password({ wrong, onGiven, children }: PasswordProps) {
  const [password, setPassword] = useState("");
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState("");
  // A mutation of the cache would keep its input, and with it the password, for minutes.
  const unlock = async () => {
    setPending(true);
    setProblem("");
    try {
      await call("ingest.unlock", { passwords: [password] });
      await onGiven();
      setPassword("");
    } catch (thrown) {
      setProblem(EngineError.from(thrown).message);
    }
    setPending(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== "" && !pending) void unlock();
      }}
    >
      {children(
        <>
          {wrong && <Note kind="warn">{t("library.unlock.wrong")}</Note>}
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
              <Note kind="bad">{visible(sentence(problem))}</Note>
            </div>
          )}
        </>,
        { disabled: password === "" || pending },
      )}
    </form>
  );
}

type UnlockProps = {
  /** A file of a job that a password locks. */
  file: JobFile;
  job: number;
  onClose: () => void;
};

/** Asks for the password of a locked file, and has the file read again with it. */
export function Unlock({ file, job, onClose }: UnlockProps) {
  const queries = useQueryClient();
  const title = t("library.unlock.title", { name: visible(file.path) });
  const again = async () => {
    await call("job.retry", { id: job, file: file.ordinal });
    await refresh(queries, tagsOf("job.retry"));
    onClose();
  };
  return (
    <Dialog open onClose={onClose} label={title} width={440}>
      <Password wrong={file.code === "password_wrong"} onGiven={again}>
        {(field, send) => (
          <>
            <div className="ask">
              <h2>{title}</h2>
              <p className="sec">{t("library.unlock.about")}</p>
              <div className={`row gap-6 ${css.ask}`}>{field}</div>
            </div>
            <DialogFoot>
              <span className="grow" />
              <Button onClick={onClose}>{t("dialog.cancel")}</Button>
              <Button type="submit" tone="primary" {...send}>
                {t("library.unlock.read")}
              </Button>
            </DialogFoot>
          </>
        )}
      </Password>
    </Dialog>
  );
}

type LockedFilesProps = {
  files: readonly PreflightFile[];
  /** Looks into the files again, with the password. */
  onGiven: () => Promise<unknown>;
};

/** Asks for the password of files that are about to be added; nothing where none is locked. */
export function LockedFiles({ files, onGiven }: LockedFilesProps) {
  const locked = files.filter(({ code }) => lacksPassword(code));
  const [first] = locked;
  if (!first) return null;
  const title =
    locked.length === 1
      ? t("library.unlock.title", { name: visible(first.path) })
      : t("library.unlock.title_more", { count: locked.length });
  return (
    <section className={`card ${shared.card}`} aria-label={title}>
      <Password wrong={locked.some(({ code }) => code === "password_wrong")} onGiven={onGiven}>
        {(field, send) => (
          <>
            <h3 className="h2">
              <Name>{title}</Name>
            </h3>
            <p className="xs sec">{t("library.unlock.about")}</p>
            <div className={`row gap-6 ${css.ask}`}>
              {field}
              <Button type="submit" {...send}>
                {t("library.unlock.open_file", { count: locked.length })}
              </Button>
            </div>
          </>
        )}
      </Password>
    </section>
  );
}
