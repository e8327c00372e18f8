import { useEffect, useRef } from "react";
import { may } from "@/api/client";
import { useAction } from "@/api/queries";
import { Select } from "@/kit/fields";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { setPreferences, usePreferences } from "@/state/preferences";
import { href, navigate } from "@/state/router";
import { useWorkspaces } from "@/state/workspace";
import { t } from "@/text";
import { cost, moment, sentence, whole } from "@/text/format";
import { SYSTEM, systemLocale } from "@/text/locale";
import { visible } from "@/text/visible";
import { Below, Row, Wrong } from "./Row";

/** Languages that source labels are written in. */
const LABELS = ["en", "sv"] as const;

/** Locales that numbers and dates are written by, beside the system's. */
const FORMATS = ["en-GB", "en-US", "sv-SE", "de-DE", "fr-FR", "ja-JP"];

/** A date whose day is no month. */
const EXAMPLE = new Date(2024, 10, 19, 14, 31);

const nameOf = (locale: string): string =>
  new Intl.DisplayNames("en", { type: "language" }).of(locale) ?? locale;

/** The language of source labels in the present workspace. */
function Labels() {
  const { current, query } = useWorkspaces();
  const change = useAction("workspace.language", { inPlace: true });
  const language = query.data?.find((each) => each.name === current)?.language;
  return (
    <Row id="labels" title={t("settings.row.labels")} note={t("settings.language.labels_note")}>
      <div className="row gap-6">
        {language !== undefined && (
          <SegmentedControl
            label={t("settings.row.labels")}
            value={change.isPending ? (change.variables.language ?? language) : language}
            onChange={(next) => change.mutate({ name: current, language: next })}
            options={LABELS.map((value) => ({ value, label: t(`workspaces.languages.${value}`) }))}
          />
        )}
        <span className="xs mut">{t("settings.language.of", { workspace: current })}</span>
      </div>
      {change.error && <Wrong>{visible(sentence(change.error.message))}</Wrong>}
    </Row>
  );
}

/** Whether the field for the format was used just now. The choice redraws the window, and the field with it. */
let chosen = false;

/** In which language the window speaks, and how it writes numbers and dates. */
export function Language() {
  const { format } = usePreferences();
  const known = [SYSTEM, ...FORMATS];
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (chosen) field.current?.querySelector("input")?.focus({ preventScroll: true });
    chosen = false;
  }, []);
  const choose = (next: string) => {
    if (next === format) return;
    chosen = true;
    // The page that is redrawn goes to its address.
    navigate(href("settings", ["language", "format"]), { replace: true });
    setPreferences({ format: next });
  };
  return (
    <>
      <Row id="words" title={t("settings.row.words")}>
        <p className="sm">{t("settings.language.words")}</p>
      </Row>
      {may("workspace.language") && <Labels />}
      <Row id="format" title={t("settings.row.format")}>
        <div ref={field}>
          <Select
            label={t("settings.row.format")}
            width={240}
            value={known.includes(format) ? format : SYSTEM}
            onChange={choose}
            options={known.map((value) => ({
              value,
              label:
                value === SYSTEM
                  ? t("settings.language.system", { locale: nameOf(systemLocale()) })
                  : nameOf(value),
            }))}
          />
        </div>
        <Below>
          {t("settings.language.example", {
            example: `${whole(38_114)} · ${cost(0.14)} · ${moment(EXAMPLE)}`,
          })}
        </Below>
      </Row>
    </>
  );
}
