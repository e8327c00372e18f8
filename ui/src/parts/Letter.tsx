import { classes } from "@/kit/class-names";
import css from "./letter.module.css";

/** One of two things that are compared. */
export type Side = "a" | "b";

/** The mark of a side: A or B. */
export function Letter({ side }: { side: Side }) {
  return <span className={classes(css.letter, side === "b" && css.second)}>{side.toUpperCase()}</span>;
}
