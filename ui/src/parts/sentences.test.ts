import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sentencesOf } from "./sentences";

const split = (text: string) => sentencesOf(text).map(({ start, end }) => text.slice(start, end).trim());

describe("sentences", () => {
  it.each([
    [["Plans (e.g., transition plans) are described.", "They cover much."]],
    [["3. Oversight of risks is with the board.", "It meets twice."]],
    [["See No. 7 and Fig. 3.", "Then go on."]],
    [["Dr. J. Smith chairs it.", "Ms. Lee does not."]],
    [["A line", "Another line."]],
  ])("%j", (sentences) => {
    expect(split(sentences.join(sentences[0] === "A line" ? "\n" : " "))).toEqual(sentences);
  });

  it("cover the text, and hardly ever end elsewhere than those of the engine", () => {
    const path = "../crates/sibyl-text/tests/fixtures/sentences.txt";
    const lines = readFileSync(path, "utf8").split("\n");
    let wrong = 0;
    let all = 0;
    for (const line of lines.filter((each) => each && !each.startsWith("#"))) {
      const wanted = line.split("‖").map((each) => each.trim());
      const text = wanted.join(" ");
      const found = sentencesOf(text);
      expect(found.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
      const ends = new Set(split(text));
      all += wanted.length;
      wrong += wanted.filter((each) => !ends.has(each)).length;
    }
    expect(wrong / all).toBeLessThan(0.1);
  });
});
