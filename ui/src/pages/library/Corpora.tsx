import { useMemo } from "react";
import type { CorpusOverview, HeldDocuments } from "@/api/types";
import { type Column, DataTable } from "@/kit/DataTable";
import { Meter } from "@/kit/Meter";
import { Name } from "@/kit/Name";
import { useNarrow } from "@/kit/narrow";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Status, type StatusKind } from "@/kit/Status";
import { tip } from "@/kit/Tooltip";
import { useJobs } from "@/state/jobs";
import { t } from "@/text";
import { moment, percent, short, whole } from "@/text/format";
import css from "./corpora.module.css";
import { activeCoverage, codeOf, shareOf, shortModel, statusOf, typeName, type Work, workOf } from "./corpus";
import { heldWords, useHeld } from "./gone";
import shared from "./shared.module.css";

/** The mark of a corpus: two letters for what it holds. */
export const Code = ({ sourceType }: { sourceType: string }) => (
  <span className={css.code} aria-hidden>
    {codeOf(sourceType)}
  </span>
);

function Coverage({ row, narrow }: { row: CorpusOverview; narrow: boolean }) {
  const active = activeCoverage(row);
  if (!active || row.chunks === 0) return <span className="mut">—</span>;
  const share = shareOf(active);
  return (
    <span className="row" {...tip(t("library.covered_by", { share: percent(share), model: active.model }))}>
      <Meter
        label={t("library.coverage_of", { name: row.corpus.name })}
        value={share}
        tone={share < 1 ? "accent" : "base"}
        width={narrow ? 44 : 64}
      />
      <span className={share === 0 ? "number c-warn" : "number"}>{percent(share)}</span>
    </span>
  );
}

/** How a row stands. Documents that wait for a decision come before what its coverage tells beside it. */
function standing(row: CorpusOverview, { work, held }: Known): { kind: StatusKind; words: string } {
  const { kind, word } = statusOf(row, work);
  const waiting = kind === "run" ? undefined : heldWords(held, row);
  return waiting === undefined ? { kind, words: t(word) } : { kind: "warn", words: waiting };
}

type Known = { work: Work; held: readonly HeldDocuments[]; wide: boolean };

/** In a narrow window the model stands in the tooltip of its coverage. */
function columnsFor(known: Known, narrow: boolean): Column<CorpusOverview>[] {
  const columns: Column<CorpusOverview>[] = [
    {
      id: "corpus",
      header: t("library.columns.corpus"),
      width: narrow ? `minmax(${known.wide ? 124 : 144}px, 1fr)` : "minmax(164px, 1fr)",
      sort: (row) => row.corpus.name,
      cell: (row) => (
        <span className="row">
          <Code sourceType={row.corpus.source_type} />
          <Name className={shared.name}>{row.corpus.name}</Name>
          <span className={`mut sm ell hide-s ${css.type}`}>{typeName(row.corpus.source_type)}</span>
        </span>
      ),
    },
    {
      id: "status",
      header: t("library.columns.status"),
      // Room for two reasons why documents are not as they should be.
      width: known.wide ? (narrow ? "178px" : "186px") : narrow ? "138px" : "142px",
      sort: (row) => standing(row, known).words,
      cell: (row) => {
        const { kind, words } = standing(row, known);
        return (
          <Status kind={kind}>
            <span className="ell" data-tip={words}>
              {words}
            </span>
          </Status>
        );
      },
    },
    {
      id: "documents",
      header: t("library.columns.documents"),
      width: narrow ? "90px" : "84px",
      numeric: true,
      sort: (row) => row.documents,
      cell: (row) => whole(row.documents),
    },
    {
      id: "chunks",
      header: t("library.columns.chunks"),
      width: narrow ? "64px" : "68px",
      numeric: true,
      sort: (row) => row.chunks,
      cell: (row) => whole(row.chunks),
    },
    {
      id: "tokens",
      header: t("library.columns.tokens"),
      width: narrow ? "62px" : "66px",
      numeric: true,
      sort: (row) => row.tokens,
      cell: (row) => short(row.tokens),
    },
    {
      id: "embedding",
      header: t("library.columns.embedding"),
      width: "178px",
      sort: (row) => activeCoverage(row)?.model ?? "",
      cell: (row) => {
        const model = row.chunks > 0 ? activeCoverage(row)?.model : undefined;
        return model ? <Name className="sec">{shortModel(model)}</Name> : <span className="mut">—</span>;
      },
    },
    {
      id: "coverage",
      header: t("library.columns.coverage"),
      width: narrow ? "108px" : "132px",
      sort: (row) => {
        const active = activeCoverage(row);
        return active ? shareOf(active) : -1;
      },
      cell: (row) => <Coverage row={row} narrow={narrow} />,
    },
    {
      id: "last",
      header: t("library.columns.last"),
      width: narrow ? "110px" : "122px",
      numeric: true,
      sort: (row) => row.last_ingested ?? "",
      cell: (row) => <span className="sec">{row.last_ingested ? moment(row.last_ingested) : "—"}</span>,
    },
  ];
  return narrow ? columns.filter(({ id }) => id !== "embedding") : columns;
}

type CorporaProps = {
  corpora: readonly CorpusOverview[];
  /** Name of the chosen corpus. */
  selected: string | null;
  onSelect: (name: string) => void;
};

/** The corpora, one a row. */
export function Corpora({ corpora, selected, onSelect }: CorporaProps) {
  const jobs = useJobs();
  const narrow = useNarrow();
  const held = useHeld().data;
  const lacking = corpora.some(({ incomplete, missing }) => incomplete + missing > 0);
  const wide = lacking || (held ?? []).length > 0;
  const columns = useMemo(
    () => columnsFor({ work: workOf(jobs), held: held ?? [], wide }, narrow),
    [jobs, held, narrow, wide],
  );
  return (
    <ScrollRegion className={css.corpora} data-testid="library-corpora">
      <DataTable
        label={t("library.corpora")}
        columns={columns}
        rows={corpora}
        rowKey={(row) => row.corpus.name}
        selected={selected}
        onSelect={(row) => onSelect(row.corpus.name)}
      />
    </ScrollRegion>
  );
}
