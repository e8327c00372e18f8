import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconDots,
  IconGitMerge,
  IconHandStop,
  IconHelpCircle,
  IconLoader2,
  IconMessage,
  IconTilde,
  IconTrash,
} from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import { useAction } from "@/api/queries";
import type { AnswerList, Answers, LoggedQuestion } from "@/api/types";
import { Button } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { classes } from "@/kit/class-names";
import { SearchField } from "@/kit/fields";
import { Menu } from "@/kit/Menu";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, Loaded } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { moment } from "@/text/format";
import { visible } from "@/text/visible";
import { dayOf } from "./days";
import css from "./history.module.css";
import { answersOf, type Standing, standingOf } from "./shown";

/** Entries that are asked for at first, and by how many more at a time. */
export const PAGE = 100;

type HistoryProps = {
  list: Parameters<typeof Loaded<AnswerList>>[0]["query"];
  search: string;
  onSearch: (search: string) => void;
  /** How many entries there are without a search. */
  total: number;
  /** How many entries are listed. */
  limit: number;
  onMore: () => void;
  /** Id of the answer on screen. */
  selected: number | undefined;
  onOpen: (id: number) => void;
  onDeleted: (id: number | "all") => void;
  /** The question that is being answered, where another answer is on screen. */
  pending: string | undefined;
  onPending: () => void;
};

/** The shapes of the mark that tells whether an answer answers its question. */
const ANSWERS: Record<Answers, ReactNode> = {
  yes: <IconCircleCheck className="xs c-ok" aria-hidden />,
  likely: <IconTilde className="xs c-warn" aria-hidden />,
  unsure: <IconHelpCircle className="xs c-warn" aria-hidden />,
};

/** How a logged question ended: its sign and its words. */
function endOf({ outcome, refusal, band, readings }: LoggedQuestion): { icon: ReactNode; words: string } {
  const standing = standingOf(outcome, refusal);
  if (standing === "answered" && readings > 1)
    return {
      icon: <IconGitMerge className="xs c-warn" aria-hidden />,
      words: t("ask.history.readings", { count: readings }),
    };
  if (standing === "answered") {
    const answers = answersOf(band);
    return { icon: ANSWERS[answers], words: t(`ask.history.answers.${answers}`) };
  }
  const icons: Partial<Record<Standing, ReactNode>> = {
    not_found: <IconCircleDashed className="xs" aria-hidden />,
    declined: <IconCircleDashed className="xs c-warn" aria-hidden />,
    greeting: <IconMessage className="xs" aria-hidden />,
    incomplete: <IconHandStop className="xs c-warn" aria-hidden />,
  };
  return {
    icon: icons[standing] ?? <IconCircleX className="xs c-bad" aria-hidden />,
    words: t(`ask.standing.${standing}`),
  };
}

