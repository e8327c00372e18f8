// What the status bar tells of the engine.

import { useCommand } from "@/api/queries";
import type { ModelView } from "@/api/types";

const TIERS = ["remote", "embedded", "instant"] as const;

/** The best model that can be used now. */
export function bestModel(models: readonly ModelView[]): ModelView | undefined {
  return TIERS.flatMap((tier) => models.filter((each) => each.served && each.space.tier === tier))[0];
}

/** The engine at a glance. A part that is not known yet is not shown. */
export function useStatus() {
  const info = useCommand("app.info", {});
  const models = useCommand("model.list", {});
  const overview = useCommand("library.overview", {});
  const model = bestModel(models.data ?? []);
  return {
    /** Whether a provider beyond this computer can be asked. */
    online: info.data?.remote ?? model?.space.tier === "remote",
    model: model?.space.model,
    dimensions: model?.space.dimensions,
    chunks: overview.data?.chunks,
    bytes: overview.data?.disk_bytes,
    silent: models.error?.code === "transport",
  };
}
