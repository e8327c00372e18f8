import { type ComponentProps, type ReactNode, useCallback, useMemo, useState } from "react";
import { useCommand } from "@/api/queries";
import type { ChunkingDifference } from "@/api/types";
import { useNarrow } from "@/kit/narrow";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { useOncePainted } from "@/kit/painted";
import { useShortcut } from "@/kit/shortcuts";
import { useSteady } from "@/kit/steady";
import type { Side } from "@/parts/Letter";
import { t } from "@/text";
import { cost } from "@/text/format";
import { Apply } from "./Apply";
import { ChunkList, listed } from "./ChunkList";
import { Compare } from "./Compare";
import { Configuration, ConfigurationStrip, Mistake, type Painted } from "./Configuration";
import type { Range } from "./cut";
import { Difference, useDifference } from "./Difference";
import { Document } from "./Document";
import { Expected } from "./Expected";
import type { PassagePlace } from "./GoldRow";
import { Inspector } from "./Inspector";
import { ELSEWHERE, Picker } from "./Picker";
import { Statistics } from "./Statistics";
import shared from "./shared.module.css";
import type { Config, Lab } from "./state";
import { type Base, type Cut, type Source as CutOf, useChunking } from "./use-chunking";
import { useConfig, useConfigKeys } from "./use-config";
import type { LabControl } from "./use-lab";
import { selectedIn, useLinked, useSelection } from "./use-selection";

type BenchProps = LabControl & {
  base: Base;
  source: CutOf;
  name: string;
  format: string | undefined;
  corpusId: number | undefined;
  onPaste: () => void;
};

/** What applying would embed, and what that costs. */
function priceOf({ difference, cost: price }: ChunkingDifference): string {
  const count = difference.added.length + difference.changed;
  if (count === 0) return t("chunk-lab.form.nothing_new");
  const words = t("chunk-lab.form.reembeds", { count });
  return price === null ? words : `${words}, ${t("chunk-lab.form.about", { cost: cost(price) })}`;
}

/** The settings of both sides with what they cut, and which of the two is shown. */
function useSides({ lab, change, base, source }: Pick<BenchProps, "lab" | "change" | "base" | "source">) {
  const { side } = lab;
  const put = (which: Side) => (config: Config | undefined) =>
    change(which === "a" ? { a: config } : { b: config });
  const controlA = useConfig(base, lab.a, put("a"));
  const controlB = useConfig(base, lab.b, put("b"));
  const cutA = useChunking(source, base, lab.a);
  const cutB = useChunking(source, lab.compare || side === "b" ? base : undefined, lab.b);
  const first = side === "a" || lab.compare;
  useConfigKeys(side === "a" ? controlA : controlB, !lab.read);
  return {
    controlA,
    controlB,
    cutA,
    cutB,
    shown: first ? cutA : cutB,
    control: first ? controlA : controlB,
  };
}

/** The selected chunk, and the keys that select another one or another side. */
function useStepping({ lab, change }: LabControl, cut: Cut | undefined) {
  useLinked({ lab, change });
  const selection = useSelection({ lab, change }, cut?.layout);
  useShortcut("chunk-lab.next", () => selection.step(1));
  useShortcut("chunk-lab.previous", () => selection.step(-1));
  useShortcut("chunk-lab.warning", selection.nextWarning, !lab.read);
  useShortcut("chunk-lab.swap", () => change({ side: lab.side === "a" ? "b" : "a" }), !lab.read);
  return selection;
}

/** What applying the settings would change, and whether it is being asked for. */
function useApplying(lab: Lab, document: number | undefined, corpusId: number | undefined) {
  const overview = useCommand("library.overview", {});
  const corpus = overview.data?.corpora.find((each) => each.corpus.id === corpusId);
  const applied = lab.compare ? "b" : lab.side;
  const { difference, ...stored } = useDifference(document, lab[applied]);
  const [applying, setApplying] = useState<Side>();
  const canApply = corpus !== undefined && document !== undefined;
  useShortcut("chunk-lab.apply", () => setApplying(applied), canApply && !lab.read);
  const price = difference && priceOf(difference);
  return { corpus, difference, stored, price, canApply, applying, setApplying };
}

/** How long a cut took until it was painted. */
function usePainted() {
  const [painted, setPainted] = useState<Painted>();
  const onPainted = useCallback(
    (done: Cut) => setPainted({ cut: done, milliseconds: performance.now() - done.asked }),
    [],
  );
  return { painted, onPainted };
}

/** The place that both sides show, and how it is left. */
const placesOf = ({ lab, change }: LabControl) => ({
  at: lab.at,
  mark: lab.mark,
  onAt: (at: Range) => change({ at, mark: undefined, chunk: undefined }),
  onPassage: (place: PassagePlace) =>
    change({ ...ELSEWHERE, document: place.document, at: place.range, mark: place.range }),
});

