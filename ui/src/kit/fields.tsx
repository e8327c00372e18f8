// Fields in the design's density: numbers, text, choices, sliders and switches.

import { Select as MantineSelect, Switch as MantineSwitch, NumberInput, Slider } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch, IconSelector } from "@tabler/icons-react";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  useContext,
  useEffect,
  useId,
  useState,
} from "react";
import { decimalMark } from "@/text/format";
import { visible } from "@/text/visible";
import { classes } from "./class-names";
import css from "./fields.module.css";
import { OnSheet } from "./sheet";

type NumberFieldProps = {
  label: string;
  value: number;
  /** Called with a number inside the limits only. */
  onChange: (value: number) => void;
  /** Milliseconds that a number must stand before it counts, but for Enter and leaving the field; none by default. */
  pause?: number;
  min?: number;
  max?: number;
  step?: number;
  /** Decimal places; none by default. */
  digits?: number;
  /** Unit after the number, such as ` ms`. */
  suffix?: string;
  width?: number;
  disabled?: boolean;
  error?: ReactNode;
  size?: "default" | "small";
};

/** A number with limits. Arrow keys step, typing outside the limits is held back until it fits. */
export function NumberField(props: NumberFieldProps) {
  const {
    label,
    value,
    onChange,
    pause = 0,
    min,
    max,
    step = 1,
    digits = 0,
    suffix,
    width = 56,
    disabled,
    error,
  } = props;
  const [draft, setDraft] = useState<number | string>(value);
  const tell = useDebouncedCallback(onChange, pause);
  useEffect(() => {
    tell.cancel();
    setDraft(value);
  }, [value, tell]);
  const fits = (next: number) => next >= (min ?? -Infinity) && next <= (max ?? Infinity);
  return (
    <NumberInput
      aria-label={label}
      value={draft}
      onChange={(next) => {
        setDraft(next);
        if (typeof next !== "number" || !fits(next)) return tell.cancel();
        tell(next);
        if (pause === 0) tell.flush();
      }}
      onKeyDown={(event) => event.key === "Enter" && tell.flush()}
      onBlur={() => {
        tell.flush();
        setDraft(value);
      }}
      min={min}
      max={max}
      step={step}
      decimalScale={digits}
      decimalSeparator={decimalMark()}
      clampBehavior="blur"
      suffix={suffix}
      hideControls
      disabled={disabled}
      error={error}
      w={width}
      flex="none"
      size="xs"
      classNames={{
        input: classes("k-input soft num", props.size === "small" && "small"),
        error: "xs c-bad",
      }}
    />
  );
}

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, "size"> & {
  /** Its name; shown by the caller or not at all. */
  label: string;
  icon?: ReactNode;
  /** Stands at the end: a count, a key, a button. */
  end?: ReactNode;
  error?: boolean;
  size?: "default" | "small";
  /** A lighter edge, for fields in bars. */
  soft?: boolean;
  ref?: Ref<HTMLInputElement>;
};

/** A line of text. */
export function TextField({
  label,
  icon,
  end,
  error,
  size,
  soft,
  className,
  style,
  ref,
  ...rest
}: TextFieldProps) {
  return (
    <span
      className={classes("field", size === "small" && "small", soft && "soft", error && "error", className)}
      style={style}
    >
      {icon}
      <input ref={ref} aria-label={label} aria-invalid={error || undefined} spellCheck={false} {...rest} />
      {end !== undefined && <span className="end row gap-6">{end}</span>}
    </span>
  );
}

/** A line to filter or find by; Escape empties it. */
export function SearchField({
  value,
  onChange,
  ...rest
}: Omit<TextFieldProps, "onChange" | "value"> & { value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      role="searchbox"
      icon={<IconSearch className="small" aria-hidden />}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape" && value !== "") {
          event.stopPropagation();
          onChange("");
        }
      }}
      {...rest}
    />
  );
}

/** A choice of a {@link Select}. */
export type Choice = { value: string; label: string; disabled?: boolean };

