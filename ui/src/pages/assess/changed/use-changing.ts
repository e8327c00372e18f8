// Decisions on the later of two reports: they show at once, and the last one can be taken back.

import { useState } from "react";
import { useAction } from "@/api/queries";
import type { ReviewStatus } from "@/api/types";
import { t } from "@/text";
import { asReviewer, ownName } from "../reviewer";
import type { Changed } from "./changes";

type Options = {
  /** Row id of the assessment. */
  id: number;
  /** The later report. */
  report: string;
};

/** Confirms carried decisions, and decides. */
export function useChanging({ id, report }: Options) {
  const confirming = useAction("assess.carry_over");
  const deciding = useAction("assess.decide");
  const [now, setNow] = useState<ReadonlyMap<string, ReviewStatus>>(new Map());
  const [last, setLast] = useState<readonly Changed[]>([]);
  const [said, setSaid] = useState("");

  /** Shows `status`, and forgets it again if it could not be stored. */
  const show = (changed: readonly Changed[], status: (one: Changed) => ReviewStatus) => {
    const former = now;
    setNow(new Map([...now, ...changed.map((each) => [each.id, status(each)] as const)]));
    return { onError: () => setNow(former) };
  };
  const confirm = (changed: readonly Changed[], reviewer: string) => {
    const back = show(changed, ({ earlier }) => earlier);
    confirming.mutate(
      { id, report_id: report, requirements: changed.map((each) => each.id), reviewer },
      back,
    );
    setLast(changed);
    setSaid(t("assess.changed.said.confirmed", { count: changed.length }));
  };
  const decide = (changed: readonly Changed[], status: ReviewStatus, reviewer: string) => {
    const back = show(changed, () => status);
    deciding.mutate(
      { id, report_id: report, requirements: changed.map((each) => each.id), status, reviewer },
      back,
    );
  };
  return {
    said,
    confirm: (changed: readonly Changed[]) => {
      if (changed.length > 0) asReviewer((reviewer) => confirm(changed, reviewer));
    },
    decide: (one: Changed, status: ReviewStatus) =>
      asReviewer((reviewer) => {
        decide([one], status, reviewer);
        setLast([one]);
        setSaid(t("assess.changed.said.decided", { status: t(`assess.status.${status}`) }));
      }),
    /** Takes back the last decision, also one on several. */
    undo: () => {
      if (last.length === 0) return setSaid(t("assess.said.nothing_to_undo"));
      for (const status of new Set(last.map(({ later }) => later)))
        decide(
          last.filter(({ later }) => later === status),
          status,
          ownName(),
        );
      setLast([]);
      setSaid(t("assess.changed.said.undone", { count: last.length }));
    },
    /** What is decided on the later report, with what is not stored yet. */
    statusOf: (one: Changed): ReviewStatus => now.get(one.id) ?? one.later,
  };
}

export type Changing = ReturnType<typeof useChanging>;
