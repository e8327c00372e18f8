import { memo, useMemo } from "react";
import type { EngineError } from "@/api/client";
import type { Mode, SearchNotice, SearchRequest } from "@/api/types";
import { Note } from "@/kit/Note";
import { useNarrow } from "@/kit/narrow";
import { Pane, Panes } from "@/kit/Panes";
import { useOncePainted } from "@/kit/painted";
import { ErrorState } from "@/kit/states";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import type { Explained } from "@/text/errors";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";
import { Blind } from "./Blind";
import { Columns, ExpectedColumns } from "./Columns";
import { Dock, ExpectedDock } from "./Dock";
import { Inspector } from "./Inspector";
import { NoResults, Start } from "./Nothing";
import { type Lab, sameRequest } from "./state";
import type { Found, LabControl } from "./use-lab";
import css from "./work.module.css";

const ROW = { wide: 45, narrow: 32 };

/** What is degraded in an answer, beyond what its own place tells. */
function notices({ response }: Found): string[] {
  const placed = (notice: SearchNotice) => notice.cause === "keyword_only" || notice.cause === "not_reranked";
  return response.trace.notices.filter((notice) => !placed(notice)).map((notice) => notice.message);
}

const cure = (explained: Explained) => {
  if (explained.cure === "library") navigate(href("library"));
  else if (explained.cure.startsWith("settings")) navigate(href("settings"));
};

type WorkProps = Pick<LabControl, "ask" | "change"> &
  Pick<Lab, "order" | "budget" | "out" | "blind"> & {
    /** There is a query. */
    asked: boolean;
    mode: Mode;
    rerank: boolean;
    pinned: readonly string[];
    found: Found | undefined;
    /** What the first answer will answer; nothing once there is one. */
    awaited: SearchRequest | undefined;
    provisional: boolean;
    /** Enter asks for more than is shown. */
    partial: boolean;
    error: EngineError | undefined;
    /** Why the last run could not be made and kept. */
    notKept: EngineError | undefined;
    selected: string | undefined;
    onRetry: () => void;
    onRecord: () => void;
    onSelect: (chunkId: string) => void;
    onOpen: (chunkId: string) => void;
    onStep: (by: number) => void;
  };

/** The answer with what explains it. It is redrawn with an answer, not with every letter of the query. */
export const Work = memo(function Work(props: WorkProps) {
  const { ask, change, asked, found, provisional, error, notKept, selected } = props;
  const narrow = useNarrow();
  const nothing = isEmpty(props);
  const failure = error ?? notKept;
  const awaited = asked && !found && !failure ? props.awaited : undefined;
  // The lists are painted first; dock and inspector follow in a frame of their own. A selection among answers to the same
  // question shows at once: a key judges what the inspector shows, which must be what the lists mark.
  const latest = useMemo(() => ({ found, provisional, selected }), [found, provisional, selected]);
  const painted = useOncePainted(latest);
  const follows =
    found !== undefined &&
    painted.found !== undefined &&
    painted.found !== found &&
    !sameRequest(painted.found.request, found.request);
  const explained = follows ? painted : latest;
  return (
    <Panes id="search-lab">
      <Pane id="centre" min={420}>
        <Panes id="search-lab-centre" direction="column">
          <Pane id="results" label={t("search.results")} min={180}>
            <Results {...props} rowHeight={narrow ? ROW.narrow : ROW.wide} />
          </Pane>
          {!props.blind && (awaited || (found && asked && !nothing)) && (
            <Pane
              key={narrow ? "low" : "high"}
              id={narrow ? "dock-low" : "dock"}
              size={narrow ? 164 : 214}
              min={90}
              max={420}
              fold="start"
            >
              {found ? (
                <Dock
                  change={change}
                  order={props.order}
                  budget={props.budget}
                  out={props.out}
                  found={explained.found ?? found}
                  provisional={explained.provisional}
                  selected={explained.selected}
                  narrow={narrow}
                />
              ) : (
                awaited && <ExpectedDock request={awaited} narrow={narrow} />
              )}
            </Pane>
          )}
        </Panes>
      </Pane>
      <Pane
        key={narrow ? "low" : "high"}
        id={narrow ? "inspector-low" : "inspector"}
        label={t("search.inspector.title")}
        size={narrow ? 272 : 348}
        min={240}
        fold="end"
        sunken
      >
        <Inspector
          ask={ask}
          change={change}
          pinned={props.pinned}
          found={asked ? explained.found : undefined}
          provisional={explained.provisional}
          rerankWaits={props.rerank}
          expected={awaited !== undefined}
          selected={explained.selected}
          blind={props.blind}
          onStep={props.onStep}
        />
      </Pane>
    </Panes>
  );
});

/** Whether an answer found nothing; while a better one may come that is not known. */
const isEmpty = ({ found, provisional }: Pick<WorkProps, "found" | "provisional">): boolean =>
  found !== undefined && found.response.results.length === 0 && !provisional;

/** What was found, what it lacks, or why there is nothing. */
function Results(props: WorkProps & { rowHeight: number }) {
  const { found, error, notKept } = props;
  const told = found ? notices(found) : [];
  return (
    <>
      {found && told.length > 0 && (
        <div className={css.notices} role="status">
          {told.map((notice) => (
            <Note key={notice} kind={found.response.trace.degraded ? "warn" : "plain"}>
              {visible(sentence(notice))}
            </Note>
          ))}
        </div>
      )}
      {notKept && found && (
        <div className={css.notices} role="alert">
          <Note kind="bad">{visible(sentence(notKept.message))}</Note>
        </div>
      )}
      <Ranked {...props} failure={error ?? (found ? undefined : notKept)} />
    </>
  );
}

/** The lists of an answer, beside each other or without saying which is whose. */
function Ranked(props: Parameters<typeof Results>[0] & { failure: EngineError | undefined }) {
  const { ask, asked, found, failure, blind, rowHeight, onRetry, onRecord } = props;
  if (!asked) return <Start ask={ask} onRecord={onRecord} />;
  if (failure) return <ErrorState error={failure} onRetry={onRetry} onCure={cure} />;
  if (!found) return <ExpectedColumns rowHeight={rowHeight} />;
  if (isEmpty(props)) return <NoResults ask={ask} found={found} />;
  const { selected, onSelect, onOpen } = props;
  if (blind) return <Blind {...{ found, selected, onSelect, onOpen }} rowHeight={ROW.wide} />;
  const { provisional, mode, rerank, partial } = props;
  return (
    <Columns {...{ found, provisional, mode, rerank, partial, selected, onSelect, onOpen, rowHeight }} />
  );
}
