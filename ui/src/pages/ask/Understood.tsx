import { IconPlus, IconX } from "@tabler/icons-react";
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
  /** Asks again with these left out of the question. */
  onIgnore: (ignore: Constraint[]) => void;
};

/** What the question was understood to set: each can be taken out of it, and put back. */
export function Understood({ shown, onIgnore }: UnderstoodProps) {
  const { understood, request, standing } = shown;
  const ignored = request.ignore;
  if (understood.length + ignored.length === 0) return null;
  const live = standing === "pending";
  return (
    <fieldset className={css.chips} data-testid="ask-understood">
      <legend className="sr-only">{t("ask.understood.title")}</legend>
      {understood.map((each) => {
        const words = inWords(each);
        return (
          <span
            key={`${each.kind} ${each.value}`}
            className={classes("chip", css.chip, each.kind === "unknown_issuer" && css.unknown)}
            data-constraint={each.kind}
          >
            <bdi className="ell">{words}</bdi>
            <button
              type="button"
              disabled={live}
              aria-label={t("ask.understood.remove", { what: words })}
              {...tip(t("ask.understood.remove", { what: words }))}
              onClick={() => onIgnore([...ignored, each])}
            >
              <IconX className="xs" aria-hidden />
            </button>
          </span>
        );
      })}
      {ignored.map((each) => {
        const words = inWords(each);
        return (
          <button
            key={`without ${each.kind} ${each.value}`}
            type="button"
            className={classes("chip dash", css.chip)}
            disabled={live}
            data-ignored={each.kind}
            {...tip(t("ask.understood.restore", { what: words }))}
            onClick={() => onIgnore(ignored.filter((other) => !same(other, each)))}
          >
            <IconPlus className="xs" aria-hidden />
            <s className="ell">{words}</s>
          </button>
        );
      })}
    </fieldset>
  );
}
