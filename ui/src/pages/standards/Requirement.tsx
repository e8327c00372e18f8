import type { StandardPage } from "@/api/types";
import { Meter } from "@/kit/Meter";
import { keysOf } from "@/kit/shortcuts";
import { t } from "@/text";
import { whole } from "@/text/format";
import { type ChecklistProps, Gone, Item } from "./Checklist";
import { coverageOf, coverageParts, coverageText } from "./coverage";
import { LISTS } from "./items";
import { Part } from "./Links";
import type { ProseProps } from "./Prose";
import css from "./requirement.module.css";

type RequirementProps = ProseProps & ChecklistProps & { page: StandardPage };

/** What a metric asks for as a checklist: what is measured, and the items of its lists, each with its status and note. */
export function Requirement({ page, ...props }: RequirementProps) {
  const metric = page.kind === "metric" ? page.metrics[0] : undefined;
  if (!metric) return null;
  const { findings, report, statuses } = props;
  const gone = findings && report ? findings.gone(report.id, metric) : [];
  const coverage = coverageOf(metric, statuses);
  const text = coverageText(coverage);
  const parts = [
    { name: "measured" as const, items: [metric.measured] },
    ...LISTS.map((name) => ({ name, items: metric[name] })),
  ];
  return (
    <>
      {parts
        .filter(({ items }) => items.length > 0)
        .map(({ name, items }) => (
          <Part
            key={name}
            title={t(`standards.requirement.${name}`)}
            detail={
              name !== "measured"
                ? whole(items.length)
                : findings && (
                    <span className={`row gap-6 ${css.coverage}`}>
                      <Meter
                        label={t("standards.requirement.coverage")}
                        text={text}
                        value={coverageParts(coverage)}
                        width={64}
                      />
                      <span className="number">{text}</span>
                    </span>
                  )
            }
          >
            <ol className={css.checklist} data-part={name}>
              {items.map((item) => (
                <Item key={`${report?.id} ${item.id}`} {...props} line={item} />
              ))}
            </ol>
          </Part>
        ))}
      {gone.length > 0 && <Gone reviews={gone} />}
      {findings && (
        <p className={`xs mut ${css.keys}`}>
          {t("standards.requirement.keys", { note: keysOf("standards.note").toUpperCase() })}
        </p>
      )}
    </>
  );
}
