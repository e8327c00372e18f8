import { IconChevronRight, IconMessageQuestion, IconRadar2 } from "@tabler/icons-react";
import { memo, useMemo, useState } from "react";
import { useCommand } from "@/api/queries";
import type { ChunkView, PreviewedChunk } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { classes } from "@/kit/class-names";
import { Id } from "@/kit/Id";
import { JsonView } from "@/kit/JsonView";
import { KeyValues } from "@/kit/Note";
import { PaneHead } from "@/kit/Panes";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useShortcut } from "@/kit/shortcuts";
import { EmptyState, Loaded, NotLoaded, SkeletonRows } from "@/kit/states";
import { useStill } from "@/kit/still";
import { foundBy, Phrasings } from "@/parts/FoundBy";
import { marked } from "@/parts/marked";
import { OcrTag } from "@/parts/OcrTag";
import { ocrOf } from "@/parts/ocr";
import { sectionsOf } from "@/parts/passage";
import { href, navigate } from "@/state/router";
import { askFrom } from "@/state/selection";
import { t } from "@/text";
import { decimal, whole } from "@/text/format";
import { type Embedded, embeddedText, phrasesOf, titleOf, withoutAids } from "./cut";
import { Facts } from "./Facts";
import css from "./inspector.module.css";
import shared from "./shared.module.css";
import type { Lab } from "./state";
import type { Base, Cut } from "./use-chunking";

const NEIGHBOURS = 5;
const PAGE = 50;
const MARGIN = 5;

/**
 * The id under which a chunk is stored. A stored document was cut as its corpus is: the first cut tells the place to
 * look at, and the hash of the text decides.
 */
export function useStored(base: Base, document: number | undefined, chunk: PreviewedChunk | undefined) {
  const places = useMemo(
    () => new Map(base.cut.chunks.map((each, place) => [each.content_hash, place])),
    [base],
  );
  const place = chunk && places.get(chunk.content_hash);
  const page = Math.floor((place ?? 0) / PAGE) * PAGE;
  const stored = useCommand(
    "chunk.list",
    { document: document ?? 0, offset: Math.max(0, page - MARGIN), limit: PAGE + 2 * MARGIN },
    { enabled: document !== undefined && place !== undefined },
  );
  if (document === undefined || place === undefined || !chunk)
    return { id: undefined, known: true, query: stored };
  const found = stored.data?.find(({ row }) => row.content_hash === chunk.content_hash);
  return { id: found?.row.chunk_id, known: stored.data !== undefined, query: stored };
}

/** Similarity without its leading zero. */
const similarity = (value: number) => decimal(value, 3).replace(/^(\D?)0/, "$1");

type NeighboursProps = { onOpen: (part: Partial<Lab>) => void };

function Neighbours({ id, onOpen }: NeighboursProps & { id: string }) {
  const neighbours = useCommand("chunk.neighbours", { chunk_id: id, limit: NEIGHBOURS });
  return <Near neighbours={neighbours} onOpen={onOpen} />;
}

/** Of a chunk that is only tried: its text is read by a model once it stands still. */
function TextNeighbours({ text, onOpen }: NeighboursProps & { text: string }) {
  const still = useStill(text, 250);
  const neighbours = useCommand(
    "chunk.neighbours_of_text",
    { text: still, limit: NEIGHBOURS },
    { keep: true },
  );
  return <Near neighbours={neighbours} onOpen={onOpen} />;
}

