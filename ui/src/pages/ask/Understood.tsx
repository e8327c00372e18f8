import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { inField } from "@/kit/shortcuts";
import { t } from "@/text";
import { Adding, Chip, LeftOut, More, type Stop } from "./Chip";
import { type Chips, same, without, withWords } from "./chips";
import { useRows } from "./rows";
import type { Shown } from "./shown";
import css from "./understood.module.css";

type UnderstoodProps = {
  shown: Shown;
  /** The question above, which has the focus until what was changed in it is understood anew. */
  question: RefObject<HTMLElement | null>;
  /** Asks again with these left out of the question and added to it. */
  onChange: (chips: Chips) => void;
};

/** What the question was understood to set: each can be changed, taken out of it and put back, and more can be added. */
export function Understood({ shown, question, onChange }: UnderstoodProps) {
  const { understood, inherited, request, standing } = shown;
  const chips: Chips = { ignore: request.ignore, also: request.also ?? [] };
  const count = understood.length + chips.ignore.length;
  const live = standing === "pending";
  const list = useRef<HTMLUListElement>(null);
  const [opened, setOpened] = useState<{ at: number; of: Shown["request"] }>();
  const field = !live && opened?.of === request ? opened.at : undefined;
  const { seen, laidOut, unfold } = useRows(list, understood, request.ignore, field !== undefined);
  // The buttons behind the chips are stops like these.
  const last = seen < count ? seen + 1 : seen;
  const { stop, setStop, stopAt, focus, focusNext, moves } = useStops(list, last, live);
  const left = useRef<Shown["request"]>(undefined);
  useLayoutEffect(() => {
    if (left.current === undefined || left.current === request || (live && understood.length === 0)) return;
    if (!laidOut) return;
    left.current = undefined;
    // Whoever has gone on meanwhile is not fetched back.
    if (document.activeElement === question.current) focus(stop);
  });
  if (count === 0) return null;
  const change = (to: Chips) => {
    if (live) return;
    left.current = request;
    setOpened(undefined);
    question.current?.focus();
    onChange(to);
  };
  const say = (to: Chips, words: string) =>
    change(withWords(to, words, shown.searchedFor ?? request.question));
  const open = (at: number) => {
    if (live) return;
    setStop(at);
    setOpened({ at, of: request });
  };
  const close = () => {
    if (field !== undefined) focusNext(field);
    setOpened(undefined);
  };
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (inField(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
    const each = stop < seen ? understood[stop] : undefined;
    // Many keyboards have it behind Shift.
    if (event.key === "+") open(last);
    else if (event.shiftKey) return;
    else if (each && (event.key === "Delete" || event.key === "Backspace")) change(without(chips, each));
    else if (!moves(event)) return;
    event.preventDefault();
  };
  const chipAt = (at: number) => (at < seen ? stopAt(at) : undefined);
  return (
    <ul
      ref={list}
      className={css.chips}
      aria-label={t("ask.understood.title")}
      data-testid="ask-understood"
      onKeyDown={keys}
    >
      {understood.map((each, at) => (
        <Chip
          key={`${each.kind} ${each.value}`}
          each={each}
          stop={chipAt(at)}
          inherited={inherited.some((other) => same(other, each))}
          open={field === at}
          onOpen={() => open(at)}
          onClose={close}
          onWords={(words) => say(without(chips, each), words)}
          onRemove={() => change(without(chips, each))}
        />
      ))}
      {request.ignore.map((each, index) => (
        <LeftOut
          key={`without ${each.kind} ${each.value}`}
          each={each}
          stop={chipAt(understood.length + index)}
          onRestore={() => change({ ...chips, ignore: chips.ignore.filter((other) => !same(other, each)) })}
        />
      ))}
      {seen < count && (
        <More
          count={count - seen}
          stop={stopAt(seen)}
          onPress={() => {
            focusNext(seen);
            unfold();
          }}
        />
      )}
      <Adding
        stop={stopAt(last)}
        open={field === last}
        onOpen={() => open(last)}
        onClose={close}
        onWords={(words) => say(chips, words)}
      />
    </ul>
  );
}

/** One stop for Tab among the buttons of `list`, up to the one at `last`, with arrow keys and ends within it. */
function useStops(list: RefObject<HTMLElement | null>, last: number, live: boolean) {
  const [moved, setStop] = useState(0);
  const stop = Math.min(moved, last);
  const focus = (at: number) => list.current?.querySelector<HTMLElement>(`[data-chip="${at}"]`)?.focus();
  const next = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (next.current !== undefined) focus(next.current);
    next.current = undefined;
  });
  /** Moves the focus to what is drawn next. */
  const focusNext = (at: number) => {
    next.current = at;
  };
  const stopAt = (at: number): Stop => ({
    "data-chip": at,
    tabIndex: at === stop ? 0 : -1,
    "aria-disabled": live || undefined,
    onFocus: () => setStop(at),
  });
  /** Whether a key moves the focus; it then does. */
  const moves = ({ key, currentTarget }: KeyboardEvent<HTMLElement>): boolean => {
    const forwards = getComputedStyle(currentTarget).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: stop + forwards, ArrowLeft: stop - forwards, Home: 0, End: last }[key];
    if (to !== undefined) focus(Math.max(0, Math.min(last, to)));
    return to !== undefined;
  };
  return { stop, setStop, stopAt, focus, focusNext, moves };
}
