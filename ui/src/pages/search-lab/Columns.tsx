import { IconLoader2 } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import {
  Fragment,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { queryOf, useWorkspace } from "@/api/queries";
import type { Hit, LegHit, Mode } from "@/api/types";
import { LegBadge, type LegKind, ScoreBar, type ScorePart } from "@/kit/legs";
import { Note } from "@/kit/Note";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useStill } from "@/kit/still";
import { tip } from "@/kit/Tooltip";
import { GradeTag } from "@/parts/Grades";
import { useGold } from "@/parts/gold-panel";
import { LegList, type LegRow, LegSkeleton } from "@/parts/LegList";
import { inOneLine, nameOf, snippetOf } from "@/parts/passage";
import { Move } from "@/parts/ScoreBreakdown";
import { fusedPlace, isRaw, rankedSum } from "@/parts/score";
import { t } from "@/text";
import { decimal, percent, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./columns.module.css";
import { Flow } from "./Flow";
import { flowLines } from "./flow";
import { LeftOut } from "./LeftOut";
import shared from "./shared.module.css";
import type { Found } from "./use-lab";

/** Rows that are shown even where the answer is shorter, so that near misses can be seen. */
const LEAST_ROWS = 10;
const OVERSCAN = 4;
/** Decimal places of a list's own score. */
const DIGITS = { semantic: 3, keyword: 2 } as const;
const PARAGRAPH = /^(S[12]\.|[A-Z]{2}-[A-Z]{2})/;

type ColumnsProps = {
  found: Found;
  provisional: boolean;
  /** What the settings ask for; the answer may be of less until Enter. */
  mode: Mode;
  rerank: boolean;
  /** A provider waits for Enter. */
  partial: boolean;
  selected: string | undefined;
  onSelect: (chunkId: string) => void;
  onOpen: (chunkId: string) => void;
  rowHeight: number;
};

/** The answer in the order of the fused list. */
export const inFusedOrder = (results: readonly Hit[]): Hit[] =>
  [...results].sort((a, b) => fusedPlace(a) - fusedPlace(b));

/** Names for chunks of the legs that are not in the answer: looked up once the query is still. */
function useNames(ids: readonly string[]) {
  const still = useStill(ids.join(), 250);
  const wanted = still === "" ? [] : still.split(",");
  const workspace = useWorkspace();
  const rows = useQueries({
    queries: wanted.map((chunk_id) => queryOf("chunk.get", { chunk_id }, workspace)),
  });
  return new Map(rows.flatMap(({ data }) => (data ? [[data.row.chunk_id, nameOf(data.row)] as const] : [])));
}

/** The rows of `rowHeight` pixels that are in view of what scrolls, and how one of them comes into view. */
function useRowsInView(rowHeight: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<readonly [number, number]>([0, LEAST_ROWS + OVERSCAN]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - OVERSCAN);
      const last = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + OVERSCAN;
      setView((now) => (now[0] === first && now[1] === last ? now : [first, last]));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [rowHeight]);
  const scrollTo = (index: number) => {
    const element = scroller.current;
    if (!element) return;
    const top = index * rowHeight;
    const room = element.clientHeight - HEAD - rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top > element.scrollTop + room) element.scrollTop = top - room;
  };
  return { scroller, view, scrollTo };
}

type Leg = "semantic" | "keyword";
type Names = ReturnType<typeof useNames>;

