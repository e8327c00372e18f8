import { IconBook2 } from "@tabler/icons-react";
import { useState } from "react";
import { rankingOf, sameRanking } from "@/api/defaults";
import { useCommand } from "@/api/queries";
import type { ModelView, SearchRequest } from "@/api/types";
import { Button } from "@/kit/Button";
import { NumberField, Select, SwitchRow } from "@/kit/fields";
import { MakeUsual } from "@/parts/UsualSearch";
import { t } from "@/text";
import { Weights } from "./Fusion";
import css from "./options.module.css";
import { Thesaurus } from "./Thesaurus";

type AskProps = { request: SearchRequest; ask: (part: Partial<SearchRequest>) => void };

/** A model with the tier it belongs to. */
export const modelName = (model: ModelView): string =>
  `${model.space.model} · ${t(`search.tiers.${model.space.tier}`)}`;

/** How the query is read and which vectors answer. */
export function Options({ request, ask, close }: AskProps & { close: () => void }) {
  const models = useCommand("model.list", {});
  const usual = useCommand("search.usual", {}).data;
  const [thesaurus, setThesaurus] = useState(false);
  const least = request.min_relevance;
  return (
    <div className={css.options}>
      <div>
        <div className="lab">{t("search.options.space")}</div>
        <Select
          label={t("search.options.space")}
          value={request.space ?? ""}
          onChange={(space) => ask({ space: space === "" ? null : space })}
          options={[
            { value: "", label: t("search.options.best_space") },
            ...(models.data ?? []).map((model) => ({
              value: model.space_id,
              label: modelName(model),
              disabled: !model.served || model.vectors === 0,
            })),
          ]}
        />
      </div>
      {request.fusion === "rrf" && (
        <div className="row between only-s">
          <span className="sec">{t("search.weights")}</span>
          <Weights request={request} ask={ask} />
        </div>
      )}
      <Switches {...{ request, ask }} />
      <div className="row between">
        <SwitchRow
          label={t("search.options.least")}
          checked={least !== null}
          onChange={(on) => ask({ min_relevance: on ? 0.3 : null })}
        />
        {least !== null && (
          <NumberField
            label={t("search.options.least")}
            value={least}
            onChange={(min_relevance) => ask({ min_relevance })}
            min={0}
            max={1}
            step={0.05}
            digits={2}
            size="small"
          />
        )}
      </div>
      {usual && (
        <div className="row gap-6">
          <MakeUsual search={request} />
          <Button size="small" disabled={sameRanking(request, usual)} onClick={() => ask(rankingOf(usual))}>
            {t("search.usual.back")}
          </Button>
        </div>
      )}
      <Button
        size="small"
        icon={<IconBook2 className="small" aria-hidden />}
        onClick={() => setThesaurus(true)}
      >
        {t("search.thesaurus.edit")}
      </Button>
      {thesaurus && (
        <Thesaurus
          onClose={() => {
            setThesaurus(false);
            close();
          }}
        />
      )}
    </div>
  );
}

/** What is done to a query, and to the ranking of what it finds. */
function Switches({ request, ask }: AskProps) {
  const fused = request.mode === "hybrid" && request.fusion === "scores";
  return (
    <>
      <SwitchRow
        label={t("search.options.structured")}
        note={t("search.options.structured_note")}
        checked={request.structured}
        onChange={(structured) => ask({ structured })}
      />
      <SwitchRow
        label={t("search.options.spelling")}
        checked={request.correct_spelling}
        disabled={request.structured}
        onChange={(correct_spelling) => ask({ correct_spelling })}
      />
      <SwitchRow
        label={t("search.options.thesaurus")}
        checked={request.thesaurus}
        disabled={request.structured}
        onChange={(thesaurus) => ask({ thesaurus })}
      />
      <SwitchRow
        label={t("search.options.counterparts")}
        note={t("search.options.counterparts_note")}
        checked={request.counterparts}
        disabled={!fused}
        onChange={(counterparts) => ask({ counterparts })}
      />
      <SwitchRow
        label={t("search.options.feedback")}
        note={t("search.options.feedback_note")}
        checked={request.feedback}
        disabled={!fused || request.structured}
        onChange={(feedback) => ask({ feedback })}
      />
      <SwitchRow
        label={t("search.options.dedupe")}
        checked={request.dedupe}
        onChange={(dedupe) => ask({ dedupe })}
      />
    </>
  );
}
