import { useState } from "react";
import { useAction } from "@/api/queries";
import type { GoldSet } from "@/api/types";
import { FormDialog } from "@/kit/FormDialog";
import { TextField } from "@/kit/fields";
import { t } from "@/text";
import css from "./forms.module.css";

type AddQueryProps = {
  set: GoldSet;
  onClose: () => void;
  /** Hears of the id of the new query. */
  onAdded: (id: string) => void;
};

/** A query by hand; it is judged where its results are shown. */
export function AddQuery({ set, onClose, onAdded }: AddQueryProps) {
  const put = useAction("gold.put_query", { inPlace: true });
  const [query, setQuery] = useState("");
  const [kind, setKind] = useState("");
  const title = t("evaluate.add.title");
  const add = () => {
    put.mutate(
      { set: set.name, query: query.trim(), type: kind.trim() },
      { onSuccess: (made) => onAdded(made.id) },
    );
  };
  return (
    <FormDialog
      title={title}
      width={460}
      confirm={t("evaluate.add.confirm")}
      ready={query.trim() !== "" && !put.isPending}
      problem={put.error?.message}
      onConfirm={add}
      onClose={onClose}
    >
      <div className={css.fields}>
        <span className="sm sec">{t("evaluate.add.query")}</span>
        <TextField
          label={t("evaluate.add.query")}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          data-autofocus
        />
        <span className="sm sec">{t("evaluate.add.type")}</span>
        <TextField
          label={t("evaluate.add.type")}
          placeholder={t("evaluate.add.type_hint")}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value)}
        />
      </div>
      <p className="sm mut">{t("evaluate.add.note")}</p>
    </FormDialog>
  );
}
