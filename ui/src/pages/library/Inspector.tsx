import {
  IconCloud,
  IconCloudOff,
  IconCopy,
  IconCut,
  IconDots,
  IconRefresh,
  IconTrash,
  IconVectorTriangle,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, EngineError, may } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import type { Corpus, CorpusDetails, CorpusOverview } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { SwitchRow } from "@/kit/fields";
import { Menu, type MenuEntry } from "@/kit/Menu";
import { Meter } from "@/kit/Meter";
import { Name } from "@/kit/Name";
import { KeyValues, Note } from "@/kit/Note";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { EmptyState, Loaded, NotLoaded } from "@/kit/states";
import { strategyName } from "@/parts/strategy";
import { copyText } from "@/state/copy";
import { embedRest } from "@/state/embed-rest";
import { href, navigate } from "@/state/router";
import { allows, valueLabel } from "@/state/source-types";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t, text } from "@/text";
import { bytes, percent, whole } from "@/text/format";
import { visible } from "@/text/visible";

import { Chunks } from "./Chunks";
import { Code } from "./Corpora";
import {
  activeCoverage,
  coverageOf,
  groupName,
  headedOf,
  meanwhileOf,
  type Sizes,
  shareOf,
  shortModel,
  sizesOf,
} from "./corpus";
import { Documents } from "./Documents";
import { HeldBack } from "./HeldBack";
import css from "./inspector.module.css";
import shared from "./shared.module.css";
import { Watched } from "./Watched";

const NOTICES = 20;

const isPillar = (name: string) => valueLabel("pillars", name) !== undefined;

function Groups({ groups }: { groups: CorpusDetails["groups"] }) {
  const most = Math.max(1, ...groups.map(([, count]) => count));
  const pillars = groups.every(([name]) => name === "" || isPillar(name));
  const nameOf = (name: string) =>
    groupName(name) || t(pillars ? "library.inspector.unclassified" : "library.inspector.no_group");
  return (
    <section>
      <h3 className="h2">{t(pillars ? "library.inspector.pillars" : "library.inspector.groups")}</h3>
      {groups.map(([name, count]) => (
        <div key={name} className={css.line}>
          <Name className="sm sec grow">{nameOf(name)}</Name>
          <Meter label={nameOf(name)} value={count / most} text={whole(count)} width={64} height={7} />
          <span className={css.figure}>{whole(count)}</span>
        </div>
      ))}
    </section>
  );
}

/** What searches do as long as the active model covers a part only. */
function meanwhile(overview: CorpusOverview): string {
  const other = meanwhileOf(overview);
  if (!other) return t("library.inspector.words_only");
  const given = { model: shortModel(other.model), share: percent(shareOf(other)) };
  return shareOf(other) < 1
    ? t("library.inspector.meanwhile_words", given)
    : t("library.inspector.meanwhile", given);
}

