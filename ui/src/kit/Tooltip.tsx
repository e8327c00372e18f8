import { Tooltip as MantineTooltip } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";
import { Kbd } from "./Kbd";

type TooltipProps = {
  label: ReactNode;
  /** Keys shown after the label, such as `mod+k`. */
  keys?: string;
  children: ReactElement;
};

/** Words for what is under the pointer or focused, after 400 ms. */
export function Tooltip({ label, keys, children }: TooltipProps) {
  return (
    <MantineTooltip
      label={
        keys ? (
          <span className="row g6">
            {label} <Kbd keys={keys} />
          </span>
        ) : (
          label
        )
      }
      openDelay={400}
      withArrow={false}
      multiline
      events={{ hover: true, focus: true, touch: false }}
      classNames={{ tooltip: "k-tooltip" }}
      transitionProps={{ duration: 0 }}
    >
      {children}
    </MantineTooltip>
  );
}
