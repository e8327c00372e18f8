// What the reviewer pins: the nearest passages, figures, and what stands on the pages of the report.

import { act, configure, fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { freshHandlers } from "@/api/fake/assess";
import { idOf, recorded } from "@/api/recording";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { CellView, Decide, FigureRow } from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href } from "@/state/router";
import { useToasts } from "@/state/toasts";
import { show } from "@/test/render";
import AssessPage from "./index";
import { page } from "./page";
import { becomeReviewer } from "./reviewer";

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

/** A cell in which nothing was found, in a report whose documents the sample has. */
const NOTHING = { at: "S2.14(b)", report: "aurelia-cement-annual-2024" };
const NORTHWIND = { at: "S2.14(a)(iv)", report: "northwind-energy-climate-report-2024" };

let fake: FakeTransport;

function open(query: Record<string, string>, own: FakeHandlers = {}) {
  window.location.hash = href("assess", [], query);
  fake = fakeTransport({ ...handlers, ...freshHandlers(), ...own });
  chooseTransport(fake);
  return show(
    <HeaderContext value={{ context: document.createElement("div"), actions: document.createElement("div") }}>
      <AssessPage />
    </HeaderContext>,
  );
}

const type = async (key: string, more: Partial<KeyboardEventInit> = {}) => {
  act(() => void handleKey(new KeyboardEvent("keydown", { key, ...more })));
  await act(async () => undefined);
};
const decisions = () =>
  fake.calls.filter(({ command }) => command === "assess.decide").map(({ input }) => input as Decide);
const pages = () => screen.findByRole("region", { name: /^Page \d+ of .*\.pdf/ });
const pageField = () => screen.findByRole("textbox", { name: "Page" });

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  becomeReviewer("M. Okafor");
});

describe("the page beside the evidence", () => {
  it("marks the lines of each piece of evidence on its page, the selected one with its number", async () => {
    open(NORTHWIND);
    const evidence = (await cellOf(NORTHWIND)).proposal?.evidence ?? [];
    for (const [at, { document_id, page, span }] of evidence.entries()) {
      await userEvent.click(
        (await screen.findAllByRole("button", { name: `Evidence ${at + 1}` }))[0] as HTMLElement,
      );
      const picture = await screen.findByRole("img", { name: new RegExp(`^Page ${page}\\b`) });
      const { marks } = recorded("document.page_image", {
        document_id,
        page: page ?? 1,
        start: span[0],
        end: span[1],
      });
      const paper = picture.closest<HTMLElement>("[data-paper]");
      await waitFor(() => expect(paper?.querySelectorAll("i.mark.on")).toHaveLength(marks.length));
      const tops = [...(paper?.querySelectorAll<HTMLElement>("i.mark.on") ?? [])].map(
        ({ style }) => style.insetBlockStart,
      );
      expect(tops).toEqual(marks.map(({ y }) => `${y * 100}%`));
      expect(paper?.querySelector("b.badge.on")).toHaveTextContent(String(at + 1));
    }
    expect(evidence).toHaveLength(3);
  });
});

describe("where nothing was found", () => {
  it("the nearest passages are walked and pinned by the keys of the evidence", async () => {
    open(NOTHING);
    await screen.findByRole("heading", { name: "Nearest passages, not used" });
    expect(screen.queryByText("p.\u00a02", { selector: "[aria-current] b" })).toBeNull();
    await type("e");
    await type("j");
    await type("p");
    const nearest = await cellOf(NOTHING);
    await waitFor(() => expect(decisions()[0]?.passages).toEqual([nearest.proposal?.nearest[1]?.pin]));
    expect(decisions()[0]).toMatchObject({ status: "open", requirements: [NOTHING.at] });
    expect(await screen.findByRole("button", { name: "Pinned: nearest passage 2" })).toBeInTheDocument();
  });

  it("says that there is nothing to pin before a passage is selected", async () => {
    open(NOTHING);
    await screen.findByRole("heading", { name: "Nearest passages, not used" });
    await type("p");
    expect(decisions()).toHaveLength(0);
    const { result } = renderHook(useToasts);
    expect(result.current.at(-1)?.title).toMatch(/^No passage is selected\./);
  });
});

/** What the engine in memory says of a cell. */
const cellOf = async ({ at, report }: { at: string; report: string }) =>
  (await freshHandlers()["assess.cell"]?.({ id: 1, requirement: at, report_id: report }, {
    tell: () => undefined,
    wait: async () => undefined,
    emit: () => undefined,
  } as never)) as CellView;

