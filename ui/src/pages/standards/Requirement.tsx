import { IconBulb } from "@tabler/icons-react";
import type { MetricItem, StandardMetric, StandardPage } from "@/api/types";
import { t } from "@/text";
import { whole } from "@/text/format";
import { Checklist, type ChecklistProps } from "./Checklist";
import { Part } from "./Links";
import { Prose, type ProseProps } from "./Prose";
import css from "./requirement.module.css";

type RequirementProps = ProseProps & Omit<ChecklistProps, "metric"> & { page: StandardPage };

/** What a metric asks for beside what is measured: its lists, the checklist among them, and advice apart from them. */
export function Requirement({ page, ...props }: RequirementProps) {
  const metric = page.kind === "metric" ? page.metrics[0] : undefined;
  if (!metric) return null;
  return (
    <>
      <List name="counts" metric={metric} {...props} />
      <List name="does_not_count" metric={metric} {...props} />
      <List name="definitions" metric={metric} {...props} />
      <Checklist metric={metric} {...props} />
      <List name="may_be_added" metric={metric} {...props} />
      {metric.in_review !== null && (
        <aside className={css.advice} aria-label={t("standards.requirement.in_review")}>
          <IconBulb className="small" aria-hidden />
          <div className="grow">
            <div className="row gap-6">
              <b>{t("standards.requirement.in_review")}</b>
              <span className="xs mut">{t("standards.requirement.advice")}</span>
            </div>
            <p>
              <Prose {...props} text={metric.in_review} />
            </p>
          </div>
        </aside>
      )}
    </>
  );
}

type ListName = "counts" | "does_not_count" | "definitions" | "may_be_added";

function List({ name, metric, ...props }: ProseProps & { name: ListName; metric: StandardMetric }) {
  const items: readonly MetricItem[] = metric[name];
  if (items.length === 0) return null;
  return (
    <Part title={t(`standards.requirement.${name}`)} detail={whole(items.length)}>
      <ul className={css.list} lang="en">
        {items.map(({ id, term, text }) => (
          <li key={id}>
            {term !== null && <b>{term}</b>}
            <Prose
              {...props}
              text={term !== null && text.startsWith(term) ? text.slice(term.length) : text}
            />
          </li>
        ))}
      </ul>
    </Part>
  );
}
