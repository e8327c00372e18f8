// A question as a query of a gold set; where its answer was right, with the passages that it cites.

import { useQueryClient } from "@tanstack/react-query";
import { call, EngineError } from "@/api/client";
import { refresh, tagsOf } from "@/api/queries";
import { currentJudge } from "@/state/judge";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { citationsOf, type Shown } from "./shown";

/** Grade of a passage that a right answer cites: exact. */
const CITED = 3;

/** Keeps the question in the gold set `set`, and what a right answer cites as what answers it. Gives the id of the query. */
async function saveAsGold(set: string, shown: Shown, right: boolean): Promise<string> {
  const { id } = await call("gold.put_query", { set, query: shown.question });
  if (!right) return id;
  for (const chunk_id of new Set(citationsOf(shown).map((citation) => citation.chunk_id)))
    await call("gold.judge", {
      set,
      query: id,
      target: { kind: "chunk", chunk_id },
      grade: CITED,
      judge: currentJudge(),
    });
  return id;
}

/** Keeps a question in the gold set `set` and says so; with its sources where the answer was `right`. */
export function useSaveAsGold() {
  const queries = useQueryClient();
  return (set: string, shown: Shown, right: boolean): void => {
    void saveAsGold(set, shown, right)
      .then((query) => {
        toast({
          kind: "ok",
          title: t("ask.gold.saved", { set }),
          action: {
            label: t("ask.gold.show"),
            onClick: () => navigate(href("evaluate", [], { set, query })),
          },
        });
      })
      .catch((thrown) => reportError(EngineError.from(thrown)))
      .finally(() => void refresh(queries, tagsOf("gold.judge")));
  };
}
