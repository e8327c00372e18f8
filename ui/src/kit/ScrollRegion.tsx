import type { ComponentPropsWithRef } from "react";

type ScrollRegionProps = Omit<ComponentPropsWithRef<"div">, "role" | "aria-label" | "tabIndex"> & {
  /** What is in it. */
  label: string;
  as?: "div" | "pre" | "section";
};

/** Something that scrolls: named, and a stop of the Tab key, so that it scrolls by keys too. */
export function ScrollRegion({ label, as = "div", ...props }: ScrollRegionProps) {
  // They differ in nothing that is given here.
  const Element = as as "div";
  return <Element role="region" aria-label={label} tabIndex={0} {...props} />;
}
