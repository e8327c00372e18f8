// What running cells of a matrix takes.

import type { CellPlace, Matrix } from "@/api/types";
import { t } from "@/text";
import { cost } from "@/text/format";

/**
 * Chunks to search, texts and tokens to embed for it, queries for a remote reranker, and dollars for the embedding. There
 * are no dollars if embedding is free. Only its provider knows what a reranker costs.
 */
export type MatrixBill = {
  chunks: number;
  texts: number;
  tokens: number;
  reranked: number;
  cost: number | undefined;
};

/** The bill of `cells`: each row counts once for each model that they ask. */
export function billOf(found: Matrix, cells: readonly CellPlace[]): MatrixBill {
  const wanted = found.cells.filter(({ place }) =>
    cells.some((each) => each.row === place.row && each.column === place.column),
  );
  const rows = [...new Set(wanted.map(({ place }) => place.row))];
  const reranked = wanted.reduce((sum, cell) => sum + cell.reranked, 0);
  const bill: MatrixBill = { chunks: 0, texts: 0, tokens: 0, reranked, cost: undefined };
  for (const at of rows) {
    const row = found.rows[at];
    if (!row) continue;
    const spaces = new Set(wanted.filter(({ place }) => place.row === at).map(({ space }) => space));
    bill.chunks += row.chunks;
    for (const model of row.models.filter((each) => spaces.has(each.space))) {
      bill.texts += model.new_texts;
      bill.tokens += model.new_tokens;
      if (model.cost_usd !== null) bill.cost = (bill.cost ?? 0) + model.cost_usd;
    }
  }
  return bill;
}

/** What providers may charge for `bill`. */
export function chargeOf({ cost: embedding, reranked }: MatrixBill): string {
  if (reranked === 0) return embedding === undefined ? t("evaluate.matrix.free") : cost(embedding);
  return embedding === undefined
    ? t("evaluate.matrix.rerank_cost")
    : t("evaluate.matrix.cost_and_rerank", { cost: cost(embedding) });
}
