import { useState } from "react";
import { useCommand } from "@/api/queries";
import { FormDialog } from "@/kit/FormDialog";
import { Select, TextField } from "@/kit/fields";
import { NotLoaded, SkeletonRows } from "@/kit/states";
import { t } from "@/text";

const LAST = "sibyl.gold-set";
const NEW = "new";
const choiceOf = (set: string) => `set ${set}`;

type SaveInGoldSetProps = {
  /** What is kept. */
  query: string;
  /** Hears of the gold set; it is made where there is none of this name. */
  onSave: (set: string) => void;
  onClose: () => void;
};

/** Asks which gold set keeps a query: the one of the last time, another, or a new one. */
export function SaveInGoldSet({ query, onSave, onClose }: SaveInGoldSetProps) {
  const list = useCommand("gold.list", {});
  const names = (list.data ?? []).map((set) => set.name);
  const last = localStorage.getItem(LAST) ?? "";
  const usual = names.includes(last) ? last : names[0];
  const [chosen, setChosen] = useState<string>();
  const [name, setName] = useState(t("evaluate.start.name"));
  const value = chosen ?? (usual === undefined ? NEW : choiceOf(usual));
  const set = value === NEW ? name.trim() : names.find((each) => choiceOf(each) === value);
  const title = t("search.gold.save");
  const save = () => {
    if (!list.data || !set) return;
    localStorage.setItem(LAST, set);
    onSave(set);
    onClose();
  };
  return (
    <FormDialog
      title={title}
      width={420}
      confirm={t("search.gold.keep")}
      ready={list.data !== undefined && !!set}
      focusConfirm
      onConfirm={save}
      onClose={onClose}
    >
      <p className="sm sec">
        <bdi>{query}</bdi>
      </p>
      <NotLoaded query={list} />
      {list.isPending && <SkeletonRows bare rows={1} height={28} />}
      {names.length > 0 && (
        <Select
          label={t("search.gold.title")}
          value={value}
          onChange={setChosen}
          options={[
            ...names.map((each) => ({ value: choiceOf(each), label: each })),
            { value: NEW, label: t("evaluate.sets.new") },
          ]}
        />
      )}
      {list.data && value === NEW && (
        <TextField
          label={t("evaluate.sets.name")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
