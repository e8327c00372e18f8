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
    if (!ready) return;
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
    <Dialog open onClose={onClose} label={title} width={460}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          make();
        }}
      >
        <div className="ask">
          <h2>{title}</h2>
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
          {(taken || put.error) && (
            <p className="sm c-bad" role="alert">
              {put.error ? visible(sentence(put.error.message)) : t("evaluate.sets.taken", { name: set })}
            </p>
          )}
        </div>
        <DialogFoot>
          <span className="grow" />
          <Button onClick={onClose}>{t("evaluate.cancel")}</Button>
          <Button tone="primary" type="submit" disabled={!ready}>
            {t("evaluate.sets.make")}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