describe("the pages of the report", () => {
  it("are turned by buttons, by number and by keys, from where the evidence stands", async () => {
    open(NORTHWIND);
    await screen.findByRole("img", { name: /^Page 7 / });
    expect(await pageField()).toHaveValue("7");
    await type(".");
    await screen.findByRole("img", { name: /^Page 8 / });
    expect(await pageField()).toHaveValue("8");
    await type(",");
    await type(",");
    expect(await pageField()).toHaveValue("6");
    fireEvent.keyDown(await pages(), { key: "PageDown" });
    expect(await pageField()).toHaveValue("7");
    await userEvent.click(screen.getByRole("button", { name: "Next page" }));
    expect(await pageField()).toHaveValue("8");
    // Another piece of evidence shows its own page.
    await type("j");
    await type("k");
    expect(await pageField()).toHaveValue("7");
  });

  it("give what is clicked to be pinned, word for word and at its place", async () => {
    open(NORTHWIND);
    await screen.findByRole("img", { name: /^Page 7 / });
    await type("j");
    await screen.findByRole("img", { name: /^Page 3 / });
    const { blocks } = recorded("document.page_layout", {
      source: { kind: "document", id: idOf<number>("northwind") },
      page: 3,
    });
    const paragraph = blocks.findIndex(({ kind }) => kind === "paragraph");
    const words = blocks[paragraph]?.text ?? "";
    const text = await screen.findByRole("group", { name: "Text on the page" });
    const [first] = within(text).getAllByRole("button");
    act(() => first?.focus());
    for (let step = 0; step < paragraph; step += 1)
      fireEvent.keyDown(document.activeElement as Element, { key: "ArrowDown" });
    expect(document.activeElement).toHaveAccessibleName(`Select: ${words}`);
    await userEvent.click(document.activeElement as Element);
    await screen.findByRole("button", { name: "Pin what is selected on the page" });
    await type("p");
    await waitFor(() => expect(decisions()).toHaveLength(1));
    const pin = decisions()[0]?.passages?.at(-1);
    const { text: said } = recorded("chunk.preview", {
      source: { kind: "document", id: idOf<number>("northwind") },
    });
    const bytes = new TextEncoder().encode(said ?? "");
    expect(pin?.page).toBe(3);
    expect(pin?.quote.startsWith(words.slice(0, 60))).toBe(true);
    expect(pin?.quote).not.toContain("\n\n");
    expect(new TextDecoder().decode(bytes.slice(pin?.start, pin?.end))).toBe(pin?.quote);
    expect(await screen.findByRole("heading", { name: "Pinned passages" })).toBeInTheDocument();
  });
});

describe("a figure of the proposal", () => {
  it("is shown at its place, and pinned with the sentence around it", async () => {
    const { text, structure } = recorded("chunk.preview", {
      source: { kind: "document", id: idOf<number>("northwind") },
    });
    const at = (text ?? "").indexOf("£50 million");
    const figure = {
      id: 7,
      document_id: idOf<number>("northwind"),
      label: ["Investments for the board"],
      year: 2024,
      printed: "50",
      unit: "million",
      span: [at + 1, at + 3],
      page: structure?.pages.find(({ range }) => range[1] > at)?.number,
    } as unknown as FigureRow;
    const { "assess.cell": cell, ...rest } = freshHandlers();
    open(NORTHWIND, {
      ...rest,
      "assess.cell": async (...asked: Parameters<NonNullable<typeof cell>>) => {
        const view = (await cell?.(...asked)) as CellView;
        return { ...view, proposal: view.proposal && { ...view.proposal, figures: [figure] } };
      },
    });
    const name = "Pin the figure Investments for the board, 2024, 50";
    await userEvent.click(await screen.findByRole("button", { name }));
    await waitFor(() => expect(decisions()).toHaveLength(1));
    const quote = decisions()[0]?.passages?.at(-1)?.quote ?? "";
    expect(quote).toContain("£50 million");
    expect(quote).toMatch(/^\p{Lu}.*\.$/u);
    expect(await pageField()).toHaveValue(String(figure.page));
  });
});

describe("keys that come before the evidence", () => {
  it("take effect once it is there, and are dropped with the cell", async () => {
    const fresh = freshHandlers();
    const { "assess.cell": cell } = fresh;
    let pass: () => void = () => undefined;
    let gate = Promise.resolve();
    const hold = () => {
      gate = new Promise((done) => {
        pass = done;
      });
    };
    hold();
    open(NORTHWIND, {
      ...fresh,
      "assess.cell": async (...asked: Parameters<NonNullable<typeof cell>>) => {
        await gate;
        return cell?.(...asked);
      },
    });
    await screen.findByRole("gridcell", { name: /^14\(a\)\(iv\), Northwind Energy plc 2024/ });
    await type("j");
    await type("j");
    await type("p");
    expect(decisions()).toHaveLength(0);
    pass();
    await waitFor(() => expect(decisions()).toHaveLength(1));
    const { proposal, review } = await cellOf(NORTHWIND);
    expect(decisions()[0]?.passages).toEqual([...(review?.passages ?? []), proposal?.evidence[2]?.pin]);
    hold();
    await type("n");
    await type("p");
    await type("n");
    pass();
    await screen.findByText("Proposal");
    expect(decisions()).toHaveLength(1);
  });
});
