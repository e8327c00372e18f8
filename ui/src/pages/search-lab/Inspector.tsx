import {
  IconArrowDown,
  IconArrowUp,
  IconCut,
  IconExternalLink,
  IconFileTypePdf,
  IconListSearch,
  IconMessageQuestion,
} from "@tabler/icons-react";
import { memo } from "react";
import { useCommand } from "@/api/queries";
import type { Hit, WhyNot } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { LegBadge } from "@/kit/legs";
import { KeyValues, Note } from "@/kit/Note";
import { PaneHead } from "@/kit/Panes";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, SkeletonRows } from "@/kit/states";
import { useStill } from "@/kit/still";
import { tip } from "@/kit/Tooltip";
import { pagesOf } from "@/parts/cited";
import { useGold } from "@/parts/gold-panel";
import { Passage } from "@/parts/Passage";
import {
  drawnPage,
  inDocument,
  readable,
  saidBy,
  sectionsOf,
  standardId,
  titleOf,
  whereIs,
} from "@/parts/passage";
import { ScoreBreakdown } from "@/parts/ScoreBreakdown";
import { rankedSum, whatIf } from "@/parts/score";
import { filterLabel } from "@/state/filters";
import { href, navigate } from "@/state/router";
import { askFrom } from "@/state/selection";
import { valueLabel } from "@/state/source-types";
import { t } from "@/text";
import { decimal, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import { Gold } from "./Gold";
import css from "./inspector.module.css";
import { MatchedTerms } from "./MatchedTerms";
import { fateOf } from "./reasons";
import shared from "./shared.module.css";
import type { Found, LabControl } from "./use-lab";
import { Why } from "./Why";

type InspectorProps = Pick<LabControl, "ask" | "change"> & {
  pinned: readonly string[];
  found: Found | undefined;
  provisional: boolean;
  rerankWaits: boolean;
  /** The first answer is on its way. */
  expected: boolean;
  selected: string | undefined;
  /** Nothing tells of rank and lists. */
  blind: boolean;
  onStep: (by: number) => void;
};

/** What the selected passage is, and why it stands where it stands. */
export const Inspector = memo(function Inspector(props: InspectorProps) {
  const { found, selected } = props;
  const { sets } = useGold(found?.request.query ?? "");
  const hit = found?.response.results.find((each) => each.chunk_id === selected);
  const stored = useCommand(
    "chunk.get",
    { chunk_id: selected ?? "" },
    { enabled: selected !== undefined && found !== undefined && hit === undefined },
  );
  if (!found && props.expected) return <ExpectedInspector />;
  if (!found || selected === undefined)
    return (
      <>
        <PaneHead title={t("search.inspector.title")} />
        <EmptyState title={t("search.inspector.empty")} />
      </>
    );
  const { row, passage: said = "", header = null, found_by = [] } = stored.data ?? {};
  const passage: Shown | undefined =
    hit ??
    (row && { ...row, chunk_text: row.text, passage: said, header, found_by, matched_terms: [] as string[] });
  const rank = hit?.rank;
  const judging = props.blind || (sets.data ?? []).length > 0;
  const gold = (
    <Gold
      found={found}
      selected={selected}
      path={passage?.path}
      provisional={props.provisional}
      blind={props.blind}
      change={props.change}
    />
  );
  return (
    <>
      <PaneHead
        title={passage ? titleOf(passage) : selected}
        detail={passage && rank !== undefined && !props.blind ? <Tag mono>#{rank}</Tag> : undefined}
        end={
          <>
            <IconButton label={t("search.keys.previous")} keys="k" onClick={() => props.onStep(-1)}>
              <IconArrowUp className="small" aria-hidden />
            </IconButton>
            <IconButton label={t("search.keys.next")} keys="j" onClick={() => props.onStep(1)}>
              <IconArrowDown className="small" aria-hidden />
            </IconButton>
            <IconButton
              label={passage ? openLabel(passage) : t("search.inspector.open")}
              disabled={!passage}
              onClick={() => passage && openPassage(passage)}
            >
              <IconExternalLink className="small" aria-hidden />
            </IconButton>
          </>
        }
      />
      {/* What a passage is graded with stands still above it, however long it is. */}
      {judging && <div className={css.judging}>{gold}</div>}
      <ScrollRegion fill ways="down" key={props.blind ? selected : undefined} className={css.inspector}>
        {!passage ? (
          stored.error ? (
            <Note kind="bad">{visible(sentence(stored.error.message))}</Note>
          ) : (
            <SkeletonRows bare rows={5} height={28} />
          )
        ) : (
          !props.blind && <Details {...props} found={found} hit={hit} passage={passage} />
        )}
        {!judging && !sets.isPending && <div className={css.facts}>{gold}</div>}
        {!props.blind && <Why {...props} found={found} />}
        {props.blind && passage && (
          <section aria-label={t("search.inspector.text")}>
            <h3 className={`h2 ${shared.sub}`}>{t("search.inspector.passage")}</h3>
            <Passage passage={passage} terms={NO_TERMS} />
          </section>
        )}
      </ScrollRegion>
    </>
  );
});

/** The inspector before the first answer. */
function ExpectedInspector() {
  return (
    <>
      <PaneHead title={t("search.inspector.title")} />
      <div className={css.inspector}>
        <section>
          <h3 className={`h2 ${shared.sub}`}>{t("hit.score")}</h3>
          <div className={css.awaitedBar} />
          {LEGS.map((leg) => (
            <div key={leg} className={`row ${css.awaitedLeg}`}>
              <LegBadge leg={leg} />
              <SkeletonRows bare rows={1} height={23} quiet />
            </div>
          ))}
        </section>
        <section>
          <h3 className={`h2 ${shared.sub}`}>{t("search.inspector.passage")}</h3>
          <div className="card">
            <SkeletonRows bare rows={6} height={22} quiet />
          </div>
        </section>
      </div>
    </>
  );
}

/** What matched would tell which list found it. */
const NO_TERMS: readonly string[] = [];
const LEGS = ["semantic", "keyword", "fused"] as const;
/** Milliseconds that an answer stands before its passage is looked into. */
const STILL = 200;

/** A hit, or a stored chunk that is none. */
type Shown = Pick<
  Hit,
  | "chunk_id"
  | "chunk_text"
  | "passage"
  | "header"
  | "found_by"
  | "metadata"
  | "source_type"
  | "title"
  | "path"
  | "pages"
  | "page_labels"
  | "tokens"
  | "corpus"
  | "document_id"
  | "matched_terms"
  | "report_id"
>;

function openLabel(passage: Shown): string {
  const id = standardId(passage);
  if (id) return t("search.parsed.open", { id });
  const page = pagesOf(passage);
  return page ? t("search.inspector.open_page", { page }) : t("search.inspector.open");
}

/** Opens a passage where it can be read: a paragraph in Standards, one of a PDF on its page, another in its document. */
export function openPassage(
  passage: Pick<Shown, "metadata" | "document_id" | "chunk_id" | "path" | "pages">,
): void {
  const id = standardId(passage);
  if (id) navigate(href("standards", [id]));
  else openDocument(passage);
}

/** Opens a passage in its document, on the page of the file where that can be drawn. */
const openDocument = (passage: Parameters<typeof inDocument>[0]) =>
  navigate(href("chunk-lab", [], inDocument(passage)));

/** Opens a chunk in the text of its document. */
function openChunk(passage: Pick<Shown, "document_id" | "chunk_id">): void {
  navigate(href("chunk-lab", [], { document: String(passage.document_id), chunk: passage.chunk_id }));
}

function Details({
  found,
  hit,
  passage,
  provisional,
  rerankWaits,
  ask,
}: InspectorProps & { found: Found; hit: Hit | undefined; passage: Shown }) {
  const { request, response } = found;
  const scale = Math.max(...response.results.map(rankedSum), Number.EPSILON);
  const lift = hit && !provisional ? whatIf(hit, response.results, request.rrf_k, response.trace) : undefined;
  const waiting = [provisional && "semantic", provisional && rerankWaits && "rerank"].filter(
    (each): each is "semantic" | "rerank" => each !== false,
  );
  // While letters come, what is underlined can wait: the next answer cannot.
  const stands = useStill(request, STILL) === request;
  const near = useCommand(
    "passage.nearest_sentence",
    { query: request.query, chunk_ids: [passage.chunk_id] },
    { enabled: stands },
  ).data?.[0];
  return (
    <>
      {hit ? (
        <ScoreBreakdown hit={hit} rrfK={request.rrf_k} scale={scale} waiting={waiting} />
      ) : (
        <Outside found={found} chunkId={passage.chunk_id} />
      )}
      {provisional ? (
        <Note>{t("search.inspector.provisional")}</Note>
      ) : (
        lift && (
          <Note>
            {t(hit?.rerank_score == null ? "search.inspector.lift" : "search.inspector.lift_reranked", {
              leg: t(`kit.leg.${lift.leg}`),
              to: lift.to,
              from: lift.from,
              place: lift.place,
            })}
          </Note>
        )
      )}
      <section aria-label={t("search.inspector.text")}>
        <h3 className={`h2 ${shared.sub}`}>{t("search.inspector.passage")}</h3>
        <Passage passage={passage} terms={passage.matched_terms} near={near} />
      </section>
      {hit && hit.keyword_leaves.length > 0 && <MatchedTerms hit={hit} query={found.response.trace.query} />}
      <Facts {...{ passage, hit }} />
      <Ways {...{ passage, ask }} />
    </>
  );
}

/** What is known of a passage. */
function Facts({ passage, hit }: { passage: Shown; hit: Hit | undefined }) {
  const metadata = (name: string) => {
    const value = passage.metadata[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const pillar = metadata("pillar");
  const industry = metadata("industry") ?? metadata("industry_sector");
  const rows: [string, React.ReactNode][] = [
    [
      t("search.inspector.chunk"),
      <span key="chunk" className="mono xs">
        <bdi dir="ltr">{passage.chunk_id}</bdi> · {t("search.inspector.tokens", { count: passage.tokens })}
      </span>,
    ],
    [t("search.filters.corpora"), passage.corpus],
  ];
  if (pillar) rows.push([filterLabel("pillars"), valueLabel("pillars", pillar) ?? pillar]);
  if (industry) rows.push([filterLabel("industries"), industry]);
  const section = sectionsOf(passage).at(-1);
  if (section) rows.push([filterLabel("sections"), section]);
  if (hit?.relevance != null) rows.push([t("search.inspector.relevance"), decimal(hit.relevance, 3)]);
  return (
    <div className={css.facts}>
      <KeyValues rows={rows} />
    </div>
  );
}

/** Where a passage can be read and asked about. */
function Ways({ passage, ask }: Pick<InspectorProps, "ask"> & { passage: Shown }) {
  const id = standardId(passage);
  return (
    <div className="row gap-6 wrap">
      {id && (
        <Button
          size="small"
          icon={<IconListSearch className="small" aria-hidden />}
          onClick={() => navigate(href("standards", [id]))}
        >
          {t("pages.standards")}
        </Button>
      )}
      {drawnPage(passage) !== undefined && (
        <Button
          size="small"
          icon={<IconFileTypePdf className="small" aria-hidden />}
          onClick={() => openDocument(passage)}
        >
          {t("search.inspector.page")}
        </Button>
      )}
      <Button
        size="small"
        icon={<IconCut className="small" aria-hidden />}
        onClick={() => openChunk(passage)}
      >
        {t("pages.chunk-lab")}
      </Button>
      <Button
        size="small"
        icon={<IconMessageQuestion className="small" aria-hidden />}
        {...tip(t("ask.about.passage"))}
        onClick={() => askFrom({ text: readable(saidBy(passage)), ...whereIs(passage) })}
      >
        {t("ask.ask")}
      </Button>
      <Button
        size="small"
        tone="quiet"
        onClick={() => ask({ query: saidBy(passage).trim().slice(0, 300), mode: "semantic" })}
      >
        {t("search.inspector.more")}
      </Button>
    </div>
  );
}

/** A passage that is not in the answer: its ranks, and what kept it out. */
function Outside({ found, chunkId }: { found: Found; chunkId: string }) {
  const { trace } = found.response;
  const pinned = trace.pinned.find((each) => each.chunk_id === chunkId);
  const near = trace.semantic.find((each) => each.chunk_id === chunkId);
  const word = trace.keyword.find((each) => each.chunk_id === chunkId);
  const fate: WhyNot = pinned ?? {
    chunk_id: chunkId,
    semantic_rank: near?.rank ?? null,
    similarity: near?.raw ?? null,
    keyword_rank: word?.rank ?? null,
    bm25: word?.raw ?? null,
    fused_rank: null,
    final_rank: null,
    stage: null,
    ...fateIn(found, chunkId),
  };
  const written = (raw: number | null, digits: number) => (raw === null ? "" : decimal(raw, digits));
  const line = (leg: "semantic" | "keyword" | "fused", raw: string, rank: number | null) => (
    <>
      <LegBadge leg={leg} struck={rank === null} />
      <span>
        {t(leg === "fused" ? "hit.fused" : `hit.raw.${leg}`)} <span className="mono">{raw}</span>
      </span>
      <span className="number align-end">{rank === null ? t("hit.no_rank") : t("hit.rank", { rank })}</span>
    </>
  );
  return (
    <section aria-label={t("hit.score")} data-explains tabIndex={-1}>
      <div className={`row between ${shared.sub}`}>
        <span className="h2">{t("hit.score")}</span>
        <span className="sm mut">{t("search.inspector.outside")}</span>
      </div>
      <div className={css.fate}>
        {line("semantic", written(fate.similarity, 3), fate.semantic_rank)}
        {line("keyword", written(fate.bm25, 2), fate.keyword_rank)}
        {pinned && line("fused", "", fate.fused_rank)}
      </div>
      <div className={css.verdict}>
        <Note kind="info">{fateOf(fate)}</Note>
      </div>
    </section>
  );
}

function fateIn({ response }: Found, chunkId: string): Pick<WhyNot, "fate" | "verdict"> {
  const dropped = response.trace.dropped.find((each) => each.chunk_id === chunkId);
  return dropped
    ? { fate: { kind: "left_out", cause: dropped.cause }, verdict: dropped.reason }
    : { fate: { kind: "unrecorded" }, verdict: t("search.inspector.unknown") };
}