/** The cut, the selected chunk and the rows of the list, in a frame after the boundaries are painted. */
function useLater(cut: Cut, lab: Lab) {
  const later = useOncePainted(cut) ?? cut;
  return {
    later,
    rows: useMemo(() => listed(later.layout, lab.order, lab.only), [later, lab.order, lab.only]),
    selected: useMemo(() => selectedIn(later.layout, lab), [later, lab]),
  };
}

/** Everything once there is a document. */
export function Bench({ lab, change, base, source, name, format, corpusId, onPaste }: BenchProps) {
  const narrow = useNarrow();
  const { side } = lab;
  const document = source.source.kind === "document" ? source.source.id : undefined;
  const { controlA, controlB, cutA, cutB, shown, control } = useSides({ lab, change, base, source });
  const { cut, pending, error, retry } = shown;
  const { selected, select, step, nextWarning } = useStepping({ lab, change }, cut);
  const { corpus, difference, stored, price, canApply, applying, setApplying } = useApplying(
    lab,
    document,
    corpusId,
  );
  const [differing, setDiffering] = useState(false);
  const { painted, onPainted } = usePainted();
  if (!cut || !control || !controlA || !controlB) return <Expected />;
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
            corpus={corpus?.corpus.name}
            base={base}
            a={{ control: controlA, cut, pending, error }}
            b={{ control: controlB, cut: cutB.cut, pending: cutB.pending, error: cutB.error }}
            {...placesOf({ lab, change })}
            onStep={step}
            onKeep={() => change({ compare: false, side: "a" })}
            onApply={canApply ? () => setApplying("b") : undefined}
            cost={price}
          />
        )}
        {applyDialog}
      </>
    );

  const mistake = error ? { error, onRetry: retry } : { error: stored.error, onRetry: stored.retry };
  const text = (
    <Document
      {...{ change, document, name, format, base, cut, selected, onPainted }}
      show={lab.show}
      page={lab.page}
      blocks={lab.blocks}
      mark={lab.mark}
      narrow={narrow && !lab.read}
      onSelect={select}
      onStep={step}
      mistake={(narrow || lab.read) && <Mistake {...mistake} />}
      picker={<Picker name={name} format={format} selected={document} change={change} onPaste={onPaste} />}
    />
  );
  if (lab.read) return <Read>{text}</Read>;
  return (
    <>
      <Inspected
        {...{ lab, change, base, cut, name, document, text }}
        configuration={{
          side,
          onSide: (next: Side) => change({ side: next }),
          control,
          cut,
          pending,
          painted,
          mistake,
          difference: document === undefined ? undefined : difference,
          onDiffer: () => setDiffering(true),
          onApply: canApply ? () => setApplying(side) : undefined,
          price,
        }}
        onSelect={select}
        onWarning={nextWarning}
      />
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

/** The document alone. */
function Read({ children }: { children: ReactNode }) {
  return (
    <div className={shared.work}>
      <Panes id="chunk-lab-read">
        <Pane id="source" label={t("chunk-lab.source.title")} min={420}>
          {children}
        </Pane>
      </Panes>
    </div>
  );
}

type InspectedProps = LabControl &
  Pick<BenchProps, "base" | "name"> & {
    cut: Cut;
    document: number | undefined;
    configuration: Omit<ComponentProps<typeof Configuration>, "later">;
    /** The document with its name. */
    text: ReactNode;
    onSelect: ReturnType<typeof useSelection>["select"];
    /** Selects the next chunk that something is said of. */
    onWarning: ReturnType<typeof useSelection>["nextWarning"];
  };

/** The document between its settings and its chunks. */
function Inspected(props: InspectedProps) {
  const { lab, change, base, cut, name, document, text } = props;
  const narrow = useNarrow();
  const { later, rows, selected } = useLater(cut, lab);
  const configuration = { ...props.configuration, later };
  const select = useSteady(props.onSelect);
  const toWarning = useSteady(props.onWarning);
  const setOrder = useSteady((order: Lab["order"]) => change({ order }));
  const setOnly = useSteady((only: Lab["only"]) => change({ only }));
  return (
    <>
      {narrow && <ConfigurationStrip {...configuration} />}
      <div className={shared.work}>
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
              <Configuration {...configuration} />
            </Pane>
          )}
          <Pane id="source" label={t("chunk-lab.source.title")} min={420}>
            {text}
          </Pane>
          <Pane id="chunks" label={t("chunk-lab.list.title")} size={narrow ? 210 : 288} min={180}>
            <PaneHead
              title={t("chunk-lab.stats.title")}
              end={<span className="sm mut">{t("chunk-lab.stats.here")}</span>}
            />
            <Statistics cut={later} only={lab.only} onOnly={setOnly} onShow={toWarning} />
            <ChunkList
              {...{ rows, selected }}
              cut={later}
              text={base.text}
              order={lab.order}
              only={lab.only}
              onSelect={select}
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
            <Inspector {...{ base, name, selected, document }} cut={later} onOpen={change} />
          </Pane>
        </Panes>
      </div>
    </>
  );
}
