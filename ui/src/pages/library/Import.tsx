import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { keyOf, useAction, useCommand } from "@/api/queries";
import type { IngestRequest, Preflight } from "@/api/types";
import { useUploading } from "@/api/uploading";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { SwitchRow } from "@/kit/fields";
import { Name } from "@/kit/Name";
import { KeyValues, Note } from "@/kit/Note";
import { Loaded, NotLoaded, SkeletonRows } from "@/kit/states";
import { t } from "@/text";
import { bytes, cost, seconds, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./import.module.css";
import shared from "./shared.module.css";
import { LockedFiles } from "./Unlock";

const LISTED = 5;

type Left = { path: string; why: string };

function LeftOut({ items }: { items: readonly Left[] }) {
  return (
    <ul className={shared.notices}>
      {items.slice(0, LISTED).map(({ path, why }) => (
        <li key={path}>
          <b>
            <bdi>{visible(path)}</bdi>
          </b>{" "}
          {visible(why)}
        </li>
      ))}
      {items.length > LISTED && <li>{t("library.add.more", { count: items.length - LISTED })}</li>}
    </ul>
  );
}

/** Files that can be added, as far as is known before they are. */
const readable = (preflight: Preflight) => preflight.files.filter(({ failure }) => failure === null).length;

function PreflightCard({ preflight }: { preflight: Preflight }) {
  const failing = preflight.files.flatMap(({ path, failure }) => (failure ? [{ path, why: failure }] : []));
  const skipped = preflight.skipped.map(({ path, message }) => ({ path, why: message }));
  const count = readable(preflight);
  const rows: [string, string][] = [
    [t("library.add.count"), whole(count)],
    [t("library.add.size"), bytes(preflight.bytes)],
    ...(preflight.pages > 0 ? [[t("library.add.pages"), whole(preflight.pages)] as [string, string]] : []),
    [t("library.add.chunks"), whole(preflight.chunks)],
    [t("library.add.tokens"), whole(preflight.tokens)],
    [t("library.add.time"), seconds(preflight.seconds)],
    [t("library.add.embedding"), seconds(preflight.embedding_seconds)],
  ];
  if (preflight.cost !== null) rows.push([t("library.add.cost"), cost(preflight.cost)]);
  return (
    <>
      {count === 0 ? (
        <Note kind="warn">{t("library.add.nothing")}</Note>
      ) : (
        <section className={`card ${shared.card}`} data-testid="preflight">
          <h3 className="h2">{t("library.add.preflight")}</h3>
          <KeyValues rows={rows} />
          {preflight.sampled && <p className="xs mut">{t("library.add.sampled")}</p>}
        </section>
      )}
      {failing.length > 0 && (
        <Note kind="bad">
          {t("library.add.unreadable", { count: failing.length })}
          <LeftOut items={failing} />
        </Note>
      )}
      {skipped.length > 0 && (
        <Note kind="warn">
          {t("library.add.skipped", { count: skipped.length })}
          <LeftOut items={skipped} />
        </Note>
      )}
    </>
  );
}

type ScansProps = { preflight: Preflight; on: boolean; onChange: (on: boolean) => void };

/** Asks whether pages without text are read by OCR; says what that lacks where it is not there. */
function Scans({ preflight, on, onChange }: ScansProps) {
  const { pages_without_text: count, ocr_possible: possible, ocr_seconds: time } = preflight;
  const state = useCommand("ocr.state", {}, { enabled: count > 0 && !possible });
  if (count === 0) return null;
  if (possible)
    return (
      <SwitchRow
        label={t("library.add.ocr", { count })}
        checked={on}
        onChange={onChange}
        note={t("library.add.ocr_note", { time: seconds(time) })}
      />
    );
  return (
    <>
      <Note kind="warn">
        {t("library.add.unread", { count })}{" "}
        {state.data &&
          (state.data.installed
            ? t("library.add.ocr_off")
            : t("library.add.ocr_missing", { install: state.data.install.replaceAll("`", "") }))}
      </Note>
      <NotLoaded query={state} />
    </>
  );
}

/** A choice under its name. */
export function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <span className="sec">{label}</span>
      {children}
    </>
  );
}

/** How far the files are on their way, where they go to a server. */
function Sending() {
  const uploading = useUploading();
  return (
    <p role="status" className="sm sec">
      {uploading && t("library.add.sending", uploading)}
    </p>
  );
}

type ImportDialogProps = {
  title: string;
  about: ReactNode;
  /** What is looked into before it begins; nothing while there is nothing yet. */
  look: Partial<IngestRequest> | undefined;
  /** What begins. */
  request: Partial<IngestRequest>;
  /** Whether something that `request` needs is missing still. */
  incomplete?: boolean;
  /** Words of the button, for so many files. */
  start: (files: number) => string;
  testId: string;
  onClose: () => void;
  /** Hears of the job. */
  onStarted: (job: number) => void;
  /** The {@link Choice}s. */
  children: ReactNode;
  /** What is to be known before it begins. */
  note?: ReactNode;
};

/** An import: what is chosen, what that will be, and the button that begins it. */
export function ImportDialog(props: ImportDialogProps) {
  const { title, about, look, request, incomplete, onClose } = props;
  const queries = useQueryClient();
  const begin = useAction("ingest.start", { inPlace: true });
  // An import that has begun takes files that were sent to a server: they cannot be looked into any more.
  const begun = begin.isPending || begin.isSuccess;
  const preflight = useCommand("ingest.preflight", look ?? {}, {
    enabled: look !== undefined && !begun,
    keep: true,
  });
  const [ocr, setOcr] = useState(true);
  const asked = look !== undefined && preflight.data?.ocr_possible && preflight.data.pages_without_text > 0;
  const files = preflight.data && look ? readable(preflight.data) : 0;
  // What is looked into once more, as after another job, stays good to begin with: a press is not lost on it.
  const ready = files > 0 && !incomplete && !preflight.isPlaceholderData && !begin.isPending;
  const start = () => {
    if (look) void queries.cancelQueries({ queryKey: keyOf("ingest.preflight", look) });
    begin.mutate(asked ? { ...request, ocr } : request, {
      onSuccess: ({ id }) => {
        onClose();
        props.onStarted(id);
      },
    });
  };
  return (
    <Dialog open onClose={onClose} label={title} width={520}>
      <div className={css.dialog}>
        <div>
          <h2 className={css.title}>{title}</h2>
          {typeof about === "string" ? <Name className={`sm sec ${css.about}`}>{about}</Name> : about}
        </div>
        <div className={css.choice}>{props.children}</div>
        {props.note}
        {look && (
          <Loaded
            query={preflight}
            skeleton={
              <>
                <Sending />
                <SkeletonRows bare rows={5} height={24} label={t("library.add.looking")} />
              </>
            }
          >
            {(data) => (
              <>
                <PreflightCard preflight={data} />
                <LockedFiles files={data.files} onGiven={() => preflight.refetch()} />
                <Scans preflight={data} on={ocr} onChange={setOcr} />
              </>
            )}
          </Loaded>
        )}
        {begin.error && (
          <div role="alert">
            <Note kind="bad">{visible(sentence(begin.error.message))}</Note>
          </div>
        )}
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose}>{t("dialog.cancel")}</Button>
        <Button tone="primary" disabled={!ready} data-testid={props.testId} onClick={start}>
          {props.start(files)}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
