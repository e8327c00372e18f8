// What a decision is about: the cell in use, what is selected, or what is open below a parent.

import { useState } from "react";
import { may } from "@/api/client";
import type { ReviewStatus } from "@/api/types";
import { useShortcut } from "@/kit/shortcuts";
import { STATUSES } from "@/parts/StatusShape";
import { t } from "@/text";
import type { Asked } from "./Ask";
import type { CellId, Deciding } from "./deciding";
import { below, type Model } from "./model";
import { tell } from "./tell";
import type { Walk } from "./use-walk";
import { reportName } from "./words";

type Options = { model: Model; walk: Walk; deciding: Deciding };

/** The cells that a decision would be about. */
export function targetsOf(model: Model, { at, selected }: Walk): Pick<Asked, "cells" | "open"> {
  if (selected.size > 0)
    return {
      open: false,
      cells: [...selected].map((each): CellId => {
        const [requirement = "", report_id = ""] = each.split("\n");
        return { requirement, report_id };
      }),
    };
  const row = model.rows[at.row];
  const column = model.columns[at.column];
  if (!row || !column) return { open: false, cells: [] };
  const { report_id } = column;
  if (row.requirement && row.id)
    return {
      open: false,
      cells: model.asked(row.index, at.column) ? [{ requirement: row.id, report_id }] : [],
    };
  return {
    open: true,
    cells: below(model, row)
      .filter(({ index }) => model.asked(index, at.column))
      .filter(({ index }) => (model.cell(index, at.column)?.status ?? "open") === "open")
      .flatMap(({ id }) => (id === null ? [] : { requirement: id, report_id })),
  };
}

/** Why there is nothing to decide on. */
function whyNone(model: Model, { at }: Walk): string {
  const row = model.rows[at.row];
  const column = model.columns[at.column];
  return row?.requirement && column
    ? t("assess.said.not_asked", { requirement: row.id ?? row.name, report: reportName(column) })
    : t("assess.said.no_open_here");
}

/** Decides by keys and buttons; on several cells it asks once. */
export function useTargets({ model, walk, deciding }: Options) {
  const [asked, ask] = useState<Asked>();
  const decideOn = (status: ReviewStatus) => {
    const { cells, open } = targetsOf(model, walk);
    if (!may("assess.decide")) return;
    if (cells.length === 0) return tell(whyNone(model, walk));
    if (cells.length === 1 && !open) deciding.decide(cells, { status });
    else ask({ cells, status, open });
  };
  const decideAt = (place: number) => {
    const status = STATUSES[place];
    if (status) decideOn(status);
  };
  useShortcut("assess.status-1", () => decideAt(0));
  useShortcut("assess.status-2", () => decideAt(1));
  useShortcut("assess.status-3", () => decideAt(2));
  useShortcut("assess.status-4", () => decideAt(3));
  useShortcut("assess.status-5", () => decideAt(4));
  return {
    question: asked,
    decideOn,
    answer: (note: string | undefined) => {
      if (asked) deciding.decide(asked.cells, { status: asked.status, ...(note !== undefined && { note }) });
      ask(undefined);
      walk.clear();
    },
    forget: () => ask(undefined),
  };
}
