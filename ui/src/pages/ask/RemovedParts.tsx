import type { Removed } from "@/api/types";
import { t } from "@/text";
import { visible } from "@/text/visible";

/** What the model wrote and is no part of the answer: nothing of it goes without a word. */
export function RemovedParts({ removed }: { removed: readonly Removed[] }) {
  return (
    <section aria-label={t("ask.removed.title")} data-testid="ask-removed">
      <b className="sm">{t("ask.removed.title")}</b>
      <ul className="sm sec">
        {removed.map(({ kind, text, sentence }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what was removed keeps its place.
          <li key={index} data-kind={kind}>
            <bdi>{visible(text)}</bdi>
            {": "}
            {t(`ask.removed.${kind}`)}
            {sentence !== null && ` (${t("ask.removed.sentence_number", { number: sentence + 1 })})`}
          </li>
        ))}
      </ul>
    </section>
  );
}
