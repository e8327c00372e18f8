import type { StandardMetric } from "@/api/types";
import { Formulas } from "@/parts/Formulas";
import { Stated } from "@/parts/Stated";
import { t } from "@/text";
import { whole } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./asks.module.css";

/** The lists of a metric, in reading order. */
const LISTS = ["counts", "does_not_count", "definitions", "also_to_be_discussed", "may_be_added"] as const;

/** All parts of a metric, each item with the requirements that it states. */
export function Asks({ metric }: { metric: StandardMetric }) {
  const lists = LISTS.map((name) => ({ name, items: metric[name] })).filter(({ items }) => items.length > 0);
  return (
    <>
      <Stated number={metric.measured.number} states={metric.measured.states} />
      {lists.map(({ name, items }) => (
        <details key={name} className={css.list}>
          <summary>
            {t(`standards.requirement.${name}`)} <span className="mut number">{whole(items.length)}</span>
          </summary>
          <ul lang="en">
            {items.map(({ id, number, text, states }) => (
              <li key={id}>
                <Formulas text={text} words={visible} />
                <Stated number={number} states={states} />
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}
