import { IconCheck, IconRadar2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useCommand } from "@/api/queries";
import type { EvalRun, LabelMove, QueryComparison, RunPlace } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Id } from "@/kit/Id";
import { LegBadge } from "@/kit/legs";
import { Name } from "@/kit/Name";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Loaded, SkeletonRows } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { pagesOf } from "@/parts/cited";
import { GradeButton } from "@/parts/GradeSheet";
import { GradeTag } from "@/parts/Grades";
import { labelName } from "@/parts/gold";
import { useGoldQuery } from "@/parts/gold-panel";
import { Letter, type Side } from "@/parts/Letter";
import { OcrTag } from "@/parts/OcrTag";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { inert, visible } from "@/text/visible";
import css from "./query-detail.module.css";
import type { QueryRow } from "./rows";

/** Places of a ranking that are listed. */
const SHOWN = 10;
/** Places of a ranking that the line below the table names before the relevant ones further down. */
const FIRST = 3;

type Runs = { candidate: EvalRun | undefined; baseline: EvalRun | undefined };

/** Both rankings of a query, and what moved between them. */
type Rankings = Pick<QueryComparison, "before" | "after" | "moves">;

/** What one run or two found for a query; nothing is asked while there is no run. */
function useRankings(query: string, { candidate, baseline }: Runs) {
  const pair = useCommand(
    "eval.compare_query",
    { baseline: baseline?.id ?? 0, candidate: candidate?.id ?? 0, query },
    { enabled: candidate !== undefined && baseline !== undefined },
  );
  const alone = useCommand(
    "eval.run_get",
    { id: candidate?.id ?? 0, search: query, places: SHOWN },
    { enabled: candidate !== undefined && baseline === undefined },
  );
  const { data } = alone;
  const { error, isPending, fetchStatus, refetch } = baseline ? pair : alone;
  const found: Rankings | undefined = baseline
    ? pair.data
    : data && { before: [], after: data.rankings[query] ?? [], moves: [] };
  return { data: found, error, isPending, fetchStatus, refetch };
}

type QueryDetailProps = Runs & {
  /** Name of the gold set. */
  set: string;
  query: Pick<QueryRow, "id" | "text">;
};

