import { memo } from "react";
import type { ParamView } from "@/api/types";
import { Select, SliderRow, SwitchRow, TextField } from "@/kit/fields";
import { paramName, type Value } from "@/parts/strategy";
import css from "./param-field.module.css";

/** Times the default at which a slider ends; the field beside it takes every value. */
const REACH = 3;

function reachOf({ min, max, default: usual }: ParamView, value: Value | undefined): number | undefined {
  if (max === null || typeof usual !== "number") return undefined;
  const least = Math.max(min ?? 0, typeof value === "number" ? value : 0);
  const handy = usual > 0 ? Math.ceil((usual * REACH) / 10) * 10 : max;
  return handy >= least ? Math.min(max, handy) : max;
}

type ParamFieldProps = {
  param: ParamView;
  value: Value | undefined;
  onSet: (name: string, value: Value) => void;
  note?: string;
};

/** A parameter of a strategy. Only the one that changes is redrawn: a form has many fields, and each has several parts. */
export const ParamField = memo(function ParamField({ param, value, onSet, note }: ParamFieldProps) {
  const label = paramName(param);
  const onChange = (next: Value) => onSet(param.name, next);
  if (param.kind === "integer")
    return (
      <SliderRow
        label={label}
        value={Number(value)}
        onChange={onChange}
        min={param.min ?? 0}
        max={param.max ?? Number.MAX_SAFE_INTEGER}
        reach={reachOf(param, value)}
      />
    );
  if (param.kind === "switch")
    return <SwitchRow size="small" label={label} checked={value === true} onChange={onChange} note={note} />;
  return (
    <div className={css.field}>
      <span className="sec">{label}</span>
      {param.kind === "choice" ? (
        <Select
          label={label}
          value={String(value)}
          onChange={onChange}
          options={param.options.map((option) => ({ value: option, label: option }))}
        />
      ) : (
        <TextField
          label={label}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </div>
  );
});
