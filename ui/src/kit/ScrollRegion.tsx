import type { ComponentPropsWithRef } from "react";
import { classes } from "./class-names";

type ScrollRegionProps = Omit<ComponentPropsWithRef<"div">, "tabIndex"> & {
  /** What is in it; nothing where it holds a list or a form, which take the focus and scroll it by their own keys. */
  label?: string;
  /** The ways in which it scrolls. */
  ways?: "both" | "down" | "across";
  /** Whether it takes the room that is left in its pane. */
  fill?: boolean;
  as?: "div" | "nav" | "pre" | "section" | "ul";
};

/** What scrolls. With a label it is a stop of the Tab key, so that it scrolls by keys too. */
export function ScrollRegion({
  label,
  ways = "both",
  fill = false,
  as = "div",
  className,
  ...props
}: ScrollRegionProps) {
  // They differ in nothing that is given here.
  const Element = as as "div";
  const named = label !== undefined && { role: "region", "aria-label": label, tabIndex: 0 };
  return (
    <Element
      {...props}
      {...named}
      className={classes(
        "scrolls",
        ways === "down" && "down",
        ways === "across" && "across",
        fill && "fill",
        className,
      )}
    />
  );
}
