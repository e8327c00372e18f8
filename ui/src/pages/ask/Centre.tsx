// The answer, and below it what asks for the next one.

import type { RefObject } from "react";
import { useAction } from "@/api/queries";
import { Button } from "@/kit/Button";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, ErrorState, NotLoaded, SkeletonText } from "@/kit/states";
import { t } from "@/text";
import { AnswerView } from "./AnswerView";
import { announced } from "./announced";
import { forgetAsking, stopAsking } from "./asking";
import { Composer, type ComposerHandle } from "./Composer";
import css from "./layout.module.css";
import { SelectionBanner } from "./SelectionPane";
import { Start } from "./Start";
import type { Shown } from "./shown";
import { filtersOf } from "./state";
import type { Ask } from "./use-ask";

const CHARACTERS_PER_TOKEN = 4;

const tokensOf = (text: string): number => Math.ceil([...text].length / CHARACTERS_PER_TOKEN);

type CentreProps = {
  state: Ask;
  lit: number | undefined;
  onLit: (n: number | undefined) => void;
  onCite: (n: number) => void;
  onFresh: () => void;
  composer: RefObject<ComposerHandle | null>;
  /** The selected text, where it is typed. */
  field: RefObject<HTMLTextAreaElement | null>;
};

/** The middle of the screen. */
export function Centre({ state, lit, onLit, onCite, onFresh, composer, field }: CentreProps) {
  const { place, change, given, shown, pending, selection } = state;
  const { generators, known, generator, text, earlier, refusal, setRefusal, start, requestOf } = state;
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
  return (
    <>
      {selection && <SelectionBanner tokens={tokensOf(text.text)} onLeave={leave} />}
      <ScrollRegion fill ways="down" className={css.scroll}>
        <div className={css.flow} data-composer>
          {shown ? (
            <Answer {...{ state, shown, lit, onLit, onCite }} />
          ) : place.answer !== undefined ? (
            <Expected {...{ state, onFresh }} />
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
}

type AnswerProps = Pick<CentreProps, "state" | "lit" | "onLit" | "onCite"> & { shown: Shown };

/** An answer, with what asks it again in another way. */
function Answer({ state, shown, lit, onLit, onCite }: AnswerProps) {
  const { place, change, mine, fromLog, start, requestOf } = state;
  const remove = useAction("answer.log.delete");
  return (
    <AnswerView
      {...{ shown, lit, onLit, onCite }}
      error={mine?.error}
      rating={fromLog ? fromLog.entry.rating : undefined}
      selected={place.cite}
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
  );
}

/** An answer of the log that is not there yet, or why it cannot be shown. */
function Expected({ state: { kept }, onFresh }: Pick<CentreProps, "state" | "onFresh">) {
  if (!kept.error) return <SkeletonText />;
  if (kept.error.code !== "not_found")
    return <ErrorState error={kept.error} onRetry={() => void kept.refetch()} />;
  return <EmptyState title={t("ask.gone")} action={<Button onClick={onFresh}>{t("ask.new")}</Button>} />;
}
