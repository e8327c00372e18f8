import { IconChevronRight } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import { classes } from "@/kit/class-names";
import { tip } from "@/kit/Tooltip";
import { href } from "@/state/router";
import { t } from "@/text";
import css from "./found-by.module.css";

type FoundByProps = {
  phrases: readonly string[];
  /** Beside the button: what can be done with the phrases. */
  end?: ReactNode;
};

/** Phrases that a passage is found by beside what it says, put away until they are asked for; each asks Search Lab. */
export function FoundBy({ phrases, end }: FoundByProps) {
  const [shown, setShown] = useState(false);
  const id = useId();
  if (phrases.length === 0 && end === undefined) return null;
  return (
    <div className={css.found}>
      <div className="row gap-6">
        {phrases.length > 0 && (
          <button
            type="button"
            className={css.head}
            aria-expanded={shown}
            aria-controls={shown ? id : undefined}
            onClick={() => setShown(!shown)}
          >
            <IconChevronRight className={classes("xs", css.turn)} aria-hidden />
            {t("hit.found_by.count", { count: phrases.length })}
          </button>
        )}
        {end}
      </div>
      {shown && (
        <ul id={id} aria-label={t("hit.found_by.list")}>
          {phrases.map((phrase) => (
            <li key={phrase}>
              <a href={href("search-lab", [], { q: phrase })} {...tip(t("hit.found_by.ask"))}>
                <bdi>{phrase}</bdi>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
