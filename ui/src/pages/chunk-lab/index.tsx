import { IconArrowsDiff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useCommand } from "@/api/queries";
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
import { useBase } from "./use-chunking";
import { useLab } from "./use-lab";
import { give, givenName, useDropped, usePasted, useSource } from "./use-source";

const fileName = (path: string) => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path;

/** The screen. */
export default function ChunkLabPage() {
  const { lab, change } = useLab();
  // One is enough to tell whether there are any, and the one that is shown.
  const documents = useCommand("document.list", { limit: 1 });
  const shown = useCommand(
    "document.list",
    { ids: [lab.document ?? 0], limit: 1 },
    { enabled: lab.document !== undefined },
  );
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
    give(name, text);
    change({ ...ELSEWHERE, text: true });
  };
  const strategies = useCommand("strategy.list", {});
  const over = useDropped((path) => change({ ...ELSEWHERE, path }));
  usePasted((text) => takeText(t("chunk-lab.picker.text_name"), text));
  useShortcut("chunk-lab.compare", () => change({ compare: !lab.compare, read: false }));

  const row = shown.data?.find((each) => each.id === lab.document);
  const corpus = overview.data?.corpora.find((each) => each.corpus.id === row?.corpus_id);
  const name = lab.text
    ? givenName()
    : lab.path !== undefined
      ? fileName(lab.path)
      : row
        ? documentName(row)
        : t("chunk-lab.picker.document", { id: String(lab.document ?? "") });
  const empty = !source && documents.data?.length === 0;
  // What a link was made from is never another text: that of now is shown where it is the same.
  const { document, version } = lab;
  const cited = document !== undefined && version !== undefined ? { document, version } : undefined;
  const former = cited && shown.data && row?.text_version !== cited.version ? cited : undefined;
  const paste = () => setPasting(true);
  return (
    <div className={css.lab}>
      <PageHeader
        context={lab.compare ? name : (corpus?.corpus.name ?? name)}
        actions={
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
      ) : former ? (
        <Former
          {...former}
          mark={lab.mark}
          change={change}
          picker={<Picker name={name} selected={document} change={change} onPaste={paste} />}
        />
      ) : cited && !shown.data ? (
        <Loaded query={shown} skeleton={<Expected />}>
          {() => null}
        </Loaded>
      ) : !source ? (
        <Loaded query={documents} skeleton={<Expected />}>
          {() => <Expected />}
        </Loaded>
      ) : strategies.error && !strategies.data ? (
        <div className={css.failed}>
          <Loaded query={strategies}>{() => null}</Loaded>
        </div>
      ) : base.error ? (
        <div className={css.failed}>
          <div className="heading">
            <Picker name={name} selected={lab.document} change={change} onPaste={paste} />
          </div>
          <Loaded query={base}>{() => null}</Loaded>
        </div>
      ) : (
        <Loaded query={base} skeleton={<Expected />}>
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
