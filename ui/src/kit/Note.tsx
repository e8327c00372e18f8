import { IconAlertTriangle, IconCircleX, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";

const ICONS = { plain: IconInfoCircle, info: IconInfoCircle, warn: IconAlertTriangle, bad: IconCircleX };

/** A remark in its place. */
export function Note({ kind = "plain", children }: { kind?: keyof typeof ICONS; children: ReactNode }) {
  const Icon = ICONS[kind];
  return (
    <div className={`note ${kind}`}>
      <Icon className="small" aria-hidden />
      <div className="grow">{children}</div>
    </div>
  );
}

/** Names and values in two columns. */
export function KeyValues({ rows }: { rows: readonly (readonly [ReactNode, ReactNode])[] }) {
  return (
    <dl className="kv">
      {rows.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows keep their place.
        <div key={index} className="kv-row">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
