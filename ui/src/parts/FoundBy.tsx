import { IconChevronRight, IconTrash } from "@tabler/icons-react";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import { useAction } from "@/api/queries";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { TextField } from "@/kit/fields";
import { Tag } from "@/kit/Pill";
import { tip } from "@/kit/Tooltip";
import { href } from "@/state/router";
import { t } from "@/text";
import css from "./found-by.module.css";

type PhrasingsProps = {
  phrases: readonly string[];
  /** Those of them that somebody added by hand. */
  added?: readonly string[];
  /** A chunk, or a paragraph, topic or metric: phrasings can be added to it, and those added by hand removed. */
  of?: string;
};

type FoundByProps = PhrasingsProps & {
  /** Beside the button: what can be done with the phrases. */
  end?: ReactNode;
};

/** Phrases that a passage is found by beside what it says, put away until they are asked for. */
export function FoundBy({ end, ...phrasings }: FoundByProps) {
  const [shown, setShown] = useState(false);
  const id = useId();
  const { phrases, of } = phrasings;
  const opens = phrases.length > 0 || of !== undefined;
  if (!opens && end === undefined) return null;
  return (
    <div className={css.found}>
      <div className="row gap-6">
        {opens && (
          <button
            type="button"
            className={css.head}
            aria-expanded={shown}
            aria-controls={shown ? id : undefined}
            onClick={() => setShown(!shown)}
          >
            <IconChevronRight className={classes("xs", css.turn)} aria-hidden />
            {foundBy(phrases.length)}
          </button>
        )}
        {end}
      </div>
      {shown && (
        <div id={id}>
          <Phrasings {...phrasings} />
        </div>
      )}
    </div>
  );
}

/** What opens the phrasings where there are `count`. */
export const foundBy = (count: number) =>
  count === 0 ? t("hit.found_by.none") : t("hit.found_by.count", { count });

/** The phrasings themselves; each asks Search Lab. */
export function Phrasings({ phrases, added = [], of }: PhrasingsProps) {
  return (
    <div className={css.phrasings}>
      {phrases.length > 0 && (
        <ul aria-label={t("hit.found_by.list")}>
          {phrases.map((phrase) => (
            <li key={phrase}>
              <a href={href("search-lab", [], { q: phrase })} {...tip(t("hit.found_by.ask"))}>
                <bdi>{phrase}</bdi>
              </a>
              {added.includes(phrase) && <ByHand phrase={phrase} of={of} />}
            </li>
          ))}
        </ul>
      )}
      {of !== undefined && <AddPhrasing key={of} of={of} />}
    </div>
  );
}

function ByHand({ phrase, of }: { phrase: string; of: string | undefined }) {
  const remove = useAction("phrasing.remove");
  return (
    <>
      {" "}
      <Tag>{t("hit.found_by.by_hand")}</Tag>
      {of !== undefined && (
        <IconButton
          size="small"
          label={t("hit.found_by.remove", { phrase })}
          disabled={remove.isPending}
          onClick={() => remove.mutate({ id: of, phrase })}
        >
          <IconTrash className="small" aria-hidden />
        </IconButton>
      )}
    </>
  );
}

function AddPhrasing({ of }: { of: string }) {
  const add = useAction("phrasing.add");
  const [phrase, setPhrase] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (phrase.trim() !== "") {
      add.mutate({ id: of, phrase: phrase.trim() }, { onSuccess: () => setPhrase("") });
    }
  };
  return (
    <form className="row gap-6" onSubmit={submit}>
      <TextField
        label={t("hit.found_by.field")}
        placeholder={t("hit.found_by.placeholder")}
        className="grow"
        value={phrase}
        maxLength={200}
        onChange={(event) => setPhrase(event.currentTarget.value)}
      />
      <Button type="submit" disabled={phrase.trim() === "" || add.isPending} {...tip(t("hit.found_by.note"))}>
        {t("hit.found_by.add")}
      </Button>
    </form>
  );
}
