import { memo } from "react";
import type { Hit } from "@/api/types";
import { Id } from "@/kit/Id";
import { Name } from "@/kit/Name";
import { PaneHead } from "@/kit/Panes";
import { VirtualList } from "@/kit/VirtualList";
import { GradeTag } from "@/parts/Grades";
import { useGold } from "@/parts/gold-panel";
import { nameOf, snippetOf } from "@/parts/passage";
import { t } from "@/text";
import css from "./blind.module.css";
import type { Found } from "./use-lab";

/** A number that words alone decide: FNV-1a, with the last step of MurmurHash3, since its last letters change little. */
function hashOf(words: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < words.length; at += 1) hash = Math.imul(hash ^ words.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The answer in an order that tells nothing of its ranks; the same as often as the query is asked. */
export const shuffled = (query: string, results: readonly Hit[]): Hit[] =>
  results
    .map((hit) => ({ hit, place: hashOf(`${hit.chunk_id}\n${query}`) }))
    .sort((a, b) => a.place - b.place || (a.hit.chunk_id < b.hit.chunk_id ? -1 : 1))
    .map(({ hit }) => hit);

type BlindProps = {
  found: Found;
  selected: string | undefined;
  onSelect: (chunkId: string) => void;
  onOpen: (chunkId: string) => void;
  rowHeight: number;
};

/** The answer without rank, score and list, to be judged by what it says alone. */
export const Blind = memo(function Blind({ found, selected, onSelect, onOpen, rowHeight }: BlindProps) {
  const { request, response } = found;
  const { grades } = useGold(request.query);
  const hits = shuffled(request.query, response.results);
  return (
    <>
      <PaneHead
        title={t("search.blind.title")}
        detail={<span className="sm mut">{t("search.blind.detail", { count: hits.length })}</span>}
      />
      <div className={css.list}>
        <VirtualList
          label={t("search.blind.title")}
          count={hits.length}
          rowHeight={rowHeight}
          selected={hits.findIndex((hit) => hit.chunk_id === selected)}
          rowKey={(index) => hits[index]?.chunk_id ?? index}
          onSelect={(index) => hits[index] && onSelect(hits[index].chunk_id)}
          onOpen={(index) => hits[index] && onOpen(hits[index].chunk_id)}
          row={(index) => {
            const hit = hits[index];
            return hit && <Row hit={hit} grade={grades.get(hit.chunk_id)} />;
          }}
        />
      </div>
    </>
  );
});

function Row({ hit, grade }: { hit: Hit; grade: number | undefined }) {
  const { id, title, source } = nameOf(hit);
  return (
    <div className={css.row}>
      <GradeTag grade={grade} />
      <div className={`col ${css.words}`}>
        <span className="row gap-6">
          {id !== "" && <Id>{id}</Id>}
          {title !== undefined && <Name className={css.title}>{title}</Name>}
          <span className="xs mut ell">{source}</span>
        </span>
        <span className="sm sec ell">{snippetOf(hit)}</span>
      </div>
    </div>
  );
}
