import { IconCheck, IconSparkles, IconTrash } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { GoldSet, Proposal } from "@/api/types";
import { Button } from "@/kit/Button";
import { Select, TextField } from "@/kit/fields";
import { Name } from "@/kit/Name";
import { Note } from "@/kit/Note";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, Loaded, NotLoaded } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { VirtualList } from "@/kit/VirtualList";
import { targetName } from "@/parts/gold";
import { t } from "@/text";
import { inert } from "@/text/visible";
import css from "./candidates.module.css";

const ROW = 44;
/** Proposals that are loaded at a time. */
const PAGE = 500;

/** Questions that a corpus suggests: each is accepted, changed or thrown away by a person. */
export function Candidates({ set }: { set: GoldSet }) {
  const overview = useCommand("library.overview", {});
  const [chosen, setChosen] = useState<string>();
  return (
    <Loaded query={overview}>
      {({ corpora }) => {
        const filled = corpora.filter((each) => each.chunks > 0);
        const corpus = chosen ?? filled[0]?.corpus.name;
        if (corpus === undefined) return <EmptyState title={t("evaluate.candidates.no_corpus")} />;
        return (
          <div className={css.view}>
            <div className={css.head}>
              <span className="sm sec">{t("evaluate.candidates.from")}</span>
              <Select
                label={t("evaluate.candidates.from")}
                value={corpus}
                onChange={setChosen}
                options={filled.map((each) => ({ value: each.corpus.name, label: each.corpus.name }))}
                width={220}
              />
              <span className="sm mut ell">{t("evaluate.candidates.note")}</span>
            </div>
            <Proposals key={`${set.name} ${corpus}`} set={set} corpus={corpus} />
          </div>
        );
      }}
    </Loaded>
  );
}

function Proposals({ set, corpus }: { set: GoldSet; corpus: string }) {
  const list = useCommand(
    "gold.candidates",
    { set: set.name, corpus, source: null, offset: 0, limit: PAGE },
    { keep: true },
  );
  const [wanted, setWanted] = useState<string>();
  return (
    <Loaded query={list}>
      {({ candidates, total, accepted, rejected }) => {
        const at = Math.max(
          0,
          candidates.findIndex((each) => each.id === wanted),
        );
        const candidate = candidates[at];
        // The one that follows is next once this one is decided.
        const next = candidates[at + 1] ?? candidates[at - 1];
        return (
          <>
            <p className={`sm mut number ${css.counts}`} role="status">
              {t("evaluate.candidates.counts", { count: total, accepted, rejected })}
            </p>
            {candidate ? (
              <div className={css.both}>
                <VirtualList
                  label={t("evaluate.candidates.title")}
                  count={candidates.length}
                  rowHeight={ROW}
                  selected={at}
                  rowKey={(index) => candidates[index]?.id ?? index}
                  onSelect={(index) => setWanted(candidates[index]?.id)}
                  row={(index) => {
                    const each = candidates[index];
                    return each && <Row candidate={each} />;
                  }}
                  className={css.list}
                />
                <Decide
                  key={candidate.id}
                  set={set}
                  candidate={candidate}
                  onDecided={() => setWanted(next?.id)}
                />
              </div>
            ) : (
              <EmptyState
                icon={<IconCheck aria-hidden />}
                title={t("evaluate.candidates.none")}
                detail={t("evaluate.candidates.none_detail")}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

function Row({ candidate }: { candidate: Proposal }) {
  return (
    <div className={css.row}>
      <Name>{candidate.query}</Name>
      <span className="row gap-6 xs mut">
        <Tag>{t(`evaluate.candidates.sources.${candidate.source}`)}</Tag>
        <Name>{candidate.title}</Name>
      </span>
    </div>
  );
}

type DecideProps = { set: GoldSet; candidate: Proposal; onDecided: () => void };

/** A proposal with what would answer it; its words can be changed before it is taken. */
function Decide({ set, candidate, onDecided }: DecideProps) {
  const decide = useAction("gold.decide");
  const [query, setQuery] = useState(candidate.query);
  useEffect(() => setQuery(candidate.query), [candidate.query]);
  const send = (accept: boolean) => {
    if (decide.isPending || (accept && query.trim() === "")) return;
    decide.mutate(
      {
        set: set.name,
        candidate: candidate.id,
        accept: accept ? { query: query.trim(), type: candidate.source, target: candidate.target } : null,
      },
      { onSuccess: onDecided },
    );
  };
  const generators = useCommand("answer.generators", {});
  const chat = generators.data?.find((each) => each.model !== null && each.unavailable === "");
  const suggest = useAction("gold.suggest");
  const ask = () =>
    suggest.mutate({ target: candidate.target }, { onSuccess: (written) => setQuery(written.query) });
  useShortcut("evaluate.accept", () => send(true));
  useShortcut("evaluate.discard", () => send(false));
  return (
    <ScrollRegion
      as="section"
      ways="down"
      className={css.decide}
      aria-label={t("evaluate.candidates.decide")}
    >
      <TextField
        label={t("evaluate.candidates.question")}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && send(true)}
      />
      <div className="row gap-6 wrap">
        <Button
          tone="primary"
          icon={<IconCheck className="small" aria-hidden />}
          disabled={decide.isPending || query.trim() === ""}
          onClick={() => send(true)}
        >
          {t("evaluate.candidates.accept")}
        </Button>
        <Button
          icon={<IconTrash className="small" aria-hidden />}
          disabled={decide.isPending}
          onClick={() => send(false)}
        >
          {t("evaluate.candidates.discard")}
        </Button>
        {chat && (
          <Button
            icon={<IconSparkles className="small" aria-hidden />}
            disabled={suggest.isPending}
            {...tip(t(chat.remote ? "evaluate.candidates.model_remote" : "evaluate.candidates.model_here"))}
            onClick={ask}
          >
            {t("evaluate.candidates.model", { model: chat.model ?? "" })}
          </Button>
        )}
      </div>
      <NotLoaded query={generators} />
      {suggest.data && query === suggest.data.query && (
        <Note>{t("evaluate.candidates.written", { model: suggest.data.model })}</Note>
      )}
      <div>
        <h3 className={`lab ${css.answer}`}>{t("evaluate.candidates.answer")}</h3>
        <div className="card">
          <div className={css.passage}>
            <span className="mono micro mut">
              <bdi>{targetName(candidate.target)}</bdi>
            </span>
            <bdi>{inert(candidate.passage)}</bdi>
          </div>
        </div>
      </div>
      <Note>{t("evaluate.candidates.caution")}</Note>
    </ScrollRegion>
  );
}
