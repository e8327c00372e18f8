import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { classes } from "@/kit/class-names";
import css from "./start.module.css";

type TickProps = {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** What stands beside the box. */
  children?: ReactNode;
};

/** A box to tick with what it stands for. */
export function Tick({ label, checked, onChange, children }: TickProps) {
  return (
    <button
      type="button"
      role="checkbox"
      aria-label={label}
      aria-checked={checked}
      className={css.tick}
      onClick={() => onChange(!checked)}
    >
      <span className={classes(css.box, checked && css.on)}>
        <IconCheck className="xs" aria-hidden />
      </span>
      {children}
    </button>
  );
}
