import type { FactRow } from "@/api/types";
import { Id } from "@/kit/Id";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { factAbout, factValue } from "./fact";
import css from "./passage-card.module.css";

/** The values that a report tags in a passage and that the query names; nothing where there are none. */
export function TaggedFacts({ facts }: { facts: readonly FactRow[] | undefined }) {
  if (!facts || facts.length === 0) return null;
  return (
    <ul className={css.facts} aria-label={t("hit.facts")}>
      {facts.map((fact) => (
        <li key={`${fact.document_id} ${fact.ordinal}`}>
          <Id className="ell">{fact.concept}</Id>
          <span className="number">{visible(factValue(fact))}</span>
          <span className="xs mut">{visible(factAbout(fact))}</span>
        </li>
      ))}
    </ul>
  );
}
