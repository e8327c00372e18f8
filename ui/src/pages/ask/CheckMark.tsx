import {
  IconAlertTriangle,
  IconCircleX,
  IconHelpCircle,
  IconQuote,
  IconQuoteFilled,
} from "@tabler/icons-react";
import type { AnswerSentence, Check } from "@/api/types";
import { classes } from "@/kit/class-names";
import { Popover } from "@/kit/Popover";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { percent } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./check-mark.module.css";

const LOOK: Record<Check, { Icon: typeof IconQuote; tone: string }> = {
  verified: { Icon: IconQuoteFilled, tone: "mut" },
  supported: { Icon: IconQuote, tone: "mut" },
  altered: { Icon: IconAlertTriangle, tone: "c-warn" },
  not_found: { Icon: IconCircleX, tone: "c-bad" },
  unsupported: { Icon: IconHelpCircle, tone: "c-warn" },
};

/** Whether what the check found is no reason to doubt a sentence. */
export const holds = (check: Check): boolean => check === "verified" || check === "supported";

/** The sign of what a check found, each of its own shape. */
export function CheckIcon({ check }: { check: Check }) {
  const { Icon, tone } = LOOK[check];
  return <Icon className={`xs ${tone}`} aria-hidden />;
}

/** What the check of a sentence found. A sentence that is not borne out says so in words. */
export function CheckMark({ sentence }: { sentence: AnswerSentence }) {
  const { check } = sentence;
  const label = t(`ask.check.${check}`);
  return (
    <Popover
      label={t("ask.check.title")}
      width={340}
      button={(open, toggle) => (
        <button
          type="button"
          className={classes(css.mark, !holds(check) && css.flag)}
          data-check={check}
          aria-label={t("ask.check.label", { check: label })}
          aria-expanded={open}
          aria-haspopup="dialog"
          {...tip(holds(check) ? label : undefined)}
          onClick={toggle}
        >
          <CheckIcon check={check} />
          {!holds(check) && <span className={LOOK[check].tone}>{label}</span>}
        </button>
      )}
    >
      {() => <Findings sentence={sentence} />}
    </Popover>
  );
}

function Findings({ sentence }: { sentence: AnswerSentence }) {
  const { check, differences, support, second_reading } = sentence;
  return (
    <div className={css.findings} tabIndex={-1} data-autofocus>
      <b className="row gap-6">
        <CheckIcon check={check} />
        {t(`ask.check.${check}`)}
      </b>
      <p className="sec">{t(`ask.check.means.${check}`)}</p>
      {differences.length > 0 && (
        <dl className={css.differences}>
          {differences.map((each) => (
            <div key={`${each.kind} ${each.said}`}>
              <dt>{t(`ask.check.kind.${each.kind}`)}</dt>
              <dd>
                <span>
                  {t("ask.check.said")} <b>{visible(each.said)}</b>
                </span>
                <span>
                  {each.found === null ? (
                    t("ask.check.nothing")
                  ) : (
                    <>
                      {t("ask.check.found")} <b>{visible(each.found)}</b>
                    </>
                  )}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {check !== "verified" && (
        <p className="mut xs">
          {t("ask.check.support", { share: percent(Math.max(0, Math.min(1, support))) })}
        </p>
      )}
      {second_reading !== null && (
        <p className="mut xs">{t(second_reading ? "ask.check.second_yes" : "ask.check.second_no")}</p>
      )}
    </div>
  );
}
