import { describe, expect, it } from "vitest";
import type { FigureRow } from "@/api/types";
import { lastPlace } from "./compare";
import { figureOf } from "./figure.fixture";
import { inOneUnit } from "./one-unit";

/** Tonnes of the units of mass that reports print. */
const TONNES = { t: 1, kt: 1e3, thousand: 1e3, Mt: 1e6 };
const UNITS = ["t", "t CO₂e", "t CO2-eq", "t CO ² Eq", "kt", "thousand t", "Mt", "Mt of CO₂ equivalent"];
const tonnesIn = (unit: string) => TONNES[/^(?:kt|thousand|Mt|t)/.exec(unit)?.[0] as keyof typeof TONNES];
const mass = (printed: string, unit: string): FigureRow => {
  const value = Number(printed.replaceAll(",", "").replace(/^[<~]/, ""));
  return figureOf({ printed, unit, measure: "mass", value, normal: value * tonnesIn(unit) });
};
const written = (...figures: FigureRow[]) =>
  inOneUnit(figures).map(({ number, unit }) => `${number} ${unit}`);

describe("one unit", () => {
  it("is the largest of those printed that leaves no value below one", () => {
    expect(written(mass("2,548,000", "t CO₂e"), mass("8.31", "Mt CO₂e"))).toEqual([
      "2.548 Mt CO₂e",
      "8.31 Mt CO₂e",
    ]);
    expect(written(mass("61,000", "t"), mass("0.78", "Mt"), mass("1.9", "kt"))).toEqual([
      "61 kt",
      "780 kt",
      "1.9 kt",
    ]);
    expect(written(mass("12", "t"), mass("2", "Mt"))).toEqual(["12 t", "2,000,000 t"]);
  });

  it("calls nothing carbon dioxide that is not printed so, and nothing otherwise that is", () => {
    const row = [mass("2,548,000", "t CO2-eq"), mass("8.31", "Mt CO₂e"), mass("1,272", "thousand t")];
    expect(written(...row)).toEqual(["2.548 Mt CO2-eq", "8.31 Mt CO₂e", "1.272 Mt"]);
  });

  it("puts back what is weighed as it is printed", () => {
    for (const printed of [" CO2 eq.", " CO2-Äq", "CO2e", ""])
      expect(written(mass("2,548,000", `t${printed}`), mass("8.31", `Mt${printed}`))).toEqual([
        `2.548 Mt${printed}`,
        `8.31 Mt${printed}`,
      ]);
  });

  it("leaves zeros and what is counted in other things as they are", () => {
    const shown = inOneUnit([mass("0", "MtCO2e"), mass("8.31", "MtCO2e")]);
    expect(shown.map(({ converted }) => converted)).toEqual([false, false]);
    const count = (printed: string, unit: string, value: number, normal: number) =>
      figureOf({ printed, unit, measure: "count", value, normal });
    expect(written(count("1,250", "FTE", 1250, 1250), count("3.2", "thousand employees", 3.2, 3200))).toEqual(
      ["1,250 FTE", "3.2 thousand employees"],
    );
  });

  it("changes no amount by more than its last printed digit leaves open", () => {
    for (const printed of ["1", "9,000", "12.5", "0.07", "305,177", "4,410,000", "-167,000", "0"])
      for (const unit of UNITS)
        for (const beside of UNITS) {
          const figure = mass(printed, unit);
          const [shown] = inOneUnit([figure, mass("3.3", beside)]);
          const amount = Number(shown?.number.replaceAll(",", "")) * tonnesIn(shown?.unit ?? "");
          const step = lastPlace(printed, figure.value) * tonnesIn(unit);
          expect(Math.abs(amount - (figure.normal ?? Number.NaN))).toBeLessThanOrEqual(step / 2);
        }
  });

  it("holds for any measure: the size of a unit is known from its values", () => {
    const heat = figureOf({ printed: "500", unit: "GJ", measure: "energy", value: 500, normal: 500 / 3.6 });
    const power = figureOf({ printed: "200", unit: "MWh", measure: "energy", value: 200, normal: 200 });
    expect(written(heat, power)).toEqual(["139 MWh", "200 MWh"]);
  });

  it("leaves as printed what cannot be converted, and says of each whether it was", () => {
    const unknown = figureOf({ printed: "7", unit: "vessels", measure: null, value: 7, normal: null });
    const shown = inOneUnit([mass("<5,000", "t"), unknown, mass("40", "kt"), mass("60,000", "t")]);
    expect(shown).toEqual([
      { number: "<5,000", unit: "t", converted: false },
      { number: "7", unit: "vessels", converted: false },
      { number: "40", unit: "kt", converted: false },
      { number: "60", unit: "kt", converted: true },
    ]);
  });

  it("is no other than the printed one where all are printed in it", () => {
    expect(inOneUnit([mass("2,548,000", "t"), mass("18,000", "t")]).some(({ converted }) => converted)).toBe(
      false,
    );
  });
});