type SelectProps = {
  label: string;
  value: string | null;
  onChange: (value: string) => void;
  options: readonly Choice[];
  /** Type to find, for long lists. */
  searchable?: boolean;
  placeholder?: string;
  disabled?: boolean;
  width?: number | string;
  size?: "default" | "small";
  icon?: ReactNode;
  /** Said where nothing matches. */
  nothingFound?: string;
  /** What stands in the field while nothing is typed, in as many lines as it takes; the label of the choice in one. */
  shown?: ReactNode;
};

/** A choice of many. */
export function Select({ shown, ...props }: SelectProps) {
  if (shown === undefined) return <Choices {...props} />;
  return (
    <span className={css.shown} style={{ width: props.width ?? "100%" }}>
      <Choices {...props} width="100%" />
      <span aria-hidden>{shown}</span>
    </span>
  );
}

function Choices(props: Omit<SelectProps, "shown">) {
  const onSheet = useContext(OnSheet);
  return (
    <MantineSelect
      aria-label={props.label}
      value={props.value}
      onChange={(value) => value !== null && props.onChange(value)}
      data={props.options.map((option) => ({ ...option, label: visible(option.label) }))}
      searchable={props.searchable}
      placeholder={props.placeholder}
      disabled={props.disabled}
      nothingFoundMessage={props.nothingFound}
      leftSection={props.icon}
      rightSection={<IconSelector className="small" aria-hidden />}
      rightSectionPointerEvents="none"
      allowDeselect={false}
      w={props.width ?? "100%"}
      size="xs"
      comboboxProps={{ transitionProps: { duration: 0 }, offset: 4, withinPortal: !onSheet }}
      classNames={{
        input: classes("k-input", props.size === "small" && "small"),
        dropdown: "k-dropdown",
        option: "k-option",
      }}
    />
  );
}

type SliderRowProps = {
  label: string;
  value: number;
  onChange: (value: number) => void;
  min: number;
  max: number;
  /** Where the slider ends; the field takes everything up to `max`. */
  reach?: number;
  step?: number;
  digits?: number;
  suffix?: string;
  disabled?: boolean;
  error?: ReactNode;
};

/** A number on a slider and in a field, both live. */
export function SliderRow(props: SliderRowProps) {
  const { label, value, onChange, min, max, reach = max, step = 1, digits, suffix, disabled, error } = props;
  return (
    <div className={css.slider}>
      <div className="row between">
        <span className="sec">{label}</span>
        <NumberField
          {...{ label, value, onChange, min, max, step, digits, suffix, disabled }}
          error={!!error}
        />
      </div>
      <Slider
        thumbLabel={label}
        value={value}
        onChange={onChange}
        min={min}
        max={reach}
        step={step}
        disabled={disabled}
        label={null}
        size={4}
        thumbSize={12}
        classNames={{
          root: "k-slider",
          trackContainer: "k-slider-trackbox",
          track: "k-slider-track",
          bar: "k-slider-bar",
          thumb: "k-slider-thumb",
        }}
      />
      {error && <div className="xs c-bad">{error}</div>}
    </div>
  );
}

type SwitchProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  describedBy?: string;
};

/** On or off, at once. */
export function Switch({ label, checked, onChange, disabled, describedBy }: SwitchProps) {
  return (
    <MantineSwitch
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
      onKeyDown={(event) => {
        // A checkbox turns by Space alone, and Enter would send the form around it.
        if (event.key !== "Enter") return;
        event.preventDefault();
        onChange(!checked);
      }}
      disabled={disabled}
      withThumbIndicator={false}
      classNames={{
        root: "k-switch",
        input: "k-switch-input",
        track: "k-switch-track",
        thumb: "k-switch-thumb",
        trackLabel: "k-switch-words",
      }}
    />
  );
}

/** A switch at the end of its label, with an optional note below. */
export function SwitchRow({
  note,
  size,
  ...rest
}: SwitchProps & { note?: ReactNode; size?: "default" | "small" }) {
  const id = useId();
  return (
    <div>
      <div className={classes("row between", css.switched, size === "small" && css.small)}>
        <span className="sec">{rest.label}</span>
        <Switch {...rest} describedBy={note ? id : undefined} />
      </div>
      {note && (
        <div id={id} className="xs mut">
          {note}
        </div>
      )}
    </div>
  );
}
