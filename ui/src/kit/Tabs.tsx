import { Tabs as MantineTabs } from "@mantine/core";
import type { ReactNode } from "react";
import { classes } from "./class-names";

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
  return (
    <MantineTabs
      value={value}
      onChange={(next) => next !== null && onChange(next as V)}
      variant="none"
      keepMounted={false}
      classNames={{
        root: "k-tabs",
        list: "k-tablist",
        tab: "k-tab",
        tabLabel: "k-tab-label",
        panel: "col k-tabpanel",
      }}
    >
      <div className={classes("k-tabrow", low && "low")}>
        <MantineTabs.List aria-label={label}>
          {tabs.map((tab) => (
            <MantineTabs.Tab key={tab.value} value={tab.value}>
              {tab.label}
            </MantineTabs.Tab>
          ))}
        </MantineTabs.List>
        {end && <span className="k-tabs-end">{end}</span>}
      </div>
      {tabs.map((tab) => (
        <MantineTabs.Panel key={tab.value} value={tab.value}>
          {tab.panel}
        </MantineTabs.Panel>
      ))}
    </MantineTabs>
  );
}
