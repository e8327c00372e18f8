// Which reports a comparison begins with, and what two reports are to each other.

import { describe, expect, it } from "vitest";
import type { AssessmentGrid, ReportColumn } from "@/api/types";
import { areOfTwo, firstPair, headOf } from "./changes";

const report = (
  report_id: string,
  issuer: string | null,
  title: string,
  year: number | null,
): ReportColumn => ({
  report_id,
  issuer,
  title,
  year,
  documents: 1,
});
const RAIL = report("rail", null, "2021 CLIMATE ACTION PLAN", 2021);
const POWER = report("power", null, "Climate Adaptation Plan", 2024);
const NOW = report("now", "Northwind", "Report 2024", 2024);
const THEN = report("then", "Northwind", "Report 2023", 2023);
const pairOf = (...columns: ReportColumn[]) => firstPair({ columns } as unknown as AssessmentGrid);

describe("the first pair", () => {
  it("is two reports of an issuer, the older one first", () => {
    expect(pairOf(RAIL, NOW, THEN)).toEqual({ from: "then", to: "now" });
  });

  it("takes unknown issuers for no issuer, and still puts the older one first", () => {
    expect(pairOf(RAIL, POWER)).toEqual({ from: "rail", to: "power" });
    expect(pairOf(POWER, RAIL)).toEqual({ from: "rail", to: "power" });
    expect(pairOf(RAIL)).toBeUndefined();
  });
});

describe("two reports", () => {
  it("are of two issuers by their issuers, else by their titles without years", () => {
    expect(areOfTwo(NOW, THEN)).toBe(false);
    expect(areOfTwo(NOW, { ...THEN, issuer: "Halden" })).toBe(true);
    expect(areOfTwo(RAIL, POWER)).toBe(true);
    expect(areOfTwo(RAIL, { ...RAIL, title: "Climate Action Plan 2022", year: 2022 })).toBe(false);
  });

  it("are named by their titles where their issuers are unknown", () => {
    expect(headOf(RAIL, "issuers")).toEqual({ head: RAIL.title, rest: "" });
  });
});
