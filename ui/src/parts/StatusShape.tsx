import type { ReviewStatus } from "@/api/types";
import { t } from "@/text";
import css from "./status-shape.module.css";

/** The statuses in the order in which they are offered. */
export const STATUSES: readonly ReviewStatus[] = ["open", "met", "partly", "gap", "not_applicable"];

/** A status as a shape: filled, half, diamond, ring, dash. `quiet` where the word stands beside it. */
export function StatusShape({ status, quiet }: { status: ReviewStatus; quiet?: boolean }) {
  const name = t(`standards.status.${status}`);
  return quiet ? (
    <i className={`${css.shape} ${css[status]}`} aria-hidden />
  ) : (
    <i className={`${css.shape} ${css[status]}`} role="img" aria-label={name} data-tip={name} />
  );
}