/** The first `count` rows of a leg: those of the answer as it has them, others by the names that were looked up. */
function legRowsOf(
  leg: readonly LegHit[],
  kind: Leg,
  count: number,
  byId: ReadonlyMap<string, Hit>,
  names: Names,
): LegRow[] {
  const listed = leg.slice(0, count);
  const best = Math.max(...listed.map((hit) => hit.raw), Number.EPSILON);
  return listed.map((hit) => {
    const inAnswer = byId.get(hit.chunk_id);
    const name =
      (inAnswer ? nameOf(inAnswer) : names.get(hit.chunk_id)) ??
      (PARAGRAPH.test(hit.label) ? { id: hit.label, source: "" } : { id: "", source: hit.label });
    const shown = decimal(hit.raw, DIGITS[kind]);
    return {
      chunkId: hit.chunk_id,
      rank: hit.rank,
      ...name,
      snippet: inAnswer ? snippetOf(inAnswer) : inOneLine(hit.snippet),
      dim: !inAnswer,
      end: (
        <>
          <span {...tip(t(`search.scales.${kind}`))}>{shown}</span>
          <ScoreBar
            label={shown}
            scale={best}
            parts={[{ leg: kind, value: Math.max(0, hit.raw) }]}
            width={40}
            height={3}
          />
        </>
      ),
    };
  });
}

/** Whether something was added up for the answer; a mode of one list gives its raw score. */
const isFused = (answer: readonly Hit[]) => answer.some((hit) => !hit.contributions.every(isRaw));
const isReranked = (answer: readonly Hit[]) => answer.some((hit) => hit.rerank_score !== null);

/** The rows of the answer; with the grade of each where the gold set holds the query. */
function fusedRowsOf(
  answer: readonly Hit[],
  mode: Mode,
  grades: ReadonlyMap<string, number> | undefined,
): LegRow[] {
  const reranked = isReranked(answer);
  const fuses = isFused(answer);
  const scale = Math.max(...answer.map(rankedSum), Number.EPSILON);
  return answer.map((hit) => {
    const score = decimal(
      hit.score,
      fuses ? (hit.score >= 1 ? 3 : 4) : DIGITS[mode === "keyword" ? "keyword" : "semantic"],
    );
    const parts: ScorePart[] = hit.contributions
      .filter((part) => part.leg !== "reference")
      .map((part) => ({ leg: part.leg, value: Math.max(0, part.value) }));
    const named = hit.contributions.some((part) => part.leg === "reference");
    return {
      chunkId: hit.chunk_id,
      rank: fusedPlace(hit),
      ...nameOf(hit),
      snippet: snippetOf(hit),
      end: (
        <>
          <span className="row gap-6">
            {grades && <GradeTag grade={grades.get(hit.chunk_id)} />}
            {named && <LegBadge leg="reference" />}
            <span {...tip(t("search.scales.fused"))}>{score}</span>
            {reranked && (
              <span className={`${css.move} c-rerank`}>
                <Move by={hit.fused_rank === null ? 0 : hit.fused_rank - hit.rank} />
              </span>
            )}
          </span>
          <ScoreBar label={score} scale={scale} parts={parts} width={74} height={3} />
        </>
      ),
    };
  });
}

