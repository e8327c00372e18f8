import { useCommand } from "@/api/queries";
import type { GoldChanges, GoldSet, GoldVersion } from "@/api/types";
import { Dialog } from "@/kit/Dialog";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Loaded, SkeletonRows } from "@/kit/states";
import { t } from "@/text";
import { moment } from "@/text/format";
import { visible } from "@/text/visible";
import { Export } from "./ExportSet";
import css from "./history.module.css";

const COUNTS = [
  "queries_added",
  "queries_changed",
  "queries_removed",
  "labels_added",
  "labels_changed",
  "labels_removed",
] as const satisfies readonly (keyof GoldChanges)[];

/** What a version changed, in words. */
function changesOf({ changes }: GoldVersion): string {
  if (!changes) return t("evaluate.history.first");
  const told = COUNTS.filter((count) => changes[count] > 0).map((count) =>
    t(`evaluate.history.${count}`, { count: changes[count] }),
  );
  return told.length > 0 ? told.join(" · ") : t("evaluate.history.nothing");
}

/** The queries that a version is about, as far as it names them. */
function about({ changes }: GoldVersion): string {
  if (!changes || changes.touched === 0) return "";
  const more = changes.touched - changes.named.length;
  return [
    ...changes.named.map(visible),
    ...(more > 0 ? [t("evaluate.history.more", { count: more })] : []),
  ].join(", ");
}

/** The versions of a gold set: what each changed, and each to be given out as it was. */
export function History({ set, onClose }: { set: GoldSet; onClose: () => void }) {
  const history = useCommand("gold.history", { set: set.name });
  const title = t("evaluate.history.title", { name: set.name });
  return (
    <Dialog open closes onClose={onClose} label={title} width={560}>
      <div className="ask">
        <h2>{title}</h2>
        <p className="sm sec">{t("evaluate.history.detail")}</p>
        <Loaded query={history} skeleton={<SkeletonRows bare rows={4} height={48} />}>
          {(versions) => (
            <ScrollRegion ways="down" className={css.scroller} label={title}>
              <ul className={css.versions}>
                {versions.map((version) => (
                  <li key={version.version} className={css.version}>
                    <div className="col grow">
                      <span className="row between">
                        <b>{t("evaluate.history.version", { version: String(version.version) })}</b>
                        <span className="xs mut nowrap">{moment(version.at)}</span>
                      </span>
                      <span className="sm">{changesOf(version)}</span>
                      {about(version) && <span className="xs mut">{about(version)}</span>}
                      <span className="xs mut">
                        {t("evaluate.sets.size", { queries: version.queries, labels: version.labels })}
                      </span>
                    </div>
                    <Export
                      set={set}
                      version={version.version === set.version ? undefined : version.version}
                    />
                  </li>
                ))}
              </ul>
            </ScrollRegion>
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}
