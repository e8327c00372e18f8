import { IconArrowsDiff, IconBolt, IconLoader2, IconSearch } from "@tabler/icons-react";
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { subscribeDrag } from "@/api/client";
import { useCommand } from "@/api/queries";
import { PageHeader } from "@/app/page-header";
import { href, navigate } from "@/app/router";
import { toast } from "@/app/toasts";
import { Button, IconButton } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, Loaded, SkeletonRows, useDelayed } from "@/kit/states";
import { t } from "@/text";
import { cost, milliseconds } from "@/text/format";
import { Apply } from "./Apply";
import { ChunkList, listed } from "./ChunkList";
import { Compare } from "./Compare";
import css from "./chunk-lab.module.css";
import { chunkOf, firstWhere, type Layout, type Range } from "./cut";
import { Difference, differenceLine, useDifference } from "./Difference";
import { Find } from "./Find";
import { Chips, Form, FormButton } from "./Form";
import { Inspector } from "./Inspector";
import { documentName, Paste, Picker } from "./Picker";
import { Source } from "./Source";
import { Statistics } from "./Statistics";
import type { Config, Lab, Side } from "./state";
import { type ConfigControl, useConfig } from "./use-config";
import { type Base, type Cut, type Source as CutOf, useBase, useCut } from "./use-cut";
import { useLab } from "./use-lab";

const NARROW = "(max-width: 1180px)";

/** Whether the window is narrow; the component follows it. */
function useNarrow(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      const query = window.matchMedia(NARROW);
      query.addEventListener("change", watcher);
      return () => query.removeEventListener("change", watcher);
    },
    () => window.matchMedia(NARROW).matches,
  );
}

// A text given by hand lives as long as the window: it is too long for the address.
let given: { key: string; name: string; text: string } | undefined;
let givenBefore = 0;

/** What the state names, as the engine takes it. */
function useSource({ document, path, text }: Lab): CutOf | undefined {
  const key = text
    ? given?.key
    : path !== undefined
      ? `path:${path}`
      : document !== undefined
        ? `document:${document}`
        : undefined;
  return useMemo(() => {
    if (key === undefined) return undefined;
    if (key.startsWith("text:") && given)
      return { key, source: { kind: "text", name: given.name, text: given.text } };
    if (path !== undefined) return { key, source: { kind: "path", path } };
    return { key, source: { kind: "document", id: document ?? 0 } };
  }, [key, path, document]);
}

/** Hears of files let go over the window. Gives whether some hang over it. */
function useDropped(onDrop: (path: string) => void): boolean {
  const [over, setOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(
    () =>
      subscribeDrag((event) => {
        if (event.kind === "over") return;
        setOver(event.kind === "enter");
        const path = event.kind === "drop" ? event.paths[0] : undefined;
        if (path !== undefined) drop(path);
      }),
    [],
  );
  return over;
}

/** Hears of text pasted anywhere but into a field. */
function usePasted(onText: (text: string) => void) {
  const paste = useEffectEvent(onText);
  useEffect(() => {
    const listen = (event: ClipboardEvent) => {
      if (event.target instanceof Element && event.target.closest("input, textarea")) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim() !== "") paste(text);
    };
    window.addEventListener("paste", listen);
    return () => window.removeEventListener("paste", listen);
  }, []);
}

/** A function that never changes and does what the latest one does: parts that are kept as drawn may hold on to it. */
function useSteady<Arguments extends unknown[]>(run: (...given: Arguments) => void) {
  const latest = useRef(run);
  useLayoutEffect(() => {
    latest.current = run;
  });
  return useCallback((...given: Arguments) => latest.current(...given), []);
}

const OVERLAP = ["overlap_tokens", "chunk_overlap"];
const TARGET = ["target_tokens", "chunk_size", "max_tokens"];
const NUDGE = 10;

/** The keys that change a configuration. */
function useConfigKeys(control: ConfigControl | undefined) {
  const named = (names: readonly string[]) =>
    names.flatMap((name) => control?.strategy.params.find((param) => param.name === name) ?? [])[0];
  const nudge = (by: number) => {
    const param = named(TARGET);
    const value = param && control?.values[param.name];
    if (!control || !param || typeof value !== "number") return;
    control.set(param.name, Math.max(param.min ?? 0, Math.min(param.max ?? value + by, value + by)));
  };
  useShortcut("chunk-lab.less", () => nudge(-NUDGE));
  useShortcut("chunk-lab.more", () => nudge(NUDGE));
  useShortcut("chunk-lab.overlap", () => {
    const param = named(OVERLAP);
    if (param) control?.set(param.name, control.values[param.name] === 0 ? param.default : 0);
  });
}

