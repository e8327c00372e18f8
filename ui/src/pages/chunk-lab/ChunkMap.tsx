import { useMemo } from "react";
import { useCommand } from "@/api/queries";
import type { PreviewedChunk } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { EmptyState, Loaded, SkeletonText } from "@/kit/states";
import { EmbeddingMap } from "@/parts/EmbeddingMap";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import css from "./chunk-map.module.css";
import { type Range, titleOf } from "./cut";
import type { Base, Cut } from "./use-chunking";

/** Most chunks of a document that are shown: what the engine gives at most. */
const SAMPLE = 10_000;

/** The stored chunk that holds the place where `chunk` begins: the same text, else the innermost one around it. */
export function storedChunk(base: Base, chunk: PreviewedChunk | undefined): PreviewedChunk | undefined {
  if (!chunk) return undefined;
  const { chunks } = base.cut;
  const [start] = chunk.view.range;
  return (
    chunks.find((each) => each.content_hash === chunk.content_hash && each.view.range[0] === start) ??
    chunks.findLast(({ view }) => view.range[0] <= start && start < view.range[1])
  );
}

type ChunkMapProps = {
  /** Row id of the document. */
  document: number;
  base: Base;
  cut: Cut;
  selected: number | undefined;
  onPlace: (at: Range) => void;
};

/** The chunks of the document by meaning, as they are stored. */
export function ChunkMap({ document, base, cut, selected, onPlace }: ChunkMapProps) {
  const query = useCommand("embedding.map", { document_id: document, sample: SAMPLE });
  const stored = useMemo(
    () => storedChunk(base, selected === undefined ? undefined : cut.layout.chunks[selected]),
    [base, cut, selected],
  );
  const byOrdinal = useMemo(() => new Map(base.cut.chunks.map((each) => [each.view.ordinal, each])), [base]);
  return (
    <div className={css.mapPane}>
      <Loaded query={query} skeleton={<SkeletonText lines={[5, 6, 5]} />}>
        {(map) =>
          map.points.length === 0 ? (
            <EmptyState
              title={t("chunk-lab.map.none")}
              detail={t("chunk-lab.map.open")}
              action={<Button onClick={() => navigate(href("library"))}>{t("errors.cure.library")}</Button>}
            />
          ) : (
            <>
              <EmbeddingMap
                map={map}
                label={t("chunk-lab.map.label")}
                selected={map.points.find((point) => point.ordinal === stored?.view.ordinal)?.chunk_id}
                onSelect={(point) => {
                  const at = byOrdinal.get(point.ordinal)?.view.range;
                  if (at) onPlace(at);
                }}
                mark={(point) => `#${point.ordinal + 1}`}
                name={(point) => {
                  const chunk = byOrdinal.get(point.ordinal);
                  const title = chunk && titleOf(chunk.view, base.text);
                  const number = t("chunk-lab.map.chunk", { number: point.ordinal + 1 });
                  return title ? `${number} · ${title}` : number;
                }}
              />
              {cut.config && (
                <div className={css.mapCaption}>
                  <Note kind="info">{t("chunk-lab.map.stored")}</Note>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </div>
  );
}
