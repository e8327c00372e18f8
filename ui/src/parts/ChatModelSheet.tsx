import { useCommand } from "@/api/queries";
import type { ChatModel } from "@/api/types";
import { NotLoaded } from "@/kit/states";
import { FilterSheet } from "@/parts/FilterPill";
import { t } from "@/text";
import { cost, short } from "@/text/format";

/** What a model costs and how much it reads, as far as its provider says so. */
export function priceOf({ prompt_price, completion_price, context_tokens }: ChatModel): string {
  const price =
    prompt_price === null || completion_price === null
      ? undefined
      : prompt_price + completion_price === 0
        ? t("chat_models.free")
        : t("chat_models.price", { prompt: cost(prompt_price), completion: cost(completion_price) });
  const context =
    context_tokens === null ? undefined : t("chat_models.context", { count: short(context_tokens) });
  return [price, context].filter((each) => each !== undefined).join(" · ");
}

type ChatModelSheetProps = {
  /** The model in use. */
  value: string;
  onChoose: (id: string) => void;
};

/** The models that the chat provider lists, asked for when this is drawn, to choose one by its name. */
export function ChatModelSheet({ value, onChoose }: ChatModelSheetProps) {
  const models = useCommand("answer.models", {});
  const listed = models.data ?? [];
  const choices = listed.map((model) => ({ value: model.id, label: model.id, detail: priceOf(model) }));
  return (
    <FilterSheet
      label={t("chat_models.title")}
      choices={choices}
      values={[value]}
      free
      onChange={(values) => {
        const chosen = values.find((each) => each !== value);
        if (chosen !== undefined) onChoose(chosen);
      }}
    >
      <NotLoaded query={models} />
      <span className="xs mut">{t(models.isPending ? "chat_models.asking" : "chat_models.note")}</span>
    </FilterSheet>
  );
}