type Painted = { cut: Cut; milliseconds: number };

/** How long the last change took until its boundaries were on screen. */
function Rebuilt({ cut, pending, painted }: { cut: Cut; pending: boolean; painted: Painted | undefined }) {
  const late = useDelayed(pending, 150);
  const took = painted?.cut === cut && cut.asked > 0 ? painted.milliseconds : undefined;
  return (
    <span
      className="row g6 xs mut"
      data-testid="chunk-lab-rebuilt"
      data-painted={took}
      data-chunking={cut.view.chunking_ms}
      data-pending={pending}
    >
      {late ? <IconLoader2 className="s spin" aria-hidden /> : <IconBolt className="s" aria-hidden />}
      <span className="ell">
        {late
          ? t("chunk-lab.form.rebuilding")
          : took === undefined
            ? t("chunk-lab.form.cut_in", { time: milliseconds(cut.view.chunking_ms) })
            : t("chunk-lab.form.rebuilt", {
                time: milliseconds(took),
                cutting: milliseconds(cut.view.chunking_ms),
              })}
      </span>
    </span>
  );
}

/** The chunk that the state means, in `layout`. */
function selectedIn(layout: Layout, { at, chunk }: Lab): number | undefined {
  if (at) return chunkOf(layout, at);
  return chunk === undefined && layout.chunks.length > 0 ? 0 : undefined;
}

type BenchProps = {
  lab: Lab;
  change: (part: Partial<Lab>) => void;
  base: Base;
  source: CutOf;
  name: string;
  format: string | undefined;
  corpusId: number | undefined;
  onPaste: () => void;
};

