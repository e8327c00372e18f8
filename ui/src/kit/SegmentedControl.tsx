import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { classes } from "./class-names";
import css from "./segmented-control.module.css";
import { Tooltip } from "./Tooltip";

/** One of the choices. */
export type Segment<V extends string> = {
  value: V;
  label: ReactNode;
  /** What the choice is called, where its label is an icon. */
  name?: string | undefined;
  disabled?: boolean;
  /** Why it cannot be chosen now. */
  unavailable?: string;
};

type SegmentedControlProps<V extends string> = {
  /** Name of the choice, for assistive technology. */
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: readonly Segment<V>[];
  size?: "default" | "small";
};

/** A choice of a few, all in sight. Arrows move the choice. */
export function SegmentedControl<V extends string>(props: SegmentedControlProps<V>) {
  const { label, value, onChange, options, size = "default" } = props;
  const root = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const open = options.filter((option) => !option.disabled && !option.unavailable);
    const at = open.findIndex((option) => option.value === value);
    const next = open[(at + step + open.length) % open.length];
    if (!next) return;
    onChange(next.value);
    root.current?.querySelectorAll<HTMLElement>("[role=radio]")[options.indexOf(next)]?.focus();
  };
  return (
    <div
      ref={root}
      role="radiogroup"
      aria-label={label}
      className={classes(css.control, size === "small" && css.small)}
      onKeyDown={move}
    >
      {options.map((option) => {
        const button = (
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-label={option.name}
            aria-checked={option.value === value}
            aria-disabled={option.unavailable ? true : undefined}
            aria-description={option.unavailable}
            tabIndex={option.value === value ? 0 : -1}
            disabled={option.disabled}
            className={option.value === value ? css.on : undefined}
            onClick={() => !option.unavailable && onChange(option.value)}
          >
            {option.label}
          </button>
        );
        const hint = [option.name, option.unavailable].filter(Boolean).join(": ");
        return hint ? (
          <Tooltip key={option.value} label={hint}>
            {button}
          </Tooltip>
        ) : (
          button
        );
      })}
    </div>
  );
}
