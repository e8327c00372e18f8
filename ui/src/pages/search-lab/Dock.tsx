import { IconArrowBackUp, IconCopy, IconInfoCircle, IconPlayerPlay } from "@tabler/icons-react";
import { type KeyboardEvent, memo, type ReactNode, useMemo, useState } from "react";
import { call, EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { ContextSource, Dropped, Hit, SearchRequest } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { NumberField } from "@/kit/fields";
import { Id } from "@/kit/Id";
import { Kbd } from "@/kit/Kbd";
import type { LegKind } from "@/kit/legs";
import { Menu } from "@/kit/Menu";
import { Note } from "@/kit/Note";
import { Pane, Panes } from "@/kit/Panes";
import { Pill } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useShortcut } from "@/kit/shortcuts";
import { SkeletonRows } from "@/kit/states";
import { Tabs } from "@/kit/Tabs";
import { Waterfall } from "@/kit/Waterfall";
import { standardId, titleOf } from "@/parts/passage";
import { copyText } from "@/state/copy";
import { t, text } from "@/text";
import { milliseconds, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { inFusedOrder } from "./Columns";
import { commandOf, lookupOf } from "./calls";
import css from "./dock.module.css";
import { PartHead } from "./PartHead";
import { reasonOf } from "./reasons";
import shared from "./shared.module.css";
import type { Lab } from "./state";
import { type Found, type LabControl, useUsual } from "./use-lab";

/** Passages of the context that are drawn; a large budget takes hundreds. */
const MOST_SOURCES = 60;

type DockProps = Pick<LabControl, "change"> &
  Pick<Lab, "order" | "budget" | "out"> & {
    found: Found;
    provisional: boolean;
    selected: string | undefined;
    narrow: boolean;
  };

/** How an answer came about, what of it goes to a model, and the call that gives the same. */
export const Dock = memo(function Dock(props: DockProps) {
  const { found, narrow } = props;
  return (
    <DockParts
      narrow={narrow}
      total={totalOf(found)}
      timing={<Timing {...props} />}
      context={<Context {...props} />}
      call={<SameCall request={found.request} narrow={narrow} />}
    />
  );
});

/** Milliseconds from the start to the end of the last stage. */
export const totalOf = ({ response }: Found): number =>
  Math.max(0, ...response.trace.timings.map((stage) => stage.start_ms + stage.duration_ms));

type ExpectedDockProps = { request: SearchRequest; narrow: boolean };

/** The dock before the first answer: all stands where it will stand, and what is known already shows. */
export function ExpectedDock({ request, narrow }: ExpectedDockProps) {
  return (
    <DockParts
      narrow={narrow}
      timing={
        <>
          <PartHead title={t("search.timing.title")} tabbed={narrow} />
          <SkeletonRows bare rows={4} height={20} quiet />
        </>
      }
      context={
        <>
          <PartHead title={t("search.context.title")} tabbed={narrow}>
            <span className="mut sm nowrap">{t("search.context.later")}</span>
          </PartHead>
          <div className={`${css.dockBody} ${css.context}`}>
            <div className={css.segments} />
            <SkeletonRows rows={4} height={23} quiet />
          </div>
        </>
      }
      call={<SameCall request={request} narrow={narrow} />}
    />
  );
}

type DockPartsProps = Record<"timing" | "context" | "call", ReactNode> & {
  narrow: boolean;
  /** Milliseconds that the answer took, once they are known. */
  total?: number;
};

/** Timing, context and call: beside each other, or taking turns where there is less room. */
function DockParts({ narrow, total, timing, context, call }: DockPartsProps) {
  const [tab, setTab] = useState<"timing" | "context" | "call">("context");
  if (narrow)
    return (
      <div className={shared.tabbed}>
        <Tabs
          low
          label={t("search.dock")}
          value={tab}
          onChange={setTab}
          tabs={[
            {
              value: "timing",
              label: (
                <>
                  {t("search.timing.title")}{" "}
                  {total !== undefined && (
                    <span className={`number ${css.light}`}>{milliseconds(total)}</span>
                  )}
                </>
              ),
              panel: timing,
            },
            { value: "context", label: t("search.context.title"), panel: context },
            { value: "call", label: t("search.call.title"), panel: call },
          ]}
        />
      </div>
    );
  return (
    <Panes id="search-dock">
      <Pane id="timing" label={t("search.timing.title")} size={318} min={220}>
        {timing}
      </Pane>
      <Pane id="context" label={t("search.context.title")} min={260}>
        {context}
      </Pane>
      <Pane id="call" label={t("search.call.title")} size={290} min={220}>
        {call}
      </Pane>
    </Panes>
  );
}

const LEG: Record<string, LegKind> = {
  semantic: "semantic",
  keyword: "keyword",
  fuse: "fused",
  rerank: "rerank",
};

function Timing({ found, narrow }: DockProps) {
  const { trace } = found.response;
  const remote = trace.tier === "remote";
  const network = (stage: string) => stage === "rerank" || (stage === "embed" && remote);
  const steps = trace.timings.map((stage) => ({
    label: text(`search.stages.${stage.stage}`) ?? stage.stage,
    start: stage.start_ms,
    duration: stage.duration_ms,
    leg: LEG[stage.stage],
    network: network(stage.stage),
    note: `${whole(stage.items_in)} → ${whole(stage.items_out)}`,
  }));
  const failed = trace.notices.filter((notice) => notice.cause === "not_reranked");
  return (
    <>
      <PartHead
        title={t("search.timing.title")}
        tabbed={narrow}
        end={
          steps.some((step) => step.network) && (
            <span className="row gap-6 xs mut">
              <i className={css.network} aria-hidden="true" />
              {t("search.timing.network")}
            </span>
          )
        }
      >
        {!narrow && <span className="mut sm number">{milliseconds(totalOf(found))}</span>}
      </PartHead>
      <ScrollRegion fill ways="down" className={css.dockBody} label={t("search.timing.steps")}>
        {failed.map((notice) => (
          <Note key={notice.message} kind="warn">
            {visible(sentence(notice.message))}
          </Note>
        ))}
        <Waterfall label={t("search.timing.chart")} steps={steps} rowHeight={16} />
      </ScrollRegion>
    </>
  );
}

function Context({ order, budget, out, change, found, provisional, selected, narrow }: DockProps) {
  const { results } = found.response;
  const ordered = useMemo(() => (order === "fused" ? inFusedOrder(results) : results), [results, order]);
  const reranked = results.some((hit) => hit.rerank_score !== null);
  const ids = ordered.map((hit) => hit.chunk_id).filter((id) => !out.includes(id));
  const block = useCommand(
    "context.assemble",
    { chunk_ids: ids, max_tokens: budget },
    { enabled: ids.length > 0 && !provisional, keep: true },
  );
  const sources = ids.length > 0 ? (block.data?.sources ?? []) : [];
  const name = (id: string) => {
    const hit = results.find((each) => each.chunk_id === id);
    return hit ? titleOf(hit) : id;
  };
  const awaited = ids.length > 0 && block.isPending;
  const total = ids.length > 0 ? (block.data?.total_tokens ?? 0) : 0;
  const dropped = out.filter((id) => results.some((hit) => hit.chunk_id === id));
  const left = block.data?.left_out ?? [];
  const shown = sources.slice(0, MOST_SOURCES);
  const lines = Math.ceil((shown.length + dropped.length) / (narrow ? 3 : 2));
  return (
    <>
      <PartHead
        title={t("search.context.title")}
        tabbed={narrow}
        end={reranked && <OrderMenu order={order} onChange={(next) => change({ order: next })} />}
      >
        <span className="mut sm number nowrap row gap-4">
          {provisional || (awaited && !block.error)
            ? t("search.context.later")
            : t("search.context.total", { tokens: total })}
          <NumberField
            label={t("search.context.budget")}
            value={budget}
            onChange={(tokens) => change({ budget: tokens })}
            min={100}
            max={1_000_000}
            step={100}
            width={60}
            size="small"
          />
          {t("search.context.tokens")}
        </span>
      </PartHead>
      <ScrollRegion fill ways="down" className={`${css.dockBody} ${css.context}`}>
        <Segments
          sources={shown}
          budget={budget}
          selected={selected}
          name={name}
          onDrop={(id) => change({ out: [...out, id] })}
        />
        {block.error && <Note kind="bad">{visible(sentence(block.error.message))}</Note>}
        {provisional && <SkeletonRows rows={4} height={23} quiet />}
        <div
          className={`number ${css.sources}`}
          style={{ "--lines": Math.max(provisional ? 0 : 4, lines) } as React.CSSProperties}
        >
          {shown.map((source) => (
            <button
              key={source.chunk_id}
              type="button"
              className="row gap-6"
              data-tip={source.label}
              onClick={() => change({ selected: source.chunk_id })}
            >
              <span className={classes("cite", source.chunk_id === selected && "on")}>{source.number}</span>
              <SourceName hit={results.find((each) => each.chunk_id === source.chunk_id)} />
              <span className={`mut ${css.endNumber}`}>{whole(source.tokens)}</span>
            </button>
          ))}
          {dropped.map((id) => (
            <span key={id} className="row gap-6">
              <IconButton
                size="small"
                label={t("search.context.put_back", { name: name(id) })}
                onClick={() => change({ out: out.filter((each) => each !== id) })}
              >
                <IconArrowBackUp className="xs" aria-hidden />
              </IconButton>
              <s className="ell mut">{name(id)}</s>
            </span>
          ))}
        </div>
        <span className={`xs mut row gap-6 ${css.leftOut}`}>
          <IconInfoCircle className="xs" aria-hidden />
          <span>{t(reranked ? `search.context.how.${order}` : "search.context.how.plain")}</span>
        </span>
        {sources.length > shown.length && (
          <span className="xs mut">
            {t("search.context.more_sources", { count: sources.length - shown.length })}
          </span>
        )}
        {left.length > 0 && <LeftOutOf left={left} name={name} />}
      </ScrollRegion>
    </>
  );
}

/** In which order the passages of the context come. */
function OrderMenu({
  order,
  onChange,
}: {
  order: DockProps["order"];
  onChange: (order: DockProps["order"]) => void;
}) {
  return (
    <Menu
      label={t("search.context.order")}
      entries={(["answer", "fused"] as const).map((each) => ({
        label: t(`search.context.orders.${each}`),
        checked: order === each,
        onClick: () => onChange(each),
      }))}
    >
      <Pill
        label={t("search.context.order")}
        value={t(`search.context.orders.${order}`)}
        menu
        aria-haspopup="menu"
      />
    </Menu>
  );
}

type SegmentsProps = {
  sources: readonly ContextSource[];
  budget: number;
  selected: string | undefined;
  /** What a chunk is called. */
  name: (id: string) => string;
  onDrop: (id: string) => void;
};

/** The passages of the context as shares of its budget; a press leaves one out. */
function Segments({ sources, budget, selected, name, onDrop }: SegmentsProps) {
  const stop = Math.max(
    0,
    sources.findIndex((source) => source.chunk_id === selected),
  );
  return (
    <div
      className={css.segments}
      role="toolbar"
      aria-label={t("search.context.segments")}
      style={{ "--count": sources.length } as React.CSSProperties}
      onKeyDown={walk}
    >
      {sources.map(({ chunk_id, number, tokens }, index) => {
        const label = t("search.context.drop", { number, name: name(chunk_id), tokens });
        return (
          <button
            key={chunk_id}
            type="button"
            className={chunk_id === selected ? css.segmentOn : css.segment}
            style={{ width: `${(tokens / budget) * 100}%` }}
            aria-label={label}
            tabIndex={index === stop ? 0 : -1}
            data-tip={label}
            onClick={() => onDrop(chunk_id)}
          >
            {number}
          </button>
        );
      })}
    </div>
  );
}

/** Why passages were left out of the context, the first three by name. */
function LeftOutOf({ left, name }: { left: readonly Dropped[]; name: SegmentsProps["name"] }) {
  return (
    <div className={`xs mut row gap-6 ${css.leftOut}`}>
      <IconInfoCircle className="xs" aria-hidden />
      <span>
        {left
          .slice(0, 3)
          .map((each) => `${name(each.chunk_id)}: ${reasonOf(each)}`)
          .join(" ")}
        {left.length > 3 && ` ${t("search.context.more_left", { count: left.length - 3 })}`}
      </span>
    </div>
  );
}

/** Titles may be cut short, ids never. */
function SourceName({ hit }: { hit: Hit | undefined }) {
  if (!hit) return null;
  const id = standardId(hit);
  return id ? <Id>{id}</Id> : <span className="ell">{titleOf(hit)}</span>;
}

/** One tab stop for all segments: the arrow keys lead from one to the next. */
function walk(event: KeyboardEvent<HTMLElement>) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (by === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  const mirrored = getComputedStyle(event.currentTarget).direction === "rtl";
  buttons[Math.max(0, Math.min(buttons.length - 1, at + (mirrored ? -by : by)))]?.focus();
  event.preventDefault();
}

function SameCall({ request, narrow }: { request: SearchRequest; narrow: boolean }) {
  const [door, setDoor] = useState<"lookup" | "cli">("lookup");
  const [answer, setAnswer] = useState<string>();
  const usual = useUsual();
  const { input, beyond } = lookupOf(request, usual);
  const command = commandOf(request, usual);
  const lookup = `rag_lookup(${JSON.stringify(input, null, 2)})`;
  const words = door === "lookup" ? lookup : command;
  const copy = () =>
    void copyText(words, t(door === "lookup" ? "search.call.copied_lookup" : "search.call.copied_cli"));
  useShortcut("search-lab.copy", copy);
  const run = async () => {
    try {
      setAnswer((await call("rag_lookup", input)).text);
    } catch (thrown) {
      setAnswer(sentence(EngineError.from(thrown).message));
    }
  };
  return (
    <>
      <PartHead
        title={t("search.call.title")}
        tabbed={narrow}
        end={
          <SegmentedControl
            label={t("search.call.title")}
            size="small"
            value={door}
            onChange={setDoor}
            options={[
              { value: "lookup", label: "rag_lookup" },
              { value: "cli", label: "CLI" },
            ]}
          />
        }
      />
      <ScrollRegion fill ways="down" className={`${css.dockBody} ${css.call}`}>
        <ScrollRegion className={`card sunken ${css.code}`} label={t("search.call.words")}>
          <pre dir="ltr">
            {door === "cli" ? (
              command
            ) : (
              <>
                <span className="json-key">rag_lookup</span>
                {"({\n"}
                {Object.entries(input).map(([name, value]) => (
                  <span key={name}>
                    {"  "}
                    <span className="json-key">{name}</span>:{" "}
                    <span className={typeof value === "number" ? "json-number" : "json-string"}>
                      {JSON.stringify(value)}
                    </span>
                    {",\n"}
                  </span>
                ))}
                {"})"}
              </>
            )}
          </pre>
        </ScrollRegion>
        {door === "lookup" && beyond.length > 0 && (
          <span className="xs mut">{t("search.call.beyond", { settings: beyond.join(", ") })}</span>
        )}
        <span className="row gap-6">
          <Button size="small" icon={<IconCopy className="small" aria-hidden />} onClick={copy}>
            {t(door === "lookup" ? "search.call.copy_lookup" : "search.call.copy_cli")}
            <Kbd keys="mod+shift+c" />
          </Button>
          {door === "lookup" && (
            <IconButton label={t("search.call.answer")} onClick={() => void run()}>
              <IconPlayerPlay className="small" aria-hidden />
            </IconButton>
          )}
        </span>
      </ScrollRegion>
      <Dialog
        open={answer !== undefined}
        onClose={() => setAnswer(undefined)}
        label={t("search.call.answer_title")}
        width={720}
      >
        <div className={shared.dialog}>
          <h2 className="h2">{t("search.call.answer_title")}</h2>
          <ScrollRegion as="pre" label={t("search.call.answer_title")} className={css.answer}>
            {answer}
          </ScrollRegion>
        </div>
        <DialogFoot>
          <span className="grow" />
          <Button onClick={() => setAnswer(undefined)}>{t("keys.close")}</Button>
        </DialogFoot>
      </Dialog>
    </>
  );
}