/** Semantic, fused and keyword list beside each other, with the way of each chunk between them. */
export const Columns = memo(function Columns(props: ColumnsProps) {
  const { found, provisional, mode, selected, onSelect, onOpen, rowHeight } = props;
  const { request, response } = found;
  const { trace } = response;
  const answer = useMemo(() => inFusedOrder(response.results), [response.results]);
  const byId = useMemo(() => new Map(answer.map((hit) => [hit.chunk_id, hit])), [answer]);
  const longest = Math.max(answer.length, trace.semantic.length, trace.keyword.length);
  const rows = Math.min(Math.max(LEAST_ROWS, answer.length), Math.max(longest, 1));
  const { scroller, view, scrollTo } = useRowsInView(rowHeight);
  const window: readonly [number, number] = [view[0], Math.min(view[1], rows)];
  const unknown = useMemo(() => {
    const inView = [trace.semantic, trace.keyword].flatMap((leg) => leg.slice(window[0], window[1]));
    return [...new Set(inView.map((hit) => hit.chunk_id))].filter((id) => !byId.has(id)).slice(0, 40);
  }, [trace, byId, window[0], window[1]]);
  const names = useNames(unknown);
  const { panel, grades } = useGold(request.query);
  const legRows = (kind: Leg) => legRowsOf(trace[kind], kind, rows, byId, names);
  const ids = answer.map((hit) => hit.chunk_id);
  const lines = (leg: Leg) =>
    flowLines(
      trace[leg].map((hit) => hit.chunk_id),
      ids,
      rows,
      window,
    );
  const list = { window, height: rows, rowHeight, selected, onSelect, onOpen, scrollTo };
  const flow = { rows, rowHeight, selected };
  return (
    <ScrollRegion
      ways="down"
      ref={scroller}
      className={css.scroller}
      style={{ "--rh": `${rowHeight}px` } as React.CSSProperties}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the lists within, which hold the focus. */}
      <div className={css.columns} onKeyDown={acrossLists}>
        <SemanticHead found={found} provisional={provisional} />
        <span className={css.head} />
        <FusedHead {...props} answer={answer} />
        <span className={css.head} />
        <Head leg="keyword" title={t("search.modes.keyword")}>
          <span className="ell">
            {trace.keyword.length > 0 && (
              <>
                <span className="hide-s">{t("search.keyword_depth")} </span>
                {whole(trace.keyword.length)}
              </>
            )}
          </span>
        </Head>

        {trace.semantic.length > 0 ? (
          <LegList label={t("search.list.semantic")} rows={legRows("semantic")} {...list} />
        ) : provisional ? (
          <LegSkeleton rows={rows} rowHeight={rowHeight} label={t("search.embedding")} />
        ) : (
          <Silent mode={mode} leg="semantic" found={found} />
        )}
        <Flow lines={lines("semantic")} leg="semantic" {...flow} />
        <LegList
          label={t("search.list.fused")}
          rows={fusedRowsOf(answer, request.mode, panel && grades)}
          {...list}
          height={Math.max(1, answer.length)}
          className={shared.fused}
        />
        <Flow lines={lines("keyword")} leg="keyword" mirrored {...flow} />
        {trace.keyword.length > 0 ? (
          <LegList label={t("search.list.keyword")} rows={legRows("keyword")} {...list} />
        ) : (
          <Silent mode={mode} leg="keyword" found={found} />
        )}
      </div>
    </ScrollRegion>
  );
});

/** The head of the semantic list: its model, and how much of what is searched that model covers. */
function SemanticHead({ found, provisional }: Pick<ColumnsProps, "found" | "provisional">) {
  const { trace } = found.response;
  const covered = trace.candidates_after > 0 ? trace.covered / trace.candidates_after : 1;
  return (
    <Head leg="semantic" title={t("search.modes.semantic")}>
      {provisional ? (
        <span className="row gap-6 c-accent">
          <IconLoader2 className="small spin" aria-hidden />
          {t("search.embedding")}
        </span>
      ) : trace.space ? (
        <span className={css.space} {...tip(tierTitle(found))}>
          <span className="ell hide-s">{trace.space.model} ·</span>
          <span className="nowrap">
            {t(`search.tiers.${trace.tier ?? trace.space.tier}`)} · {whole(trace.semantic.length)}
          </span>
        </span>
      ) : null}
      {trace.space && covered < 1 && !provisional && (
        <span className="c-warn nowrap" {...tip(t("search.partial_title", partialCounts(found)))}>
          {t("search.partial", { share: percent(covered) })}
        </span>
      )}
    </Head>
  );
}