function Near({
  neighbours,
  onOpen,
}: NeighboursProps & { neighbours: ReturnType<typeof useCommand<"chunk.neighbours">> }) {
  return (
    <Loaded query={neighbours} skeleton={<SkeletonRows rows={NEIGHBOURS} height={38} />}>
      {({ space, chunks }) =>
        space === null || chunks.length === 0 ? (
          <p className="sm mut">{t(space === null ? "chunk-lab.near.no_model" : "chunk-lab.near.none")}</p>
        ) : (
          <ul className={css.near} aria-label={t("chunk-lab.near.title")}>
            {chunks.map(({ chunk, title, similarity: value }) => (
              <li key={chunk.row.chunk_id}>
                <button
                  type="button"
                  onClick={() =>
                    onOpen({
                      document: chunk.row.document_id,
                      path: undefined,
                      text: false,
                      chunk: chunk.row.chunk_id,
                      at: undefined,
                      page: undefined,
                    })
                  }
                >
                  <span className="mono xs">#{chunk.row.ordinal + 1}</span>
                  <span className="col">
                    <span className="ell">{nearTitle(chunk.row.text, chunk.view.header_tokens > 0)}</span>
                    <span className="xs mut ell">{title}</span>
                  </span>
                  <span className="mono xs align-end">{similarity(value)}</span>
                </button>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

/** First words of an embedded text behind its context header. */
function nearTitle(text: string, headed: boolean): string {
  const start = headed ? Math.max(0, text.indexOf("\n\n")) : 0;
  return titleOf({ range: [start, text.length] }, text);
}

/** `doubtful` are the words of which OCR is not sure; `id` is that of the chunk where it is stored: phrasings can be added. */
type TextProps = { parts: readonly Embedded[]; doubtful?: readonly string[]; id?: string | undefined };

function Text({ parts, doubtful, id }: TextProps) {
  const [aided, setAided] = useState(false);
  const phrases = useMemo(() => phrasesOf(parts), [parts]);
  const added = useMemo(() => phrasesOf(parts.filter(({ byHand }) => byHand)), [parts]);
  const aids = parts.some(({ role }) => role === "aid");
  return (
    <>
      <Stretches parts={aided ? parts : withoutAids(parts)} doubtful={doubtful} />
      {(aids || id) && (
        <button
          type="button"
          className={`${css.aids} sm mut`}
          aria-expanded={aided}
          onClick={() => setAided(!aided)}
        >
          <IconChevronRight className={classes("xs", aided && css.turned)} aria-hidden />
          {foundBy(phrases.length)}
        </button>
      )}
      {aided && <Phrasings phrases={phrases} added={added} of={id} />}
    </>
  );
}

function Stretches({ parts, doubtful }: TextProps) {
  return (
    <ScrollRegion ways="down" as="pre" className={css.embedded} label={t("chunk-lab.inspector.text")}>
      {parts.map(({ role, text }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: stretches keep their place.
          key={index}
          data-role={role}
          className={
            role === "generated" || role === "aid"
              ? "mut"
              : role === "body" || role === "gap"
                ? undefined
                : classes(shared.repeated, css.again)
          }
        >
          {doubtful && role === "body" ? marked(text, [], undefined, doubtful) : text}
        </span>
      ))}
    </ScrollRegion>
  );
}

type InspectorProps = {
  base: Base;
  cut: Cut;
  /** Name of the document. */
  name: string;
  selected: number | undefined;
  /** Row id of the document, where it is a stored one. */
  document: number | undefined;
  onOpen: (part: Partial<Lab>) => void;
};

/** Everything about the selected chunk. */
export const Inspector = memo(function Inspector({
  base,
  cut,
  name,
  selected,
  document,
  onOpen,
}: InspectorProps) {
  const chunk = selected === undefined ? undefined : cut.layout.chunks[selected];
  const parts = useMemo(() => (chunk ? embeddedText(chunk.view, base.text) : []), [chunk, base]);
  const stored = useStored(base, document, chunk);
  const query = chunk ? titleOf(chunk.view, base.text) : "";
  const send = () => navigate(href("search-lab", [], { q: query, chunk: stored.id }));
  useShortcut("chunk-lab.send", send, query !== "");
  if (!chunk) return <EmptyState title={t("chunk-lab.inspector.none")} />;
  const { view, content_hash: hash } = chunk;
  const ocr = ocrOf(view);
  const metadata = { ...view.metadata, chars: view.range };
  const label = t("chunk-lab.inspector.chunk", { number: view.ordinal + 1 });
  return (
    <>
      <PaneHead
        title={label}
        detail={
          <>
            {stored.id && (
              <Tag mono>
                <bdi dir="ltr">{stored.id}</bdi>
              </Tag>
            )}
            <OcrTag confidence={ocr?.confidence} />
          </>
        }
        end={<Ways view={view} name={name} parts={parts} onSend={send} />}
      />
      <ScrollRegion ways="down" className={css.inspector} label={label}>
        <section>
          <div className={css.sub}>
            <h3 className="h2">{t("chunk-lab.inspector.text")}</h3>
            <span className="xs mut number nowrap ell">{tokensOf(view)}</span>
          </div>
          <div className={`card ${shared.box}`}>
            <Text parts={parts} doubtful={ocr?.doubtful} id={stored.id} />
          </div>
        </section>
        <section>
          <div className={css.sub}>
            <h3 className="h2">{t("chunk-lab.inspector.metadata")}</h3>
            <CopyButton
              words
              text={() => JSON.stringify(metadata, null, 2)}
              label={t("chunk-lab.inspector.copy_json")}
            />
          </div>
          <ScrollRegion ways="down" className={`card ${shared.box} ${css.json}`}>
            <JsonView value={metadata} label={t("chunk-lab.inspector.metadata")} />
          </ScrollRegion>
        </section>
        {stored.id && <Facts id={stored.id} />}
        <section>
          <KeyValues
            rows={[
              [
                t("chunk-lab.inspector.hash"),
                <span key="hash" className="row gap-4" data-tip={hash}>
                  <Id className="ell">{`${hash.slice(0, 12)}…${hash.slice(-4)}`}</Id>
                  <CopyButton text={hash} label={t("chunk-lab.inspector.copy_hash")} />
                </span>,
              ],
              [
                t("chunk-lab.inspector.stored"),
                stored.known
                  ? t(stored.id ? "chunk-lab.inspector.as_it_is" : "chunk-lab.inspector.not_stored")
                  : "…",
              ],
            ]}
          />
        </section>
        <section>
          <div className={css.sub}>
            <h3 className="h2">{t("chunk-lab.near.title")}</h3>
            <span className="xs mut">{t("chunk-lab.near.detail")}</span>
          </div>
          <Nearest stored={stored} parts={parts} onOpen={onOpen} />
        </section>
      </ScrollRegion>
    </>
  );
});

/** The tokens of a chunk, as a sum where some are not its own. */
function tokensOf(view: ChunkView): string {
  const own = view.tokens - view.header_tokens - view.overlap_tokens - view.aid_tokens;
  const sum = [
    view.header_tokens > 0 && t("chunk-lab.inspector.header", { count: view.header_tokens }),
    view.overlap_tokens > 0 && t("chunk-lab.inspector.repeated", { count: view.overlap_tokens }),
    view.aid_tokens > 0 && t("chunk-lab.inspector.aids", { count: view.aid_tokens }),
  ].filter(Boolean);
  return sum.length > 0
    ? `${whole(view.tokens)} = ${[...sum, whole(own)].join(" + ")}`
    : t("chunk-lab.tokens", { count: view.tokens });
}

const textOf = (parts: readonly Embedded[]) =>
  parts
    .map((part) => part.text)
    .join("")
    .trim();

type WaysProps = { view: ChunkView; name: string; parts: readonly Embedded[]; onSend: () => void };

/** What can be done with a chunk: copy it, ask about it, search for what is like it. */
function Ways({ view, name, parts, onSend }: WaysProps) {
  // What is read of it: no words that only help to find it.
  const read = withoutAids(parts);
  const ask = () =>
    askFrom({
      text: textOf(read.filter(({ role }) => role !== "generated")),
      document: name,
      section: sectionsOf(view).at(-1) ?? "",
      page: view.pages?.[0] ?? null,
      page_label: view.page_labels?.[0] ?? null,
    });
  return (
    <>
      <CopyButton text={textOf(read)} label={t("chunk-lab.inspector.copy")} />
      <IconButton size="small" label={t("ask.about.passage")} onClick={ask}>
        <IconMessageQuestion className="small" aria-hidden />
      </IconButton>
      <IconButton size="small" label={t("chunk-lab.inspector.send")} keys="s" onClick={onSend}>
        <IconRadar2 className="small" aria-hidden />
      </IconButton>
    </>
  );
}

type NearestProps = Pick<InspectorProps, "onOpen"> & {
  stored: ReturnType<typeof useStored>;
  parts: readonly Embedded[];
};

/** The chunks nearest in meaning: to the stored one, or to a text that is not stored. */
function Nearest({ stored, parts, onOpen }: NearestProps) {
  if (stored.id) return <Neighbours key={stored.id} id={stored.id} onOpen={onOpen} />;
  if (stored.known) return <TextNeighbours text={parts.map((part) => part.text).join("")} onOpen={onOpen} />;
  return stored.query.error ? (
    <NotLoaded query={stored.query} />
  ) : (
    <SkeletonRows rows={NEIGHBOURS} height={38} />
  );
}