function Coverage({ details }: { details: CorpusDetails }) {
  const { overview } = details;
  const active = activeCoverage(overview);
  const short = active !== undefined && active.covered < active.chunks;
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  return (
    <section>
      <div className="row between">
        <h3 className="h2">{t("library.inspector.coverage")}</h3>
        {active && (
          <span className="xs mut number">
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
          <Note kind="info">{meanwhile(overview)}</Note>
          <div>
            <Button
              size="small"
              icon={<IconVectorTriangle className="small" aria-hidden />}
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
async function openInChunkLab(corpus: string) {
  try {
    const [first] = await call("document.list", { corpus, limit: 1 });
    if (first) navigate(href("chunk-lab", [], { document: String(first.id) }));
  } catch (thrown) {
    reportError(EngineError.from(thrown));
  }
}

type MoreProps = { details: CorpusDetails; onAgain: () => void; onDelete: () => void };

/** Everything that can be done with a corpus. */
function More({ details, onAgain, onDelete }: MoreProps) {
  const { overview, folder } = details;
  const { name, remote, source_type } = overview.corpus;
  const update = useAction("corpus.update");
  const empty = overview.documents === 0;
  const RemoteIcon = remote ? IconCloudOff : IconCloud;
  const entries: MenuEntry[] = [
    {
      label: t("library.inspector.open"),
      icon: <IconCut className="small" aria-hidden />,
      disabled: empty,
      onClick: () => void openInChunkLab(name),
    },
    {
      label: t("library.again.open"),
      icon: <IconRefresh className="small" aria-hidden />,
      disabled: empty,
      onClick: onAgain,
    },
    ...(folder === null || folder === ""
      ? []
      : [
          {
            label: t("library.inspector.copy_folder"),
            icon: <IconCopy className="small" aria-hidden />,
            onClick: () => void copyText(folder, t("library.inspector.copied"), folder),
          },
        ]),
    ...(!allows(source_type, "remote") || !may("corpus.update")
      ? []
      : [
          {
            label: t(remote ? "library.inspector.forbid" : "library.inspector.allow"),
            icon: <RemoteIcon className="small" aria-hidden />,
            onClick: () => update.mutate({ name, remote: !remote }),
          },
        ]),
    "line",
    {
      label: t("library.delete.open"),
      icon: <IconTrash className="small" aria-hidden />,
      danger: true,
      onClick: onDelete,
    },
  ];
  return (
    <Menu label={t("library.inspector.menu", { name: visible(name) })} entries={entries}>
      <IconButton label={t("library.inspector.menu", { name: visible(name) })} size="small">
        <IconDots className="small" aria-hidden />
      </IconButton>
    </Menu>
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

/** A strategy with the sizes it cuts by. */
function cutBy(corpus: Corpus, { target, overlap, max }: Sizes): string {
  const strategy = strategyName(corpus.strategy);
  if (target !== undefined && overlap !== undefined)
    return t("library.inspector.sizes", { strategy, target, overlap });
  return max === undefined ? strategy : t("library.inspector.size", { strategy, max });
}

/** What the context header of a corpus tells. */
const headerOf = (corpus: Corpus): string =>
  text(`library.inspector.headers.${corpus.strategy}`) ?? t("library.inspector.headers.none");

function Details({ details }: { details: CorpusDetails }) {
  const { overview } = details;
  const kept = !allows(overview.corpus.source_type, "remote");
  const strategies = useCommand("strategy.list", {});
  const strategy = strategies.data?.find(({ name }) => name === overview.corpus.strategy);
  const headed = headedOf(overview.corpus, strategy);
  return (
    <>
      <NotLoaded query={strategies} />
      <KeyValues
        rows={[
          [
            t("library.inspector.folder"),
            <span key="folder" className={css.folder}>
              {details.folder ? <Name className="mono xs">{details.folder}</Name> : "—"}
            </span>,
          ],
          [t("library.inspector.strategy"), cutBy(overview.corpus, sizesOf(overview.corpus, strategy))],
          ...(headed === undefined
            ? []
            : [
                [
                  t("library.inspector.header"),
                  headed ? headerOf(overview.corpus) : t("library.inspector.header_off"),
                ] as const,
              ]),
          [
            t("library.inspector.median"),
            t("library.inspector.median_tokens", { count: details.median_tokens }),
          ],
          [t("library.inspector.filters"), details.filters.join(", ") || "—"],
          ...(kept ? [[t("library.inspector.remote"), t("library.inspector.remote_no")] as const] : []),
          [t("library.inspector.full_text"), t("library.inspector.rows", { count: overview.chunks })],
          [t("library.inspector.disk"), bytes(overview.bytes)],
        ]}
      />
      {!kept && may("corpus.update") && <Remote corpus={overview.corpus} />}
      {overview.chunks > 0 && <Coverage details={details} />}
      {details.groups.some(([name]) => name !== "") && <Groups groups={details.groups} />}
      {details.notices.length > 0 && (
        <section>
          <h3 className="h2">{t("library.inspector.notices")}</h3>
          <ul className={shared.notices}>
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
  const [view, setView] = useState<"overview" | "documents" | "chunks">("overview");
  const [asking, setAsking] = useState<"delete" | "again">();
  const again = useAction("ingest.start");
  const remove = useAction("corpus.delete");
  const close = () => setAsking(undefined);
  return (
    <Loaded query={inspected}>
      {(details) => (
        <>
          <div className="heading">
            <Code sourceType={details.overview.corpus.source_type} />
            <h2 className="row">
              <Name>{name}</Name>
            </h2>
            <span className="end">
              <More
                details={details}
                onAgain={() => setAsking("again")}
                onDelete={() => setAsking("delete")}
              />
            </span>
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
            <Documents corpus={name} total={details.overview.documents} onStarted={onStarted} />
          ) : view === "chunks" ? (
            <Chunks corpus={name} total={details.overview.chunks} />
          ) : (
            <ScrollRegion ways="down" className={css.details} label={t("library.inspector.overview")}>
              <Details details={details} />
              {may("held.list") && <HeldBack overview={details.overview} />}
              {may("watch.add") && allows(details.overview.corpus.source_type, "fill") && (
                <Watched corpus={name} onStarted={onStarted} />
              )}
              <Ways name={name} documents={details.overview.documents} onAsk={setAsking} />
            </ScrollRegion>
          )}
          {asking === "again" && (
            <ReadAgain
              name={name}
              documents={details.overview.documents}
              again={again}
              onStarted={onStarted}
              onClose={close}
            />
          )}
          {asking === "delete" && (
            <Delete
              name={name}
              overview={details.overview}
              remove={remove}
              onDeleted={onDeleted}
              onClose={close}
            />
          )}
        </>
      )}
    </Loaded>
  );
}

type WaysProps = { name: string; documents: number; onAsk: (what: "delete" | "again") => void };

/** What can be done with a corpus. */
function Ways({ name, documents, onAsk }: WaysProps) {
  return (
    <div className="row gap-6 wrap">
      <Button
        size="small"
        icon={<IconCut className="small" aria-hidden />}
        disabled={documents === 0}
        onClick={() => void openInChunkLab(name)}
      >
        {t("library.inspector.open")}
      </Button>
      <Button
        size="small"
        icon={<IconRefresh className="small" aria-hidden />}
        disabled={documents === 0}
        onClick={() => onAsk("again")}
      >
        {t("library.again.open")}
      </Button>
      <Button
        size="small"
        tone="danger"
        icon={<IconTrash className="small" aria-hidden />}
        onClick={() => onAsk("delete")}
      >
        {t("library.delete.open")}
      </Button>
    </div>
  );
}

type ReadAgainProps = Pick<InspectorProps, "onStarted"> & {
  name: string;
  documents: number;
  /** Belongs to what outlives the dialog, which may be closed before the answer. */
  again: ReturnType<typeof useAction<"ingest.start">>;
  onClose: () => void;
};

/** Asks before every document of the corpus is read again. */
function ReadAgain({ name, documents, again, onStarted, onClose }: ReadAgainProps) {
  return (
    <Confirm
      title={t("library.again.corpus", { name })}
      detail={t("library.again.corpus_detail", { count: documents })}
      confirm={t("library.again.confirm")}
      keep={t("dialog.cancel")}
      pending={again.isPending}
      onClose={onClose}
      onConfirm={() =>
        again.mutate(
          { sources: [{ kind: "corpus", name }], force: true, embed: "instant" },
          { onSuccess: ({ id }) => onStarted(id), onSettled: onClose },
        )
      }
    />
  );
}

type DeleteProps = Pick<InspectorProps, "onDeleted"> & {
  name: string;
  overview: CorpusOverview;
  /** Belongs to what outlives the dialog, which may be closed before the answer. */
  remove: ReturnType<typeof useAction<"corpus.delete">>;
  onClose: () => void;
};

/** Asks before the corpus is deleted with all that is in it. */
function Delete({ name, overview, remove, onDeleted, onClose }: DeleteProps) {
  const { documents, chunks } = overview;
  return (
    <Confirm
      title={t("library.delete.corpus", { name })}
      detail={t("library.delete.corpus_detail", { documents, chunks })}
      confirm={t("library.delete.confirm")}
      keep={t("library.delete.keep")}
      danger
      pending={remove.isPending}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { name },
          {
            onSuccess: () => {
              toast({ kind: "ok", title: t("library.delete.done", { name }) });
              onDeleted();
            },
            onSettled: onClose,
          },
        )
      }
    />
  );
}