/** The head of the answer: how its lists were fused, what it leaves out, and what became of the reranker. */
function FusedHead({
  found,
  provisional,
  rerank,
  partial,
  selected,
  onSelect,
  answer,
}: ColumnsProps & { answer: readonly Hit[] }) {
  const { request } = found;
  const waits = partial && rerank;
  const rerankFailed = request.rerank && !isReranked(answer) && !provisional && answer.length > 0;
  return (
    <Head leg="fused" title={t("search.modes.fused")}>
      <span className="ell">
        {provisional
          ? t("search.keyword_only")
          : isFused(answer)
            ? t(`search.fusions.${request.fusion}`)
            : t("search.one_list")}
      </span>
      {!provisional && <LeftOut found={found} selected={selected} onSelect={onSelect} />}
      {rerank && (
        <span
          className={`row gap-4 xs ${css.after}`}
          {...tip(waits ? t("search.rerank_enter") : rerankFailed ? t("search.rerank_failed") : undefined)}
        >
          <span className="hide-s">{t(waits ? "search.on_enter" : "search.after")}</span>
          <LegBadge leg="rerank" struck={rerankFailed} />
          <span className="hide-s">{t("search.rerank").toLowerCase()}</span>
        </span>
      )}
    </Head>
  );
}

/** Across the lists: the same chunk in the next one, and why it stands where it stands. */
function acrossLists(event: KeyboardEvent<HTMLElement>) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const row = event.target as HTMLElement;
  if (row.role !== "option") return;
  if (event.key === " ") {
    event.preventDefault();
    document.querySelector<HTMLElement>("[data-explains]")?.focus();
    return;
  }
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  const mirrored = getComputedStyle(event.currentTarget).direction === "rtl";
  const lists = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=listbox]")];
  const from = lists.findIndex((list) => list.contains(row));
  const next = lists[from + (mirrored ? -by : by)]?.querySelector<HTMLElement>("[aria-selected=true]");
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Pixels of the heads, which stay in sight. */
const HEAD = 34;

const partialCounts = ({ response: { trace } }: Found) => ({
  covered: whole(trace.covered),
  all: whole(trace.candidates_after),
});

const tierTitle = ({ response: { trace } }: Found) =>
  trace.space
    ? t("search.space_title", {
        model: trace.space.model,
        dimensions: trace.space.dimensions,
        tier: t(`search.tiers.${trace.tier ?? trace.space.tier}`),
        path: trace.semantic_path ?? "",
      })
    : undefined;

function Head({ leg, title, children }: { leg: LegKind; title: string; children: ReactNode }) {
  return (
    <div className={css.head}>
      <LegBadge leg={leg} />
      <h2 className={shared.title}>{title}</h2>
      <span className={css.detail}>{children}</span>
    </div>
  );
}

/** The three lists before the first has answered. */
export function ExpectedColumns({ rowHeight }: { rowHeight: number }) {
  const legs = ["semantic", "fused", "keyword"] as const;
  return (
    <div className={css.scroller} style={{ "--rh": `${rowHeight}px` } as React.CSSProperties}>
      <div className={css.columns}>
        {legs.map((leg, at) => (
          <Fragment key={leg}>
            {at > 0 && <span className={css.head} />}
            <Head leg={leg} title={t(`search.modes.${leg}`)}>
              {null}
            </Head>
          </Fragment>
        ))}
        {legs.map((leg, at) => (
          <Fragment key={leg}>
            {at > 0 && <span />}
            <LegSkeleton
              rows={LEAST_ROWS}
              rowHeight={rowHeight}
              quiet={at > 0}
              className={leg === "fused" ? shared.fused : undefined}
            />
          </Fragment>
        ))}
      </div>
    </div>
  );
}

/** Why a leg shows nothing. */
function Silent({ mode, leg, found }: { mode: string; leg: "semantic" | "keyword"; found: Found }) {
  const { trace } = found.response;
  const off = mode !== "hybrid" && mode !== leg;
  const alone = trace.notices.find((notice) => notice.cause === "keyword_only");
  return (
    <div className={css.silent}>
      {!off && found.request.mode !== mode ? (
        <span className="sm mut">{t("search.silent.enter")}</span>
      ) : off ? (
        <span className="sm mut">{t("search.silent.off", { mode: t(`search.modes.${leg}`) })}</span>
      ) : leg === "semantic" && alone ? (
        <Note kind="warn">{visible(sentence(alone.message))}</Note>
      ) : (
        <span className="sm mut">{t(`search.silent.${leg}`)}</span>
      )}
    </div>
  );
}
