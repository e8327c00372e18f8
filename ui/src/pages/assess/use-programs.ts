// What a person makes of the proposals of programs: each is confirmed, which decides, or dismissed.

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call, EngineError } from "@/api/client";
import { refresh, tagsOf, useWorkspace } from "@/api/queries";
import type { ProgramProposal, Review } from "@/api/types";
import { t } from "@/text";
import type { Deciding } from "./deciding";
import type { Model } from "./model";
import { asReviewer } from "./reviewer";

type Options = { id: number; deciding: Deciding; model: Model };

/** The proposal that is being settled, or could not be. */
type Settling = { proposal: number; error?: EngineError };

/** Confirms and dismisses the proposals of programs in an assessment. */
export function usePrograms({ id, deciding, model }: Options) {
  const queries = useQueryClient();
  const workspace = useWorkspace();
  const [settling, setSettling] = useState<Settling>();

  const settle = async (
    command: "assess.confirm" | "assess.dismiss",
    { id: proposal }: ProgramProposal,
    done: () => void,
    reviewer = "",
  ) => {
    setSettling({ proposal });
    try {
      const named = { id, proposal };
      if (command === "assess.confirm") await call(command, { ...named, reviewer }, { workspace });
      else await call(command, named, { workspace });
      setSettling(undefined);
      done();
    } catch (thrown) {
      setSettling({ proposal, error: EngineError.from(thrown) });
    }
    // Where it was refused, another proposal may have taken its place.
    await refresh(queries, tagsOf(command));
  };

  return {
    confirm: (given: ProgramProposal, former: Review | null) => {
      const { requirement, report_id, finding } = given;
      const open = model.whole.open - ((former?.status ?? "open") === "open" ? 1 : 0);
      const done = () => {
        deciding.remember({ requirement, report_id }, former);
        deciding.say(t("assess.said.decided", { status: t(`assess.status.${finding}`), count: open }));
      };
      asReviewer((reviewer) => void settle("assess.confirm", given, done, reviewer));
    },
    dismiss: (given: ProgramProposal) =>
      settle("assess.dismiss", given, () =>
        deciding.say(t("assess.program.said_dismissed", { name: given.program })),
      ),
    busy: settling !== undefined && settling.error === undefined,
    /** Why a proposal could not be settled. */
    failed: ({ id: proposal }: ProgramProposal) =>
      settling?.proposal === proposal ? settling.error : undefined,
  };
}

export type Programs = ReturnType<typeof usePrograms>;
