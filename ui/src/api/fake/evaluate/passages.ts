// Passages of standards and reports that runs rank and people judge.

import { idOf, recorded } from "../../recording";

const NAMES = [
  "S2.14(a)(iv)",
  "northwind#9",
  "aurelia#7",
  "S2.14(c)",
  "S1.33(a)",
  "S2.22(a)",
  "S2.14(b)",
  "northwind#6",
  "S2.13(b)",
  "S2.6",
  "S2.6(a)",
];

/** The chunks as they are stored, by id. */
export const rows = new Map(
  NAMES.map((name) => {
    const { row } = recorded("chunk.get", { chunk_id: idOf(name) });
    return [row.chunk_id, row] as const;
  }),
);
