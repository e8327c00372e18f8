import { describe, expect, it } from "vitest";
import type { FigureRow } from "@/api/types";
import { agreement, lastPlace } from "./compare";
import { figureOf } from "./figure.fixture";
import { type Known, marked, pivot } from "./pivot";

const KNOWN: Record<number, Known> = {
  1: { title: "Northwind report 2024", issuer: "Northwind Energy plc", year: 2024 },
  2: { title: "Northwind report 2023", issuer: "Northwind Energy plc", year: 2023 },
  3: { title: "Aurelia report 2024", issuer: "Aurelia Cement S.A.", year: 2024 },
};
const last = {
  document_id: 2,
  report_id: "northwind-2023",
  document: "Northwind report 2023",
  document_year: 2023,
};
const aurelia = { document_id: 3, report_id: "aurelia-2024", document: "Aurelia report 2024" };

const tableOf = (...figures: FigureRow[]) => pivot(figures, ({ document_id }) => KNOWN[document_id]);
const rowsOf = (...figures: FigureRow[]) => tableOf(...figures).groups.flatMap(({ rows }) => rows);
/** Value and mark of each cell of the only row. */
const cellsOf = (...figures: FigureRow[]) => {
  const { columns } = tableOf(...figures);
  const rows = rowsOf(...figures);
  expect(rows).toHaveLength(1);
  return columns.map(({ key }) => {
    const cell = rows[0]?.cells.get(key);
    return cell && [cell.figure.printed, cell.mark];
  });
};

describe("rows and columns", () => {
  it("puts money in one row with money of its currency, however many are counted at once, and with no other", () => {
    const money = (unit: string, value: number, normal: number) =>
      figureOf({
        label: ["Capital expenditure"],
        measure: "money",
        unit,
        printed: String(value),
        value,
        normal,
      });
    const given = [
      money("£ million", 640, 640e6),
      { ...money("£ thousand", 655_000, 655e6), year: 2022 },
      { ...money("€ million", 640, 640e6), ...aurelia },
      { ...money("US$ million", 640, 640e6), ...last },
      { ...money("$ million", 640, 640e6), ...last, year: 2022 },
      { ...money("mkr", 640, 640e6), ...last, year: 2021 },
      money("MIO CHF", 640, 640e6),
      { ...money("k€", 640_000, 640e6), ...aurelia, year: 2022 },
    ];
    expect(rowsOf(...given).map(({ units }) => [...units.values()])).toEqual([
      ["£ million"],
      ["€ million"],
      ["US$ million"],
      ["$ million"],
      ["mkr"],
      ["MIO CHF"],
    ]);
    expect(rowsOf(...given)[0]?.cells.size).toBe(2);
  });

  it("puts the same names of other reports and years in one row, whatever their unit", () => {
    const table = tableOf(
      figureOf({ year: 2024, printed: "2,310", value: 2310, normal: 2_310_000 }),
      figureOf({}),
      figureOf({
        ...aurelia,
        label: ["Water  Withdrawn"],
        above: ["Water"],
        unit: "million m³",
        printed: "4.1",
        value: 4.1,
        normal: 4_100_000,
      }),
    );
    expect(table.groups.map(({ heading, rows }) => [heading, rows.length])).toEqual([
      ["Water and supply", 1],
    ]);
    expect(table.columns.map(({ issuer, year }) => [issuer, year])).toEqual([
      ["Northwind Energy plc", 2024],
      ["Northwind Energy plc", 2023],
      ["Aurelia Cement S.A.", 2023],
    ]);
    expect([...(table.groups[0]?.rows[0]?.units ?? [])]).toEqual([
      ["Northwind Energy plc", "thousand m³"],
      ["Aurelia Cement S.A.", "million m³"],
    ]);
  });

  it("keeps a share and an amount of the same name apart", () => {
    expect(
      rowsOf(figureOf({}), figureOf({ unit: "%", measure: "share", printed: "31", value: 31, normal: 31 })),
    ).toHaveLength(2);
  });

  it("takes a value without a unit for what its neighbours of the same names are", () => {
    const bare = { year: 2022, unit: null, measure: null, normal: null };
    expect(rowsOf(figureOf({}), figureOf(bare))).toHaveLength(1);
    expect(rowsOf(figureOf({}), figureOf({ ...bare, label: ["Visitors"] }))).toHaveLength(2);
  });

  it("parts the same names of one document by its headings", () => {
    const total = { label: ["Total"] };
    const rows = rowsOf(
      figureOf({ ...total, above: ["Water"] }),
      figureOf({ ...total, above: ["Waste"], printed: "12", value: 12, normal: 12 }),
    );
    expect(rows.map((row) => [...row.cells.values()].map(({ mark }) => mark))).toEqual([
      [undefined],
      [undefined],
    ]);
  });

  it("gives base years, targets and changes columns of their own, after the actual values", () => {
    const table = tableOf(
      figureOf({ year: 2030, status: "target", printed: "1,900", value: 1900 }),
      figureOf({ year: 2023, status: "base", printed: "3,000", value: 3000 }),
      figureOf({ status: "estimate" }),
      figureOf({ year: 2024, printed: "2,310", value: 2310 }),
    );
    expect(table.columns.map(({ year, kind }) => [year, kind])).toEqual([
      [2024, "actual"],
      [2023, "actual"],
      [2023, "base"],
      [2030, "target"],
    ]);
    expect(table.marks.conflict).toBe(0);
  });

  it("tells a half year from its year", () => {
    expect(
      tableOf(figureOf({}), figureOf({ part: "H1", printed: "1,200", value: 1200 })).columns,
    ).toHaveLength(2);
  });
});

