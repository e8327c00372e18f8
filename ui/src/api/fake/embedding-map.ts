// The map of vectors: the chunks of a document, or the library that Search Lab searches among many more.

import { recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type { EmbeddingMap, MapRequest } from "../types";
import { mapOf } from "./embedding-map/places";
import { instant, models, pieces } from "./search-lab/library";

/** Rings that are drawn around the query. */
const NEAREST = 6;
const PILLARS = ["governance", "strategy", "strategy", "risk_management", "metrics_targets"];

function libraryMap({ space, query, include = [], sample = 1_200 }: MapRequest): EmbeddingMap {
  const shown = models.find((model) => model.space_id === space)?.space;
  const other = shown === instant;
  const own = pieces.map((each, ordinal) => ({
    chunk_id: each.id,
    document_id: 1 + pieces.findIndex((one) => one.title === each.title),
    ordinal,
    group: each.pillar || each.type,
    title: each.title,
  }));
  const crowd = Array.from({ length: Math.min(sample, 320) }, (_, at) => ({
    chunk_id: (0xb0000000 + at).toString(16).padStart(16, "0"),
    document_id: 100 + (at % 12),
    ordinal: at,
    group: PILLARS[at % PILLARS.length] ?? "strategy",
    title: `Report ${1 + (at % 12)}`,
  }));
  const map = mapOf(shown?.model ?? "bge-small-en-v1.5", [...own, ...crowd]);
  const points = other
    ? map.points.map((point) => ({ ...point, x: -point.x, y: point.y * 0.8 }))
    : map.points;
  const ranked = [...pieces].sort((a, b) => b.near - a.near || Number(include.includes(b.id)));
  const nearest = query ? ranked.slice(0, NEAREST).map((each) => each.id) : [];
  const around = points.filter((point) => nearest.includes(point.chunk_id));
  const mean = (of: "x" | "y") =>
    around.reduce((sum, point) => sum + point[of], 0) / Math.max(1, around.length);
  return {
    ...map,
    dimensions: shown?.dimensions ?? 384,
    total: 38_114,
    variance: other ? [0.183, 0.104] : map.variance,
    points,
    query: query ? { x: mean("x"), y: mean("y") } : null,
    nearest,
  };
}

/** The handler of the map. */
export const handlers: FakeHandlers = {
  "embedding.map": (request: MapRequest): EmbeddingMap =>
    request.document_id === undefined ? libraryMap(request) : recorded("embedding.map", request),
};
