// One selection in text, list and inspector: the place of a chunk, which stays when the cut changes.

import { useEffect, useMemo } from "react";
import { useCommand } from "@/api/queries";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { listed } from "./ChunkList";
import { chunkOf, firstWhere, type Layout } from "./cut";
import type { Lab } from "./state";
import type { LabControl } from "./use-lab";

/** The chunk that the state means, in `layout`. */
export function selectedIn(layout: Layout, { at, chunk }: Lab): number | undefined {
  if (at) return chunkOf(layout, at);
  return chunk === undefined && layout.chunks.length > 0 ? 0 : undefined;
}

/** A link names a stored chunk; its place is what stays when the cut changes. */
export function useLinked({ lab, change }: LabControl): void {
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
        detail: sentence(linked.error.message),
      });
      change({ chunk: undefined });
    }
  }, [linked.error, lab.chunk, lab.at, change]);
}

/** The selected chunk of `layout`, and how the selection moves. */
export function useSelection({ lab, change }: LabControl, layout: Layout | undefined) {
  const selected = useMemo(() => (layout ? selectedIn(layout, lab) : undefined), [layout, lab]);
  const rows = useMemo(
    () => (layout ? listed(layout, lab.order, lab.only) : []),
    [layout, lab.order, lab.only],
  );
  const select = (chunk: number) => {
    const at = layout?.chunks[chunk]?.view.range;
    if (at) change({ at, mark: undefined, chunk: undefined, page: undefined });
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
  return { selected, select, step, nextWarning };
}
