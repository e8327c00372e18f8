// What a claim of the report's own index is called, and where it leads.

import type { IndexClaim } from "@/api/types";
import { pagesOf } from "@/parts/cited";
import { t } from "@/text";
import { visible } from "@/text/visible";

/** The pages that a claim names, or its section. */
export function pagesNamed({ pages, section, state }: IndexClaim): string {
  if (isInIndex(state)) return t("assess.claims.index");
  const named = pages.map(({ first, last, labels }) =>
    pagesOf({ pages: [first, last], page_labels: labels }),
  );
  return named.filter(Boolean).join(", ") || visible(section ?? "") || t("assess.claims.document");
}

/** What asks Chunk Lab to show the place that a claim names; nothing where the library does not have it. */
export function opened(claim: IndexClaim): Record<string, string> | undefined {
  const { document_id, path, row, state } = claim;
  if (document_id === null || path === null) return undefined;
  const at = isInIndex(state) ? row.span : claim.span;
  const page = isInIndex(state) ? row.page : (claim.pages[0]?.first ?? null);
  return {
    document: String(document_id),
    view: "read",
    ...(at && { at: `${at[0]}-${at[0] + 1}` }),
    ...(page !== null && /\.pdf$/i.test(path) && { show: "page", page: String(page) }),
  };
}

/** Whether what is claimed stands in the index itself. */
const isInIndex = (state: IndexClaim["state"]): boolean => state === "answer" || state === "left_out";

/** What became of a claim when it was checked. */
export function stateWords(claim: IndexClaim): string {
  const { state, evidence, document_title: title, missing_pages: missing, pages_counted: counted } = claim;
  const words =
    state === "found" && evidence.length === 0
      ? t("assess.claims.state.found_figures")
      : state === "other_document" && title !== null
        ? t("assess.claims.state.other_known", { title: visible(title) })
        : t(`assess.claims.state.${state}`);
  return [
    words,
    missing.length > 0 &&
      state !== "no_page" &&
      t("assess.claims.missing", { pages: missing.map(visible).join(", ") }),
    counted && t("assess.claims.counted"),
  ]
    .filter(Boolean)
    .join(" ");
}
