import { Menu as MantineMenu } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactElement, ReactNode } from "react";
import { classes } from "./class-names";
import { Kbd } from "./Kbd";
import { Name } from "./Name";

/** What stands in place of an entry that there is not. */
type Absent = false;

/** Entries that there are. A line parts two of them. */
const present = (entries: readonly MenuEntry[]) =>
  entries
    .filter((entry) => entry !== false)
    .filter(
      (entry, index, all) =>
        entry !== "line" || (index > 0 && index < all.length - 1 && all[index - 1] !== "line"),
    );

/** An entry of a {@link Menu}, or a line between entries. */
export type MenuEntry =
  | "line"
  | Absent
  | {
      label: ReactNode;
      onClick: () => void;
      icon?: ReactNode;
      keys?: string;
      danger?: boolean;
      disabled?: boolean;
      /** One of several that exclude each other; a check stands in place of its icon. */
      checked?: boolean;
    };

type MenuProps = {
  label: string;
  entries: readonly MenuEntry[];
  /** The button that opens it. */
  children: ReactElement;
  position?: "bottom-start" | "bottom-end" | "top-start" | "top-end";
};

const shown = (label: ReactNode) => (typeof label === "string" ? <Name>{label}</Name> : label);

/** A menu on a button. */
export function Menu({ label, entries, children, position = "bottom-end" }: MenuProps) {
  return (
    <MantineMenu
      position={position}
      offset={4}
      transitionProps={{ duration: 0 }}
      // Its placeholder for the focus is no entry, and a menu may hold nothing else.
      withInitialFocusPlaceholder={false}
      classNames={{ dropdown: "k-dropdown", item: "k-option" }}
    >
      <MantineMenu.Target>{children}</MantineMenu.Target>
      <MantineMenu.Dropdown aria-label={label}>
        {present(entries).map((entry, index) =>
          entry === "line" ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their place.
            <MantineMenu.Divider key={index} className="k-line" />
          ) : entry.checked === undefined ? (
            <MantineMenu.Item
              // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their place.
              key={index}
              leftSection={entry.icon}
              rightSection={entry.keys ? <Kbd keys={entry.keys} /> : undefined}
              disabled={entry.disabled}
              className={classes("k-option", entry.danger && "danger")}
              onClick={entry.onClick}
            >
              {shown(entry.label)}
            </MantineMenu.Item>
          ) : (
            <MantineMenu.RadioItem
              // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their place.
              key={index}
              value={String(index)}
              checked={entry.checked}
              checkIcon={<IconCheck className="small" aria-hidden />}
              closeMenuOnClick
              disabled={entry.disabled}
              className="k-option"
              onClick={entry.onClick}
            >
              {shown(entry.label)}
            </MantineMenu.RadioItem>
          ),
        )}
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}
