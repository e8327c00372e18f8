import { useState } from "react";
import { useAction } from "@/api/queries";
import type { GoldSet } from "@/api/types";
import { FormDialog } from "@/kit/FormDialog";
import { TextField } from "@/kit/fields";
import { t } from "@/text";
import css from "./forms.module.css";

type NewSetProps = {
  sets: readonly GoldSet[];
  /** Hears of the name of the new set. */
  onMade: (name: string) => void;
  onClose: () => void;
};

/** Another gold set, with its first query. */
export function NewSet({ sets, onMade, onClose }: NewSetProps) {
  const put = useAction("gold.put_query", { inPlace: true });
  const [name, setName] = useState("");
  const [query, setQuery] = useState("");
  const title = t("evaluate.sets.new_title");
  const set = name.trim();
  const taken = sets.some((each) => each.name === set);
  const ready = set !== "" && !taken && query.trim() !== "" && !put.isPending;
  const make = () => {
    put.mutate(
      { set, query: query.trim() },
      {
        onSuccess: () => {
          onMade(set);
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      title={title}
      width={460}
      confirm={t("evaluate.sets.make")}
      ready={ready}
      problem={put.error?.message ?? (taken ? t("evaluate.sets.taken", { name: set }) : null)}
      onConfirm={make}
      onClose={onClose}
    >
      <div className={css.fields}>
        <span className="sm sec">{t("evaluate.sets.name")}</span>
        <TextField
          label={t("evaluate.sets.name")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <span className="sm sec">{t("evaluate.start.first")}</span>
        <TextField
          label={t("evaluate.start.first")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      </div>
    </FormDialog>
  );
}