/** Everything once there is a document. */
function Bench({ lab, change, base, source, name, format, corpusId, onPaste }: BenchProps) {
  const narrow = useNarrow();
  const { side } = lab;
  const document = source.source.kind === "document" ? source.source.id : undefined;
  const put = (which: Side) => (config: Config | undefined) =>
    change(which === "a" ? { a: config } : { b: config });
  const controlA = useConfig(base, lab.a, put("a"));
  const controlB = useConfig(base, lab.b, put("b"));
  const cutA = useCut(source, base, lab.a);
  const cutB = useCut(source, lab.compare || side === "b" ? base : undefined, lab.b);
  const { cut, pending, error, retry } = side === "a" || lab.compare ? cutA : cutB;
  const control = side === "a" || lab.compare ? controlA : controlB;
  useConfigKeys(side === "a" ? controlA : controlB);

  // A link names a stored chunk; its place is what stays when the cut changes.
  const linked = useCommand(
    "chunk.get",
    { chunk_id: lab.chunk ?? "" },
    { enabled: lab.chunk !== undefined && !lab.at },
  );
  const place = linked.data?.view.range;
  useEffect(() => {
    if (place && !lab.at) change({ at: place });
  }, [place, lab.at, change]);
  useEffect(() => {
    if (linked.error && lab.chunk && !lab.at) {
      toast({
        kind: "warn",
        title: t("chunk-lab.source.no_chunk", { id: lab.chunk }),
        detail: linked.error.message,
      });
      change({ chunk: undefined });
    }
  }, [linked.error, lab.chunk, lab.at, change]);

  const layout = cut?.layout;
  const selected = useMemo(() => (layout ? selectedIn(layout, lab) : undefined), [layout, lab]);
  const rows = useMemo(
    () => (layout ? listed(layout, lab.order, lab.only) : []),
    [layout, lab.order, lab.only],
  );
  const select = (chunk: number) => {
    const at = layout?.chunks[chunk]?.view.range;
    if (at) change({ at, chunk: undefined });
  };
  const step = (by: number) => {
    const now = selected === undefined ? -1 : rows.indexOf(selected);
    // What is selected may be filtered out: then the way goes on from its place.
    const from =
      now >= 0 || lab.order !== "position"
        ? now
        : firstWhere(rows, (row) => row > (selected ?? -1)) - (by > 0 ? 1 : 0);
    const next = rows[Math.max(0, Math.min(rows.length - 1, from + by))];
    if (next !== undefined) select(next);
  };
  const nextWarning = () => {
    if (!layout) return;
    const bad = (index: number) =>
      (layout.warnings[index] ?? []).some((each) =>
        lab.only === "all" || lab.only === "warnings" ? true : each === lab.only,
      );
    const all = layout.chunks.map((_, index) => index).filter(bad);
    const next = all.find((index) => index > (selected ?? -1)) ?? all[0];
    if (next !== undefined) select(next);
  };
  useShortcut("chunk-lab.next", () => step(1));
  useShortcut("chunk-lab.previous", () => step(-1));
  useShortcut("chunk-lab.warning", nextWarning);
  useShortcut("chunk-lab.swap", () => change({ side: side === "a" ? "b" : "a" }));

  const overview = useCommand("library.overview", {});
  const corpus = overview.data?.corpora.find((each) => each.corpus.id === corpusId);
  const { difference } = useDifference(document, lab.compare ? lab.b : side === "a" ? lab.a : lab.b);
  // The boundaries are painted first; figures, list and inspector follow in a frame of their own.
  const later = useDeferredValue(cut) ?? cut;
  const laterRows = useMemo(
    () => (later ? listed(later.layout, lab.order, lab.only) : []),
    [later, lab.order, lab.only],
  );
  const laterSelected = useMemo(() => (later ? selectedIn(later.layout, lab) : undefined), [later, lab]);
  const steadySelect = useSteady(select);
  const steadyWarning = useSteady(nextWarning);
  const setOrder = useSteady((order: Lab["order"]) => change({ order }));
  const setOnly = useSteady((only: Lab["only"]) => change({ only }));
  const [applying, setApplying] = useState<Side>();
  const [differing, setDiffering] = useState(false);
  const applied = lab.compare ? "b" : side;
  const canApply = corpus !== undefined && document !== undefined;
  useShortcut("chunk-lab.apply", () => setApplying(applied), canApply);
  const price =
    difference &&
    [
      t("chunk-lab.form.reembeds", {
        count: difference.difference.added.length + difference.difference.changed,
      }),
      difference.cost === null ? undefined : t("chunk-lab.form.about", { cost: cost(difference.cost) }),
    ]
      .filter(Boolean)
      .join(", ");

  const [painted, setPainted] = useState<Painted>();
  const [sight, setSight] = useState<Range>([0, 0]);
  const [found, setFound] = useState<Range>();
  const [finding, setFinding] = useState(false);
  const find = () => setFinding(true);
  useShortcut("chunk-lab.find", find, !lab.compare);
  useShortcut("app.search", find, !lab.compare);
  const onPainted = useCallback(
    (done: Cut) => setPainted({ cut: done, milliseconds: performance.now() - done.asked }),
    [],
  );

  if (!cut || !later || !control || !controlA || !controlB) return <SkeletonRows rows={12} />;
  const applyDialog = applying && corpus && (
    <Apply
      corpus={corpus}
      control={applying === "a" ? controlA : controlB}
      base={base}
      cut={(applying === "a" ? cutA.cut : cutB.cut) ?? cut}
      difference={difference}
      onClose={() => setApplying(undefined)}
    />
  );
  if (lab.compare)
    return (
      <>
        {cutB.cut && (
          <Compare
            narrow={narrow}
            base={base}
            a={{ control: controlA, cut, pending, error }}
            b={{ control: controlB, cut: cutB.cut, pending: cutB.pending, error: cutB.error }}
            at={lab.at}
            onAt={(at) => change({ at, chunk: undefined })}
            onStep={step}
            onKeep={() => change({ compare: false, side: "a" })}
            onApply={canApply ? () => setApplying("b") : undefined}
            cost={price}
          />
        )}
        {applyDialog}
      </>
    );

  const foot = (
    <>
      <Rebuilt cut={cut} pending={pending} painted={painted} />
      {difference && document !== undefined && (
        <span className={css.differs1}>
          <span className="xs mut ell" data-testid="chunk-lab-difference">
            {differenceLine(difference)}
          </span>
          <Button size="tiny" tone="quiet" onClick={() => setDiffering(true)}>
            {t("chunk-lab.difference.open")}
          </Button>
        </span>
      )}
    </>
  );
  const mistake = error && (
    <div className={css.strap} role="alert">
      <Note kind="bad">
        {error.message}
        {error.code !== "invalid" && (
          <Button size="tiny" onClick={retry}>
            {t("errors.cure.retry")}
          </Button>
        )}
      </Note>
    </div>
  );
  const pages = base.structure.pages;
  const page = pages[firstWhere(pages, (each) => each.range[1] > sight[0])];
  const notices = base.structure.notices.filter((notice) => notice.severity !== "info");
  return (
    <>
      {narrow && (
        <section
          className={css.strip}
          aria-label={t("chunk-lab.form.title")}
          data-pane="configuration"
          tabIndex={-1}
        >
          <SideSwitch side={side} onChange={(next) => change({ side: next })} />
          <FormButton words side={side} control={control} cut={cut} />
          <Chips control={control} />
          <span className="grow" />
          <Rebuilt cut={cut} pending={pending} painted={painted} />
          {difference && document !== undefined && (
            <IconButton size="small" label={differenceLine(difference)} onClick={() => setDiffering(true)}>
              <IconArrowsDiff className="s" aria-hidden />
            </IconButton>
          )}
          {canApply && (
            <Button size="small" tone="primary" onClick={() => setApplying(side)}>
              {t("chunk-lab.form.apply_short")}
            </Button>
          )}
        </section>
      )}
      <div className={css.work}>
        <Panes id={narrow ? "chunk-lab-narrow" : "chunk-lab"}>
          {!narrow && (
            <Pane
              id="configuration"
              label={t("chunk-lab.form.title")}
              size={236}
              min={200}
              max={360}
              fold="start"
              sunken
            >
              <PaneHead
                title={t("chunk-lab.form.title")}
                end={<SideSwitch side={side} onChange={(next) => change({ side: next })} />}
              />
              <div className="scroll-y">
                {mistake}
                <Form side={side} control={control} cut={later} />
              </div>
              <div className={css.foot}>
                {foot}
                {canApply ? (
                  <>
                    <Button tone="primary" className={css.apply} onClick={() => setApplying(side)}>
                      {t("chunk-lab.form.apply")}
                    </Button>
                    <span className={`xs mut ${css.price}`}>{price ?? " "}</span>
                  </>
                ) : (
                  <span className="xs mut">{t("chunk-lab.form.not_stored")}</span>
                )}
              </div>
            </Pane>
          )}
          <Pane id="source" label={t("chunk-lab.source.title")} min={420}>
            <div className="hd">
              <Picker
                name={name}
                format={format}
                selected={document}
                onDocument={(id) =>
                  change({
                    document: id,
                    path: undefined,
                    text: false,
                    chunk: undefined,
                    at: undefined,
                    a: undefined,
                    b: undefined,
                  })
                }
                onPath={(path) =>
                  change({ path, document: undefined, text: false, chunk: undefined, at: undefined })
                }
                onPaste={onPaste}
              />
              {page && (
                <span className="sm mut n nw">
                  {t("chunk-lab.source.page", {
                    page: page.label ?? String(page.number),
                    pages: pages.length,
                  })}
                </span>
              )}
              <span className="end">
                {finding ? (
                  <Find
                    text={base.text}
                    from={sight[0]}
                    onFound={setFound}
                    onClose={() => {
                      setFinding(false);
                      setFound(undefined);
                    }}
                  />
                ) : (
                  <IconButton size="small" label={t("chunk-lab.source.find")} keys="/" onClick={find}>
                    <IconSearch className="s" aria-hidden />
                  </IconButton>
                )}
              </span>
            </div>
            {narrow && mistake}
            {notices.length > 0 && (
              <div className={css.strap} role="status">
                <Note kind="warn">
                  {notices[0]?.message}
                  {notices.length > 1 &&
                    ` ${t("chunk-lab.source.more_notices", { count: notices.length - 1 })}`}
                </Note>
              </div>
            )}
            <Source
              base={base}
              cut={cut}
              selected={selected}
              onSelect={select}
              onStep={step}
              found={found}
              label={t("chunk-lab.source.title")}
              onSight={setSight}
              onPainted={onPainted}
            />
          </Pane>
          <Pane id="chunks" label={t("chunk-lab.list.title")} size={narrow ? 210 : 288} min={180}>
            <PaneHead
              title={t("chunk-lab.stats.title")}
              end={<span className="sm mut">{t("chunk-lab.stats.here")}</span>}
            />
            <Statistics cut={later} only={lab.only} onOnly={setOnly} onShow={steadyWarning} />
            <ChunkList
              cut={later}
              text={base.text}
              order={lab.order}
              only={lab.only}
              rows={laterRows}
              selected={laterSelected}
              onSelect={steadySelect}
              onOrder={setOrder}
              onOnly={setOnly}
            />
          </Pane>
          <Pane
            id="inspector"
            label={t("chunk-lab.inspector.title")}
            size={narrow ? 296 : 330}
            min={240}
            fold="end"
            sunken
          >
            <Inspector base={base} cut={later} selected={laterSelected} document={document} onOpen={change} />
          </Pane>
        </Panes>
      </div>
      {applyDialog}
      {differing && difference && document !== undefined && (
        <Difference
          answer={difference}
          document={document}
          base={base}
          cut={cut}
          onSelect={select}
          onClose={() => setDiffering(false)}
        />
      )}
    </>
  );
}

