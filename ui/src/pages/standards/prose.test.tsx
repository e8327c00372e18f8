import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it } from "vitest";
import { looksBySheets } from "@/test/looks";
import { show } from "@/test/render";
import { Prose } from "./Prose";

const TERM = {
  id: "S1.A.general_purpose_financial_reports",
  name: "general purpose financial reports",
  definition: "Reports about an entity.",
};
const TEXT = "The aim of S1.1 is to serve those who read general purpose financial reports and lend money.";

// Style sheets are not read in tests, and how a term stands in its line is a matter of style, too.
const sheet = document.createElement("style");
beforeEach(() => {
  sheet.textContent = readFileSync(join(import.meta.dirname, "prose.module.css"), "utf8");
  document.head.append(sheet);
});
afterEach(() => sheet.remove());

it("a defined term and an id stand in the line that they are read in, with no break beside them", () => {
  show(
    <p data-testid="paragraph">
      <Prose text={TEXT} terms={[TERM]} known={(id) => id === "S1.1"} open={() => undefined} />
    </p>,
  );
  const paragraph = screen.getByTestId("paragraph");
  const term = screen.getByRole("link", { name: TERM.name });
  expect(term.previousSibling).toHaveTextContent(/who read$/);
  expect(paragraph.textContent).toBe(TEXT);
  // Only what is laid out in lines can break within itself instead of before and after.
  const parts = [...paragraph.querySelectorAll("*")];
  expect(parts.length).toBeGreaterThanOrEqual(2);
  expect(parts.map((part) => `${part.tagName} ${looksBySheets(part).display}`)).toEqual(
    parts.map((part) => `${part.tagName} inline`),
  );
  expect(paragraph.querySelectorAll("br, wbr")).toHaveLength(0);
});

it("a formula is set apart without its marks", () => {
  const text = "The rate is the share (`cases × 200,000 ÷ hours worked`) of S1.1.";
  show(
    <p data-testid="paragraph">
      <Prose text={text} terms={[]} known={(id) => id === "S1.1"} open={() => undefined} />
    </p>,
  );
  expect(screen.getByText("cases × 200,000 ÷ hours worked").tagName).toBe("CODE");
  expect(screen.getByTestId("paragraph")).toHaveTextContent(text.replaceAll("`", ""));
});
