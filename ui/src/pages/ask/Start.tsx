import { IconArrowRight } from "@tabler/icons-react";
import { useCommand } from "@/api/queries";
import { Button } from "@/kit/Button";
import { EmptyState } from "@/kit/states";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import css from "./start.module.css";

const EXAMPLES = ["plan", "scope", "governance", "term", "both"] as const;

/** Before anything is asked: what can be, by examples that the shipped standards answer. */
export function Start({ onAsk }: { onAsk: (question: string) => void }) {
  const overview = useCommand("library.overview", {});
  if (overview.data?.chunks === 0)
    return (
      <EmptyState
        title={t("ask.empty.library")}
        detail={t("ask.empty.library_detail")}
        action={<Button onClick={() => navigate(href("library"))}>{t("errors.cure.library")}</Button>}
      />
    );
  return (
    <section className={css.start} aria-label={t("ask.empty.title")}>
      <h2>{t("ask.empty.title")}</h2>
      <p className="sec">{t("ask.empty.detail")}</p>
      <h3 className="sm mut">{t("ask.empty.examples")}</h3>
      <ul>
        {EXAMPLES.map((name) => {
          const question = t(`ask.empty.example.${name}`);
          return (
            <li key={name}>
              <button type="button" className={css.example} onClick={() => onAsk(question)}>
                <IconArrowRight className="small" aria-hidden />
                {question}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
