import { describe, expect, it } from "vitest";
import { excerpt } from "./excerpt";

const BODY =
  "The board met nine times. Wages rose by four percent. Our transition plan rests on grid dates. It was audited. Nothing else is told here at all.";

describe("an excerpt", () => {
  it("is the whole of a short text", () =>
    expect(excerpt("Short.\n", ["plan"], 50)).toEqual({
      text: "Short.",
      start: 0,
      before: false,
      after: false,
    }));

  it("holds what matched in whole sentences", () => {
    const found = excerpt(BODY, ["transit plan", "grid"], 70);
    expect(found.text).toBe("Wages rose by four percent. Our transition plan rests on grid dates.");
    expect(found).toMatchObject({ before: true, after: true });
    expect(BODY.slice(found.start)).toMatch(new RegExp(`^${found.text}`));
  });

  it("begins at the start where nothing matched", () => {
    expect(excerpt(BODY, [], 60).text).toBe("The board met nine times. Wages rose by four percent.");
    expect(excerpt(BODY, [], 60).before).toBe(false);
  });

  it("is a stretch of the text even where a sentence has no end", () => {
    const long = "word ".repeat(200);
    const found = excerpt(long, [], 100);
    expect(long).toContain(found.text);
    expect(found.text.length).toBeLessThanOrEqual(140);
  });
});
