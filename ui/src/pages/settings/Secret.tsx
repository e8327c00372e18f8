import { IconKey, IconPlugConnected } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { call, EngineError } from "@/api/client";
import { refresh, tagsOf, useAction, useCommand } from "@/api/queries";
import type { Secret as SecretName, SecretStatus } from "@/api/types";
import { Button } from "@/kit/Button";
import { TextField } from "@/kit/fields";
import { Note } from "@/kit/Note";
import { Status } from "@/kit/Status";
import { Loaded, SkeletonRows } from "@/kit/states";
import { t } from "@/text";
import { explain } from "@/text/errors";
import { milliseconds, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import { Below, Row, Wrong } from "./Row";
import css from "./secret.module.css";
import shared from "./shared.module.css";

type EnterProps = {
  status: SecretStatus;
  /** The reader asked for the field, and so is about to type. */
  asked: boolean;
  onDone: () => void;
};

function Enter({ status, asked, onDone }: EnterProps) {
  const queries = useQueryClient();
  const name = t(`settings.row.${status.secret}`);
  const field = useRef<HTMLInputElement>(null);
  const [value, setValue] = useState("");
  useEffect(() => {
    if (asked) field.current?.focus();
  }, [asked]);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState("");
  // A mutation of the cache would keep its input, and with it the key, for minutes.
  const save = async () => {
    setPending(true);
    setProblem("");
    try {
      await call("secret.set", { secret: status.secret, value });
      setValue("");
      await refresh(queries, tagsOf("secret.set"));
      onDone();
    } catch (thrown) {
      setProblem(EngineError.from(thrown).message);
    } finally {
      setPending(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() !== "" && !pending) void save();
      }}
    >
      <div className="row gap-6">
        <TextField
          ref={field}
          label={t("settings.secret.field", { name })}
          className="grow mono"
          type="password"
          autoComplete="off"
          icon={<IconKey className="small" aria-hidden />}
          placeholder={t("settings.secret.placeholder")}
          value={value}
          error={problem !== ""}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit" tone="primary" disabled={value.trim() === "" || pending}>
          {t("settings.secret.save")}
        </Button>
        {status.source !== "none" && (
          <Button tone="quiet" onClick={onDone}>
            {t("dialog.cancel")}
          </Button>
        )}
      </div>
      {problem && <Wrong>{visible(sentence(problem))}</Wrong>}
    </form>
  );
}

type Trial = ReturnType<typeof useAction<"secret.test">>;

function TestButton({ test, secret }: { test: Trial; secret: SecretName }) {
  return (
    <Button
      icon={<IconPlugConnected className="small" aria-hidden />}
      aria-disabled={test.isPending}
      onClick={() => !test.isPending && test.mutate({ secret })}
    >
      {t("settings.secret.test")}
    </Button>
  );
}

function Verdict({ test }: { test: Trial }) {
  if (test.isPending) return <Status kind="run">{t("settings.secret.testing")}</Status>;
  if (test.error)
    return (
      <Note kind="bad">
        <b>{explain(test.error).title}</b> {visible(sentence(test.error.message))}
      </Note>
    );
  if (!test.data) return null;
  const time = milliseconds(test.data.milliseconds);
  const { model, dimensions } = test.data;
  return (
    <Status kind="ok">
      {dimensions === null
        ? t("settings.secret.works", { model, time })
        : t("settings.secret.works_dimensions", { model, time, dimensions: String(dimensions) })}
    </Status>
  );
}

function Present({ status, onReplace }: { status: SecretStatus; onReplace: () => void }) {
  const { secret, source, variable, keychain_error } = status;
  const test = useAction("secret.test", { inPlace: true });
  const clear = useAction("secret.clear", { inPlace: true });
  const inKeychain = source === "keychain";
  const from = inKeychain
    ? t("settings.secret.kept")
    : t("settings.secret.environment", { variable: variable });
  return (
    <>
      <div className="row gap-6 wrap">
        <span className={`field mono ${css.kept}`}>
          <IconKey className="small" aria-hidden />
          <span aria-hidden className={css.bullets}>
            ••••••••••••
          </span>
          <span className="end">
            <Status kind="ok">{from}</Status>
          </span>
        </span>
        <TestButton test={test} secret={secret} />
        {keychain_error === null && <Button onClick={onReplace}>{t("settings.secret.replace")}</Button>}
        {inKeychain && (
          <Button
            tone="quiet"
            className="danger"
            disabled={clear.isPending}
            onClick={() => clear.mutate({ secret }, { onSuccess: () => test.reset() })}
          >
            {t("settings.secret.remove")}
          </Button>
        )}
      </div>
      <Below>
        {inKeychain
          ? t("settings.secret.kept_detail")
          : t("settings.secret.environment_detail", { variable })}{" "}
        {!inKeychain && keychain_error === null && t("settings.secret.environment_over")}
      </Below>
      {clear.error && <Wrong>{visible(sentence(clear.error.message))}</Wrong>}
      <div className={shared.below} role="status">
        <Verdict test={test} />
      </div>
    </>
  );
}

/** A provider on this computer is asked without a key, and can be tried without one. */
function Keyless({ secret }: { secret: SecretName }) {
  const test = useAction("secret.test", { inPlace: true });
  return (
    <>
      <div className={`row gap-6 wrap ${shared.below}`}>
        <TestButton test={test} secret={secret} />
        <span className="xs mut">{t("settings.secret.local")}</span>
      </div>
      <div className={shared.below} role="status">
        <Verdict test={test} />
      </div>
    </>
  );
}

/** What a system said, without the stop that our own sentence brings. */
const unstopped = (words: string) => words.trim().replace(/\.+$/, "");

function Kept({ status, local }: { status: SecretStatus; local: boolean }) {
  const [entering, setEntering] = useState(false);
  const { source, variable, keychain_error } = status;
  const asks = entering || (source === "none" && keychain_error === null);
  return (
    <>
      {asks ? (
        <>
          <Enter status={status} asked={entering} onDone={() => setEntering(false)} />
          {source === "none" && <Below>{t("settings.secret.none_detail")}</Below>}
        </>
      ) : (
        source !== "none" && <Present status={status} onReplace={() => setEntering(true)} />
      )}
      {source === "none" && local && <Keyless secret={status.secret} />}
      {keychain_error !== null && (
        <Note kind={source === "none" ? "warn" : "plain"}>
          {t("settings.secret.no_keychain", { cause: unstopped(keychain_error) })}{" "}
          {source === "environment"
            ? t("settings.secret.no_keychain_used", { variable })
            : t("settings.secret.no_keychain_cure", { variable })}
        </Note>
      )}
    </>
  );
}

/** A provider's key: entered once, then only used. */
export function Secret({ secret, local }: { secret: SecretName; local: boolean }) {
  const list = useCommand("secret.status", {});
  return (
    <Row id={secret} title={t(`settings.row.${secret}`)} note={t("settings.secret.note")}>
      <Loaded query={list} skeleton={<SkeletonRows bare rows={1} height={28} />}>
        {(all) => {
          const status = all.find((each) => each.secret === secret);
          return status ? (
            <Kept status={status} local={local} />
          ) : (
            <Wrong>{t("settings.secret.unreadable")}</Wrong>
          );
        }}
      </Loaded>
    </Row>
  );
}
