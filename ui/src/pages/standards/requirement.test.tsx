import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { PLAN } from "@/api/fake/requirement";
import type { EvidenceRequest, Review } from "@/api/types";
import { parseRoute } from "@/state/router";
import { sent } from "@/test/page";
import { coverageOf, coverageText } from "./coverage";
import { shortId } from "./outline";
import { open as openPage, user } from "./testing";

async function open(id: string) {
  const shown = openPage(id);
  await waitFor(() => expect(document.querySelector("h2")).toHaveTextContent("Emissions strategy"));
  return shown;
}
const checklist = (part = "Also to be discussed") => screen.findByRole("region", { name: part });
const items = async () => within(await checklist()).findAllByRole("listitem");
const status = async (number: number) =>
  screen.findByRole("button", { name: new RegExp(`^Status of item ${number}:`) });
const stored = () => sent<Review>("review.put").at(-1);

describe("a metric", () => {
  it("tells what counts, what does not, its terms, what may be added, and advice apart from them", async () => {
    await open(PLAN);
    const part = (name: string) => screen.getByRole("region", { name });
    expect(part("Counts")).toHaveTextContent("Plans for the short and the long term");
    expect(part("Does not count")).toHaveTextContent("Offsets bought from others.");
    expect(within(part("Definitions")).getByText("Flaring").tagName).toBe("B");
    expect(part("Definitions")).toHaveTextContent("Flaring: gas burned at the well");
    expect(part("May be added")).toHaveTextContent("The cost of each tonne avoided.");
    expect(screen.getByRole("complementary", { name: "In review" })).toHaveTextContent(
      "advice, not part of the standard",
    );
    expect(await items()).toHaveLength(5);
  });

  it("marks each item with the kind of what it states, and tells the words on demand", async () => {
    await open(PLAN);
    const mark = within(await checklist("Does not count")).getByRole("button", {
      name: "What the standard asks for in item 4: excludes",
    });
    expect(mark).toHaveTextContent("excludes");
    expect(within(await checklist("Definitions")).getByText("definition")).toBeVisible();
    expect(within(await checklist()).getAllByText("to be disclosed")).toHaveLength(5);
    await user.click(mark);
    const words = await screen.findByRole("dialog", { name: "What the standard asks for in item 4" });
    expect(words).toHaveTextContent("offsets bought from others");
    await user.click(mark);
    await waitFor(() => expect(words).not.toBeInTheDocument());
    // What is measured states nothing that the fake knows.
    const measured = within(await checklist("Measured"));
    expect(measured.queryByRole("button", { name: /^What the standard asks for/ })).toBeNull();
  });

  it("counts the items that are covered, beside the metric and in its topic", async () => {
    await open(PLAN);
    // What is measured, two that count, one that does not, one term, five to discuss; what may be added is open.
    await waitFor(async () => expect(await checklist("Measured")).toHaveTextContent("2 of 10 items covered"));
    const items = (...ids: string[]) =>
      ids.map((id, at) => ({ id, number: at + 1, term: null, text: id, states: [] }));
    const metric = {
      measured: items("a")[0],
      counts: items("b"),
      does_not_count: [],
      definitions: [],
      also_to_be_discussed: items("c"),
      may_be_added: items("d"),
    } as unknown as Parameters<typeof coverageOf>[0];
    const covered = (...found: [string, Review["status"]][]) =>
      coverageText(coverageOf(metric, new Map(found)));
    expect(covered(["a", "met"], ["b", "partly"])).toBe("1 of 3 items covered");
    expect(covered(["a", "met"], ["b", "not_applicable"])).toBe("1 of 2 items covered");
    expect(covered(["a", "not_applicable"], ["b", "not_applicable"])).toBe("0 of 1 item covered");
    expect(covered(["a", "met"], ["d", "met"])).toBe("2 of 4 items covered");
  });
});

