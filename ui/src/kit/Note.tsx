import { IconAlertTriangle, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { classes } from "./class-names";
import css from "./note.module.css";

const ICONS = { plain: IconInfoCircle, info: IconInfoCircle, warn: IconAlertTriangle, bad: IconCircleX };

/** A remark in its place. */
export function Note({ kind = "plain", children }: { kind?: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[kind];
  return (
    <div className={classes("note", kind !== "plain" && kind)}>
      <Icon className="small" aria-hidden />
      <div className="grow">{children}</div>
    </div>
  );
}

/** Names and values in two columns. */
export function KeyValues({ rows }: { rows: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <dl className={css.pairs}>
      {rows.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their place.
        <div key={index} className={css.pair}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
