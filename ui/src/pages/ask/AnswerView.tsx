import { IconDots, IconRefresh, IconSearch, IconTarget, IconTrash } from "@tabler/icons-react";
import { useRef, useState } from "react";
import type { EngineError } from "@/api/client";
import type { Rating as Rated } from "@/api/types";
import { Button } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { Menu } from "@/kit/Menu";
import { Note } from "@/kit/Note";
import { ErrorState } from "@/kit/states";
import { SaveInGoldSet } from "@/parts/SaveInGoldSet";
import { cureOf, openCure } from "@/state/cure";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { explain } from "@/text/errors";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./answer-view.module.css";
import type { Citing } from "./Cite";
import { Confidence } from "./Confidence";
import type { Chips } from "./chips";
import { withCitations } from "./copy";
import { FigureAnswer } from "./FigureAnswer";
import { useSaveAsGold } from "./gold";
import { Marks } from "./Marks";
import { NotFound } from "./NotFound";
import { Prose } from "./Prose";
import { Rating } from "./Rating";
import { Readings } from "./Readings";
import { RemovedParts } from "./RemovedParts";
import { Replay } from "./Replay";
import { isOfFigures, type Shown } from "./shown";
import { Trace } from "./Trace";
import { Understood } from "./Understood";

type AnswerViewProps = Citing & {
  shown: Shown;
  /** Why there is no answer. */
  error: EngineError | undefined;
  /** What the reader thinks of it, where it is in the log. */
  rating: Rated | null | undefined;
  /** Asks the question again, changed. */
  onAgain: (change: {
    question?: string;
    everywhere?: boolean;
    threshold?: number;
    follow?: boolean;
    chips?: Chips;
  }) => void;
  /** Searches everything for what was asked of a selection. */
  onEverything: () => void;
  onDelete: () => void;
};

/** A question with its answer: what was done for it, how sure it is, what it says, and what can be done with it. */
export function AnswerView(props: AnswerViewProps) {
  const { shown, error, rating, onAgain, onEverything, onDelete, ...citing } = props;
  const question = useRef<HTMLHeadingElement>(null);
  const { standing } = shown;
  const live = standing === "pending";
  const alone = shown.searchedFor !== undefined && !live ? () => onAgain({ follow: false }) : undefined;
  return (
    <article className={css.answer} aria-busy={live} data-testid="ask-article" data-standing={standing}>
      <div className="row gap-12 between wrap">
        <h2 ref={question} className={css.question} tabIndex={-1}>
          <bdi>{visible(shown.question)}</bdi>
        </h2>
        {shown.inherited.length > 0 && (
          <span className="xs mut" aria-hidden>
            {t("ask.understood.dashed")}
          </span>
        )}
      </div>
      <Understood
        shown={shown}
        question={question}
        onChange={(chips) => onAgain({ question: shown.searchedFor ?? shown.request.question, chips })}
      />
      <Trace shown={shown} onAlone={alone} />
      {error && !error.cancelled && (
        <ErrorState
          error={error}
          onRetry={() => onAgain({})}
          onCure={cureOf(explain(error)) ? openCure : undefined}
        />
      )}
      {standing === "not_found" ? (
        <NotFound shown={shown} onAgain={onAgain} />
      ) : standing === "greeting" ? (
        <p className={css.words}>{shown.remarks.map(visible).join(" ")}</p>
      ) : standing === "declined" ? (
        <Note kind="warn">
          <b>{t("ask.declined.title")}</b> {t("ask.declined.detail")}{" "}
          {shown.fault && visible(sentence(shown.fault.message))}
        </Note>
      ) : (
        <Said shown={shown} onAgain={onAgain} {...citing} />
      )}
      {shown.removed.length > 0 && <RemovedParts removed={shown.removed} />}
      {!live && <Actions {...{ shown, rating, onEverything, onDelete }} />}
    </article>
  );
}

const isWritten = ({ readings }: Shown) => readings.some((each) => each.sentences.length > 0);

