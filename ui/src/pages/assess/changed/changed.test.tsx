// Two reports side by side: what changed, and decisions that are carried over.

import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { freshHandlers } from "@/api/fake/assess";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { AssessmentGrid, CarryOver, ReportColumn, ReportComparison } from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href } from "@/state/router";
import { show } from "@/test/render";
import AssessPage from "../index";
import { page } from "../page";
import { becomeReviewer } from "../reviewer";

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

const BEFORE = "northwind-energy-climate-report-2023";
const NORTHWIND = "northwind-energy-climate-report-2024";
const HALDEN = "halden-shipping-esg-2024";

let fake: FakeTransport;

async function open(query: Record<string, string> = {}, own: FakeHandlers = {}) {
  window.location.hash = href("assess", [], { from: BEFORE, to: NORTHWIND, ...query });
  fake = fakeTransport({ ...handlers, ...freshHandlers(), ...own });
  chooseTransport(fake);
  const slots = {
    context: document.body.appendChild(document.createElement("div")),
    actions: document.body.appendChild(document.createElement("div")),
  };
  show(
    <HeaderContext value={slots}>
      <AssessPage />
    </HeaderContext>,
  );
  await screen.findByRole("group", { name: "Kinds of change" });
}

const section = (id: string) =>
  screen.getByRole("region", { name: new RegExp(`^${id.replace(/[()]/g, "\\$&")} `) });
const options = () => within(screen.getByRole("listbox", { name: "Requirements" })).getAllByRole("option");
const confirmed = () =>
  fake.calls.filter(({ command }) => command === "assess.carry_over").map(({ input }) => input as CarryOver);
const press = async (key: string, more: KeyboardEventInit = {}) => {
  act(() => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, ...more });
    if (!handleKey(event)) fireEvent(document.body, event);
  });
  await act(async () => undefined);
};

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  becomeReviewer("M. Okafor");
});

describe("What changed", () => {
  it("marks the words that only one report has, on its side", async () => {
    await open();
    const plan = section("S2.14(a)(iv)");
    const words = (name: string) => [...plan.querySelectorAll(name)].map((each) => each.textContent);
    expect(words("del")).toContain("three");
    expect(words("ins")).toContain("four");
    expect(plan).toHaveTextContent("Reworded");
    const same = section("S2.14(a)(i)");
    expect(same).toHaveTextContent("same words");
    expect(same.querySelectorAll("del, ins")).toHaveLength(0);
  });

  it("says of which report nothing was found, and what was nearest", async () => {
    await open({ from: NORTHWIND, to: HALDEN });
    expect(section("S2.6(a)(i)")).toHaveTextContent(
      "Nearest, not used: “New directors spend two days on board.”",
    );
  });

  it("takes unknown issuers with other titles for two, and says that a passage has no counterpart", async () => {
    const fresh = freshHandlers();
    const unnamed = (columns: ReportColumn[]) =>
      columns.map((each) => ({
        ...each,
        issuer: null,
        title: each.report_id === NORTHWIND ? "Rail plan" : "Power plan",
      }));
    await open(
      {},
      {
        "assess.show": async (...asked) => {
          const grid = (await fresh["assess.show"]?.(...asked)) as AssessmentGrid;
          return { ...grid, columns: unnamed(grid.columns) };
        },
        "assess.compare": async (...asked) => {
          const given = (await fresh["assess.compare"]?.(...asked)) as ReportComparison;
          const [later, earlier] = unnamed([given.later, given.earlier]) as [ReportColumn, ReportColumn];
          const changes = given.changes.map((each) => ({
            ...each,
            pairs: each.pairs.flatMap((pair) => [
              { ...pair, later: null },
              { ...pair, earlier: null },
            ]),
          }));
          return { ...given, compared_as: "issuers", earlier, later, changes };
        },
      },
    );
    expect(screen.getByText("Two reports compared")).toBeInTheDocument();
    expect(screen.queryByText("What changed")).toBeNull();
    const plan = section("S2.14(a)(iv)");
    expect(plan).toHaveTextContent("No counterpart in Rail plan.");
    expect(plan).toHaveTextContent("No counterpart in Power plan.");
    expect(plan).not.toHaveTextContent("Nothing found");
    expect(plan).toHaveTextContent("Other words");
  });

  it("shows a restated figure with its difference", async () => {
    await open();
    const row = within(section("S2.29(e)")).getByRole("row", {
      name: /^Capital expenditure on the transition plan/,
    });
    expect(row).toHaveTextContent("1,210 million (75 %)1,240 million (77 %)restated");
  });

  it("is narrowed to a kind and to words", async () => {
    await open();
    const kinds = screen.getByRole("group", { name: "Kinds of change" });
    const restated = within(kinds).getByRole("button", { name: /^Restated/ });
    const count = Number(/\d+/.exec(restated.textContent ?? "")?.[0]);
    const all = options().length;
    await userEvent.click(restated);
    expect(options()).toHaveLength(count);
    for (const each of options()) expect(each).toHaveTextContent("Restated");
    expect(all).toBeGreaterThan(count);
    await userEvent.click(screen.getByRole("button", { name: /^All/ }));
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: "resourcing" } });
    await waitFor(() => expect(options()).toHaveLength(1));
    expect(options()[0]).toHaveTextContent("Resourcing of climate activities");
  });

  it("confirms a carried decision by Enter, and all that are the same by Shift+Enter", async () => {
    await open({ at: "S2.14(a)(v)" });
    expect(section("S2.14(a)(v)")).toHaveTextContent("Partly?");
    await press("Enter");
    await waitFor(() => expect(section("S2.14(a)(v)")).not.toHaveTextContent("Partly?"));
    expect(confirmed().map(({ requirements }) => requirements)).toEqual([["S2.14(a)(v)"]]);
    await press("Enter", { shiftKey: true });
    // What is gone is decided again, and never confirmed with the others.
    await waitFor(() => expect(confirmed()).toHaveLength(2));
    expect(confirmed()[1]?.requirements).toEqual(["S2.14(a)(i)"]);
    expect(section("S2.14(b)")).toHaveTextContent("Decide again");
  });

  it("takes back what was confirmed", async () => {
    await open({ at: "S2.14(a)(v)" });
    await press("Enter");
    await waitFor(() => expect(section("S2.14(a)(v)")).not.toHaveTextContent("Partly?"));
    await press("z", { ctrlKey: true });
    await waitFor(() => expect(section("S2.14(a)(v)")).toHaveTextContent("Partly?"));
  });
});
