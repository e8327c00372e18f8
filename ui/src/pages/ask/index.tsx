import { IconHistory, IconPlus, IconSquare } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { CONTEXT_BUDGET } from "@/api/defaults";
import { useAction, useCommand, useWorkspace } from "@/api/queries";
import type { AskRequest } from "@/api/types";
import { Button } from "@/kit/Button";
import { Kbd } from "@/kit/Kbd";
import { useNarrow } from "@/kit/narrow";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useComposer, useShortcut } from "@/kit/shortcuts";
import { EmptyState, ErrorState, NotLoaded, SkeletonText } from "@/kit/states";
import { useSteady } from "@/kit/steady";
import { useStill } from "@/kit/still";
import { PageHeader } from "@/parts/PageHeader";
import { useAddressState } from "@/state/address-state";
import { setSelected, useSelected } from "@/state/selection";
import { t } from "@/text";
import { AnswerView } from "./AnswerView";
import { announced } from "./announced";
import { useAnswerKeys } from "./answer-keys";
import { ask, forgetAsking, stopAsking, useAsking } from "./asking";
import { Composer, type ComposerHandle } from "./Composer";
import { ExportLog } from "./ExportLog";
import { History, PAGE } from "./History";
import css from "./layout.module.css";
import { openCitation } from "./names";
import { SelectionBanner, SelectionPane } from "./SelectionPane";
import { Sources } from "./Sources";
import { Start } from "./Start";
import { citationsOf, fromAnswer } from "./shown";
import { filtersOf, fromAddress, type Place, toAddress } from "./state";

/** Passages that an answer is made from. */
const PASSAGES = 8;
const CHARACTERS_PER_TOKEN = 4;
/** Milliseconds that words of the log's field stand before they are looked for. */
const PAUSE = 200;

