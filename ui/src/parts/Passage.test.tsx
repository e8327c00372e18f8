import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { show } from "@/test/render";
import { Passage } from "./Passage";

const REPORT = {
  metadata: { section_path: ["Metrics"] },
  source_type: "report",
  title: "Aurelia 2024",
  pages: null,
  page_labels: null,
  path: "aurelia.pdf",
} as const;

it("takes a first line in brackets for no header", () => {
  const text = "[Table 3]\nScope 1, 42 kt";
  const passage = { ...REPORT, chunk_text: text, passage: text, header: null, found_by: [] };
  show(<Passage passage={passage} />);
  expect(screen.getByText("Aurelia 2024 › Metrics")).toBeVisible();
  expect(screen.getByText("[Table 3]", { exact: false })).toBeVisible();
});

it("shows the header that the engine names, and of a search kept before that the title", () => {
  const chunk_text = "[Aurelia 2024 > Metrics > Scope 1]\n\n42 kt";
  const passage = { ...REPORT, chunk_text, passage: "42 kt", found_by: [] };
  const { unmount } = show(<Passage passage={{ ...passage, header: "Aurelia 2024 > Metrics > Scope 1" }} />);
  expect(screen.getByText("Aurelia 2024 > Metrics > Scope 1")).toBeVisible();
  unmount();
  const former = { ...passage, passage: "" } as typeof passage & { header: null };
  show(<Passage passage={former} />);
  expect(screen.getByText("Aurelia 2024 › Metrics")).toBeVisible();
});

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
    header: "IFRS S2",
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
  const given = {
    ...named,
    pages: [2, 2] as [number, number],
    page_labels: null,
    chunk_text: passage,
    passage,
    header: null,
    found_by: [],
  };
  show(<Passage passage={given} terms={["plan"]} />);
  expect(screen.getByText("OCR 87%")).toBeInTheDocument();
  const marks = [...document.querySelectorAll("mark")].map((mark) => [mark.className, mark.textContent]);
  expect(marks).toEqual([
    ["keyword", "plan"],
    ["doubtful", "c0sts"],
  ]);
});

it("shows a table as one, with the words that matched and the sentence that is nearest", () => {
  const table = "| Colony | Guillemots |\n| --- | --- |\n| North \\| rock | 1,200 |\n| South | **880** |";
  const text = `Counts below.\n\n${table}\n\nThe ledges are full.`;
  const near = { start: text.indexOf("South"), end: text.indexOf("South") + "South".length };
  const passage = { ...REPORT, chunk_text: text, passage: text, header: null, found_by: [] };
  show(<Passage passage={passage} terms={["guillemot"]} near={near} />);
  expect(screen.getByRole("columnheader", { name: "Guillemots" })).toBeVisible();
  const cells = screen.getAllByRole("cell").map((cell) => cell.textContent);
  expect(cells).toEqual(["North | rock", "1,200", "South", "880"]);
  const marks = [...document.querySelectorAll("mark")].map((mark) => [mark.className, mark.textContent]);
  expect(marks).toEqual([
    ["keyword", "Guillemots"],
    ["near", "South"],
  ]);
  expect(screen.getByText("The ledges are full.")).toBeVisible();
  expect(document.body).not.toHaveTextContent("---");
});
