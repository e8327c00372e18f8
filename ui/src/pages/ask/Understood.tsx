import { IconPlus, IconX } from "@tabler/icons-react";
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Constraint } from "@/api/types";
import { classes } from "@/kit/class-names";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { visible } from "@/text/visible";
import type { Shown } from "./shown";
import css from "./understood.module.css";

const same = (one: Constraint, other: Constraint): boolean =>
  one.kind === other.kind && one.value === other.value;

/** Values that have words of their own. */
const WORDED = ["basis", "status", "measure", "operation", "relative_period"] as const;
const isWorded = (kind: Constraint["kind"]): kind is (typeof WORDED)[number] =>
  (WORDED as readonly string[]).includes(kind);

/** What a question sets, in words. */
export function inWords({ kind, value }: Constraint): string {
  if (isWorded(kind)) return t(`ask.understood.${kind}.${value}` as "ask.understood.basis.market");
  if (kind === "period" && /^\d+$/.test(value)) return t("ask.understood.year", { value });
  return t(`ask.understood.${kind}`, { value: visible(value) });
}

type UnderstoodProps = {
  shown: Shown;
  /** The question above, which has the focus until what was taken out of it or put back is understood anew. */
  question: RefObject<HTMLElement | null>;
  /** Asks again with these left out of the question. */
  onIgnore: (ignore: Constraint[]) => void;
};

/** What the question was understood to set: each can be taken out of it, and put back. */
export function Understood({ shown, question, onIgnore }: UnderstoodProps) {
  const { understood, request, standing } = shown;
  const ignored = request.ignore;
  const count = understood.length + ignored.length;
  const live = standing === "pending";
  const list = useRef<HTMLUListElement>(null);
  const [moved, setMoved] = useState(0);
  const stop = Math.min(moved, count - 1);
  const left = useRef<Shown["request"]>(undefined);
  const focus = (at: number) => list.current?.querySelector<HTMLElement>(`[data-chip="${at}"]`)?.focus();
  useLayoutEffect(() => {
    if (left.current === undefined || left.current === request || (live && understood.length === 0)) return;
    left.current = undefined;
    // Whoever has gone on meanwhile is not fetched back.
    if (document.activeElement === question.current) focus(stop);
  });
  if (count === 0) return null;
  const change = (ignore: Constraint[]) => {
    if (live) return;
    left.current = request;
    question.current?.focus();
    onIgnore(ignore);
  };
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const each = understood[stop];
    const forwards = getComputedStyle(event.currentTarget).direction === "rtl" ? -1 : 1;
    const to = { ArrowRight: stop + forwards, ArrowLeft: stop - forwards, Home: 0, End: count - 1 }[
      event.key
    ];
    if (to !== undefined) focus(Math.max(0, Math.min(count - 1, to)));
    else if (each && (event.key === "Delete" || event.key === "Backspace")) change([...ignored, each]);
    else return;
    event.preventDefault();
  };
  const chip = (at: number) => ({
    type: "button" as const,
    "data-chip": at,
    tabIndex: at === stop ? 0 : -1,
    "aria-disabled": live || undefined,
    onFocus: () => setMoved(at),
  });
  return (
    <ul
      ref={list}
      className={css.chips}
      aria-label={t("ask.understood.title")}
      data-testid="ask-understood"
      onKeyDown={keys}
    >
      {understood.map((each, at) => {
        const words = inWords(each);
        return (
          <li
            key={`${each.kind} ${each.value}`}
            className={classes("chip", css.chip, each.kind === "unknown_issuer" ? css.unknown : "on")}
            data-constraint={each.kind}
          >
            {/* Its button says it too. */}
            <bdi className="ell" aria-hidden>
              {words}
            </bdi>
            <button
              {...chip(at)}
              aria-label={t("ask.understood.remove", { what: words })}
              {...tip(t("ask.understood.without", { what: words }))}
              onClick={() => change([...ignored, each])}
            >
              <IconX className="xs" aria-hidden />
            </button>
          </li>
        );
      })}
      {ignored.map((each, index) => {
        const words = inWords(each);
        return (
          <li key={`without ${each.kind} ${each.value}`} className={css.chip}>
            <button
              {...chip(understood.length + index)}
              className={classes("chip dash", css.out)}
              data-ignored={each.kind}
              aria-label={t("ask.understood.restore", { what: words })}
              {...tip(t("ask.understood.with", { what: words }))}
              onClick={() => change(ignored.filter((other) => !same(other, each)))}
            >
              <IconPlus className="xs" aria-hidden />
              <s className="ell">{words}</s>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
