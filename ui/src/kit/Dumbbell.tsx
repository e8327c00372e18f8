import css from "./dumbbell.module.css";

type DumbbellProps = {
  /** Share of 1 that it was; nothing where it is not known. */
  before: number | null;
  /** Share of 1 that it is. */
  after: number | null;
};

const place = (share: number) => `${Math.max(0, Math.min(1, share)) * 100}%`;

/** Where a share was and where it is, on one line; the numbers stand beside it. */
export function Dumbbell({ before, after }: DumbbellProps) {
  const both = before !== null && after !== null;
  return (
    <div className={css.line} aria-hidden>
      {both && (
        <i
          className={css.way}
          style={{
            insetInlineStart: place(Math.min(before, after)),
            width: place(Math.abs(after - before)),
          }}
        />
      )}
      {before !== null && <i className={css.before} style={{ insetInlineStart: place(before) }} />}
      {after !== null && <i className={css.after} style={{ insetInlineStart: place(after) }} />}
    </div>
  );
}