describe("an item", () => {
  it("is marked with the mouse, and its metric keeps its own mark", async () => {
    await open(PLAN);
    await user.click(await status(9));
    await user.click(await screen.findByRole("menuitemradio", { name: /^Gap/ }));
    expect(await status(9)).toHaveTextContent("Gap");
    await waitFor(() =>
      expect(stored()).toMatchObject({
        paragraph_id: `${PLAN}.also_to_be_discussed.what-may-keep-the-entity`,
        words: "What may keep the entity from its target.",
        status: "gap",
      }),
    );
    expect(sent<Review>("review.put").every((each) => each.paragraph_id !== PLAN)).toBe(true);
  });

  it("is marked and noted by keys, which mean the metric elsewhere", async () => {
    await open(PLAN);
    const button = await status(10);
    act(() => button.focus());
    await user.keyboard("2");
    expect(await status(10)).toHaveTextContent("Met");
    await waitFor(async () => expect(await checklist("Measured")).toHaveTextContent("3 of 10 items covered"));
    await user.keyboard("m");
    const note = await screen.findByRole("textbox", { name: "Note on item 10" });
    await waitFor(() => expect(note).toHaveFocus());
    await user.keyboard("p. 12{Escape}");
    await waitFor(() => expect(stored()).toMatchObject({ note: "p. 12", status: "met" }));
    expect(sent<Review>("review.put").every((each) => each.paragraph_id !== PLAN)).toBe(true);
    act(() => (document.activeElement as HTMLElement).blur());
    await waitFor(async () => {
      await user.keyboard("4");
      expect(stored()).toMatchObject({ paragraph_id: PLAN, status: "gap" });
    });
  });

  it("is marked in every part of the metric, and its status is found in the tree", async () => {
    await open(PLAN);
    const marked = [
      ["measured", "Emissions strategy and targets: what"],
      ["counts.plans-for-the-short-and", "Plans for the short and the long term"],
      ["does_not_count.offsets-bought-from-others", "Offsets bought from others."],
      ["definitions.flaring-gas-burned-at-the", "Flaring: gas burned at the well"],
      ["may_be_added.the-cost-of-each-tonne", "The cost of each tonne avoided."],
    ] as const;
    for (const [at, number] of [1, 2, 4, 5, 11].entries()) {
      const button = await status(number);
      act(() => button.focus());
      await user.keyboard("5");
      const [id, words] = marked[at] as (typeof marked)[number];
      await waitFor(() =>
        expect(stored()).toMatchObject({ paragraph_id: `${PLAN}.${id}`, status: "not_applicable" }),
      );
      expect(stored()?.words).toContain(words);
    }
    await user.click(await screen.findByRole("button", { name: "Status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: /^Not applicable/ }));
    const rows = () => [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
    await waitFor(() => expect(rows().some((row) => row.textContent?.includes(PLAN))).toBe(true));
  });

  it("says that its text has changed, and keeps the mark for the new words", async () => {
    await open(PLAN);
    await waitFor(async () =>
      expect((await items())[2]).toHaveTextContent(
        "It read: “Which investments the plan rests on, and when.”",
      ),
    );
    await user.click(screen.getByRole("button", { name: "Keep the mark" }));
    await waitFor(() =>
      expect(stored()).toMatchObject({ words: "Which investments it rests on.", status: "partly" }),
    );
    expect(screen.queryByText(/It read:/)).not.toBeInTheDocument();
  });

  it("starts the search for evidence from its own words", async () => {
    await open(PLAN);
    const find = within((await items())[0] as HTMLElement).getByRole("button", {
      name: "Find evidence for this item",
    });
    await user.click(find);
    const id = `${PLAN}.also_to_be_discussed.why-the-target-was-set`;
    await waitFor(() => expect(sent<EvidenceRequest>("standards.evidence").at(-1)?.id).toBe(id));
    expect(parseRoute(window.location.hash).query.get("item")).toBe(id);
    expect(find).toHaveAttribute("aria-pressed", "true");
  });

  it("is found in the tree by its words and by its status", async () => {
    await open(PLAN);
    await user.click(await screen.findByRole("button", { name: "Status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: /^Partly met/ }));
    const rows = () => [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
    await waitFor(() =>
      expect(rows().some((row) => /Which investments it rests on/.test(row.textContent ?? ""))).toBe(true),
    );
    expect(rows().some((row) => /What may keep the entity/.test(row.textContent ?? ""))).toBe(false);
    const field = screen.getByRole("searchbox", { name: "Filter the standards" });
    fireEvent.change(field, { target: { value: "investments rests" } });
    await waitFor(() => expect(rows().some((row) => /Responses/.test(row.textContent ?? ""))).toBe(false));
  });

  it("is called by its metric and its first words", () => {
    expect(shortId(`${PLAN}.also_to_be_discussed.why-the-target`)).toBe(`${PLAN} why-the-target`);
    expect(shortId("EM-EP-000.A.counts.wells-drilled")).toBe("EM-EP-000.A wells-drilled");
    expect(shortId(`${PLAN}.measured`)).toBe(`${PLAN} measured`);
    for (const id of ["S2.14(a)", "S1.A.users", PLAN, "EM-EP-110a"])
      expect(shortId(id)).toBe(id.replace(/^S[12]\.(?:A\.)?/, ""));
  });
});
