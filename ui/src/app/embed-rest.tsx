// Embedding what has no vectors: at once where it is free, after a question where a provider takes money for it.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { call, EngineError } from "@/api/client";
import { refresh, tagsOf } from "@/api/queries";
import type { EmbedEstimate } from "@/api/types";
import { Confirm } from "@/kit/Confirm";
import { t } from "@/text";
import { cost } from "@/text/format";
import { reportError } from "./error-dialog";

let asked: EmbedEstimate | undefined;
const watchers = new Set<() => void>();

function set(next: EmbedEstimate | undefined) {
  asked = next;
  for (const watcher of watchers) watcher();
}

async function start(queries: QueryClient) {
  await call("embed.start", {});
  void refresh(queries, tagsOf("embed.start"));
}

/** Begins to embed what is missing. Where that costs money, the price is shown first. */
export async function embedRest(queries: QueryClient): Promise<void> {
  try {
    const estimate = await call("embed.estimate", {});
    if (estimate.texts > 0 && (estimate.cost ?? 0) > 0) set(estimate);
    else await start(queries);
  } catch (thrown) {
    reportError(EngineError.from(thrown));
  }
}

/** The question, while it is asked. */
export function EmbedQuestion() {
  const queries = useQueryClient();
  const estimate = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => asked,
  );
  if (!estimate) return null;
  const price = cost(estimate.cost ?? 0);
  return (
    <Confirm
      title={t("embed_rest.title", { price })}
      detail={t("embed_rest.detail", { count: estimate.texts, tokens: estimate.tokens, price })}
      confirm={t("embed_rest.confirm")}
      keep={t("embed_rest.keep")}
      onClose={() => set(undefined)}
      onConfirm={() => {
        set(undefined);
        void start(queries).catch((thrown) => reportError(EngineError.from(thrown)));
      }}
    />
  );
}
