import { IconArrowsDiff } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { EngineError } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { DocumentRow } from "@/api/types";
import { Button } from "@/kit/Button";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, Loaded } from "@/kit/states";
import { PageHeader } from "@/parts/PageHeader";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { Bench } from "./Bench";
import { Expected } from "./Expected";
import { Former } from "./Former";
import css from "./layout.module.css";
import { documentName, ELSEWHERE, Paste, Picker } from "./Picker";
import type { Lab } from "./state";
import { useBase } from "./use-chunking";
import { type LabControl, useLab } from "./use-lab";
import { give, givenName, useDropped, usePasted, useSource } from "./use-source";

const fileName = (path: string) => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;

/** The text that a link was made from. */
type Cited = { document: number; version: string };

/** The document that is shown, its corpus, and what it is called. */
function useShownDocument(lab: Lab) {
  const shown = useCommand(
    "document.list",
    { ids: [lab.document ?? 0], limit: 1 },
    { enabled: lab.document !== undefined },
  );
  const overview = useCommand("library.overview", {});
  const row = shown.data?.find((each) => each.id === lab.document);
  const corpus = overview.data?.corpora.find((each) => each.corpus.id === row?.corpus_id);
  const name = lab.text
    ? givenName()
    : lab.path !== undefined
      ? fileName(lab.path)
      : row
        ? documentName(row)
        : t("chunk-lab.picker.document", { id: String(lab.document ?? "") });
  // What a link was made from is never another text: that of now is shown where it is the same.
  const { document, version } = lab;
  const cited: Cited | undefined =
    document !== undefined && version !== undefined ? { document, version } : undefined;
  const former = cited && shown.data && row?.text_version !== cited.version ? cited : undefined;
  return { shown, row, corpus, name, cited, former };
}

/** The screen. */
export default function ChunkLabPage() {
  const { lab, change } = useLab();
  // One is enough to tell whether there are any.
  const documents = useCommand("document.list", { limit: 1 });
  const [pasting, setPasting] = useState(false);
  const source = useSource(lab);
  const seen = useShownDocument(lab);

  // With nothing named the first document of the library is shown.
  const first = documents.data?.[0]?.id;
  useEffect(() => {
    if (!source && first !== undefined) change({ document: first, text: false });
  }, [source, first, change]);

  const takeText = (name: string, text: string) => {
    give(name, text);
    change({ ...ELSEWHERE, text: true });
  };
  const over = useDropped((path) => change({ ...ELSEWHERE, path }));
  usePasted((text) => takeText(t("chunk-lab.picker.text_name"), text));
  useShortcut("chunk-lab.compare", () => change({ compare: !lab.compare, read: false }));

  const paste = () => setPasting(true);
  return (
    <div className={css.lab}>
      <PageHeader
        context={lab.compare ? seen.name : (seen.corpus?.corpus.name ?? seen.name)}
        actions={<View {...{ lab, change }} />}
      />
      {!source && documents.data?.length === 0 ? (
        <Empty onPaste={paste} />
      ) : (
        <Body {...{ lab, change, source, documents, seen }} onPaste={paste} />
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

/** Reading, one way of cutting, or two beside each other. */
function View({ lab, change }: LabControl) {
  return (
    <SegmentedControl
      label={t("chunk-lab.view")}
      value={lab.compare ? "compare" : lab.read ? "read" : "inspect"}
      onChange={(view) => change({ compare: view === "compare", read: view === "read" })}
      options={[
        { value: "read", label: t("chunk-lab.read") },
        { value: "inspect", label: t("chunk-lab.inspect") },
        {
          value: "compare",
          label: (
            <>
              <IconArrowsDiff className="small" aria-hidden />
              {t("chunk-lab.compare.open")}
            </>
          ),
        },
      ]}
    />
  );
}

/** A library without documents. */
function Empty({ onPaste }: { onPaste: () => void }) {
  return (
    <EmptyState
      title={t("chunk-lab.empty.title")}
      detail={t("chunk-lab.empty.detail")}
      action={
        <>
          <Button tone="primary" onClick={() => navigate(href("library"))}>
            {t("errors.cure.library")}
          </Button>
          <Button onClick={onPaste}>{t("chunk-lab.picker.paste")}</Button>
        </>
      }
    />
  );
}

type BodyProps = LabControl & {
  source: ReturnType<typeof useSource>;
  documents: UseQueryResult<DocumentRow[], EngineError>;
  seen: ReturnType<typeof useShownDocument>;
  onPaste: () => void;
};

/** The document as the address names it, or why it cannot be shown. */
function Body({ lab, change, source, documents, seen, onPaste }: BodyProps) {
  const { shown, row, name, cited, former } = seen;
  const strategies = useCommand("strategy.list", {});
  const base = useBase(source);
  const picker = <Picker name={name} selected={lab.document} change={change} onPaste={onPaste} />;
  if (former) return <Former {...former} mark={lab.mark} change={change} picker={picker} />;
  if (cited && !shown.data)
    return (
      <Loaded query={shown} skeleton={<Expected />}>
        {() => null}
      </Loaded>
    );
  if (!source)
    return (
      <Loaded query={documents} skeleton={<Expected />}>
        {() => <Expected />}
      </Loaded>
    );
  if (strategies.error && !strategies.data)
    return (
      <div className={css.failed}>
        <Loaded query={strategies}>{() => null}</Loaded>
      </div>
    );
  if (base.error)
    return (
      <div className={css.failed}>
        <div className="heading">{picker}</div>
        <Loaded query={base}>{() => null}</Loaded>
      </div>
    );
  return (
    <Loaded query={base} skeleton={<Expected />}>
      {(data) => (
        <Bench
          key={data.key}
          {...{ lab, change, source, name, onPaste }}
          base={data}
          format={row?.format}
          corpusId={row?.corpus_id}
        />
      )}
    </Loaded>
  );
}
