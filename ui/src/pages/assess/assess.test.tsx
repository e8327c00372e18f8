// Over 500 lines: all that a reviewer does in the grid is told on one page that is set up once.

import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { freshHandlers } from "@/api/fake/assess";
import { idOf, recorded } from "@/api/recording";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { CellView, Decide, DocumentRow, DocumentView, Review, ScopePreview } from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href } from "@/state/router";
import { show } from "@/test/render";
import AssessPage from "./index";
import { page } from "./page";
import { becomeReviewer } from "./reviewer";

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

const NORTHWIND = "northwind-energy-climate-report-2024";
const AURELIA = "aurelia-cement-annual-2024";
const HALDEN = "halden-shipping-esg-2024";
/** The words of the first piece of evidence for the transition plan. */
const QUOTE =
  recorded("assess.cell", { id: 1, requirement: "S2.14(a)(iv)", report_id: NORTHWIND }).proposal?.evidence[0]
    ?.quote ?? "";
const HERE = { at: "S2.14(a)(v)", report: NORTHWIND };

let fake: FakeTransport;

function open(query: Record<string, string> = HERE, own: FakeHandlers = {}) {
  window.location.hash = href("assess", [], query);
  fake = fakeTransport({ ...handlers, ...freshHandlers(), ...own });
  chooseTransport(fake);
  const slot = () => document.body.appendChild(document.createElement("div"));
  return show(
    <HeaderContext value={{ context: slot(), actions: slot() }}>
      <AssessPage />
    </HeaderContext>,
  );
}

const cell = (name: RegExp) => screen.findByRole("gridcell", { name });
const words = (element: Element | null) => element?.textContent ?? "";
const current = () => words(document.querySelector("[data-cell][tabindex='0'] .sr-only"));
/** A key on the cell in use. */
const press = async (key: string, more: Partial<KeyboardEventInit> = {}) => {
  const at = document.querySelector<HTMLElement>("[data-cell][tabindex='0']");
  act(() => at?.focus());
  fireEvent.keyDown(at as HTMLElement, { key, ...more });
  await act(async () => undefined);
};
/** A key of the page. */
const type = async (key: string, more: Partial<KeyboardEventInit> = {}) => {
  act(() => void handleKey(new KeyboardEvent("keydown", { key, ...more })));
  await act(async () => undefined);
};
const decisions = () =>
  fake.calls.filter(({ command }) => command === "assess.decide").map(({ input }) => input as Decide);

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  becomeReviewer("M. Okafor");
});

