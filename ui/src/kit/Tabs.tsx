import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

/** One tab with its panel. */
export type Tab<V extends string> = { value: V; label: ReactNode; panel: ReactNode };

type TabsProps<V extends string> = {
  label: string;
  value: V;
  onChange: (value: V) => void;
  tabs: readonly Tab<V>[];
  /** Stands at the end of the row of tabs. */
  end?: ReactNode;
};

/** Panels that take turns in one place. */
export function Tabs<V extends string>({ label, value, onChange, tabs, end }: TabsProps<V>) {
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
      <div className="tabs">
        <div className="tablist" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
          {tabs.map((tab) => (
            <button
              key={tab.value}
              type="button"
              role="tab"
              id={`${id}-${tab.value}`}
              aria-selected={tab.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={tab.value === value ? 0 : -1}
              className={tab.value === value ? "on" : undefined}
              onClick={() => onChange(tab.value)}
            >
              {tab.label}
            </button>
          ))}
        </div>
        {end && <span className="tabs-end">{end}</span>}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} className="body col">
        {tabs.find((tab) => tab.value === value)?.panel}
      </div>
    </>
  );
}
