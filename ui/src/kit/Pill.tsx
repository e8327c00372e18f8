import { IconChevronDown, IconX } from "@tabler/icons-react";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { classes } from "./class-names";

type PillProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "value"> & {
  /** Name of the filter or setting. */
  label?: ReactNode;
  /** Its value, stronger. */
  value?: ReactNode;
  /** Whether it restricts something just now. */
  active?: boolean;
  /** Opens a menu. */
  menu?: boolean;
  /** An invitation, such as "+ Filter". */
  dashed?: boolean;
  /** Shows a cross that clears it. */
  onRemove?: () => void;
  /** Name of the cross. */
  removeLabel?: string;
  icon?: ReactNode;
  ref?: Ref<HTMLButtonElement>;
};

/** A filter or setting in one line: pressed it opens, its cross clears it. */
export function Pill(props: PillProps) {
  const { label, value, active, menu, dashed, onRemove, removeLabel, icon, className, ...rest } = props;
  const body = (
    <>
      {icon}
      {label}
      {value !== undefined && <b>{value}</b>}
      {menu && !onRemove && <IconChevronDown className="xs" aria-hidden />}
    </>
  );
  const look = classes("chip", active && "on", dashed && "dash", className);
  if (!onRemove)
    return (
      <button type="button" className={look} aria-pressed={menu ? undefined : active} {...rest}>
        {body}
      </button>
    );
  return (
    <span className={look}>
      <button type="button" className="row gap-4" {...rest}>
        {body}
      </button>
      <button type="button" aria-label={removeLabel} onClick={onRemove}>
        <IconX className="xs" aria-hidden />
      </button>
    </span>
  );
}

/** A small fixed mark, such as `general` or a chunk's short id with `mono`. */
export function Tag({ mono, children }: { mono?: boolean; children: ReactNode }) {
  return <span className={classes("tag", mono && "mono")}>{children}</span>;
}
