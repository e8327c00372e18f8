// What tests of figures share.

import type { FigureRow } from "@/api/types";

let ids = 0;

/** A figure of Northwind's report of 2024, but for what is given. */
export const figureOf = (given: Partial<FigureRow>): FigureRow => {
  ids += 1;
  return {
    id: ids,
    document_id: 1,
    document: "Northwind report 2024",
    document_year: 2024,
    report_id: "northwind-2024",
    label: ["Water withdrawn"],
    column: "",
    above: ["Water and supply"],
    year: 2023,
    part: null,
    printed: "2,480",
    unit: "thousand m³",
    measure: "volume",
    per: false,
    value: 2480,
    normal: 2_480_000,
    status: "actual",
    origin: "table",
    span: [100, 105],
    page: 84,
    sheet: null,
    cells: null,
    ...given,
  };
};
