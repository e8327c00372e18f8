import { classes } from "./class-names";

type IdProps = { children: string /** It leads somewhere. */; link?: boolean; className?: string };

/** An id, a code or a paragraph number: monospaced, never mirrored, never cut short. */
export function Id({ children, link, className }: IdProps) {
  return (
    <bdi dir="ltr" className={classes("pid", link && "link", className)}>
      {children}
    </bdi>
  );
}
