import { Menu as MantineMenu } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";
import { classes } from "./class-names";
import { Kbd } from "./Kbd";

/** An entry of a {@link Menu}, or a line between entries. */
export type MenuEntry =
  | "line"
  | {
      label: ReactNode;
      onClick: () => void;
      icon?: ReactNode;
      keys?: string;
      danger?: boolean;
      disabled?: boolean;
      checked?: boolean;
    };

type MenuProps = {
  label: string;
  entries: readonly MenuEntry[];
  /** The button that opens it. */
  children: ReactElement;
  position?: "bottom-start" | "bottom-end" | "top-start" | "top-end";
};

/** A menu on a button. */
export function Menu({ label, entries, children, position = "bottom-end" }: MenuProps) {
  return (
    <MantineMenu
      position={position}
      offset={4}
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: "k-dropdown", item: "k-option" }}
    >
      <MantineMenu.Target>{children}</MantineMenu.Target>
      <MantineMenu.Dropdown aria-label={label}>
        {entries.map((entry, index) =>
          entry === "line" ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their place.
            <MantineMenu.Divider key={index} className="k-line" />
          ) : (
            <MantineMenu.Item
              // biome-ignore lint/suspicious/noArrayIndexKey: entries keep their place.
              key={index}
              leftSection={entry.icon}
              rightSection={entry.keys ? <Kbd keys={entry.keys} /> : undefined}
              disabled={entry.disabled}
              aria-checked={entry.checked}
              role={entry.checked === undefined ? undefined : "menuitemradio"}
              className={classes("k-option", entry.danger && "danger")}
              onClick={entry.onClick}
            >
              {entry.label}
            </MantineMenu.Item>
          ),
        )}
      </MantineMenu.Dropdown>
    </MantineMenu>
  );
}