describe("the grid", () => {
  it("says each cell: what was decided, what is proposed, what waits", async () => {
    open();
    expect(await cell(/^14\(a\)\(iv\), Northwind Energy plc 2024: Partly met, has a note/)).toHaveTextContent(
      "Partly",
    );
    expect(
      await cell(
        /^14\(a\)\(v\), Northwind.* 2024: Partly met, carried over, to confirm.*Proposal: evidence for 1 of 1/,
      ),
    ).toHaveTextContent("Partly?");
    expect(
      await cell(/^14\(a\)\(v\), Aurelia.*: not decided.*Proposal: evidence for 1 of 1 items$/),
    ).toHaveTextContent("/1");
    expect(await cell(/^14\(b\), Aurelia.*: not decided\. Proposal: nothing found$/)).toHaveTextContent(
      "none",
    );
    expect(await cell(/^14\(b\), Halden.*: waiting for the run$/)).toBeInTheDocument();
  });

  it("decides by one key without moving, sums it above, says it, and takes it back", async () => {
    open();
    await cell(/^14\(a\), Northwind Energy plc 2024: 3 of 5 decided$/);
    await type("2");
    expect(decisions()).toEqual([
      {
        id: 1,
        report_id: NORTHWIND,
        requirements: ["S2.14(a)(v)"],
        status: "met",
        reviewer: "M. Okafor",
      },
    ]);
    expect(current()).toMatch(/^14\(a\)\(v\), Northwind Energy plc 2024: Met/);
    expect(await cell(/^14\(a\), Northwind Energy plc 2024: 4 of 5 decided$/)).toBeInTheDocument();
    expect(screen.getByText("Met. 24 open.")).toBeInTheDocument();
    fireEvent.keyDown(window, { key: "z", ctrlKey: true });
    expect(await cell(/^14\(a\), Northwind Energy plc 2024: 3 of 5 decided$/)).toBeInTheDocument();
    await waitFor(() => expect(decisions().at(-1)).toMatchObject({ status: "open" }));
  });

  it("goes to the next open item, and to the next difference", async () => {
    open();
    await cell(/^14\(a\)\(v\), Northwind Energy plc 2024/);
    await type("n");
    expect(current()).toMatch(/^14\(b\), Northwind Energy plc 2024/);
    await type("N", { shiftKey: true });
    expect(current()).toMatch(/^14\(a\)\(v\), Northwind Energy plc 2024/);
    await type("d");
    expect(current()).toMatch(/^IF-EU-110a\.1, Northwind Energy plc 2024.*proposal differs/);
  });

  it("closes and opens a branch in the column of names", async () => {
    open({ at: "S2.14(a)(i)", report: AURELIA });
    await cell(/^14\(a\)\(i\), Northwind Energy plc 2024/);
    await press("ArrowUp");
    await press("ArrowLeft");
    await press("ArrowLeft");
    expect(screen.queryByRole("gridcell", { name: /^14\(a\)\(i\),/ })).toBeNull();
    await press("ArrowRight");
    expect(await cell(/^14\(a\)\(i\), Northwind Energy plc 2024/)).toBeInTheDocument();
  });

  it("asks for the reason of a selection that is not applicable, and puts the notes back", async () => {
    const before: Partial<Review> = {
      report_id: HALDEN,
      paragraph_id: "S2.14(b)",
      note: "Ask for it",
      passages: [],
    };
    open({ at: "S2.14(b)", report: HALDEN }, { "review.list": () => [before] });
    await cell(/^14\(b\), Halden/);
    await press("ArrowDown", { shiftKey: true });
    await type("5");
    const dialog = await screen.findByRole("dialog", { name: "Mark 2 items “Not applicable”?" });
    expect(within(dialog).getByRole("button", { name: "Mark" })).toBeDisabled();
    await userEvent.type(within(dialog).getByRole("textbox", { name: "Reason" }), "No such plan");
    await userEvent.click(within(dialog).getByRole("button", { name: "Mark" }));
    await waitFor(() =>
      expect(decisions()).toMatchObject([
        {
          report_id: HALDEN,
          requirements: ["S2.14(b)", "S2.14(c)"],
          status: "not_applicable",
          note: "No such plan",
        },
      ]),
    );
    expect(await cell(/^14\(c\), Halden.*: Not applicable, has a note/)).toBeInTheDocument();
    fireEvent.keyDown(window, { key: "z", ctrlKey: true });
    await waitFor(() =>
      expect(decisions().slice(1)).toMatchObject([
        { requirements: ["S2.14(b)"], status: "open", note: "Ask for it" },
        { requirements: ["S2.14(c)"], status: "open", note: "" },
      ]),
    );
  });

  it("adds single cells to a selection", async () => {
    open({ at: "S2.14(b)", report: HALDEN });
    await cell(/^14\(b\), Halden/);
    await press(" ", { ctrlKey: true });
    for (let step = 0; step < 5; step += 1) await press("ArrowDown", { ctrlKey: true });
    await press(" ", { ctrlKey: true });
    await type("2");
    const dialog = await screen.findByRole("dialog", { name: "Mark 2 items “Met”?" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Mark" }));
    await waitFor(() =>
      expect(decisions()).toMatchObject([
        { report_id: HALDEN, requirements: ["S2.14(b)", "S2.29(e)"], status: "met" },
      ]),
    );
  });

  it("decides what is open below a parent", async () => {
    open({}, { "review.list": () => [] });
    await userEvent.click(await cell(/^Metrics and targets, Aurelia/));
    await type("4");
    const dialog = await screen.findByRole("dialog", { name: "Mark 1 open item “Gap”?" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Mark" }));
    await waitFor(() => expect(decisions()).toMatchObject([{ requirements: ["S2.29(e)"], status: "gap" }]));
  });

  it("keeps a decision that could not be stored, and tries again", async () => {
    let broken = true;
    const fresh = freshHandlers();
    open(HERE, {
      ...fresh,
      "assess.decide": (input, call) => {
        if (broken) throw { code: "storage", message: "the disk is full" };
        return fresh["assess.decide"]?.(input, call);
      },
    });
    await cell(/^14\(a\)\(v\), Northwind Energy plc 2024/);
    await type("3");
    expect(await cell(/^14\(a\)\(v\), Northwind Energy plc 2024: Partly met, not saved/)).toBeInTheDocument();
    broken = false;
    await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
    expect(await cell(/^14\(a\)\(v\), Northwind Energy plc 2024: Partly met, page/)).toBeInTheDocument();
  });
});

describe("the filters", () => {
  it("count their cells, keep the rows that have one, and are named where nothing is left", async () => {
    open({});
    await screen.findAllByRole("gridcell", { name: /proposal differs/ });
    const named = () => [...document.querySelectorAll("[role=gridcell] .sr-only")].map(words);
    const rowsOf = (names: string[]) => [...new Set(names.map((name) => name.split(",")[0]))];
    const own = () => rowsOf(named().filter((name) => !/: \d+ of \d+ decided/.test(name)));
    const before = named().filter((name) => name.includes("proposal differs"));
    expect(own().length).toBeGreaterThan(rowsOf(before).length);
    await userEvent.click(screen.getByRole("button", { name: new RegExp(`^Differs ?${before.length}$`) }));
    await waitFor(() => expect(own()).toEqual(rowsOf(before)));
    await userEvent.click(screen.getByRole("button", { name: /^Moved ?0?$/ }));
    expect(await screen.findByText("Nothing is different from its proposal and moved.")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
    expect(await cell(/^14\(a\)\(i\), Northwind Energy plc 2024/)).toBeInTheDocument();
  });
});

describe("the pane", () => {
  it("shows checklist and evidence, and pins the selected piece", async () => {
    open({ at: "S2.14(a)(iv)", report: NORTHWIND });
    expect(await screen.findByText("of proposals like this, 11 in 100 are wrong")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Pinned: evidence 2" })).toBeInTheDocument();
    await type("j");
    await type("j");
    await type("p");
    await waitFor(() => expect(decisions()).toHaveLength(1));
    expect(decisions()[0]).toMatchObject({ status: "partly" });
    expect(decisions()[0]).not.toHaveProperty("note");
    expect(decisions()[0]?.passages).toHaveLength(3);
    expect(await screen.findByRole("button", { name: "Pinned: evidence 3" })).toBeInTheDocument();
  });

  it("shows what the report’s own index claims, what became of it, and opens the page that it names", async () => {
    open({ at: "S2.14(a)(iv)", report: NORTHWIND });
    const heading = await screen.findByRole("heading", { name: "The report’s own index" });
    expect(heading).toBeInTheDocument();
    expect(screen.getByText("IFRS S2 14(a)(iv)")).toBeInTheDocument();
    expect(screen.getByText(/Evidence from the proposal is there/)).toBeInTheDocument();
    expect(screen.getByText(/Nothing that counts as evidence was found there/)).toBeInTheDocument();
    expect(screen.getByText(/Points to another document/)).toBeInTheDocument();
    expect(screen.getByText(/^According to: .*May 2024$/)).toBeInTheDocument();
    // A document that the library does not have cannot be opened.
    expect(screen.getAllByRole("button", { name: /^Open .*, cited for/ })).toHaveLength(2);
    await userEvent.click(screen.getByRole("button", { name: "Open p.\u00a08, cited for ESRS E1-1" }));
    expect(window.location.hash).toMatch(/chunk-lab/);
    expect(window.location.hash).toMatch(/page=8/);
  });

  it("says that requirements cannot be matched in the language of the report", async () => {
    const { "assess.cell": cellOf, ...rest } = freshHandlers();
    const inChinese = async (...asked: Parameters<NonNullable<typeof cellOf>>) => {
      const view = (await cellOf?.(...asked)) as CellView;
      const proposal = view.proposal && { ...view.proposal, error_rate: null, unmatched: "Chinese" };
      return { ...view, proposal };
    };
    open({ at: "S2.14(a)(iv)", report: NORTHWIND }, { ...rest, "assess.cell": inChinese });
    expect(await screen.findByText(/^This report is in Chinese\./)).toBeInTheDocument();
    expect(screen.queryByText(/in 100 are wrong/)).toBeNull();
  });

  it("shows the text of the evidence where no page of its document can be drawn", async () => {
    const { "assess.cell": cellOf, ...rest } = freshHandlers();
    const asText = async (...asked: Parameters<NonNullable<typeof cellOf>>) => {
      const view = (await cellOf?.(...asked)) as CellView;
      const evidence = view.proposal?.evidence.slice(0, 1).map((each) => ({
        ...each,
        pin: { ...each.pin, path: "northwind.md" },
        span: [11, 11 + QUOTE.length] as [number, number],
      }));
      const items = view.proposal?.items.map((each) => ({ ...each, evidence: [] })) ?? [];
      return { ...view, claims: [], proposal: view.proposal && { ...view.proposal, items, evidence } };
    };
    const text = `Before it. ${QUOTE} And behind it.\n\nA last word.`;
    const ours = recorded("document.list", { reports: true }).find(({ id }) => id === idOf("northwind"));
    const row = { ...(ours as DocumentRow), path: "northwind.md", report_id: NORTHWIND, text_version: "v2" };
    const structure = { sections: [], pages: [], about_pages: false, ocr: null, notices: [] };
    open(
      { at: "S2.14(a)(iv)", report: NORTHWIND, page: "1" },
      {
        ...rest,
        "assess.cell": asText,
        "document.list": () => [row],
        "document.get": (): DocumentView => ({ row, text, structure }),
      },
    );
    const region = await screen.findByRole("region", {
      name: "Text of northwind.md, with the passages marked",
    });
    await waitFor(() => expect(region.querySelector("mark")?.textContent).toBe(QUOTE));
    expect(region).toHaveTextContent("Before it.");
    await userEvent.click(within(region).getByRole("button", { name: "A last word." }));
    expect(await screen.findByRole("button", { name: "Pin what is selected on the page" })).toBeVisible();
    await type("p");
    await waitFor(() =>
      expect(decisions()[0]?.passages?.at(-1)).toMatchObject({
        quote: "A last word.",
        path: "northwind.md",
        text_version: "v2",
        start: new TextEncoder().encode(text.slice(0, text.indexOf("A last word."))).length,
      }),
    );
  });

  it("shows every part of a metric, and what each item states", async () => {
    open({ at: "IF-EU-110a.1", report: NORTHWIND });
    const counts = (await screen.findByText("Counts")).closest("details");
    const [metric] = recorded("standards.page", { id: "IF-EU-110a.1" }).metrics;
    expect(counts).toHaveTextContent(metric?.counts[0]?.text ?? "?");
    const others = screen.getByText("Does not count").closest("details");
    expect(others).toHaveTextContent(metric?.does_not_count[0]?.text ?? "?");
    await userEvent.click(screen.getAllByRole("button", { name: /: measure/ })[0] as HTMLElement);
    expect(await screen.findByText(metric?.measured.states[0]?.words ?? "?")).toBeInTheDocument();
  });

  it("says which reviewers differ", async () => {
    open({ at: "S2.14(a)(v)", report: "northwind-energy-climate-report-2023" });
    await screen.findByText("Reviewers differ. M. Okafor: Partly met, A. Lindqvist: Gap");
  });

  it("stores the note when the field is left", async () => {
    open();
    const field = await screen.findByRole("textbox", { name: "Note" });
    await waitFor(() => expect(field).toBeEnabled());
    act(() => field.focus());
    expect(screen.getByRole("button", { name: /^Next open/ })).toBeInTheDocument();
    await userEvent.keyboard("Ask for amounts");
    expect(screen.getByRole("button", { name: /^Save, next open/ })).toBeInTheDocument();
    act(() => field.blur());
    await waitFor(() => expect(decisions()).toMatchObject([{ status: "open", note: "Ask for amounts" }]));
  });
});

describe("the proposals", () => {
  it("are made for what waits, in place", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Resume" }));
    expect(await screen.findByText("All proposals are made.")).toBeInTheDocument();
    expect(await cell(/^14\(c\), Halden.*Proposal: evidence for 1 of 1 items$/)).toBeInTheDocument();
  });
});

describe("the start page", () => {
  it("proposes reports, requirements and industries, and starts", async () => {
    becomeReviewer("");
    const byWords = async (...asked: Parameters<FakeHandlers[string]>) => {
      const preview = (await handlers["assess.scope"]?.(...asked)) as ScopePreview;
      return { ...preview, proposed: preview.proposed.map((each) => ({ ...each, codes: 0, page: null })) };
    };
    open({ edit: "new" }, { "assess.scope": byWords });
    await waitFor(() => expect(screen.getByRole("button", { name: /^Start/ })).toBeEnabled());
    const weak = screen.getAllByText("words only: please check");
    expect(weak.length).toBeGreaterThan(0);
    await userEvent.click(screen.getByRole("checkbox", { name: "IFRS S1" }));
    const name = screen.getByRole("textbox", { name: "Name" });
    await userEvent.clear(name);
    expect(await screen.findByText("Give the assessment a name to start.")).toBeInTheDocument();
    await userEvent.type(name, "Spring review");
    await userEvent.type(screen.getByRole("textbox", { name: "Your name" }), "A. Lindqvist{Enter}");
    await waitFor(() => expect(screen.getByRole("button", { name: /^Start/ })).toBeEnabled());
    await type("Enter", { ctrlKey: true });
    await waitFor(() => {
      const made = fake.calls.find(({ command }) => command === "assess.new")?.input;
      expect(made).toMatchObject({
        name: "Spring review",
        reviewers: ["A. Lindqvist"],
        scope: { standards: ["ifrs_s2", "ifrs_s1"], level: "item", mandatory: true },
      });
    });
    await waitFor(() => expect(fake.calls.some(({ command }) => command === "assess.run")).toBe(true));
  });
});

describe("who decides", () => {
  it("is asked before the first decision, which waits for the name and is signed with it", async () => {
    becomeReviewer("");
    open();
    await cell(/^14\(a\)\(v\), Northwind.* 2024/);
    await type("4");
    const dialog = await screen.findByRole("dialog", { name: "Who decides?" });
    expect(decisions()).toEqual([]);
    await userEvent.type(within(dialog).getByRole("textbox", { name: "Your name" }), " Ben Okoro {Enter}");
    await waitFor(() => expect(decisions()).toMatchObject([{ status: "gap", reviewer: "Ben Okoro" }]));
    await type("2");
    await waitFor(() => expect(decisions()).toHaveLength(2));
    expect(decisions()[1]).toMatchObject({ status: "met", reviewer: "Ben Okoro" });
  });

  it("takes no decision where nobody says so", async () => {
    becomeReviewer("");
    open();
    await cell(/^14\(a\)\(v\), Northwind.* 2024/);
    await type("4");
    await screen.findByRole("dialog", { name: "Who decides?" });
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(decisions()).toEqual([]);
  });

  it("is changed in the menu, whoever was named for the assessment", async () => {
    open();
    const menu = () => screen.findByRole("button", { name: "Assessment: FY2024 climate review" });
    await userEvent.click(await menu());
    await userEvent.click(await screen.findByRole("menuitem", { name: "Decide as somebody else…" }));
    const dialog = await screen.findByRole("dialog", { name: "Who decides?" });
    const field = within(dialog).getByRole("textbox", { name: "Your name" });
    fireEvent.change(field, { target: { value: "Ben Okoro" } });
    await userEvent.click(within(dialog).getByRole("button", { name: "Use this name" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    await userEvent.click(await menu());
    expect(await screen.findByRole("menuitemradio", { name: /Decide as Ben Okoro/ })).toBeInTheDocument();
    await type("1");
    await waitFor(() => expect(decisions()).toMatchObject([{ reviewer: "Ben Okoro" }]));
  });
});

describe("the menu", () => {
  it("renames and deletes an assessment; without any it starts a new one", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Assessment: FY2024 climate review" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Rename…" }));
    const dialog = await screen.findByRole("dialog", { name: "Rename the assessment" });
    const field = within(dialog).getByRole("textbox", { name: "Name" });
    await userEvent.clear(field);
    act(() => field.focus());
    await userEvent.keyboard("Autumn review{Enter}");
    await userEvent.click(await screen.findByRole("button", { name: "Assessment: Autumn review" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Delete…" }));
    await userEvent.click(await screen.findByTestId("confirm"));
    expect(await screen.findByRole("heading", { name: "Start an assessment" })).toBeInTheDocument();
  });
});

describe("an evidence pack", () => {
  it("is written where the reader says", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Export pack…" }));
    const dialog = await screen.findByRole("dialog", { name: "Export an evidence pack" });
    await userEvent.click(within(dialog).getByRole("radio", { name: "DOCX" }));
    await userEvent.click(within(dialog).getByRole("button", { name: "Write the file" }));
    await waitFor(() =>
      expect(fake.calls.find(({ command }) => command === "shell.save_bytes")?.input).toMatchObject({
        name: "fy2024-climate-review.docx",
      }),
    );
  });

  it("is also a PDF", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Export pack…" }));
    const dialog = await screen.findByRole("dialog", { name: "Export an evidence pack" });
    await userEvent.click(within(dialog).getByRole("radio", { name: "PDF" }));
    expect(within(dialog).getByText(/^A document to hand over/)).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole("button", { name: "Write the file" }));
    await waitFor(() =>
      expect(fake.calls.find(({ command }) => command === "assess.export")?.input).toMatchObject({
        format: "pdf",
      }),
    );
  });

  it("is checked with the signature that is chosen beside it", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Export pack…" }));
    const dialog = await screen.findByRole("dialog", { name: "Export an evidence pack" });
    const file = (name: string, text: string) =>
      Object.assign(new File([text], name), {
        text: () => Promise.resolve(text),
        arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text).buffer),
      });
    const input = within(dialog).getByTestId("pack");
    await userEvent.upload(input, file("pack.json", "{}"));
    expect(
      await within(dialog).findByText("Not signed, or the signature file was not chosen."),
    ).toBeInTheDocument();
    await userEvent.upload(input, [file("pack.json.minisig", "signature"), file("pack.json", "{}")]);
    expect(
      await within(dialog).findByText(/^Signed with the key RWQf6L.*as the signature states/),
    ).toBeInTheDocument();
    expect(fake.calls.find(({ command }) => command === "assess.signature")?.input).toEqual({
      content: btoa("{}"),
      signature: "signature",
    });
    expect(fake.calls.findLast(({ command }) => command === "assess.verify")?.input).toEqual({ pack: "{}" });
  });

  it("gives its decisions to the library, and says which differ and stay", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Export pack…" }));
    const dialog = await screen.findByRole("dialog", { name: "Export an evidence pack" });
    // The DOM of the tests has files without a way to read them.
    const pack = Object.assign(new File(["{}"], "pack.json"), { text: () => Promise.resolve("{}") });
    await userEvent.upload(within(dialog).getByTestId("taken-pack"), pack);
    expect(
      await within(dialog).findByText(/12 decisions imported\. 1 was already here\./),
    ).toBeInTheDocument();
    expect(
      within(dialog).getByText(
        "S2.14(a)(iv), northwind-energy-climate-report-2024: Met here, Gap in the pack. Your decision stays.",
      ),
    ).toBeInTheDocument();
    expect(fake.calls.find(({ command }) => command === "assess.import")?.input).toEqual({ pack: "{}" });
  });
});
