import type { Overview } from "@/api/types";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { bytes, percent, short, whole } from "@/text/format";
import shared from "./shared.module.css";

/** The library in six numbers. */
export function Totals({ overview }: { overview: Overview }) {
  return (
    <section className={shared.totals} aria-label={t("library.totals.label")}>
      <div>
        <b>{whole(overview.corpora.length)}</b>
        <span className="lab">{t("library.totals.corpora")}</span>
      </div>
      <div>
        <b>{whole(overview.documents)}</b>
        <span className="lab">{t("library.totals.documents")}</span>
      </div>
      <div>
        <b data-testid="library-total-chunks">{whole(overview.chunks)}</b>
        <span className="lab">{t("library.totals.chunks")}</span>
      </div>
      <div>
        <b>{short(overview.tokens)}</b>
        <span className="lab">{t("library.totals.tokens")}</span>
      </div>
      <div>
        <b>{percent(overview.embedded_percent / 100, 1)}</b>
        <span className="lab" {...tip(t("library.totals.embedded"))}>
          {t("library.totals.embedded")}
        </span>
      </div>
      <div>
        <b>{bytes(overview.disk_bytes)}</b>
        <span className="lab">{t("library.totals.disk")}</span>
      </div>
    </section>
  );
}
