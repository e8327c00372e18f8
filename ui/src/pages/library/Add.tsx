import { useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { CorpusOverview, IngestRequest, Preflight } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { Select, TextField } from "@/kit/fields";
import { KeyValues, Note } from "@/kit/Note";
import { Loaded, SkeletonRows } from "@/kit/states";
import { t } from "@/text";
import { bytes, cost, seconds, whole } from "@/text/format";
import css from "./library.module.css";

const BY_FILES = "auto";
const NEW = "new";
const LISTED = 5;

function Left({ items }: { items: readonly { path: string; why: string }[] }) {
  return (
    <ul className={css.notices}>
      {items.slice(0, LISTED).map(({ path, why }) => (
        <li key={path}>
          <b>{path}</b> {why}
        </li>
      ))}
      {items.length > LISTED && <li>…</li>}
    </ul>
  );
}

/** What an import will be. */
export function PreflightCard({ preflight }: { preflight: Preflight }) {
  const failing = preflight.files.flatMap(({ path, failure }) => (failure ? [{ path, why: failure }] : []));
  const skipped = preflight.skipped.map(({ path, message }) => ({ path, why: message }));
  const rows: [string, string][] = [
    [t("library.add.count"), whole(preflight.files.length)],
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
      {preflight.files.length === 0 ? (
        <Note kind="warn">{t("library.add.nothing")}</Note>
      ) : (
        <section className={`card ${css.card}`} data-testid="preflight">
          <h3 className="h2">{t("library.add.preflight")}</h3>
          <KeyValues rows={rows} />
          {preflight.sampled && <p className="xs mut">{t("library.add.sampled")}</p>}
        </section>
      )}
      {failing.length > 0 && (
        <Note kind="bad">
          {t("library.add.unreadable", { count: failing.length })}
          <Left items={failing} />
        </Note>
      )}
      {skipped.length > 0 && (
        <Note kind="warn">
          {t("library.add.skipped", { count: skipped.length })}
          <Left items={skipped} />
        </Note>
      )}
    </>
  );
}

type AddProps = {
  /** Files and folders to add; not empty. */
  paths: readonly string[];
  corpora: readonly CorpusOverview[];
  onClose: () => void;
  /** Hears of the job. */
  onStarted: (job: number) => void;
};

/** Where the files go and how they are cut; what that will be, before it begins. */
export function Add({ paths, corpora, onClose, onStarted }: AddProps) {
  const [place, setPlace] = useState(BY_FILES);
  const [name, setName] = useState("");
  const [strategy, setStrategy] = useState(BY_FILES);
  const strategies = useCommand("strategy.list", {});
  const start = useAction("ingest.start");
  const request: Partial<IngestRequest> = {
    sources: paths.map((path) => ({ kind: "path", path })),
    // A corpus that is not there yet changes nothing of what its files would be.
    corpus: place.startsWith("=") ? place.slice(1) : null,
    strategy: strategy === BY_FILES ? null : strategy.slice(1),
    embed: "instant",
  };
  const preflight = useCommand("ingest.preflight", request, { keep: true });
  const unnamed = place === NEW && name.trim() === "";
  const count = preflight.data?.files.length ?? 0;
  const ready = count > 0 && !preflight.isFetching && !unnamed && !start.isPending;
  const title = t("library.add.title");
  return (
    <Dialog open onClose={onClose} label={title} width={520}>
      <div className={css.dialog}>
        <div>
          <h2 className={css.title}>{title}</h2>
          <p className="sm sec ell" title={paths.join("\n")}>
            {paths.length === 1 ? paths[0] : t("library.add.sources", { count: paths.length })}
          </p>
        </div>
        <div className={css.choice}>
          <span className="sec">{t("library.add.corpus")}</span>
          <Select
            label={t("library.add.corpus")}
            value={place}
            onChange={setPlace}
            options={[
              { value: BY_FILES, label: t("library.add.by_files") },
              ...corpora.map(({ corpus }) => ({ value: `=${corpus.name}`, label: corpus.name })),
              { value: NEW, label: t("library.add.new") },
            ]}
          />
          {place === NEW && (
            <>
              <span className="sec">{t("library.add.name")}</span>
              <TextField
                label={t("library.add.name")}
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
            </>
          )}
          <span className="sec">{t("library.add.strategy")}</span>
          <Select
            label={t("library.add.strategy")}
            value={strategy}
            onChange={setStrategy}
            options={[
              { value: BY_FILES, label: t("library.add.by_files") },
              ...(strategies.data ?? []).map((each) => ({ value: `=${each.name}`, label: each.name })),
            ]}
          />
        </div>
        <Loaded
          query={preflight}
          skeleton={<SkeletonRows rows={5} height={24} label={t("library.add.looking")} />}
        >
          {(data) => <PreflightCard preflight={data} />}
        </Loaded>
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose}>{t("library.add.cancel")}</Button>
        <Button
          tone="primary"
          disabled={!ready}
          data-testid="add-start"
          onClick={() =>
            start.mutate(place === NEW ? { ...request, corpus: name.trim() } : request, {
              onSuccess: ({ id }) => {
                onStarted(id);
                onClose();
              },
            })
          }
        >
          {t("library.add.start", { count })}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
