import { describe, expect, it } from "vitest";
import { issuersOf, reportsWithin, spokenYears, UNKNOWN, yearsOf } from "./scope";

const report = (id: string, issuer: string | null, year: number | null) => ({ id, title: id, issuer, year });
const REPORTS = [
  report("a23", "Aurelia", 2023),
  report("a24", "Aurelia", 2024),
  report("n24", "Northwind", 2024),
  report("x24", null, 2024),
  report("x", null, null),
];
const within = (place: Partial<Record<"issuers" | "reports" | "years", string[]>>) =>
  reportsWithin(REPORTS, { issuers: [], reports: [], years: [], ...place });

describe("the reports that evidence is looked for in", () => {
  it("are all where nothing is chosen", () => expect(within({})).toBeUndefined());

  it("are those of an issuer or chosen by themselves, of the chosen years", () => {
    expect(within({ issuers: ["Aurelia"] })).toEqual(["a23", "a24"]);
    expect(within({ issuers: ["Aurelia"], reports: ["x"] })).toEqual(["a23", "a24", "x"]);
    expect(within({ issuers: ["Aurelia", UNKNOWN], years: ["2024"] })).toEqual(["a24", "x24"]);
    expect(within({ years: [UNKNOWN, "2023"] })).toEqual(["a23", "x"]);
    expect(within({ issuers: ["Northwind"], years: ["2023"] })).toEqual([]);
  });

  it("are counted by issuer and year, what is not known last; nothing where no report says it", () => {
    expect(issuersOf(REPORTS).map(({ value, count }) => [value, count])).toEqual([
      ["Aurelia", 2],
      ["Northwind", 1],
      [UNKNOWN, 2],
    ]);
    expect(yearsOf(REPORTS).map(({ value }) => value)).toEqual(["2024", "2023", UNKNOWN]);
    expect(issuersOf([report("x", null, null)])).toEqual([]);
    expect(yearsOf([])).toEqual([]);
  });

  it("have years that are read as spans", () => {
    expect(spokenYears(["2024", "2023", "2021"])).toBe("2021, 2023–24");
    expect(spokenYears(["2000", "1999", UNKNOWN])).toBe("1999–2000, unknown");
  });
});
