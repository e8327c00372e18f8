import { useState } from "react";
import { useCommand } from "@/api/queries";
import type { ModelView } from "@/api/types";
import { classes } from "@/kit/class-names";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { Loaded, SkeletonRows } from "@/kit/states";
import { EmbeddingMap } from "@/parts/EmbeddingMap";
import { titleOf } from "@/parts/passage";
import { t } from "@/text";
import css from "./maps.module.css";
import { PartHead } from "./PartHead";
import shared from "./shared.module.css";
import type { Found } from "./use-lab";

type Side = "A" | "B";

type MapsProps = {
  sides: Record<Side, Found>;
  models: readonly ModelView[];
  selected: string | undefined;
  onSelect: (chunkId: string) => void;
  /** In a low pane, whose tab names it already. */
  low: boolean;
};

/** Where the query of a side stands among the chunks that its model knows. */
export function Maps({ sides, models, selected, onSelect, low }: MapsProps) {
  const [side, setSide] = useState<Side>("A");
  const { request, response } = sides[side];
  const used = response.trace.space;
  const space = models.find(
    (model) => model.space.tier === used?.tier && model.space.model === used.model,
  )?.space_id;
  const query = useCommand(
    "embedding.map",
    {
      space,
      filters: request.filters,
      query: request.query,
      include: response.results.map((hit) => hit.chunk_id),
    },
    { enabled: space !== undefined },
  );
  const hits = new Map(response.results.map((hit) => [hit.chunk_id, titleOf(hit)]));
  return (
    <section className={classes(shared.maps, low && shared.mapsLow)} aria-label={t("search.compare.map")}>
      <PartHead
        title={t("search.compare.map")}
        tabbed={low}
        end={
          <SegmentedControl
            label={t("search.compare.map_side")}
            size="small"
            value={side}
            onChange={setSide}
            options={[
              { value: "A", label: "A" },
              { value: "B", label: "B" },
            ]}
          />
        }
      />
      {used === null ? (
        <p className={`sm mut ${css.mapsWords}`}>{t("search.compare.no_model")}</p>
      ) : models.length > 0 && space === undefined ? (
        <p className={`sm mut ${css.mapsWords}`}>{t("search.compare.model_gone", { model: used.model })}</p>
      ) : (
        <Loaded query={query} skeleton={<SkeletonRows bare rows={6} height={32} />}>
          {(map) => (
            <EmbeddingMap
              map={map}
              asked
              beside={low}
              label={t("search.compare.map_label", { side })}
              selected={selected}
              onSelect={(point) => onSelect(point.chunk_id)}
              name={(point) =>
                hits.get(point.chunk_id) ??
                t("search.compare.map_chunk", { title: point.title, number: point.ordinal + 1 })
              }
            />
          )}
        </Loaded>
      )}
    </section>
  );
}
