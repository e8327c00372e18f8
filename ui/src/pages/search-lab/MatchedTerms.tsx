import type { Hit } from "@/api/types";
import { Meter } from "@/kit/Meter";
import { partOf } from "@/parts/score";
import { t } from "@/text";
import { matchedWords } from "./bm25";
import css from "./search-lab.module.css";
import type { Found } from "./use-lab";

type MatchedTermsProps = {
  found: Found;
  passage: Pick<Hit, "chunk_id" | "matched_terms" | "chunk_text">;
  hit: Hit | undefined;
};

/** Words that matched, with what each gave of the BM25 score. */
export function MatchedTerms({ found, passage, hit }: MatchedTermsProps) {
  const { trace } = found.response;
  const score =
    (hit && partOf(hit, "keyword")?.raw) ??
    trace.keyword.find((each) => each.chunk_id === passage.chunk_id)?.raw;
  const words = matchedWords(passage, trace.query, Math.max(trace.candidates_before, 1), score);
  const split = words.some((each) => each.share !== undefined);
  const value = (each: (typeof words)[number]) => (split ? each.share : each.rarity);
  const most = Math.max(...words.map((each) => value(each) ?? 0), Number.EPSILON);
  return (
    <section aria-label={t("search.inspector.matched")}>
      <div className={`row sp ${css.sub}`}>
        <h3 className="h2">{t("search.inspector.matched")}</h3>
        <span className="xs mut" title={split ? t("search.inspector.share_title") : undefined}>
          {t(split ? "search.inspector.share" : "search.inspector.rarity")}
        </span>
      </div>
      {words.map((each) => {
        const shown = value(each)?.toFixed(2);
        const detail = [
          t("search.inspector.stem", { stem: each.stem }),
          each.frequency !== undefined && t("search.inspector.in_chunks", { count: each.frequency }),
          each.rarity !== undefined && t("search.inspector.rare", { rarity: each.rarity.toFixed(2) }),
          t("search.inspector.times", { count: each.times }),
        ];
        return (
          <div key={each.stem} className={`row ${css.term}`} title={detail.filter(Boolean).join(", ")}>
            <span className="m xs grow ell">{each.word}</span>
            {shown !== undefined && (
              <Meter
                label={t(split ? "search.inspector.share_of" : "search.inspector.rarity_of", {
                  word: each.word,
                })}
                value={(value(each) ?? 0) / most}
                tone="kw"
                width={110}
                text={shown}
              />
            )}
            <span className={`n xs r ${css.termNumber}`}>{shown ?? "—"}</span>
          </div>
        );
      })}
    </section>
  );
}
