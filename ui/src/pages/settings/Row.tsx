import type { ReactNode } from "react";
import css from "./row.module.css";
import shared from "./shared.module.css";

type RowProps = {
  /** Last part of its address. */
  id: string;
  title: string;
  note?: ReactNode;
  children: ReactNode;
};

/** A setting: what it is at the start, how it stands at the end. */
export function Row({ id, title, note, children }: RowProps) {
  return (
    <div className={css.row} role="group" aria-label={title} data-row={id}>
      <div className={css.label}>
        {title}
        {note && <span>{note}</span>}
      </div>
      <div className={css.value}>{children}</div>
    </div>
  );
}

/** What is wrong with what was entered, below it. */
export function Wrong({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className={`xs c-bad ${shared.below}`}>
      {children}
    </div>
  );
}

/** A quiet remark below a control. */
export function Below({ children }: { children: ReactNode }) {
  return <div className={`xs mut ${shared.below}`}>{children}</div>;
}
