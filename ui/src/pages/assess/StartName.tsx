import { IconX } from "@tabler/icons-react";
import { useId, useState } from "react";
import { TextField } from "@/kit/fields";
import { t } from "@/text";
import { visible } from "@/text/visible";
import type { Plan } from "./plan";
import { useReviewer } from "./reviewer";
import css from "./start.module.css";

/** The name of the assessment, and who decides. */
export function NameAndReviewers({ plan: { name, taken, changes, change } }: { plan: Plan }) {
  const id = useId();
  const error = useId();
  const [typed, setTyped] = useState("");
  const { reviewers } = changes;
  const me = useReviewer();
  const add = () => {
    const next = typed.trim();
    if (next !== "" && !reviewers.includes(next)) change({ reviewers: [...reviewers, next] });
    setTyped("");
  };
  return (
    <div className={css.names}>
      <div className={css.labelled}>
        <span className="lab">{t("assess.start.name")}</span>
        <TextField
          label={t("assess.start.name")}
          value={name}
          style={{ width: 300 }}
          error={taken}
          aria-describedby={taken ? error : undefined}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {taken && (
          <span id={error} className={`c-bad ${css.taken}`}>
            {t("assess.start.name_other")}
          </span>
        )}
      </div>
      <div className={css.labelled} role="group" aria-labelledby={id}>
        <span className="lab" id={id}>
          {t("assess.start.reviewers")}
        </span>
        <span className="row gap-6 wrap">
          {reviewers.map((reviewer) => (
            <span key={reviewer} className="chip">
              <b>{visible(reviewer)}</b>
              {reviewer === (me || reviewers[0]) && <span className="mut">{t("assess.start.you")}</span>}
              <button
                type="button"
                aria-label={t("assess.start.remove_reviewer", { name: reviewer })}
                onClick={() => change({ reviewers: reviewers.filter((each) => each !== reviewer) })}
              >
                <IconX className="xs" aria-hidden />
              </button>
            </span>
          ))}
          <TextField
            soft
            size="small"
            label={t(reviewers.length === 0 ? "assess.start.your_name" : "assess.start.second")}
            placeholder={t(reviewers.length === 0 ? "assess.start.your_name" : "assess.start.second")}
            style={{ width: 150 }}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onBlur={add}
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
              event.preventDefault();
              add();
            }}
          />
        </span>
      </div>
    </div>
  );
}
