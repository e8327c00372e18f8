import { visible } from "@/text/visible";
import { classes } from "./class-names";

type NameProps = {
  children: string;
  /** What the tooltip says; the name itself where nothing is given. */
  tip?: string;
  className?: string;
};

/** A name from outside, such as that of a file, in one line: cut at its end, whole in its tooltip, and always inert. */
export function Name({ children, tip, className }: NameProps) {
  return (
    <bdi className={classes("ell", className)} data-tip={visible(tip ?? children)}>
      {visible(children)}
    </bdi>
  );
}