const tokensOf = (text: string): number => Math.ceil([...text].length / CHARACTERS_PER_TOKEN);
const newSession = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 10)}`;

/** The screen. */
export default function AskPage() {
  const queries = useQueryClient();
  const workspace = useWorkspace();
  const narrow = useNarrow();
  const [place, setPlace] = useAddressState("ask", fromAddress, toAddress);
  const change = useCallback((part: Partial<Place>) => setPlace((now) => ({ ...now, ...part })), [setPlace]);
  const given = useSelected();
  const asking = useAsking();
  const own = asking?.workspace === workspace ? asking : undefined;
  const kept = useCommand(
    "answer.log.get",
    { id: place.answer ?? 0 },
    { enabled: place.answer !== undefined },
  );
  const generators = useCommand("answer.generators", {});
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const wanted = useStill(search.trim(), PAUSE);
  const log = useCommand("answer.log.list", { search: wanted, limit }, { keep: true });
  const all = useCommand("answer.log.list", { limit: 1 });
  const remove = useAction("answer.log.delete");
  const [lit, setLit] = useState<number>();
  const [refusal, setRefusal] = useState<string>();
  const [history, setHistory] = useState(false);
  const composer = useRef<ComposerHandle>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  // What was just asked stays on screen until another answer is opened.
  const mine = own && (place.answer === undefined || own.shown.id === place.answer) ? own : undefined;
  const fromLog = kept.data?.answer.id === place.answer ? kept.data : undefined;
  const shown = mine?.shown ?? (fromLog && fromAnswer(fromLog.answer, fromLog.request));
  const pending = own?.shown.standing === "pending";
  const citations = shown ? citationsOf(shown) : [];
  const { list: known, generator } = writers(generators.data, place.generator);
  const selection = place.selection || (shown?.fromSelection ?? false);
  const from = shown?.request.selection ?? undefined;
  // An answer from a selection shows the text that it is from; a question that is being typed, the text at hand.
  const text = shown?.fromSelection && from ? from : given;
  const earlier =
    place.session !== "" && shown?.request.session === place.session ? shown.question : undefined;

  useEffect(() => {
    if (!place.session) change({ session: newSession() });
  }, [place.session, change]);
  const arrived = useSteady((id: number) => {
    if (place.answer === undefined) change({ answer: id, cite: undefined });
  });

  const start = useCallback(
    async (request: AskRequest) => {
      setRefusal(undefined);
      change({ answer: undefined, cite: undefined, draft: "" });
      const id = await ask(request, queries);
      if (id !== undefined) arrived(id);
    },
    [change, queries, arrived],
  );
  const requestOf = (question: string, part: Partial<AskRequest> = {}): AskRequest => ({
    question,
    generator: place.generator ?? null,
    model: generator?.model ? (place.model ?? null) : null,
    ignore: [],
    also: [],
    filters: filtersOf(place),
    passages: PASSAGES,
    max_tokens: CONTEXT_BUDGET,
    threshold: null,
    min_chunks: 1,
    selection: null,
    session: place.session,
    follow_up: place.follow,
    earlier: null,
    readings: true,
    second_reading: place.second && generator?.remote === true,
    record: true,
    ...part,
  });
  const submit = () => {
    if (pending) return;
    const question = place.draft.trim();
    if (question === "") {
      setRefusal(t("ask.refused.question"));
      return;
    }
    if (!place.selection) return void start(requestOf(question));
    if (given.text.trim() === "") {
      setRefusal(t("ask.refused.selection"));
      field.current?.focus();
      return;
    }
    void start(requestOf(question, { selection: given }));
  };
  const leave = () => {
    change({ selection: false, answer: undefined });
    setRefusal(undefined);
    if (shown?.fromSelection) forgetAsking();
  };
  const fresh = () => {
    if (!pending) forgetAsking();
    setSelected({});
    setRefusal(undefined);
    change({ answer: undefined, cite: undefined, draft: "", session: newSession(), selection: false });
    composer.current?.focus();
  };
  const cite = (n: number) => {
    const citation = citations.find((each) => each.n === n);
    if (citation && n === place.cite && !selection) openCitation(citation);
    else change({ cite: n });
  };
  const step = (by: number) => {
    const at = citations.findIndex((each) => each.n === place.cite);
    const next = citations[at < 0 ? (by > 0 ? 0 : citations.length - 1) : at + by];
    if (next) change({ cite: next.n });
  };
  const chosen = citations.find((each) => each.n === place.cite);

  useShortcut("app.search", () => composer.current?.focus());
  useShortcut("ask.next", () => step(1), citations.length > 0);
  useShortcut("ask.previous", () => step(-1), citations.length > 0);
  useShortcut("ask.open", () => chosen && openCitation(chosen), chosen !== undefined);
  useShortcut("ask.new", fresh);
  useShortcut("ask.stop", stopAsking, pending);
  useAnswerKeys(shown);
  useShortcut("ask.history", () => setHistory((now) => !now), narrow);
  useComposer(() => composer.current?.focus());
  useEffect(() => composer.current?.focus(), []);

  const logged = (
    <History
      list={log}
      search={search}
      onSearch={(next) => {
        setSearch(next);
        setLimit(PAGE);
      }}
      total={all.data?.total ?? 0}
      limit={limit}
      onMore={() => setLimit((now) => now + PAGE)}
      selected={shown?.id}
      onOpen={(id) => {
        setRefusal(undefined);
        change({ answer: id, cite: undefined, selection: false });
        setHistory(false);
      }}
      onDeleted={(id) => {
        if (id === "all" || id === place.answer) {
          forgetAsking();
          change({ answer: undefined, cite: undefined });
        }
      }}
      pending={pending && !mine ? own?.shown.question : undefined}
      onPending={() => change({ answer: undefined, cite: undefined })}
    />
  );
  const centre = (
    <>
      {selection && <SelectionBanner tokens={tokensOf(text.text)} onLeave={leave} />}
      <ScrollRegion fill ways="down" className={css.scroll}>
        <div className={css.flow} data-composer>
          {shown ? (
            <AnswerView
              shown={shown}
              error={mine?.error}
              rating={fromLog ? fromLog.entry.rating : undefined}
              selected={place.cite}
              lit={lit}
              onLit={setLit}
              onCite={cite}
              letters={shown.fromSelection}
              onAgain={({ question, everywhere, threshold, follow, chips }) =>
                void start({
                  ...shown.request,
                  ...(question !== undefined && { question, also: [], follow_up: false }),
                  ...(everywhere && { filters: filtersOf({ corpora: [], reports: [] }) }),
                  ...(threshold !== undefined && { threshold }),
                  ...(follow !== undefined && { follow_up: follow }),
                  ...chips,
                })
              }
              onEverything={() => {
                change({ selection: false });
                void start({ ...requestOf(shown.question), selection: null });
              }}
              onDelete={() =>
                shown.id !== undefined &&
                remove.mutate(
                  { id: shown.id },
                  {
                    onSuccess: () => {
                      forgetAsking();
                      change({ answer: undefined, cite: undefined });
                    },
                  },
                )
              }
            />
          ) : place.answer !== undefined ? (
            kept.error ? (
              kept.error.code === "not_found" ? (
                <EmptyState title={t("ask.gone")} action={<Button onClick={fresh}>{t("ask.new")}</Button>} />
              ) : (
                <ErrorState error={kept.error} onRetry={() => void kept.refetch()} />
              )
            ) : (
              <SkeletonText />
            )
          ) : selection ? (
            <p className="sec">{t("ask.selection.start")}</p>
          ) : (
            <Start onAsk={(question) => void start(requestOf(question))} />
          )}
        </div>
      </ScrollRegion>
      <NotLoaded query={generators} />
      <Composer
        ref={composer}
        place={place}
        change={(part) => {
          setRefusal(undefined);
          change(part);
        }}
        generators={known}
        generator={generator}
        earlier={earlier}
        pending={pending}
        selected={place.selection ? tokensOf(given.text) : undefined}
        refusal={refusal}
        onAsk={submit}
        onStop={stopAsking}
        onPaste={() => {
          if (place.selection) field.current?.focus();
          else change({ selection: true, answer: undefined, cite: undefined });
        }}
        onLeave={leave}
      />
      <div className="sr-only" role="status">
        {shown && announced(shown)}
      </div>
    </>
  );
  const [side, end] = narrow ? ([0, 320] as const) : ([252, 388] as const);
  return (
    <div className={css.page}>
      <PageHeader
        context={t(selection ? "ask.selection.title" : "ask.context")}
        actions={
          <>
            {narrow && (
              <Button
                icon={<IconHistory className="small" aria-hidden />}
                aria-expanded={history}
                onClick={() => setHistory((now) => !now)}
              >
                {t("ask.history.title")}
              </Button>
            )}
            <ExportLog search={wanted} total={log.data?.total ?? 0} />
            {pending && mine ? (
              <Button icon={<IconSquare className="small" aria-hidden />} onClick={stopAsking}>
                {t("ask.stop")} <Kbd keys="escape" />
              </Button>
            ) : (
              <Button tone="primary" icon={<IconPlus className="small" aria-hidden />} onClick={fresh}>
                {t("ask.new")}
              </Button>
            )}
          </>
        }
      />
      {narrow && history && (
        <section className={css.drawer} aria-label={t("ask.history.title")} data-pane="history" tabIndex={-1}>
          {logged}
        </section>
      )}
      <Panes
        key={`${narrow} ${selection}`}
        id={`ask${narrow ? "-narrow" : ""}${selection ? "-selection" : ""}`}
      >
        {!narrow && (
          <Pane
            id="history"
            label={t("ask.history.title")}
            size={side}
            min={200}
            max={420}
            fold="start"
            sunken
          >
            {logged}
          </Pane>
        )}
        {selection && (
          <Pane id="selection" label={t("ask.selection.title")} size={narrow ? 380 : 540} min={280} max={900}>
            <SelectionPane
              selected={text}
              citations={shown?.fromSelection ? citations : []}
              lit={lit ?? place.cite}
              onCite={(n) => change({ cite: n })}
              own={!shown?.fromSelection}
              field={field}
            />
          </Pane>
        )}
        <Pane id="answer" label={t("ask.answer")} min={420}>
          {centre}
        </Pane>
        {!selection && (
          <Pane id="sources" label={t("ask.sources.title")} size={end} min={260} max={640} fold="end" sunken>
            {shown ? (
              <Sources
                shown={shown}
                selected={place.cite}
                lit={lit}
                onLit={setLit}
                onSelect={(n) => change({ cite: n })}
              />
            ) : (
              <>
                <PaneHead title={t("ask.sources.title")} />
                <EmptyState title={t("ask.sources.later")} />
              </>
            )}
          </Pane>
        )}
      </Panes>
    </div>
  );
}

/** The generators, and the one that will write. */
function writers(list: Parameters<typeof Composer>[0]["generators"] | undefined, chosen: string | undefined) {
  const known = list ?? [];
  const usable = known.filter((each) => each.unavailable === "");
  return {
    list: known,
    generator: usable.find((each) => each.name === chosen) ?? known.find((each) => each.default) ?? usable[0],
  };
}
