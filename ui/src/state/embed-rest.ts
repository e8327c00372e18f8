// Embedding what has no vectors: at once where it is free, after a question where a provider takes money for it.

import type { QueryClient } from "@tanstack/react-query";
import { call, EngineError } from "@/api/client";
import { refresh, tagsOf } from "@/api/queries";
import type { EmbedEstimate } from "@/api/types";
import { createStore } from "@/kit/store";
import { reportError } from "./trouble";

const asked = createStore<EmbedEstimate | undefined>(undefined);

/** What is asked about before it costs money; nothing while there is no question. */
export const useEmbedQuestion = asked.use;

async function start(queries: QueryClient) {
  await call("embed.start", {});
  void refresh(queries, tagsOf("embed.start"));
}

/** Begins to embed what is missing. Where that costs money, the price is shown first. */
export async function embedRest(queries: QueryClient): Promise<void> {
  try {
    const estimate = await call("embed.estimate", {});
    if (estimate.texts > 0 && (estimate.cost ?? 0) > 0) asked.set(estimate);
    else await start(queries);
  } catch (thrown) {
    reportError(EngineError.from(thrown));
  }
}

/** Answers the question: embeds what is missing, or leaves it. */
export async function answerEmbed(yes: boolean, queries: QueryClient): Promise<void> {
  asked.set(undefined);
  if (!yes) return;
  try {
    await start(queries);
  } catch (thrown) {
    reportError(EngineError.from(thrown));
  }
}
