import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { METRIC } from "@/api/fake/standards";
import type { EvidenceRequest, Review, StandardId, StandardMetric } from "@/api/types";
import { parseRoute } from "@/state/router";
import { sent } from "@/test/page";
import { coverageOf, coverageText } from "./coverage";
import { shortId } from "./outline";
import { open as openPage, pageOf, user } from "./testing";

const page = pageOf(METRIC);
const metric = page.metrics[0] as StandardMetric;
const { measured, counts, does_not_count, definitions, also_to_be_discussed: discussed } = metric;
const [first, , third] = discussed as [Item, Item, Item];
const last = discussed.at(-1) as Item;
type Item = StandardMetric["measured"];
/** What the metric has not: something that may be added, and advice. */
const added: Item = {
  id: `${METRIC}.may_be_added.the-cost`,
  number: last.number + 1,
  term: null,
  text: "The cost of each tonne avoided.",
  states: [],
};
const in_review = "Set the target against the budget.";
const told = { ...page, in_review, metrics: [{ ...metric, in_review, may_be_added: [added] }] };
/** Items that have to be covered. */
const ALL = [measured, ...counts, ...does_not_count, ...definitions, ...discussed].length;

async function open() {
  const shown = openPage(
    METRIC,
    {},
    { "standards.page": ({ id }: StandardId) => (id === METRIC ? told : pageOf(id)) },
  );
  await waitFor(() => expect(document.querySelector("h2")).toHaveTextContent(page.label));
  return shown;
}
const checklist = (part = "Also to be discussed") => screen.findByRole("region", { name: part });
const items = async () => within(await checklist()).findAllByRole("listitem");
const status = async (number: number) =>
  screen.findByRole("button", { name: new RegExp(`^Status of item ${number}:`) });
const stored = () => sent<Review>("review.put").at(-1);

