// From one cell to the next that needs the reviewer.

import { useShortcut } from "@/kit/shortcuts";
import { t } from "@/text";
import { type Model, nextCell } from "./model";
import { tell } from "./tell";
import type { Walk } from "./use-walk";
import { reportName } from "./words";

type Options = {
  model: Model;
  walk: Walk;
  /** Rows that the filters leave. */
  kept: ReadonlySet<number>;
  /** Gives the focus to the cell in use. */
  focus: () => void;
};

/** The ways to the next open item, the next difference and the next requirement. */
export function useSteps({ model, walk, kept, focus }: Options) {
  const { at } = walk;
  const seek = (step: 1 | -1, wanted: Parameters<typeof nextCell>[3], none: string) => {
    const to = nextCell(
      model,
      at,
      step,
      (row, column) => kept.has(row.index) && model.asked(row.index, column) && wanted(row, column),
    );
    if (!to) return tell(none);
    walk.jump(to);
    focus();
    const column = model.columns[to.column];
    if (column && to.column !== at.column)
      tell(t("assess.said.other_report", { report: reportName(column) }));
  };
  const settle = (step: 1 | -1) =>
    seek(
      step,
      (row, column) => (model.cell(row.index, column)?.status ?? "open") === "open",
      t("assess.said.no_open"),
    );
  useShortcut("assess.next-open", () => settle(1));
  useShortcut("assess.previous-open", () => settle(-1));
  useShortcut("assess.differs", () =>
    seek(1, (row, column) => model.cell(row.index, column)?.differs ?? false, t("assess.said.no_differs")),
  );
  return {
    settle,
    /** Goes to the next requirement of the same report, or the one before. */
    move: (step: 1 | -1) => {
      const to = nextCell(
        model,
        at,
        step,
        (row, column) => column === at.column && kept.has(row.index) && model.asked(row.index, column),
      );
      if (to) walk.jump(to);
    },
  };
}