/** What the answer says, in prose, in figures or in several readings, with what is known about it. */
function Said({ shown, onAgain, ...citing }: Citing & Pick<AnswerViewProps, "shown" | "onAgain">) {
  const { standing, readings, grounds } = shown;
  const live = standing === "pending";
  const several = readings.length > 1;
  const ambiguous = several && shown.understood.filter((each) => each.kind === "issuer").length < 2;
  const ofFigures = isOfFigures(shown);
  const [first] = readings;
  return (
    <>
      {!ofFigures && <Marks shown={shown} />}
      {grounds && !ofFigures && (
        <Confidence
          grounds={grounds}
          note={ambiguous ? t("ask.confidence.readings", { count: readings.length }) : undefined}
        />
      )}
      {(standing === "incomplete" || standing === "stopped" || shown.fault) && (
        <Broken shown={shown} onAgain={() => onAgain({})} />
      )}
      {several ? (
        <Readings
          shown={shown}
          live={live}
          onNarrow={(reading) => onAgain({ question: `${shown.question} (${reading})` })}
          {...citing}
        />
      ) : first?.figures && ofFigures ? (
        <FigureAnswer figures={first.figures} reading={first} {...citing} />
      ) : (
        first && <Prose reading={first} live={live} {...citing} />
      )}
      {ofFigures && <Marks shown={shown} />}
      {!live && isWritten(shown) && shown.remarks.length > 0 && (
        <p className={`sm mut ${css.remarks}`}>{shown.remarks.map(visible).join(" ")}</p>
      )}
    </>
  );
}

/** Why an answer is not whole, and the ways on. */
function Broken({ shown, onAgain }: { shown: Shown; onAgain: () => void }) {
  const { standing, fault } = shown;
  const written = isWritten(shown);
  return (
    <div role="alert">
      <Note kind="bad">
        <b>{t(written ? "ask.incomplete.title" : "ask.incomplete.nothing")}</b>{" "}
        {standing === "stopped" ? t("ask.incomplete.stopped") : visible(sentence(fault?.message ?? ""))}{" "}
        {written && t("ask.incomplete.checked")}
        <span className={`row gap-6 wrap ${css.ways}`}>
          <Button size="tiny" onClick={onAgain}>
            {t("ask.incomplete.again")}
          </Button>
          {fault?.code === "chat_unauthorised" && (
            <Button size="tiny" tone="quiet" onClick={() => navigate(href("settings", ["models"]))}>
              {t("errors.cure.settings_models")}
            </Button>
          )}
        </span>
      </Note>
    </div>
  );
}

type ActionsProps = Pick<AnswerViewProps, "shown" | "rating" | "onEverything" | "onDelete">;

/** What can be done with an answer: copy it, search again, rate it, keep it as a gold query, delete it. */
function Actions({ shown, rating, onEverything, onDelete }: ActionsProps) {
  const [replaying, setReplaying] = useState(false);
  const save = useSaveAsGold();
  const [saving, setSaving] = useState(false);
  const { standing, id } = shown;
  return (
    <>
      <div className={css.actions}>
        <div className="row gap-6 wrap">
          {isWritten(shown) && (
            <CopyButton words label={t("ask.copy.button")} text={() => withCitations(shown)} />
          )}
          {shown.fromSelection && (
            <Button
              size="small"
              tone="quiet"
              icon={<IconSearch className="small" aria-hidden />}
              onClick={onEverything}
            >
              {t("ask.selection.everything")}
            </Button>
          )}
          {id !== undefined && !shown.fromSelection && standing !== "greeting" && (
            <Button
              size="small"
              tone="quiet"
              icon={<IconRefresh className="small" aria-hidden />}
              onClick={() => setReplaying(true)}
            >
              {t("ask.replay.button")}
            </Button>
          )}
          {id !== undefined && (
            <Menu
              label={t("ask.more")}
              position="bottom-start"
              entries={[
                {
                  label: t(rating?.verdict === "right" ? "search.gold.save" : "ask.gold.judge"),
                  icon: <IconTarget className="small" aria-hidden />,
                  onClick: () => setSaving(true),
                },
                {
                  label: t("ask.history.delete"),
                  icon: <IconTrash className="small" aria-hidden />,
                  danger: true,
                  onClick: onDelete,
                },
              ]}
            >
              <button type="button" className="icon-button" aria-label={t("ask.more")}>
                <IconDots className="small" aria-hidden />
              </button>
            </Menu>
          )}
        </div>
        {id !== undefined && rating !== undefined && <Rating key={id} id={id} rating={rating} />}
      </div>
      {replaying && id !== undefined && <Replay id={id} onClose={() => setReplaying(false)} />}
      {saving && (
        <SaveInGoldSet
          query={shown.question}
          onSave={(set) => save(set, shown, rating?.verdict === "right")}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}
