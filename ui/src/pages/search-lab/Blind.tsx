import { memo } from "react";
import type { Hit } from "@/api/types";
import { Id } from "@/kit/Id";
import { Name } from "@/kit/Name";
import { PaneHead } from "@/kit/Panes";
import { VirtualList } from "@/kit/VirtualList";
import { GradeTag } from "@/parts/Grades";
import { useGold } from "@/parts/gold-panel";
import { nameOf, snippetOf } from "@/parts/passage";
import { shuffled } from "@/parts/shuffled";
import { t } from "@/text";
import css from "./blind.module.css";
import type { Found } from "./use-lab";

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
