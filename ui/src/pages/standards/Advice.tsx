import { IconBulb } from "@tabler/icons-react";
import { t } from "@/text";
import css from "./advice.module.css";
import { Prose, type ProseProps } from "./Prose";

/** Advice to reviewers, marked as none of the standard's. */
export function Advice({ text, ...props }: ProseProps & { text: string }) {
  return (
    <aside className={css.advice} aria-label={t("standards.requirement.in_review")}>
      <IconBulb className="small" aria-hidden />
      <div className="grow">
        <div className="row gap-6">
          <b>{t("standards.requirement.in_review")}</b>
          <span className="xs mut">{t("standards.requirement.advice")}</span>
        </div>
        <p lang="en">
          <Prose {...props} text={text} />
        </p>
      </div>
    </aside>
  );
}