/** Both rankings of a query side by side, and why they differ. */
export function QueryDetail({ set, query, candidate, baseline }: QueryDetailProps) {
  const rankings = useRankings(query.id, { candidate, baseline });
  const gold = useGoldQuery(set, query);
  return (
    <div className={css.detail}>
      <Loaded query={rankings} skeleton={<SkeletonRows bare rows={8} height={24} />}>
        {({ before, after, moves }) => (
          <>
            {baseline && <Ranking side="a" run={baseline} places={before} gold={gold} />}
            {candidate && <Ranking side="b" run={candidate} places={after} gold={gold} />}
            {moves.length > 0 && <Moves moves={moves} />}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** What a place is called where it is listed. */
function where({ path, pages, page_labels }: RunPlace): string {
  const name = path?.split("/").at(-1) ?? "";
  return [name, pages && pagesOf({ pages, page_labels })].filter(Boolean).join(", ");
}

/** What a place is called in a line: its identifier, or its file where only the chunk has an id. */
const placeName = (place: RunPlace): string => (place.id === place.chunk_id && where(place)) || place.id;

type Gold = ReturnType<typeof useGoldQuery>;

type RankingProps = { side: Side; run: EvalRun; places: readonly RunPlace[]; gold: Gold };

function Ranking({ side, run, places, gold }: RankingProps) {
  const name = t("evaluate.detail.ranking", { run: run.name });
  return (
    <section className={css.part}>
      <h3 className={css.title}>
        <Letter side={side} />
        <Name>{run.name}</Name>
      </h3>
      <ScrollRegion ways="down" className={css.places} label={name}>
        {places.length === 0 ? (
          <p className="sm mut">{t("evaluate.detail.nothing")}</p>
        ) : (
          <ol>
            {places.slice(0, SHOWN).map((place, index) => (
              <li key={place.chunk_id ?? place.id} className={css.place}>
                <span className={css.rank}>{index + 1}</span>
                <PlaceGrade place={place} gold={gold} />
                <span className="row gap-6 grow">
                  <Id className={css.id}>{visible(placeName(place))}</Id>
                  <span className="xs mut ell" {...tip(place.text ? visible(place.text) : undefined)}>
                    {visible(placeName(place) === place.id ? where(place) : place.id)}
                    {place.text && (
                      <>
                        {" "}
                        <bdi>{inert(place.text)}</bdi>
                      </>
                    )}
                  </span>
                </span>
                <OcrTag confidence={place.ocr} />
                {place.legs?.map(({ leg }) => (
                  <LegBadge key={leg} leg={leg} />
                ))}
              </li>
            ))}
          </ol>
        )}
      </ScrollRegion>
    </section>
  );
}

/** The grade of a place, which can be given where the workspace still has its passage. */
function PlaceGrade({ place, gold: { panel, grades } }: { place: RunPlace; gold: Gold }) {
  const { chunk_id, text } = place;
  if (!panel || chunk_id == null || text == null) return <GradeTag grade={place.grade} />;
  return (
    <GradeButton panel={panel} chunkId={chunk_id} name={placeName(place)} grade={grades.get(chunk_id)} />
  );
}

const rankWords = (rank: number | null) => (rank === null ? "—" : String(rank));

/** What moved, and why. */
function Moves({ moves }: { moves: readonly LabelMove[] }) {
  return (
    <section className={css.part}>
      <h3 className={css.title}>{t("evaluate.detail.moves")}</h3>
      <ScrollRegion className={css.places} label={t("evaluate.detail.moves")}>
        <ul>
          {moves.map((move) => (
            <li key={move.name} className={css.move}>
              <span className="row gap-6">
                <GradeTag grade={move.grade} />
                <Id className={css.moved}>{visible(labelName(move.name))}</Id>
                <span className="xs number mut nowrap">
                  {rankWords(move.before)} → {rankWords(move.after)}
                </span>
              </span>
              <span className="xs sec">{visible(sentence(move.why))}</span>
            </li>
          ))}
        </ul>
      </ScrollRegion>
    </section>
  );
}

type QueryFootProps = { row: QueryRow; candidate: EvalRun; baseline: EvalRun | undefined };

/** The selected query in a line: where what is expected stood and stands. */
export function QueryFoot({ row, candidate, baseline }: QueryFootProps) {
  const rankings = useRankings(row.id, { candidate, baseline });
  return (
    <section className={css.foot} aria-label={t("evaluate.detail.foot")}>
      {rankings.data && (
        <>
          {baseline && (
            <Short
              title={t("evaluate.detail.before", { id: row.id })}
              row={row}
              places={rankings.data.before}
            />
          )}
          <Short
            title={t(baseline ? "evaluate.detail.after" : "evaluate.detail.found", { id: row.id })}
            row={row}
            places={rankings.data.after}
          />
        </>
      )}
      <Button
        size="small"
        className={css.open}
        icon={<IconRadar2 className="small" aria-hidden />}
        onClick={() => navigate(href("search-lab", [], { q: row.text }))}
      >
        {t("evaluate.detail.open")}
      </Button>
    </section>
  );
}

type ShortProps = { title: string; row: QueryRow; places: readonly RunPlace[] };

/** The first places of a ranking, and what is relevant further down. */
function Short({ title, places }: ShortProps) {
  const relevant = (place: RunPlace) => (place.labels ?? []).length > 0;
  const shown = places
    .map((place, index) => ({ place, rank: index + 1 }))
    .filter(({ place, rank }) => rank <= FIRST || relevant(place))
    .slice(0, FIRST + 2);
  const parts: ReactNode[] = shown.map(({ place, rank }) => (
    <span key={rank} className="row gap-4">
      <span className="number mut">{rank}</span>
      <span className={classes("row gap-4", relevant(place) && "c-ok")}>
        {relevant(place) && <IconCheck className="xs" aria-label={t("evaluate.detail.relevant")} />}
        <Id className={relevant(place) ? css.hit : undefined}>{visible(placeName(place))}</Id>
      </span>
    </span>
  ));
  return (
    <div className={css.short}>
      <span className="xs mut">{title}</span>
      <div className={css.line}>
        {parts.length > 0 ? parts : <span className="mut sm">{t("evaluate.detail.nothing")}</span>}
      </div>
    </div>
  );
}
