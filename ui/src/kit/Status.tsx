import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconLoader2,
  IconPlayerPause,
} from "@tabler/icons-react";
import type { ReactNode } from "react";

/** How something stands. */
export type StatusKind = "ok" | "run" | "warn" | "bad" | "off" | "pause";

const ICONS = {
  ok: IconCircleCheck,
  run: IconLoader2,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  off: IconCircleDashed,
  pause: IconPlayerPause,
};

/** The icon alone, for places where the word stands beside it anyway. */
export function StatusIcon({ kind }: { kind: StatusKind }) {
  const Icon = ICONS[kind];
  return <Icon className={kind === "run" ? "small spin" : "small"} aria-hidden />;
}

/** How something stands: always icon and word. */
export function Status({ kind, children }: { kind: StatusKind; children: ReactNode }) {
  return (
    <span className={`status-mark ${kind}`}>
      <StatusIcon kind={kind} />
      {children}
    </span>
  );
}
