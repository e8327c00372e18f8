import { useState } from "react";
import { useAction } from "@/api/queries";
import type { GoldSet } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { TextField } from "@/kit/fields";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";
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
    if (query.trim() === "" || put.isPending) return;
    put.mutate(
      { set: set.name, query: query.trim(), type: kind.trim() },
      { onSuccess: (made) => onAdded(made.id) },
    );
  };
  return (
    <Dialog open onClose={onClose} label={title} width={460}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <div className="ask">
          <h2>{title}</h2>
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
          {put.error && (
            <p className="sm c-bad" role="alert">
              {visible(sentence(put.error.message))}
            </p>
          )}
          <p className="sm mut">{t("evaluate.add.note")}</p>
        </div>
        <DialogFoot>
          <span className="grow" />
          <Button onClick={onClose}>{t("evaluate.cancel")}</Button>
          <Button tone="primary" type="submit" disabled={query.trim() === "" || put.isPending}>
            {t("evaluate.add.confirm")}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
