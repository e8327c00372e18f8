import { expect, it } from "vitest";
import { commaSeparated } from "./csv";

it("writes cells that stay cells and are no formulas", () =>
  expect(
    commaSeparated([
      ["=1+1", 'a "b", c', -3],
      ["x\ny", "@z", 0.5],
    ]),
  ).toBe(`'=1+1,"a ""b"", c",'-3\r\n"x\ny",'@z,0.5`));
