import type { ReactNode } from "react";
import { useLayoutEffect, useRef } from "react";
import { useCommand } from "@/api/queries";
import type { DocumentVersion, SectionView } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { useNarrow } from "@/kit/narrow";
import { Pane, PaneHead, Panes } from "@/kit/Panes";
import { EmptyState, Loaded, SkeletonRows } from "@/kit/states";
import { styleNonce } from "@/kit/theme";
import { askable } from "@/state/selection";
import { t } from "@/text";
import { moment } from "@/text/format";
import { visible } from "@/text/visible";
import { EMPTY, type Range } from "./cut";
import { openEditor, redraw, scrollTo } from "./editor";
import written from "./editor.module.css";
import css from "./former.module.css";
import type { LabControl } from "./use-lab";

/** Pixels above the words that are marked. */
const ABOVE = 96;

type TextProps = {
  label: string;
  name: string;
  text: string;
  sections: readonly SectionView[];
  mark: Range | undefined;
};

/** A text without chunks, with the words that are cited marked. */
function Text({ label, name, text, sections, mark }: TextProps) {
  const root = useRef<HTMLDivElement>(null);
  const [from, to] = mark ?? [];
  useLayoutEffect(() => {
    if (!root.current) return;
    const nothing = () => undefined;
    const view = openEditor(root.current, text, label, styleNonce(), {
      onPress: nothing,
      onKey: () => false,
      onScroll: nothing,
    });
    const found: Range | undefined = from === undefined || to === undefined ? undefined : [from, to];
    redraw(view, { layout: EMPTY, selected: undefined, found, sections, tokens: String });
    if (from !== undefined) scrollTo(view, from, ABOVE);
    return () => view.destroy();
  }, [text, label, sections, from, to]);
  return <div ref={root} className={written.text} {...askable({ document: name })} />;
}

type FormerProps = {
  /** Row id of the document; it may be gone. */
  document: number;
  /** The version of the text that was cited. */
  version: string;
  /** The words that were cited. */
  mark: Range | undefined;
  change: LabControl["change"];
  /** Chooses another document. */
  picker: ReactNode;
};

/** A document that has changed since it was cited: its text as it was cited, and as it is now. */
export function Former({ document, version, mark, change, picker }: FormerProps) {
  const [start, end] = mark ?? [];
  const former = useCommand("document.version", { id: document, text_version: version, start, end });
  const row = former.data?.row;
  const open = (to?: Range | null) =>
    change({ version: undefined, chunk: undefined, mark: to ?? undefined, at: undefined });
  if (former.error && !former.data)
    return (
      <div className={css.lost}>
        <div className="heading">{picker}</div>
        <EmptyState
          title={t("chunk-lab.former.lost")}
          detail={t("chunk-lab.former.lost_detail")}
          action={<Button onClick={() => open()}>{t("chunk-lab.former.open")}</Button>}
        />
      </div>
    );
  return (
    <>
      <div className="heading">{picker}</div>
      <Loaded query={former} skeleton={<SkeletonRows />}>
        {(then) => (
          <>
            <div className={css.strap} role="status">
              <Note kind="warn">
                <div className="row gap-6 wrap">
                  <span>
                    {t(then.row ? "chunk-lab.former.changed" : "chunk-lab.former.gone")}{" "}
                    {then.row &&
                      mark &&
                      t(then.now ? "chunk-lab.former.stands" : "chunk-lab.former.no_quote")}
                  </span>
                  {row && (
                    <Button size="tiny" onClick={() => open(then.now)}>
                      {t("chunk-lab.former.open")}
                    </Button>
                  )}
                </div>
              </Note>
            </div>
            <Both then={then} mark={mark} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** The text that was cited, and beside it that of now. */
function Both({ then, mark }: { then: DocumentVersion; mark: Range | undefined }) {
  const narrow = useNarrow();
  const [was, is] = [t("chunk-lab.former.then"), t("chunk-lab.former.now")];
  return (
    <div className={css.both}>
      <Panes id={`chunk-lab.former.${narrow ? "column" : "row"}`} direction={narrow ? "column" : "row"}>
        <Pane id="then" label={was} min={160}>
          <PaneHead title={was} detail={t("chunk-lab.former.read", { at: moment(then.read_at) })} />
          <Text
            label={was}
            name={visible(then.title)}
            text={then.text}
            sections={then.structure.sections}
            mark={mark}
          />
        </Pane>
        {then.row && (
          <Pane id="now" label={is} min={160}>
            <PaneHead title={is} detail={t("chunk-lab.former.read", { at: moment(then.row.ingested_at) })} />
            <Now id={then.row.id} label={is} mark={then.now ?? undefined} />
          </Pane>
        )}
      </Panes>
    </div>
  );
}

function Now({ id, label, mark }: { id: number; label: string; mark: Range | undefined }) {
  const document = useCommand("document.get", { id });
  return (
    <Loaded query={document} skeleton={<SkeletonRows />}>
      {({ row, text, structure }) => (
        <Text label={label} name={visible(row.title)} text={text} sections={structure.sections} mark={mark} />
      )}
    </Loaded>
  );
}
