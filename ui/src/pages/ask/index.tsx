import { IconHistory, IconPlus, IconSquare } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/kit/Button";
import { Kbd } from "@/kit/Kbd";
import { useNarrow } from "@/kit/narrow";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { useComposer, useShortcut } from "@/kit/shortcuts";
import { EmptyState } from "@/kit/states";
import { PageHeader } from "@/parts/PageHeader";
import { setSelected } from "@/state/selection";
import { t } from "@/text";
import { useAnswerKeys } from "./answer-keys";
import { forgetAsking, stopAsking } from "./asking";
import { Centre } from "./Centre";
import type { ComposerHandle } from "./Composer";
import { ExportLog } from "./ExportLog";
import { History } from "./History";
import css from "./layout.module.css";
import { openCitation } from "./names";
import { SelectionPane } from "./SelectionPane";
import { Sources } from "./Sources";
import { type Ask, newSession, useAsk, useLog } from "./use-ask";

/** The citation that is chosen, and the keys and presses that choose and open one. */
function useCiting({ place, change, citations, selection }: Ask) {
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
  useShortcut("ask.next", () => step(1), citations.length > 0);
  useShortcut("ask.previous", () => step(-1), citations.length > 0);
  useShortcut("ask.open", () => chosen && openCitation(chosen), chosen !== undefined);
  return cite;
}

/** The screen. */
export default function AskPage() {
  const narrow = useNarrow();
  const state = useAsk();
  const { place, change, mine, shown, pending, citations, selection, text, setRefusal } = state;
  const log = useLog();
  const [lit, setLit] = useState<number>();
  const [history, setHistory] = useState(false);
  const composer = useRef<ComposerHandle>(null);
  const field = useRef<HTMLTextAreaElement>(null);

  const fresh = () => {
    if (!pending) forgetAsking();
    setSelected({});
    setRefusal(undefined);
    change({ answer: undefined, cite: undefined, draft: "", session: newSession(), selection: false });
    composer.current?.focus();
  };
  const cite = useCiting(state);
  const toggle = () => setHistory((now) => !now);

  useShortcut("app.search", () => composer.current?.focus());
  useShortcut("ask.new", fresh);
  useShortcut("ask.stop", stopAsking, pending);
  useAnswerKeys(shown);
  useShortcut("ask.history", toggle, narrow);
  useComposer(() => composer.current?.focus());
  useEffect(() => composer.current?.focus(), []);

  const logged = <Log {...{ state, log }} onOpened={() => setHistory(false)} />;
  const [side, end] = narrow ? ([0, 320] as const) : ([252, 388] as const);
  return (
    <div className={css.page}>
      <PageHeader
        context={t(selection ? "ask.selection.title" : "ask.context")}
        actions={
          <Actions
            history={narrow ? { open: history, toggle } : undefined}
            log={log}
            asking={pending && mine !== undefined}
            onFresh={fresh}
          />
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
          <Centre
            state={state}
            lit={lit}
            onLit={setLit}
            onCite={cite}
            onFresh={fresh}
            composer={composer}
            field={field}
          />
        </Pane>
        {!selection && (
          <Pane id="sources" label={t("ask.sources.title")} size={end} min={260} max={640} fold="end" sunken>
            <Beside {...{ state, lit }} onLit={setLit} />
          </Pane>
        )}
      </Panes>
    </div>
  );
}

type ActionsProps = {
  /** Whether the log is open, where it lies over the answer. */
  history: { open: boolean; toggle: () => void } | undefined;
  log: ReturnType<typeof useLog>;
  /** The answer on its way is the one in sight. */
  asking: boolean;
  onFresh: () => void;
};

/** The actions of the screen: the log, its export, and a new question or an end to the one being answered. */
function Actions({ history, log, asking, onFresh }: ActionsProps) {
  return (
    <>
      {history && (
        <Button
          icon={<IconHistory className="small" aria-hidden />}
          aria-expanded={history.open}
          onClick={history.toggle}
        >
          {t("ask.history.title")}
        </Button>
      )}
      <ExportLog search={log.wanted} total={log.list.data?.total ?? 0} />
      {asking ? (
        <Button icon={<IconSquare className="small" aria-hidden />} onClick={stopAsking}>
          {t("ask.stop")} <Kbd keys="escape" />
        </Button>
      ) : (
        <Button tone="primary" icon={<IconPlus className="small" aria-hidden />} onClick={onFresh}>
          {t("ask.new")}
        </Button>
      )}
    </>
  );
}

type LogProps = {
  state: Ask;
  log: ReturnType<typeof useLog>;
  /** Hears that an answer was opened. */
  onOpened: () => void;
};

/** The log of answers, and what becomes of the answer in sight when one is opened or deleted there. */
function Log({ state, log, onOpened }: LogProps) {
  const { place, change, own, mine, shown, pending, setRefusal } = state;
  return (
    <History
      list={log.list}
      search={log.search}
      onSearch={log.onSearch}
      total={log.total}
      limit={log.limit}
      onMore={log.onMore}
      selected={shown?.id}
      onOpen={(id) => {
        setRefusal(undefined);
        change({ answer: id, cite: undefined, selection: false });
        onOpened();
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
}

type BesideProps = { state: Ask; lit: number | undefined; onLit: (n: number | undefined) => void };

/** The sources beside an answer. */
function Beside({ state: { shown, place, change }, lit, onLit }: BesideProps) {
  return shown ? (
    <Sources {...{ shown, lit, onLit }} selected={place.cite} onSelect={(n) => change({ cite: n })} />
  ) : (
    <>
      <PaneHead title={t("ask.sources.title")} />
      <EmptyState title={t("ask.sources.later")} />
    </>
  );
}
