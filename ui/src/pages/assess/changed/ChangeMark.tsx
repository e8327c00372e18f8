import {
  IconArrowRight,
  IconArrowsDiff,
  IconCircleDashed,
  IconClock,
  IconEqual,
  IconHistory,
  IconMinus,
  IconPencil,
  IconPlus,
} from "@tabler/icons-react";
import type { ChangeKind, ComparedAs, ReviewStatus } from "@/api/types";
import { classes } from "@/kit/class-names";
import { StatusShape } from "@/parts/StatusShape";
import { t } from "@/text";
import css from "./changed.module.css";

const ICONS = {
  new: IconPlus,
  gone: IconMinus,
  different: IconArrowsDiff,
  reworded: IconPencil,
  moved: IconArrowRight,
  restated: IconHistory,
  same: IconEqual,
  none: IconCircleDashed,
  waiting: IconClock,
};

/** What a kind of change is called: two issuers did not change. */
export const kindName = (kind: ChangeKind, compared: ComparedAs): string =>
  compared === "issuers" && (kind === "new" || kind === "gone" || kind === "reworded")
    ? t(`assess.changed.issuers.${kind}`)
    : t(`assess.changed.kind.${kind}`);

/** The icon of a kind of change; its name stands beside it or is told. */
export function ChangeIcon({ kind }: { kind: ChangeKind }) {
  const Icon = ICONS[kind];
  return <Icon className="xs" aria-hidden />;
}

/** A kind of change, by icon and word. */
export function ChangeTag({ kind, compared }: { kind: ChangeKind; compared: ComparedAs }) {
  const weighty = kind === "gone" || kind === "restated";
  return (
    <span className={classes("tag", css.kind, weighty && css.weighty)}>
      <ChangeIcon kind={kind} />
      {kindName(kind, compared)}
    </span>
  );
}

/** A decision of the year before that waits to be confirmed: hatched, with a question mark. */
export function CarriedMark({ status, short }: { status: ReviewStatus; short?: boolean }) {
  return (
    <span className={css.carried}>
      <StatusShape status={status} quiet />
      {!short && t("assess.changed.carried", { status: t(`assess.short.${status}`) })}
    </span>
  );
}
