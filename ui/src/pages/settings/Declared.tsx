// Fields drawn from what the engine declares of a setting. They save when left or on Enter; what does not fit stays
// in the field with the reason below it.

import { IconArrowBackUp, IconCheck } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";
import { useAction } from "@/api/queries";
import type { SettingView } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { Select, Switch, TextField } from "@/kit/fields";
import { t } from "@/text";
import { sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { Wrong } from "./Row";

/** Value of a setting; `null` brings its default back. */
export type Value = SettingView["value"];

/** How a number is written: so many of the unit stored make one of the unit shown. */
export type Scale = { per: number; prefix: string };

/** Millionths of a US dollar, written as dollars. */
export const DOLLARS: Scale = { per: 1_000_000, prefix: "$" };

const SAVED_FOR = 2500;

/** Saves one setting and tells for a moment that it did. */
export function useSaving(name: string) {
  const set = useAction("settings.set", { inPlace: true });
  const [told, setTold] = useState(false);
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => setTold(false), SAVED_FOR);
    return () => clearTimeout(timer);
  }, [told]);
  return {
    save: (value: Value | null, onSaved?: () => void) =>
      set.mutate(
        { values: { [name]: value } },
        {
          onSuccess: () => {
            setTold(true);
            onSaved?.();
          },
        },
      ),
    pending: set.isPending,
    problem: set.error ? visible(sentence(set.error.message)) : undefined,
    forget: set.reset,
    saved: told,
  };
}

/** Says that a value was saved. */
export function Saved({ shown }: { shown: boolean }) {
  return (
    <span role="status">
      {shown && (
        <>
          <IconCheck className="small c-ok" aria-hidden />
          <span className="sr-only">{t("settings.saved")}</span>
        </>
      )}
    </span>
  );
}

const written = (value: Value, scale: Scale | undefined): string =>
  scale && typeof value === "number" ? String(value / scale.per) : String(value);

/** The number typed, as it is stored, or what it should have been. */
function read({ param }: SettingView, text: string, scale: Scale | undefined): number | string {
  const typed = text.trim() === "" ? Number.NaN : Number(text.trim().replace(/^\$/, ""));
  const value = scale ? Math.round(typed * scale.per) : typed;
  const min = param.min ?? -Infinity;
  const max = param.max ?? Infinity;
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  return scale
    ? t("settings.money", {
        min: `${scale.prefix}${written(min, scale)}`,
        max: `${scale.prefix}${written(max, scale)}`,
      })
    : t("settings.whole", { min: whole(min), max: whole(max) });
}

type FieldProps = {
  view: SettingView;
  /** Its name, where the row's title does not stand for it. */
  label: string;
  placeholder?: string;
  width?: number | string;
  scale?: Scale;
  unit?: string;
  icon?: ReactNode;
};

function Typed({ view, label, placeholder, width, scale, unit, icon }: FieldProps) {
  const { param, value } = view;
  const saving = useSaving(param.name);
  const [draft, setDraft] = useState<string>();
  const [misfit, setMisfit] = useState("");
  const problem = useId();
  const numeric = param.kind === "integer";
  const keep = () => {
    if (draft === undefined) return;
    const next = numeric ? read(view, draft, scale) : draft.trim();
    if (numeric && typeof next === "string") return setMisfit(next);
    setMisfit("");
    if (next === value) return leave();
    saving.save(next, () => setDraft(undefined));
  };
  const leave = () => {
    setDraft(undefined);
    setMisfit("");
    saving.forget();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") keep();
    else if (event.key === "Escape" && draft !== undefined) {
      event.stopPropagation();
      leave();
    }
  };
  const wrong = misfit || saving.problem;
  return (
    <div>
      <div className="row gap-6">
        <TextField
          label={label}
          className={numeric ? "number" : "grow"}
          style={{ width: width ?? (numeric ? 96 : "100%") }}
          icon={icon ?? (scale && <span className="mut">{scale.prefix}</span>)}
          placeholder={placeholder}
          inputMode={numeric ? "decimal" : undefined}
          value={draft ?? written(value, scale)}
          error={Boolean(wrong)}
          aria-describedby={wrong ? problem : undefined}
          onChange={(event) => setDraft(event.currentTarget.value)}
          onBlur={keep}
          onKeyDown={onKeyDown}
          end={saving.saved && <Saved shown />}
        />
        {unit && <span className="sm sec nowrap">{unit}</span>}
        {value !== param.default && (
          <IconButton
            size="small"
            label={t("settings.back", {
              value: written(param.default, scale) || t("settings.default_empty"),
            })}
            onClick={() => {
              leave();
              saving.save(null);
            }}
          >
            <IconArrowBackUp className="small" aria-hidden />
          </IconButton>
        )}
      </div>
      {wrong && (
        <div id={problem}>
          <Wrong>{wrong}</Wrong>
        </div>
      )}
    </div>
  );
}

/** The field for a setting, by its kind. */
export function Declared(props: FieldProps) {
  const { view, label } = props;
  const saving = useSaving(view.param.name);
  if (view.param.kind === "switch" || view.param.kind === "choice")
    return (
      <div>
        <div className="row gap-6">
          {view.param.kind === "switch" ? (
            <Switch label={label} checked={view.value === true} onChange={(next) => saving.save(next)} />
          ) : (
            <Select
              label={label}
              width={240}
              value={String(view.value)}
              onChange={(next) => saving.save(next)}
              options={view.param.options.map((option) => ({ value: option, label: option }))}
            />
          )}
          <Saved shown={saving.saved} />
        </div>
        {saving.problem && <Wrong>{saving.problem}</Wrong>}
      </div>
    );
  return <Typed {...props} />;
}
