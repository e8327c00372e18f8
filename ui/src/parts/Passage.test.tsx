import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { show } from "@/test/render";
import { Passage } from "./Passage";

it("puts what it is found by away until it is asked for, and marks the words that matched", async () => {
  const passage = "- **(iv) Plan.** Its assumptions.";
  const chunk_text = `[IFRS S2]\n\n${passage}\n\n  *Asked as:* net zero plan; aims.`;
  const found_by = ["net zero plan", "aims"];
  const named = {
    metadata: {},
    source_type: "ifrs_s2",
    title: "S2",
    pages: null,
    page_labels: null,
    path: "s2.md",
  } as const;
  show(<Passage passage={{ ...named, chunk_text, passage, found_by }} terms={["plan"]} />);
  expect(document.body).not.toHaveTextContent("aims");
  expect([...document.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual(["Plan"]);
  await userEvent.click(screen.getByRole("button", { name: "Found by 2 phrasings", expanded: false }));
  expect(screen.getByRole("link", { name: "aims" })).toHaveAttribute(
    "href",
    expect.stringContaining("q=aims"),
  );
});
