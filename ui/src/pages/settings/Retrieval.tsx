import { LegBadge } from "@/kit/legs";
import { t } from "@/text";
import { Declared } from "./Declared";
import type { Declarations } from "./Models";
import { isLocal } from "./providers";
import { Below, Row } from "./Row";
import { Secret } from "./Secret";

/** The second pass over the fused list, by a provider. */
export function Retrieval({ settings }: { settings: Declarations }) {
  const url = settings.get("rerank_base_url");
  const model = settings.get("rerank_model");
  const limit = settings.get("rerank_time_limit");
  const top = settings.get("rerank_top");
  return (
    <>
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
