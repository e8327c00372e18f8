import { useState } from "react";
import { useAction } from "@/api/queries";
import type { Details, DocumentRow } from "@/api/types";
import { FormDialog } from "@/kit/FormDialog";
import { TextField } from "@/kit/fields";
import { t } from "@/text";
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
  const problem = wrongYear && tried ? t("library.details.year_digits") : correct.error?.message;
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
    <FormDialog
      title={title}
      width={480}
      confirm={t("library.details.save")}
      ready={!correct.isPending}
      problem={problem}
      onConfirm={save}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}
