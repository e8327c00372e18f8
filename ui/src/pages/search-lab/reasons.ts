// What kept a chunk out of an answer, in words.

import type { DropCause, Dropped, WhyNot } from "@/api/types";
import { t } from "@/text";
import { decimal, sentence, upTo, whole } from "@/text/format";

/** Why a candidate was left out. */
export function reasonOf({ cause, reason }: Pick<Dropped, "cause" | "reason">): string {
  const words = causeOf(cause);
  return words ?? sentence(reason);
}

// A search that was kept before causes were told has only the engine's sentence.
function causeOf(cause: DropCause | undefined): string | undefined {
  switch (cause?.kind) {
    case "near_duplicate":
      return t("search.left_out.causes.near_duplicate", {
        name: cause.label || cause.of,
        similarity: decimal(cause.similarity, 3),
      });
    case "below_minimum":
      return t("search.left_out.causes.below_minimum", {
        relevance: decimal(cause.relevance, 3),
        minimum: upTo(cause.minimum, 3),
      });
    case "beyond_limit":
      return t("search.left_out.causes.beyond_limit", { rank: cause.rank, limit: cause.limit });
    case "same_words":
      return t("search.left_out.causes.same_words", { name: cause.label });
    case "over_budget":
      return t("search.left_out.causes.over_budget", { tokens: cause.tokens, budget: cause.budget });
    default:
      return undefined;
  }
}

const rankOf = (rank: number | null): string =>
  rank === null ? t("hit.no_rank") : t("hit.rank", { rank: whole(rank) });

/** The fate of a pinned chunk. */
export function fateOf({ fate, verdict }: Pick<WhyNot, "fate" | "verdict">): string {
  // A search that was kept before fates were told has only the engine's sentence.
  switch (fate?.kind) {
    case "no_such_chunk":
      return t("search.why.fates.no_such_chunk");
    case "outside_filters":
      return t("search.why.fates.outside_filters");
    case "in_answer":
      return t("search.why.fates.in_answer", { rank: fate.rank });
    case "left_out":
      return causeOf(fate.cause) ?? sentence(verdict);
    case "not_found":
      return t("search.why.fates.not_found");
    case "ranked_too_low":
      return t("search.why.fates.ranked_too_low", {
        semantic: rankOf(fate.semantic),
        keyword: rankOf(fate.keyword),
      });
    default:
      return sentence(verdict);
  }
}
