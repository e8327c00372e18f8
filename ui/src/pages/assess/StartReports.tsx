import { IconFileText, IconPlus } from "@tabler/icons-react";
import { Button } from "@/kit/Button";
import { Name } from "@/kit/Name";
import { NotLoaded, SkeletonRows } from "@/kit/states";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import type { Plan } from "./plan";
import css from "./start.module.css";
import { Tick } from "./Tick";

/** How many reports are chosen. */
export const chosenWords = ({ reports: { all, chosen, complete } }: Plan): string =>
  complete && all.length === 0
    ? t("assess.start.none")
    : t("assess.start.chosen", {
        count: all.filter(({ id }) => chosen.includes(id)).length,
        total: all.length,
      });

/** The way to more reports. */
export const AddReports = () => (
  <Button
    size="small"
    icon={<IconPlus className="small" aria-hidden />}
    onClick={() => navigate(href("library", [], { add: "files" }))}
  >
    {t("assess.start.add")}
  </Button>
);

/** The reports of the library, to be chosen. */
export function StartReports({ plan: { reports, change } }: { plan: Plan }) {
  const { query, all, chosen } = reports;
  const turn = (id: string, on: boolean) =>
    change({ reports: on ? [...chosen, id] : chosen.filter((each) => each !== id) });
  return (
    <>
      <NotLoaded query={query} />
      {query.isPending ? (
        <SkeletonRows rows={3} height={37} />
      ) : (
        all.length > 0 && (
          <ul className={css.table} aria-label={t("assess.start.reports")}>
            {all.map(({ id, title, issuer, year, pages }) => (
              <li key={id} className={css.report}>
                <Tick
                  label={[title, issuer, year].filter((each) => each !== null).join(", ")}
                  checked={chosen.includes(id)}
                  onChange={(on) => turn(id, on)}
                >
                  <IconFileText className="small mut" aria-hidden />
                  <Name>{title}</Name>
                </Tick>
                <span className="ell">{issuer === null ? t("assess.start.issuer") : visible(issuer)}</span>
                <span className="number">{year ?? t("assess.start.year")}</span>
                <span className="number mut align-end">
                  {pages === null ? "" : t("assess.start.pages", { count: pages })}
                </span>
              </li>
            ))}
          </ul>
        )
      )}
    </>
  );
}
