import { useState } from "react";
import { useAction } from "@/api/queries";
import type { Details, DocumentRow } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { TextField } from "@/kit/fields";
import { Note } from "@/kit/Note";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./documents.module.css";

const FIELDS = ["title", "issuer", "year"] as const;
type Field = (typeof FIELDS)[number];
type Typed = Record<Field, string>;

const typed = ({ title, issuer, year }: Details): Typed => ({
  title: title ?? "",
  issuer: issuer ?? "",
  year: year === null ? "" : String(year),
});

/** Corrects title, issuer and year of a document; a field that is emptied is as it was read. */
export function EditDetails({ row, onClose }: { row: DocumentRow; onClose: () => void }) {
  const correct = useAction("document.correct", { inPlace: true });
  const [values, setValues] = useState(() => typed(row));
  const read = typed(row.as_read ?? row);
  const title = t("library.details.title", { name: visible(row.title || row.path) });
  const value = (field: Field) => values[field].trim();
  const [tried, setTried] = useState(false);
  const wrongYear = !/^(\d{4})?$/.test(value("year"));
  const problem =
    wrongYear && tried
      ? t("library.details.year_digits")
      : correct.error && visible(sentence(correct.error.message));
  const save = () => {
    setTried(true);
    if (wrongYear || correct.isPending) return;
    const year = value("year");
    correct.mutate(
      {
        id: row.id,
        title: value("title") || null,
        issuer: value("issuer") || null,
        year: year === "" ? null : Number(year),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog open onClose={onClose} label={title} width={480}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className="ask">
          <h2>{title}</h2>
          <p className="sm sec">{t("library.details.about")}</p>
          <div className={css.fields}>
            {FIELDS.map((field) => {
              const label = t(`library.details.fields.${field}`);
              const changed = value(field) !== read[field];
              const asRead = visible(read[field]) || t("library.details.nothing");
              return [
                <span key={field} className="sm sec">
                  {label}
                </span>,
                <div key={`${field} field`}>
                  <TextField
                    label={label}
                    inputMode={field === "year" ? "numeric" : undefined}
                    data-autofocus={field === "title" || undefined}
                    aria-describedby={changed ? `as-read-${field}` : undefined}
                    error={field === "year" && wrongYear && tried}
                    value={values[field]}
                    onChange={(event) => setValues({ ...values, [field]: event.currentTarget.value })}
                  />
                  {changed && (
                    <p id={`as-read-${field}`} className="xs mut">
                      {t("library.details.as_read", { value: asRead })}
                    </p>
                  )}
                </div>,
              ];
            })}
          </div>
          {problem && (
            <div role="alert">
              <Note kind="bad">{problem}</Note>
            </div>
          )}
        </div>
        <DialogFoot>
          <span className="grow" />
          <Button onClick={onClose}>{t("library.details.cancel")}</Button>
          <Button type="submit" tone="primary" disabled={correct.isPending}>
            {t("library.details.save")}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