function SideSwitch({ side, onChange }: { side: Side; onChange: (side: Side) => void }) {
  return (
    <SegmentedControl
      label={t("chunk-lab.form.side")}
      size="small"
      value={side}
      onChange={onChange}
      options={[
        { value: "a", label: "A" },
        { value: "b", label: "B" },
      ]}
    />
  );
}

const fileName = (path: string) => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;

/** The screen. */
export default function ChunkLabPage() {
  const { lab, change } = useLab();
  const documents = useCommand("document.list", {});
  const overview = useCommand("library.overview", {});
  const [pasting, setPasting] = useState(false);
  const source = useSource(lab);
  const base = useBase(source);

  // With nothing named the first document of the library is shown.
  const first = documents.data?.[0]?.id;
  useEffect(() => {
    if (!source && first !== undefined) change({ document: first, text: false });
  }, [source, first, change]);

  const takeText = (name: string, text: string) => {
    givenBefore += 1;
    given = { key: `text:${givenBefore}`, name, text };
    change({ text: true, document: undefined, path: undefined, chunk: undefined, at: undefined });
  };
  const takePath = (path: string) =>
    change({ path, document: undefined, text: false, chunk: undefined, at: undefined });
  const over = useDropped(takePath);
  usePasted((text) => takeText(t("chunk-lab.picker.text_name"), text));
  useShortcut("chunk-lab.compare", () => change({ compare: !lab.compare }));

  const row = documents.data?.find((each) => each.id === lab.document);
  const corpus = overview.data?.corpora.find((each) => each.corpus.id === row?.corpus_id);
  const name = lab.text
    ? (given?.name ?? "")
    : lab.path !== undefined
      ? fileName(lab.path)
      : row
        ? documentName(row)
        : t("chunk-lab.picker.document", { id: String(lab.document ?? "") });
  const empty = !source && documents.data?.length === 0;
  const paste = () => setPasting(true);
  return (
    <div className={css.lab}>
      <PageHeader
        context={lab.compare ? `${name}` : (corpus?.corpus.name ?? name)}
        actions={
          <SegmentedControl
            label={t("chunk-lab.view")}
            value={lab.compare ? "compare" : "inspect"}
            onChange={(view) => change({ compare: view === "compare" })}
            options={[
              { value: "inspect", label: t("chunk-lab.inspect") },
              {
                value: "compare",
                label: (
                  <>
                    <IconArrowsDiff className="s" aria-hidden />
                    {t("chunk-lab.compare.open")}
                  </>
                ),
              },
            ]}
          />
        }
      />
      {empty ? (
        <EmptyState
          title={t("chunk-lab.empty.title")}
          detail={t("chunk-lab.empty.detail")}
          action={
            <>
              <Button tone="primary" onClick={() => navigate(href("library"))}>
                {t("errors.cure.library")}
              </Button>
              <Button onClick={paste}>{t("chunk-lab.picker.paste")}</Button>
            </>
          }
        />
      ) : !source ? (
        <Loaded query={documents} skeleton={<SkeletonRows rows={12} />}>
          {() => <SkeletonRows rows={12} />}
        </Loaded>
      ) : base.error ? (
        <div className={css.failed}>
          <div className="hd">
            <Picker
              name={name}
              selected={lab.document}
              onDocument={(id) =>
                change({ document: id, path: undefined, text: false, chunk: undefined, at: undefined })
              }
              onPath={takePath}
              onPaste={paste}
            />
          </div>
          <Loaded query={base}>{() => null}</Loaded>
        </div>
      ) : (
        <Loaded query={base} skeleton={<SkeletonRows rows={14} />}>
          {(data) => (
            <Bench
              key={data.key}
              lab={lab}
              change={change}
              base={data}
              source={source}
              name={name}
              format={row?.format}
              corpusId={row?.corpus_id}
              onPaste={paste}
            />
          )}
        </Loaded>
      )}
      {over && (
        <div className={css.drop} role="status">
          <b>{t("chunk-lab.source.drop")}</b>
        </div>
      )}
      {pasting && <Paste onText={takeText} onClose={() => setPasting(false)} />}
    </div>
  );
}
