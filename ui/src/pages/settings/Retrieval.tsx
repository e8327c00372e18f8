import { RANKING } from "@/api/defaults";
import { useAction } from "@/api/queries";
import { Button } from "@/kit/Button";
import { LegBadge } from "@/kit/legs";
import { t } from "@/text";
import { Declared } from "./Declared";
import type { Declarations } from "./Models";
import { isLocal } from "./providers";
import { Below, Row } from "./Row";
import { Secret } from "./Secret";

/** How this library searches where nobody says how. */
function DefaultSearch({ settings }: { settings: Declarations }) {
  const make = useAction("search.make_usual");
  const changed = RANKING.filter((name) => {
    const view = settings.get(`search_${name}`);
    return view && view.value !== view.param.default;
  });
  const names = changed.map((name) => t(`settings.usual.names.${name}`)).join(", ");
  return (
    <Row id="usual" title={t("settings.row.usual")} note={t("settings.usual.note")}>
      <div className="row gap-6 wrap">
        <span className="sm">
          {changed.length > 0 ? t("settings.usual.changed", { names }) : t("settings.usual.built_in")}
        </span>
        {changed.length > 0 && (
          <Button size="small" disabled={make.isPending} onClick={() => make.mutate({ search: null })}>
            {t("settings.usual.reset")}
          </Button>
        )}
      </div>
      <Below>{t("settings.usual.where")}</Below>
    </Row>
  );
}

/** The second pass over the fused list, by a provider. */
export function Retrieval({ settings }: { settings: Declarations }) {
  const url = settings.get("rerank_base_url");
  const model = settings.get("rerank_model");
  const limit = settings.get("rerank_time_limit");
  const top = settings.get("rerank_top");
  return (
    <>
      <DefaultSearch settings={settings} />
      {url && (
        <Row id="rerank_base_url" title={t("settings.row.rerank_base_url")}>
          <Declared
            view={url}
            label={t("settings.row.rerank_base_url")}
            placeholder={t("settings.rerank.placeholder")}
          />
          <Below>{url.param.description}</Below>
          <Below>{t(url.value === "" ? "settings.rerank.off" : "settings.rerank.fails")}</Below>
        </Row>
      )}
      {model && (
        <Row id="rerank_model" title={t("settings.row.rerank_model")} note={t("settings.rerank.note")}>
          <Declared view={model} label={t("settings.row.rerank_model")} icon={<LegBadge leg="rerank" />} />
        </Row>
      )}
      {top && (
        <Row id="rerank_top" title={t("settings.row.rerank_top")}>
          <Declared view={top} label={t("settings.row.rerank_top")} unit={top.param.unit} />
          <Below>{top.param.description}</Below>
        </Row>
      )}
      {limit && (
        <Row id="rerank_time_limit" title={t("settings.row.rerank_time_limit")}>
          <Declared view={limit} label={t("settings.row.rerank_time_limit")} unit={limit.param.unit} />
          <Below>{limit.param.description}</Below>
        </Row>
      )}
      <Secret secret="rerank" local={isLocal(String(url?.value ?? ""))} />
    </>
  );
}
