import { Popover as MantinePopover } from "@mantine/core";
import { type ReactElement, type ReactNode, useId, useState } from "react";
import { OnSheet } from "./sheet";

type PopoverProps = {
  /** What it holds, for assistive technology. */
  label: string;
  /** Pixels. */
  width: number;
  /** The button that opens it; it is given what it needs. */
  button: (open: boolean, toggle: () => void) => ReactElement<{ ref?: unknown }>;
  position?: "bottom-start" | "bottom-end" | "top-start" | "top-end";
  /** Drawn while open only; `close` closes it. */
  children: (close: () => void) => ReactNode;
};

/** Controls on a small sheet below their button. Escape closes it and the focus returns to the button. */
export function Popover({ label, width, button, position = "bottom-start", children }: PopoverProps) {
  const [open, setOpen] = useState(false);
  const name = useId();
  return (
    <MantinePopover
      opened={open}
      onChange={setOpen}
      position={position}
      offset={4}
      width={width}
      trapFocus
      returnFocus
      withinPortal
      transitionProps={{ duration: 0 }}
      classNames={{ dropdown: "k-dropdown" }}
    >
      <MantinePopover.Target>{button(open, () => setOpen((now) => !now))}</MantinePopover.Target>
      {/* It is called by its label; without one of its own it would be called by its button. */}
      <MantinePopover.Dropdown aria-labelledby={name}>
        <span id={name} hidden>
          {label}
        </span>
        <OnSheet value>{children(() => setOpen(false))}</OnSheet>
      </MantinePopover.Dropdown>
    </MantinePopover>
  );
}
