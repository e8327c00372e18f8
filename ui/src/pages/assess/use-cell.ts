// What the pane shows of the cell in use.

import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useCommand } from "@/api/queries";
import type { AssessmentProposal } from "@/api/types";
import type { CellId } from "./deciding";

/** Milliseconds that a cell stays in use before its evidence is asked for: moving through the grid waits for nothing. */
const PAUSE = 120;

/** The evidence of a cell. A new proposal waits behind the one that is being read until it is asked for. */
export function useCell(id: number, cell: CellId | undefined) {
  const now = cell ? JSON.stringify([cell.requirement, cell.report_id]) : "";
  const [key] = useDebouncedValue(now, PAUSE);
  const [requirement = "", report_id = ""] = key === "" ? [] : (JSON.parse(key) as string[]);
  const query = useCommand("assess.cell", { id, requirement, report_id }, { enabled: key !== "" });
  const { data } = query;
  const [read, setRead] = useState<{ key: string; proposal: AssessmentProposal | null }>();
  const settled = key === now;
  if (data && (read?.key !== key || (read.proposal === null && data.proposal !== null)))
    setRead({ key, proposal: data.proposal });
  const proposal = read?.key === key ? read.proposal : null;
  return {
    query,
    /** The cell in use, by requirement and report; empty where none is. */
    now,
    /** Nothing while another cell is on its way. */
    view: settled ? data : undefined,
    proposal: settled && data ? proposal : null,
    /** Shows the new proposal, where one waits. */
    showNew:
      data && proposal && data.proposal?.made_at !== proposal.made_at
        ? () => setRead({ key, proposal: data.proposal })
        : undefined,
  };
}

export type Cell = ReturnType<typeof useCell>;
