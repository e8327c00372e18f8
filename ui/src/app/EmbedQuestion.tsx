// The question before a provider embeds what is missing for money.

import { useQueryClient } from "@tanstack/react-query";
import { Confirm } from "@/kit/Confirm";
import { answerEmbed, useEmbedQuestion } from "@/state/embed-rest";
import { t } from "@/text";
import { cost } from "@/text/format";

/** The question, while it is asked. */
export function EmbedQuestion() {
  const queries = useQueryClient();
  const estimate = useEmbedQuestion();
  if (!estimate) return null;
  const price = cost(estimate.cost ?? 0);
  return (
    <Confirm
      title={t("embed_rest.title", { price })}
      detail={t("embed_rest.detail", { count: estimate.texts, tokens: estimate.tokens, price })}
      confirm={t("embed_rest.confirm")}
      keep={t("embed_rest.keep")}
      onClose={() => void answerEmbed(false, queries)}
      onConfirm={() => void answerEmbed(true, queries)}
    />
  );
}
