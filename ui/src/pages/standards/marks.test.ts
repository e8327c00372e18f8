import { describe, expect, it } from "vitest";
import { marks } from "./marks";

const terms = [
  { id: "S1.A.value_chain", name: "value chain", definition: "" },
  { id: "S1.A.chain", name: "chain", definition: "" },
];
const known = (id: string) =>
  ["S2.14(a)(iv)", "S2.B5", "S2.29A", "S2.B62A", "EM-EP-110a.1", "S1.A.value_chain"].includes(id);
const shown = (text: string) =>
  marks(text, terms, known)
    .filter((mark) => mark.kind !== "text")
    .map((mark) => (mark.kind === "term" ? `${mark.text}${mark.first ? "*" : ""}` : `#${mark.text}`));

describe("marks in an explanation", () => {
  it.each([
    ["Value chains, the value chain and a chainsaw", ["Value chains*", "value chain"]],
    ["See S2.14(a)(iv), S2.B5. Not S9.1 or S2.99(z).", ["#S2.14(a)(iv)", "#S2.B5"]],
    ["EM-EP-110a.1 counts; S1.A.value_chain too", ["#EM-EP-110a.1", "#S1.A.value_chain"]],
    ["Read S2.29A with S2.B62A", ["#S2.29A", "#S2.B62A"]],
    ["No terms", []],
  ])("%s", (text, found) => expect(shown(text)).toEqual(found));

  it("lose nothing of the text", () => {
    const text = "A chain, a value chain (S2.B5) and more.";
    expect(
      marks(text, terms, known)
        .map((mark) => mark.text)
        .join(""),
    ).toBe(text);
  });
});
