import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { freshHandlers } from "@/api/fake/assess";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { Propose } from "@/api/types";
import { defineShortcuts } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href } from "@/state/router";
import { show } from "@/test/render";
import AssessPage from "./index";
import { page } from "./page";
import { becomeReviewer } from "./reviewer";

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

const PROPOSED: Propose = {
  id: 1,
  requirement: "S2.14(a)(v)",
  report_id: "northwind-energy-climate-report-2024",
  program: "first-reader",
  finding: "partly",
  reason: "It names the assumptions and gives no sum.",
  quotes: [{ quote: "The plan rests on four assumptions", page: 7 }],
};
const CELL = /^14\(a\)\(v\), Northwind Energy plc 2024/;

let fake: FakeTransport;

function open(query: Record<string, string> = {}, own: FakeHandlers = {}) {
  window.location.hash = href("assess", [], {
    at: PROPOSED.requirement,
    report: PROPOSED.report_id,
    ...query,
  });
  const fresh = freshHandlers();
  fresh["assess.propose"]?.(PROPOSED, { tell: () => undefined, wait: () => Promise.resolve() } as never);
  fake = fakeTransport({ ...handlers, ...fresh, ...own });
  chooseTransport(fake);
  const slots = {
    context: document.body.appendChild(document.createElement("div")),
    actions: document.body.appendChild(document.createElement("div")),
  };
  return show(
    <HeaderContext value={slots}>
      <AssessPage />
    </HeaderContext>,
  );
}

const frame = () => screen.findByRole("group", { name: "Proposed by first-reader" });
const asked = (command: string) => fake.calls.filter((each) => each.command === command);

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  becomeReviewer("M. Okafor");
});

describe("what a program proposes", () => {
  it("is marked in the grid, told beside it, and decides nothing", async () => {
    open();
    expect(await screen.findByRole("gridcell", { name: CELL })).toHaveTextContent(
      /to confirm, proposed by first-reader/,
    );
    expect(await screen.findByRole("gridcell", { name: /^14\(a\), Northwind.* 2024: 3 of 5/ })).toBeTruthy();
    const own = within(await frame());
    expect(own.getByText("Proposes: Partly met")).toBeInTheDocument();
    expect(own.getByText(PROPOSED.reason)).toBeInTheDocument();
    await userEvent.click(own.getByRole("button", { name: "Show quote 1, p. 7" }));
    expect(window.location.hash).toMatch(/^#\/chunk-lab\?.*at=6053-/);
  });

  it("is decided by who confirms it, and can be taken back", async () => {
    open();
    await userEvent.click(
      within(await frame()).getByRole("button", { name: "Confirm Partly met, proposed by first-reader" }),
    );
    expect(await screen.findByText("Partly met. 24 open.")).toBeInTheDocument();
    expect(asked("assess.confirm").map(({ input }) => input)).toEqual([
      { id: 1, proposal: 1, reviewer: "M. Okafor" },
    ]);
    expect(
      await screen.findByRole("gridcell", { name: /^14\(a\)\(v\), Northwind.* 2024: Partly met/ }),
    ).toBeTruthy();
    expect(
      await screen.findByText(/^Partly met, proposed by first-reader, confirmed by M. Okafor/),
    ).toBeInTheDocument();
    expect(screen.queryByRole("group", { name: /^Proposed by/ })).toBeNull();
    await act(async () => void fireEvent.keyDown(window, { key: "z", ctrlKey: true }));
    await waitFor(() =>
      expect(asked("assess.decide").at(-1)?.input).toMatchObject({
        requirements: [PROPOSED.requirement],
        status: "open",
        note: "",
        passages: [],
      }),
    );
  });

  it("is gone when it is dismissed, and the cell stays open", async () => {
    open({ only: "proposed" });
    await userEvent.click(
      within(await frame()).getByRole("button", { name: "Dismiss the proposal by first-reader" }),
    );
    expect(await screen.findByText("The proposal by first-reader is dismissed.")).toBeInTheDocument();
    expect(asked("assess.dismiss").map(({ input }) => input)).toEqual([{ id: 1, proposal: 1 }]);
    expect(asked("assess.confirm")).toEqual([]);
    await waitFor(() => expect(screen.queryByRole("group", { name: /^Proposed by/ })).toBeNull());
  });

  it("says why it cannot be confirmed", async () => {
    open(
      {},
      {
        "assess.confirm": () => {
          throw {
            code: "invalid",
            message: "the quote no longer stands in the report; dismiss the proposal",
          };
        },
      },
    );
    const own = within(await frame());
    await userEvent.click(own.getByRole("button", { name: /^Confirm/ }));
    expect(await screen.findByRole("alert")).toHaveTextContent(
      "The quote no longer stands in the report; dismiss the proposal",
    );
    expect(await frame()).toBeInTheDocument();
  });
});

describe("a run that was stopped", () => {
  it("says how far it came, and goes on", async () => {
    open({}, { "assess.run": (_, { wait }) => wait(60_000) });
    expect(await screen.findByText(/^Stopped at \d+ of 52\.$/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Resume" }));
    expect(asked("assess.run")).toHaveLength(1);
    expect(await screen.findByText("Proposing")).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(await screen.findByText(/^Stopped at \d+ of 52\.$/)).toBeInTheDocument();
  });
});