describe("marks", () => {
  it("tells of a conflict within a report, and between reports of one issuer", () => {
    expect(
      cellsOf(figureOf({}), figureOf({ page: 6, printed: "2,408", value: 2408, normal: 2_408_000 })),
    ).toEqual([["2,480", "conflict"]]);
    expect(
      cellsOf(figureOf({}), figureOf({ ...last, printed: "2,408", value: 2408, normal: 2_408_000 })),
    ).toEqual([
      ["2,480", "conflict"],
      ["2,408", "conflict"],
    ]);
  });

  it("finds none between two issuers, two years, or figures that nothing dates", () => {
    const other = { printed: "2,408", value: 2408, normal: 2_408_000 };
    for (const second of [
      { ...other, ...aurelia },
      { ...other, year: 2022 },
    ])
      expect(tableOf(figureOf({}), figureOf(second)).marks.conflict).toBe(0);
    expect(tableOf(figureOf({ year: null }), figureOf({ ...other, year: null })).marks.conflict).toBe(0);
  });

  it("finds none between two numbers of one sentence", () => {
    const sentence = { label: ["41 °C in August, where 35 °C is the limit."], origin: "sentence" as const };
    const table = tableOf(
      figureOf(sentence),
      figureOf({ ...sentence, printed: "35", value: 35, normal: 35 }),
    );
    expect(table.marks).toEqual({ conflict: 0, restated: 0, rounded: 0 });
  });

  it("says of what rounding explains that it is rounded elsewhere", () => {
    expect(
      cellsOf(
        figureOf({}),
        figureOf({ ...last, unit: "million m³", printed: "2.5", value: 2.5, normal: 2_500_000 }),
      ),
    ).toEqual([
      ["2,480", "rounded"],
      ["2.5", "rounded"],
    ]);
  });

  it("says that a figure was restated, and of the former one that it is no conflict", () => {
    const restated = figureOf({ status: "restated", printed: "2,502", value: 2502, normal: 2_502_000 });
    expect(cellsOf(restated, figureOf(last))).toEqual([
      ["2,502", "restated"],
      ["2,480", undefined],
    ]);
  });

  it("narrows the table to the rows that hold one", () => {
    const table = tableOf(
      figureOf({}),
      figureOf({ ...last, printed: "2,408", value: 2408, normal: 2_408_000 }),
      figureOf({ label: ["Reused"], year: 2019 }),
    );
    const { groups, columns } = marked(table, "conflict");
    expect(groups.flatMap(({ rows }) => rows.map(({ names }) => names))).toEqual([["Water withdrawn"]]);
    expect(columns.map(({ year }) => year)).toEqual([2023, 2023]);
  });
});

describe("agreement", () => {
  it.each([
    ["2.925", 2.925, 0.001],
    ["2,925,012", 2_925_012, 1],
    ["2,900,000", 2_900_000, 100_000],
    ["1000", 1000, 100],
    ["4,76", 4.76, 0.01],
    ["0.0943", 0.0943, 0.0001],
    ["(4)", -4, 1],
    ["0", 0, 1],
  ])("reads the last place of %s", (printed, value, place) => {
    expect(lastPlace(printed, value)).toBeCloseTo(place, 10);
  });

  it("compares no money of two currencies, and no units that share nothing", () => {
    const pounds = figureOf({ measure: null, unit: "£ million", normal: null });
    expect(agreement(pounds, figureOf({ measure: null, unit: "€ million", normal: null }))).toBe(
      "incomparable",
    );
  });
});
