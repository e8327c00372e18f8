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

it("says that a passage was read by OCR, and marks the words of which that is not sure", () => {
  const passage = "The plan c0sts 30 crowns.";
  const metadata = { ocr: { confidence: 87, doubtful: ["c0sts"] } };
  const named = { metadata, source_type: "report", title: "Scan", path: "scan.pdf" };
  const given = { ...named, pages: [2, 2] as [number, number], page_labels: null, chunk_text: passage, passage, found_by: [] };
  show(<Passage passage={given} terms={["plan"]} />);
  expect(screen.getByText("OCR 87 %")).toBeInTheDocument();
  const marks = [...document.querySelectorAll("mark")].map((mark) => [mark.className, mark.textContent]);
  expect(marks).toEqual([
    ["k", "plan"],
    ["d", "c0sts"],
  ]);
});
