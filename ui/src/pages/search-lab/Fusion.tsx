import type { Fusion, SearchRequest } from "@/api/types";
import { NumberField, Select } from "@/kit/fields";
import { LegBadge } from "@/kit/legs";
import { t } from "@/text";
import css from "./options.module.css";

type AskProps = { request: SearchRequest; ask: (part: Partial<SearchRequest>) => void };

const FUSIONS: readonly Fusion[] = ["scores", "rrf"];

/** How both lists become one, with the numbers of that fusion. */
export function FusionFields({ request, ask }: AskProps) {
  const off = request.mode !== "hybrid";
  return (
    <>
      <span className="row gap-6 sm sec nowrap">
        {t("search.fusion")}
        <Select
          label={t("search.fusion")}
          width={92}
          value={request.fusion}
          onChange={(fusion) => ask({ fusion: fusion as Fusion })}
          options={FUSIONS.map((value) => ({ value, label: t(`search.fusions.${value}`) }))}
          disabled={off}
        />
      </span>
      {request.fusion === "scores" ? (
        <span className="row gap-6 sm sec nowrap">
          <LegBadge leg="semantic" />
          <NumberField
            label={t("search.semantic_share")}
            value={request.semantic_share}
            onChange={(semantic_share) => ask({ semantic_share })}
            min={0}
            max={1}
            step={0.1}
            digits={2}
            width={42}
            size="small"
            disabled={off}
          />
        </span>
      ) : (
        <>
          <span className="row gap-6 sm sec nowrap">
            {t("search.rrf_k")}
            <NumberField
              label={t("search.rrf_k")}
              value={request.rrf_k}
              onChange={(rrf_k) => ask({ rrf_k })}
              min={0}
              max={1000}
              width={42}
              size="small"
              disabled={off}
            />
          </span>
          <span className="row gap-6 sm sec nowrap hide-s">
            {t("search.weights")}
            <Weights request={request} ask={ask} />
          </span>
        </>
      )}
    </>
  );
}

/** Weights of both legs in reciprocal rank fusion. */
export function Weights({ request, ask }: AskProps) {
  const off = request.mode !== "hybrid";
  return (
    <span className={`row gap-4 ${css.weights}`}>
      <LegBadge leg="semantic" />
      <NumberField
        label={t("search.semantic_weight")}
        value={request.semantic_weight}
        onChange={(semantic_weight) => ask({ semantic_weight })}
        min={0}
        max={100}
        step={0.1}
        digits={2}
        width={34}
        size="small"
        disabled={off}
      />
      <LegBadge leg="keyword" />
      <NumberField
        label={t("search.keyword_weight")}
        value={request.keyword_weight}
        onChange={(keyword_weight) => ask({ keyword_weight })}
        min={0}
        max={100}
        step={0.1}
        digits={2}
        width={34}
        size="small"
        disabled={off}
      />
    </span>
  );
}
