import type { RequirementKind, StandardRequirement } from "@/api/types";
import { Popover } from "@/kit/Popover";
import { t } from "@/text";
import { inert } from "@/text/visible";
import css from "./stated.module.css";

/** Which requirements of the standard an item states: their kinds as a quiet mark, their words on demand. */
export function Stated({ number, states }: { number: number; states: readonly StandardRequirement[] }) {
  const kinds = [...new Set(states.map((each) => each.kind))];
  if (kinds.length === 0) return null;
  const name = (kind: RequirementKind) => t(`standards.requirement.kind.${kind}`);
  const names = kinds.map(name).join(", ");
  return (
    <Popover
      label={t("standards.requirement.states", { number })}
      width={340}
      button={(open, toggle) => (
        <button
          type="button"
          className={css.mark}
          aria-label={`${t("standards.requirement.states", { number })}: ${names}`}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          {names}
        </button>
      )}
    >
      {() => (
        <div className={css.stated} tabIndex={-1} data-autofocus>
          <p className="mut xs">{t("standards.requirement.own_words")}</p>
          <dl>
            {states.map((each) => (
              <div key={`${each.kind} ${each.words}`}>
                <dt>{name(each.kind)}</dt>
                <dd lang="en">{inert(each.words)}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </Popover>
  );
}
