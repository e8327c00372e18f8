import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { classes } from "./class-names";
import css from "./tabs.module.css";

/** One tab with its panel. */
export type Tab<V extends string> = { value: V; label: ReactNode; panel: ReactNode };

type TabsProps<V extends string> = {
  label: string;
  value: V;
  onChange: (value: V) => void;
  tabs: readonly Tab<V>[];
  /** Stands at the end of the row of tabs. */
  end?: ReactNode;
  /** A lower row without a line below it, for tabs in a dock. */
  low?: boolean;
};

/** Panels that take turns in one place. */
export function Tabs<V extends string>({ label, value, onChange, tabs, end, low }: TabsProps<V>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.value);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[tabs.indexOf(next)]?.focus();
  };
  return (
    <>
      <div className={classes(css.tabs, low && css.low)}>
        <div className={css.list} role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              className={tab.value === value ? css.on : undefined}
              onClick={() => onChange(tab.value)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {end && <span className={css.end}>{end}</span>}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        className={`col ${css.panel}`}
      >
        {tabs.find((tab) => tab.value === value)?.panel}
      </div>
    </>
  );
}
