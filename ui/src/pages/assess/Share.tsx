import css from "./grid.module.css";
import type { Tally } from "./model";

const PARTS = ["met", "partly", "gap", "not_applicable"] as const;

/** What is decided of all, as a bar of the statuses. Its numbers stand beside it. */
export function Share({ tally }: { tally: Tally }) {
  return (
    <span className={css.share} aria-hidden>
      {PARTS.map(
        (status) =>
          tally[status] > 0 && (
            <i
              key={status}
              className={css[status]}
              style={{ width: `${(tally[status] / tally.total) * 100}%` }}
            />
          ),
      )}
    </span>
  );
}