/** The log of questions and answers, the newest first. */
export function History(props: HistoryProps) {
  const { list, search, onSearch, total, selected, onDeleted, pending, onPending } = props;
  const [asking, setAsking] = useState<LoggedQuestion | "all">();
  const remove = useAction("answer.log.delete");
  const clear = useAction("answer.log.clear");
  const close = () => setAsking(undefined);
  return (
    <>
      <div className={css.head}>
        <SearchField
          label={t("ask.history.find")}
          placeholder={t("ask.history.find_in", { count: total })}
          size="small"
          soft
          className="grow"
          value={search}
          onChange={onSearch}
        />
        <Menu
          label={t("ask.history.menu")}
          entries={[
            {
              label: t("ask.history.clear"),
              icon: <IconTrash className="small" aria-hidden />,
              danger: true,
              disabled: total === 0,
              onClick: () => setAsking("all"),
            },
          ]}
        >
          <button
            type="button"
            className="icon-button"
            aria-label={t("ask.history.menu")}
            {...tip(t("ask.history.menu"))}
          >
            <IconDots className="small" aria-hidden />
          </button>
        </Menu>
      </div>
      <ScrollRegion fill ways="down" className={css.body}>
        {pending !== undefined && (
          <button type="button" className={css.entry} onClick={onPending}>
            <span className={css.question}>{visible(pending)}</span>
            <span className={css.standing}>
              <IconLoader2 className="xs spin" aria-hidden />
              {t("ask.standing.pending")}
            </span>
          </button>
        )}
        <Loaded query={list}>
          {(found) =>
            found.entries.length === 0 ? (
              <EmptyState
                title={search === "" ? t("ask.history.empty") : t("ask.history.none", { query: search })}
                detail={search === "" ? t("ask.history.empty_detail") : undefined}
                action={
                  search !== "" && (
                    <Button size="small" onClick={() => onSearch("")}>
                      {t("ask.history.clear_search")}
                    </Button>
                  )
                }
              />
            ) : (
              <Entries {...props} found={found} onDelete={setAsking} />
            )
          }
        </Loaded>
      </ScrollRegion>
      {asking !== undefined && (
        <Confirm
          title={
            asking === "all" ? t("ask.history.clear_ask", { count: total }) : t("ask.history.delete_ask")
          }
          detail={asking === "all" ? t("ask.history.clear_detail") : `“${visible(asking.question)}”`}
          confirm={asking === "all" ? t("ask.history.clear_yes") : t("ask.history.delete_yes")}
          keep={t("ask.history.keep")}
          danger
          pending={remove.isPending || clear.isPending}
          onClose={close}
          onConfirm={() => {
            if (asking === "all") clear.mutate({}, { onSuccess: () => onDeleted("all"), onSettled: close });
            else
              remove.mutate({ id: asking.id }, { onSuccess: () => onDeleted(asking.id), onSettled: close });
          }}
        />
      )}
      <span className="sr-only" aria-live="polite">
        {selected === undefined ? "" : t("ask.history.count", { count: total })}
      </span>
    </>
  );
}

type EntriesProps = HistoryProps & { found: AnswerList; onDelete: (entry: LoggedQuestion) => void };

function Entries({ found, selected, limit, onMore, onOpen, onDelete }: EntriesProps) {
  const root = useRef<HTMLDivElement>(null);
  const { entries } = found;
  const stop = Math.max(
    0,
    entries.findIndex((each) => each.id === selected),
  );
  const keys = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const at = Number(target.dataset.entry ?? -1);
    const entry = entries[at];
    if (!entry || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Delete") {
      event.preventDefault();
      onDelete(entry);
      return;
    }
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    root.current
      ?.querySelector<HTMLElement>(`[data-entry="${Math.max(0, Math.min(entries.length - 1, to))}"]`)
      ?.focus();
  };
  return (
    <div ref={root} onKeyDown={keys} role="group" aria-label={t("ask.history.title")}>
      {entries.map((entry, at) => {
        const before = entries[at - 1];
        const day = dayOf(entry.at);
        const standing = endOf(entry);
        return (
          <div key={entry.id}>
            {(!before || dayOf(before.at) !== day) && (
              <div className={css.day}>{t(`ask.history.${day}`)}</div>
            )}
            <button
              type="button"
              data-entry={at}
              tabIndex={at === stop ? 0 : -1}
              aria-current={entry.id === selected || undefined}
              className={classes(css.entry, entry.id === selected && css.on)}
              onClick={() => onOpen(entry.id)}
            >
              <span className={css.question}>{visible(entry.question) || t("ask.history.no_question")}</span>
              <span className={css.standing}>
                {standing.icon}
                {standing.words}
                <span className="number">· {moment(entry.at)}</span>
                {entry.rating && <span>· {t(`ask.rating.${entry.rating.verdict}`)}</span>}
                {entry.source_changed && <span className="c-warn">· {t("ask.history.source_changed")}</span>}
              </span>
            </button>
          </div>
        );
      })}
      {found.total > limit && (
        <div className={css.more}>
          <Button size="small" onClick={onMore}>
            {t("ask.history.more")}
          </Button>
        </div>
      )}
    </div>
  );
}
