import { useState } from "react";
import type { Corpus, MatrixRow } from "@/api/types";
import { Select } from "@/kit/fields";
import { ApplyCut } from "@/parts/ApplyCut";
import { searchAddress, usualOf } from "@/parts/run-search";
import { MakeUsual } from "@/parts/UsualSearch";
import { href } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import type { MatrixSearch } from "./matrix-plan";

type ApplyCellProps = {
  /** A way of cutting; nothing is applied where it is that of the library. */
  row: MatrixRow;
  /** The search of the cell, which is applied to nothing. */
  search: MatrixSearch;
  corpora: readonly Corpus[];
  onClose: () => void;
};

/** What it costs to cut a corpus of the matrix the way that a cell was cut. */
export function ApplyCell({ row, search, corpora, onClose }: ApplyCellProps) {
  const [name, setName] = useState<string>();
  const corpus = corpora.find((each) => each.name === name) ?? corpora[0];
  if (!corpus || !row.strategy) return null;
  return (
    <ApplyCut
      corpus={corpus}
      strategy={row.strategy}
      settings={row.settings}
      detail={t("evaluate.matrix.apply_detail", { row: visible(row.name) })}
      onClose={onClose}
    >
      <p className="sm sec">
        {t("evaluate.matrix.apply_not_search", { search: visible(search.name) })}{" "}
        <a href={href("search-lab", [], searchAddress(search.search))}>{t("evaluate.matrix.apply_search")}</a>
      </p>
      <div className="row">
        <MakeUsual search={usualOf(search.search)} />
      </div>
      {corpora.length > 1 && (
        <Select
          label={t("search.filters.corpora")}
          value={corpus.name}
          onChange={setName}
          options={corpora.map((each) => ({ value: each.name, label: each.name }))}
        />
      )}
    </ApplyCut>
  );
}
