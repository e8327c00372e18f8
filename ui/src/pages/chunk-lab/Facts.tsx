import { useCommand } from "@/api/queries";
import { CopyButton } from "@/kit/CopyButton";
import { Id } from "@/kit/Id";
import { NotLoaded } from "@/kit/states";
import { factAbout, factValue } from "@/parts/fact";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./inspector.module.css";
import shared from "./shared.module.css";

/** Most facts that are listed. */
const MOST = 200;

/** The values that the report itself tags in a stored chunk; nothing where it tags none. */
export function Facts({ id }: { id: string }) {
  const facts = useCommand("fact.list", { chunk_id: id, limit: MOST });
  const rows = facts.data ?? [];
  if (rows.length === 0) return <NotLoaded query={facts} />;
  const title = t("chunk-lab.facts.title");
  return (
    <section>
      <div className={css.sub}>
        <h3 className="h2">{title}</h3>
        <span className="xs mut number nowrap ell">{t("chunk-lab.facts.count", { count: rows.length })}</span>
        <CopyButton
          words
          text={() => JSON.stringify(rows, null, 2)}
          label={t("chunk-lab.inspector.copy_json")}
        />
      </div>
      <ul className={`card ${shared.box} ${css.facts}`} aria-label={title}>
        {rows.map((fact) => (
          <li key={fact.ordinal}>
            <Id className="ell">{fact.concept}</Id>
            <span className="number">{visible(factValue(fact))}</span>
            <span className="xs mut">{visible(factAbout(fact))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