describe("a metric", () => {
  it("tells what counts, what does not, its terms, what may be added, and advice apart from them", async () => {
    await open();
    const part = (name: string) => screen.getByRole("region", { name });
    expect(part("Counts")).toHaveTextContent(counts[0]?.text ?? "?");
    expect(part("Does not count")).toHaveTextContent(does_not_count[0]?.text ?? "?");
    const [defined] = definitions;
    expect(within(part("Definitions")).getByText(defined?.term ?? "?").tagName).toBe("B");
    expect(part("Definitions")).toHaveTextContent(defined?.text ?? "?");
    expect(part("May be added")).toHaveTextContent(added.text);
    expect(screen.getByRole("complementary", { name: "In review" })).toHaveTextContent(
      "advice, not part of the standard",
    );
    expect(await items()).toHaveLength(discussed.length);
  });

  it("marks each item with the kind of what it states, and tells the words on demand", async () => {
    await open();
    const mark = within(await checklist("Does not count")).getByRole("button", {
      name: "What the standard asks for in item 4: excludes",
    });
    expect(mark).toHaveTextContent("excludes");
    expect(within(await checklist("Definitions")).getAllByText("definition")[0]).toBeVisible();
    expect(within(await checklist()).getAllByText("to be disclosed")).toHaveLength(discussed.length);
    await user.click(mark);
    const words = await screen.findByRole("dialog", { name: "What the standard asks for in item 4" });
    expect(words).toHaveTextContent(does_not_count[0]?.states[0]?.words ?? "?");
    await user.click(mark);
    await waitFor(() => expect(words).not.toBeInTheDocument());
    // What nothing is stated of has no mark.
    const without = within(await checklist("May be added"));
    expect(without.queryByRole("button", { name: /^What the standard asks for/ })).toBeNull();
  });

  it("counts the items that are covered, beside the metric and in its topic", async () => {
    await open();
    // What may be added is open.
    await waitFor(async () =>
      expect(await checklist("Measured")).toHaveTextContent(`2 of ${ALL} items covered`),
    );
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
    await open();
    await user.click(await status(last.number));
    await user.click(await screen.findByRole("menuitemradio", { name: /^Gap/ }));
    expect(await status(last.number)).toHaveTextContent("Gap");
    await waitFor(() =>
      expect(stored()).toMatchObject({
        paragraph_id: last.id,
        words: last.text,
        status: "gap",
      }),
    );
    expect(sent<Review>("review.put").every((each) => each.paragraph_id !== METRIC)).toBe(true);
  });

  it("is marked and noted by keys, which mean the metric elsewhere", async () => {
    await open();
    const button = await status(last.number);
    act(() => button.focus());
    await user.keyboard("2");
    expect(await status(last.number)).toHaveTextContent("Met");
    await waitFor(async () =>
      expect(await checklist("Measured")).toHaveTextContent(`3 of ${ALL} items covered`),
    );
    await user.keyboard("m");
    const note = await screen.findByRole("textbox", { name: `Note on item ${last.number}` });
    await waitFor(() => expect(note).toHaveFocus());
    await user.keyboard("p. 12{Escape}");
    await waitFor(() => expect(stored()).toMatchObject({ note: "p. 12", status: "met" }));
    expect(sent<Review>("review.put").every((each) => each.paragraph_id !== METRIC)).toBe(true);
    act(() => (document.activeElement as HTMLElement).blur());
    await waitFor(async () => {
      await user.keyboard("4");
      expect(stored()).toMatchObject({ paragraph_id: METRIC, status: "gap" });
    });
  });

  it("is marked in every part of the metric, and its status is found in the tree", async () => {
    await open();
    for (const { id, number, text } of [
      measured,
      counts[0],
      does_not_count[0],
      definitions[0],
      added,
    ] as Item[]) {
      const button = await status(number);
      act(() => button.focus());
      await user.keyboard("5");
      await waitFor(() => expect(stored()).toMatchObject({ paragraph_id: id, status: "not_applicable" }));
      expect(stored()?.words).toContain(text.slice(0, 20));
    }
    await user.click(await screen.findByRole("button", { name: "Status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: /^Not applicable/ }));
    const rows = () => [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
    await waitFor(() => expect(rows().some((row) => row.textContent?.includes(METRIC))).toBe(true));
  });

  it("says that its text has changed, and keeps the mark for the new words", async () => {
    await open();
    await waitFor(async () =>
      expect((await items())[2]).toHaveTextContent(`It read: “${third.text} And when.”`),
    );
    await user.click(screen.getByRole("button", { name: "Keep the mark" }));
    await waitFor(() => expect(stored()).toMatchObject({ words: third.text, status: "partly" }));
    expect(screen.queryByText(/It read:/)).not.toBeInTheDocument();
  });

  it("starts the search for evidence from its own words", async () => {
    await open();
    const find = within((await items())[0] as HTMLElement).getByRole("button", {
      name: "Find evidence for this item",
    });
    await user.click(find);
    const { id } = first;
    await waitFor(() => expect(sent<EvidenceRequest>("standards.evidence").at(-1)?.id).toBe(id));
    expect(parseRoute(window.location.hash).query.get("item")).toBe(id);
    expect(find).toHaveAttribute("aria-pressed", "true");
  });

  it("is found in the tree by its words and by its status", async () => {
    await open();
    await user.click(await screen.findByRole("button", { name: "Status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: /^Partly met/ }));
    const rows = () => [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
    await waitFor(() => expect(rows().some((row) => row.textContent?.includes(third.text))).toBe(true));
    expect(rows().some((row) => row.textContent?.includes(last.text))).toBe(false);
    const field = screen.getByRole("searchbox", { name: "Filter the standards" });
    fireEvent.change(field, { target: { value: "denominator intensity" } });
    await waitFor(() => expect(rows().some((row) => /Responses/.test(row.textContent ?? ""))).toBe(false));
  });

  it("is called by its metric and its first words", () => {
    expect(shortId(`${METRIC}.also_to_be_discussed.why-the-target`)).toBe(`${METRIC} why-the-target`);
    expect(shortId("EM-EP-000.A.counts.wells-drilled")).toBe("EM-EP-000.A wells-drilled");
    expect(shortId(`${METRIC}.measured`)).toBe(`${METRIC} measured`);
    for (const id of ["S2.14(a)", "S1.A.users", METRIC, "EM-EP-110a"])
      expect(shortId(id)).toBe(id.replace(/^S[12]\.(?:A\.)?/, ""));
  });
});
