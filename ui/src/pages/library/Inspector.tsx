import { IconCut, IconRefresh, IconTrash, IconVectorTriangle } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, EngineError } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import type { Corpus, CorpusDetails } from "@/api/types";
import { embedRest } from "@/app/embed-rest";
import { reportError } from "@/app/error-dialog";
import { href, navigate } from "@/app/router";
import { toast } from "@/app/toasts";
import { Button } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { SwitchRow } from "@/kit/fields";
import { Meter } from "@/kit/Meter";
import { Name } from "@/kit/Name";
import { KeyValues, Note } from "@/kit/Note";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { EmptyState, Loaded } from "@/kit/states";
import { strategyName } from "@/parts/strategy";
import { t } from "@/text";
import { bytes, percent, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { Chunks } from "./Chunks";
import { Code } from "./Corpora";
import { activeCoverage, coverageOf, groupName, shareOf, shortModel } from "./corpus";
import { Documents } from "./Documents";
import css from "./library.module.css";

const NOTICES = 20;

function Groups({ groups }: { groups: CorpusDetails["groups"] }) {
  const most = Math.max(1, ...groups.map(([, count]) => count));
  return (
    <section>
      <h3 className="h2">{t("library.inspector.groups")}</h3>
      {groups.map(([name, count]) => (
        <div key={name} className={css.line}>
          <Name className="sm sec grow">{groupName(name) || t("library.inspector.no_group")}</Name>
          <Meter
            label={groupName(name) || t("library.inspector.no_group")}
            value={count / most}
            text={whole(count)}
            width={96}
            height={7}
          />
          <span className={css.figure}>{whole(count)}</span>
        </div>
      ))}
    </section>
  );
}

function Coverage({ details }: { details: CorpusDetails }) {
  const { overview } = details;
  const active = activeCoverage(overview);
  const short = active !== undefined && active.covered < active.chunks;
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  return (
    <section>
      <div className="row sp">
        <h3 className="h2">{t("library.inspector.coverage")}</h3>
        {active && (
          <span className="xs mut n">
            {t("library.inspector.covered", { covered: active.covered, chunks: active.chunks })}
          </span>
        )}
      </div>
      {coverageOf(overview).map((each) => (
        <div key={each.space} className={css.line}>
          <Name className="sm grow">{shortModel(each.model)}</Name>
          <Meter
            label={each.model}
            value={shareOf(each)}
            tone={shareOf(each) < 1 ? "accent" : "base"}
            width={84}
          />
          <span className={css.figure}>{percent(shareOf(each))}</span>
        </div>
      ))}
      {short && (
        <div className={css.stack}>
          <Note kind="info">{t("library.inspector.fallback")}</Note>
          <div>
            <Button
              size="small"
              icon={<IconVectorTriangle className="s" aria-hidden />}
              disabled={asking}
              onClick={() => {
                setAsking(true);
                void embedRest(queries).finally(() => setAsking(false));
              }}
            >
              {t("library.inspector.embed")}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

/** Opens the first document in Chunk Lab. */
function ChunkLabButton({ corpus, empty }: { corpus: string; empty: boolean }) {
  const open = async () => {
    try {
      const [first] = await call("document.list", { corpus });
      if (first) navigate(href("chunk-lab", [], { document: String(first.id) }));
    } catch (thrown) {
      reportError(EngineError.from(thrown));
    }
  };
  return (
    <Button
      size="small"
      icon={<IconCut className="s" aria-hidden />}
      disabled={empty}
      onClick={() => void open()}
    >
      {t("library.inspector.open")}
    </Button>
  );
}

/** Whether the texts of a corpus may be sent to a provider. */
function Remote({ corpus }: { corpus: Corpus }) {
  const update = useAction("corpus.update");
  return (
    <SwitchRow
      label={t("library.inspector.remote")}
      checked={corpus.remote}
      disabled={update.isPending}
      onChange={(remote) => update.mutate({ name: corpus.name, remote })}
      note={t(corpus.remote ? "library.inspector.remote_yes" : "library.inspector.remote_off")}
    />
  );
}

function Details({ details }: { details: CorpusDetails }) {
  const { overview } = details;
  const licensed = overview.corpus.source_type === "licensed";
  return (
    <>
      <KeyValues
        rows={[
          [
            t("library.inspector.folder"),
            <span key="folder" className={css.folder}>
              {details.folder === null ? "—" : <Name className="m xs">{details.folder}</Name>}
            </span>,
          ],
          [t("library.inspector.strategy"), strategyName(overview.corpus.strategy)],
          [
            t("library.inspector.median"),
            t("library.inspector.median_tokens", { count: details.median_tokens }),
          ],
          [t("library.inspector.filters"), details.filters.join(", ") || "—"],
          ...(licensed ? [[t("library.inspector.remote"), t("library.inspector.remote_no")] as const] : []),
          [t("library.inspector.disk"), bytes(overview.bytes)],
        ]}
      />
      {!licensed && <Remote corpus={overview.corpus} />}
      {overview.chunks > 0 && <Coverage details={details} />}
      {details.groups.some(([name]) => name !== "") && <Groups groups={details.groups} />}
      {details.notices.length > 0 && (
        <section>
          <h3 className="h2">{t("library.inspector.notices")}</h3>
          <ul className={css.notices}>
            {details.notices.slice(0, NOTICES).map(([path, message], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: notices keep their place.
              <li key={index} className="sm sec">
                <b>
                  <bdi>{visible(path)}</bdi>
                </b>{" "}
                {visible(message)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

type InspectorProps = {
  /** Name of the chosen corpus. */
  name: string | null;
  onDeleted: () => void;
  /** Hears of a job that reads it, or a document of it, again. */
  onStarted: (job: number) => void;
};

/** Everything about the chosen corpus. */
export function Inspector({ name, ...rest }: InspectorProps) {
  if (name === null) return <EmptyState title={t("library.inspector.none")} />;
  return <Chosen key={name} name={name} {...rest} />;
}

function Chosen({ name, onDeleted, onStarted }: InspectorProps & { name: string }) {
  const inspected = useCommand("corpus.inspect", { name });
  const remove = useAction("corpus.delete");
  const [view, setView] = useState<"overview" | "documents" | "chunks">("overview");
  const again = useAction("ingest.start");
  const [asking, setAsking] = useState<"delete" | "again">();
  return (
    <Loaded query={inspected}>
      {(details) => (
        <>
          <div className="hd">
            <Code sourceType={details.overview.corpus.source_type} />
            <h2 className="row">
              <Name>{name}</Name>
            </h2>
          </div>
          <div className={css.views}>
            <SegmentedControl
              label={t("library.inspector.view")}
              size="small"
              value={view}
              onChange={setView}
              options={[
                { value: "overview", label: t("library.inspector.overview") },
                {
                  value: "documents",
                  label: t("library.inspector.documents", { count: details.overview.documents }),
                },
                {
                  value: "chunks",
                  label: t("library.inspector.chunks", { count: details.overview.chunks }),
                },
              ]}
            />
          </div>
          {view === "documents" ? (
            <Documents corpus={name} onStarted={onStarted} />
          ) : view === "chunks" ? (
            <Chunks corpus={name} />
          ) : (
            <div
              className={css.details}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
              tabIndex={0}
              role="region"
              aria-label={t("library.inspector.overview")}
            >
              <Details details={details} />
              <div className="row g6 wrap">
                <ChunkLabButton corpus={name} empty={details.overview.documents === 0} />
                <Button
                  size="small"
                  icon={<IconRefresh className="s" aria-hidden />}
                  disabled={details.overview.documents === 0}
                  onClick={() => setAsking("again")}
                >
                  {t("library.again.open")}
                </Button>
                <Button
                  size="small"
                  tone="danger"
                  icon={<IconTrash className="s" aria-hidden />}
                  onClick={() => setAsking("delete")}
                >
                  {t("library.delete.open")}
                </Button>
              </div>
            </div>
          )}
          {asking === "again" && (
            <Confirm
              title={t("library.again.corpus", { name })}
              detail={t("library.again.corpus_detail", { count: details.overview.documents })}
              confirm={t("library.again.confirm")}
              keep={t("library.again.keep")}
              pending={again.isPending}
              onClose={() => setAsking(undefined)}
              onConfirm={() =>
                again.mutate(
                  { sources: [{ kind: "corpus", name }], force: true, embed: "instant" },
                  { onSuccess: ({ id }) => onStarted(id), onSettled: () => setAsking(undefined) },
                )
              }
            />
          )}
          {asking === "delete" && (
            <Confirm
              title={t("library.delete.corpus", { name })}
              detail={t("library.delete.corpus_detail", {
                documents: details.overview.documents,
                chunks: details.overview.chunks,
              })}
              confirm={t("library.delete.confirm")}
              keep={t("library.delete.keep")}
              danger
              pending={remove.isPending}
              onClose={() => setAsking(undefined)}
              onConfirm={() =>
                remove.mutate(
                  { name },
                  {
                    onSuccess: () => {
                      toast({ kind: "ok", title: t("library.delete.done", { name }) });
                      onDeleted();
                    },
                    onSettled: () => setAsking(undefined),
                  },
                )
              }
            />
          )}
        </>
      )}
    </Loaded>
  );
}
