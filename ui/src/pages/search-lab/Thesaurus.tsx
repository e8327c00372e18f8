import { IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { ThesaurusEntry } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { NumberField, SearchField, TextField } from "@/kit/fields";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Loaded } from "@/kit/states";
import { t } from "@/text";
import { upTo } from "@/text/format";
import shared from "./shared.module.css";
import css from "./thesaurus.module.css";

/** Words that are searched for as well: the shipped ones to read, own ones to add and delete. */
export function Thesaurus({ onClose }: { onClose: () => void }) {
  const entries = useCommand("thesaurus.list", {});
  const [find, setFind] = useState("");
  const wanted = find.trim().toLowerCase();
  return (
    <Dialog open onClose={onClose} label={t("search.thesaurus.title")} width={620}>
      <div className={shared.dialog}>
        <div className="row between">
          <h2 className="h2">{t("search.thesaurus.title")}</h2>
          <SearchField
            label={t("search.thesaurus.find")}
            placeholder={t("search.filter.find_short")}
            size="small"
            value={find}
            onChange={setFind}
          />
        </div>
        <Loaded query={entries}>
          {(all) => (
            <Entries
              entries={all.filter(({ term, expansion }) =>
                `${term} ${expansion}`.toLowerCase().includes(wanted),
              )}
            />
          )}
        </Loaded>
        <Add />
      </div>
      <DialogFoot>
        <span className="grow sm mut">{t("search.thesaurus.note")}</span>
        <Button onClick={onClose}>{t("keys.close")}</Button>
      </DialogFoot>
    </Dialog>
  );
}

function Entries({ entries }: { entries: readonly ThesaurusEntry[] }) {
  const remove = useAction("thesaurus.delete");
  return (
    <ScrollRegion className={css.entries} label={t("search.thesaurus.title")}>
      <table className="compact">
        <thead>
          <tr>
            <th>{t("search.thesaurus.term")}</th>
            <th>{t("search.thesaurus.expansion")}</th>
            <th className="align-end">{t("search.thesaurus.weight")}</th>
            <th aria-label={t("search.thesaurus.delete")} />
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>{entry.term}</td>
              <td>{entry.expansion}</td>
              <td className="align-end number">{upTo(entry.weight, 2)}</td>
              <td className="align-end">
                {entry.shipped ? (
                  <Tag>{t("search.thesaurus.shipped")}</Tag>
                ) : (
                  <IconButton
                    size="small"
                    label={t("search.thesaurus.delete_entry", { term: entry.term })}
                    onClick={() => remove.mutate({ id: entry.id })}
                  >
                    <IconTrash className="small" aria-hidden />
                  </IconButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The form of an entry of one's own. */
function Add() {
  const put = useAction("thesaurus.put");
  const [term, setTerm] = useState("");
  const [expansion, setExpansion] = useState("");
  const [weight, setWeight] = useState(0.5);
  const lacking = term.trim() === "" || expansion.trim() === "";
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (lacking) return;
    put.mutate(
      { corpus: null, term: term.trim(), expansion: expansion.trim(), weight },
      {
        onSuccess: () => {
          setTerm("");
          setExpansion("");
        },
      },
    );
  };
  return (
    <form className="row gap-6" onSubmit={add}>
      <TextField
        label={t("search.thesaurus.term")}
        placeholder={t("search.thesaurus.term")}
        className="grow"
        value={term}
        onChange={(event) => setTerm(event.currentTarget.value)}
      />
      <TextField
        label={t("search.thesaurus.expansion")}
        placeholder={t("search.thesaurus.expansion")}
        className="grow"
        value={expansion}
        onChange={(event) => setExpansion(event.currentTarget.value)}
      />
      <NumberField
        label={t("search.thesaurus.weight")}
        value={weight}
        onChange={setWeight}
        min={0.05}
        max={1}
        step={0.05}
        digits={2}
      />
      <Button type="submit" disabled={lacking}>
        {t("search.thesaurus.add")}
      </Button>
    </form>
  );
}
