import { useState } from "react";
import type { Hit, KeywordLeaf, ParsedQuery } from "@/api/types";
import { Button } from "@/kit/Button";
import { Meter } from "@/kit/Meter";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { decimal } from "@/text/format";
import css from "./matched-terms.module.css";
import shared from "./shared.module.css";

type MatchedTermsProps = { hit: Pick<Hit, "keyword_leaves">; query: ParsedQuery };

/** What each matched word, and each pair of words that stand together, gave of the BM25 score. */
export function MatchedTerms({ hit, query }: MatchedTermsProps) {
  const [open, setOpen] = useState(false);
  const leaves = [...hit.keyword_leaves].sort((a, b) => b.value - a.value);
  const most = Math.max(...leaves.map((leaf) => leaf.value), Number.EPSILON);
  const fedBack = new Set(query.terms.filter(({ fate }) => fate.kind === "feedback").map(({ stem }) => stem));
  const isFedBack = ({ terms }: KeywordLeaf) => terms.some((stem) => fedBack.has(stem));
  const own = leaves.filter((leaf) => !isFedBack(leaf));
  const added = leaves.filter(isFedBack);
  const sum = added.reduce((total, { value }) => total + value, 0);
  const words = t("search.inspector.fed_back", { count: added.length });
  const list = (some: readonly KeywordLeaf[]) =>
    some.map((leaf) => <Leaf key={leaf.terms.join(" … ")} leaf={leaf} most={most} query={query} />);
  return (
    <section aria-label={t("search.inspector.matched")}>
      <div className={`row between ${shared.sub}`}>
        <h3 className="h2">{t("search.inspector.matched")}</h3>
        <span className="xs mut" {...tip(t("search.inspector.share_title"))}>
          {t("search.inspector.share")}
        </span>
      </div>
      {list(own)}
      {added.length > 0 && (
        <>
          <div className={`row between ${css.added}`}>
            <Button size="small" tone="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
              {words}
            </Button>
            <span className={`number xs align-end ${css.termNumber}`}>{decimal(sum, 2)}</span>
          </div>
          {open && list(added)}
        </>
      )}
    </section>
  );
}

type LeafProps = { leaf: KeywordLeaf; most: number; query: ParsedQuery };

function Leaf({ leaf: { terms, frequency, value }, most, query }: LeafProps) {
  const known = terms.map((stem) => query.terms.find((each) => each.stem === stem));
  const words = known.map((term, n) => term?.text ?? terms[n] ?? "");
  const together = terms.length > 1;
  const word = together ? t("search.inspector.together", { words: words.join(" … ") }) : (words[0] ?? "");
  const held = together ? undefined : known[0]?.document_frequency;
  const detail = [
    !together && t("search.inspector.stem", { stem: terms[0] ?? "" }),
    held !== undefined && t("search.inspector.in_chunks", { count: held }),
    t("search.inspector.times", { count: frequency }),
  ];
  const shown = decimal(value, 2);
  return (
    <div className={`row ${css.term}`} {...tip(detail.filter(Boolean).join(", "))}>
      <span className="mono xs grow ell">{word}</span>
      <Meter
        label={t("search.inspector.share_of", { word })}
        value={value / most}
        tone="kw"
        width={110}
        text={shown}
      />
      <span className={`number xs align-end ${css.termNumber}`}>{shown}</span>
    </div>
  );
}
