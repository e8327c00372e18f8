// The ways through the grid: the next open item, the filter, and what a row is called.

import { act, configure, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { freshHandlers } from "@/api/fake/assess";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type { AssessmentGrid } from "@/api/types";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href } from "@/state/router";
import { useToasts } from "@/state/toasts";
import { show } from "@/test/render";
import { clearToasts } from "@/test/toasts";
import AssessPage from "./index";
import { page } from "./page";

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

const METRIC = "IF-EU-110a.1";
let fake: FakeTransport;

/** An assessment whose metric is asked of one report alone. */
function ofOneReport(): FakeHandlers {
  const { "assess.show": grid, ...rest } = freshHandlers();
  return {
    ...rest,
    "assess.show": async (...asked: Parameters<NonNullable<typeof grid>>) => {
      const given = (await grid?.(...asked)) as AssessmentGrid;
      const narrowed = given.rows.map((row) =>
        row.id === METRIC ? { ...row, reports: ["northwind-energy-climate-report-2024"] } : row,
      );
      return { ...given, rows: narrowed };
    },
  };
}

function open(query: Record<string, string>) {
  window.location.hash = href("assess", [], query);
  fake = fakeTransport({ ...handlers, ...ofOneReport() });
  chooseTransport(fake);
  return show(
    <HeaderContext value={{ context: document.createElement("div"), actions: document.createElement("div") }}>
      <AssessPage />
    </HeaderContext>,
  );
}

const type = async (key: string) => {
  act(() => void handleKey(new KeyboardEvent("keydown", { key })));
  await act(async () => undefined);
};
const current = () => document.querySelector("[data-cell][tabindex='0'] .sr-only")?.textContent ?? "";
const said = () => renderHook(useToasts).result.current.at(-1)?.title;

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  clearToasts();
});

describe("the next open item", () => {
  it("is one that is asked of the report, and another report is named", async () => {
    open({ at: "S2.29(e)", report: "aurelia-cement-annual-2024" });
    await screen.findByRole("gridcell", { name: /^29\(e\), Aurelia/ });
    await type("n");
    expect(current()).toMatch(/^6\(a\)\(i\), Halden Shipping ASA 2024/);
    expect(said()).toBe("Now in Halden Shipping ASA 2024");
  });
});

describe("a requirement that is not asked of a report", () => {
  it("cannot be decided, and a key says why", async () => {
    open({ at: METRIC, report: "aurelia-cement-annual-2024" });
    expect(
      await screen.findByText("Out of scope for Aurelia Cement S.A. 2024: there is nothing to decide here."),
    ).toBeInTheDocument();
    expect(screen.queryByRole("radiogroup", { name: "Decision" })).toBeNull();
    await type("4");
    expect(fake.calls.some(({ command }) => command === "assess.decide")).toBe(false);
    expect(said()).toBe(
      `${METRIC} is out of scope for Aurelia Cement S.A. 2024, so there is nothing to decide.`,
    );
  });
});

describe("the filter", () => {
  it("leads into the first row that it leaves, in a report that is asked for it", async () => {
    open({ at: "S2.14(b)", report: "halden-shipping-esg-2024" });
    await screen.findByRole("gridcell", { name: /^14\(b\), Halden/ });
    const field = screen.getByRole("searchbox", { name: "Filter the requirements" });
    act(() => field.focus());
    await userEvent.keyboard("IF-EU{Enter}");
    await waitFor(() => expect(document.activeElement).toHaveAttribute("role", "gridcell"));
    expect(current()).toMatch(/^IF-EU-110a\.1, Northwind Energy plc 2024/);
  });

  it("is emptied and left by Escape, and the cell of before is in use again", async () => {
    open({ at: "S2.14(b)", report: "halden-shipping-esg-2024" });
    await screen.findByRole("gridcell", { name: /^14\(b\), Halden/ });
    const field = screen.getByRole("searchbox", { name: "Filter the requirements" });
    act(() => field.focus());
    await userEvent.keyboard("IF-EU");
    await waitFor(() => expect(current()).toMatch(/^IF-EU/));
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toHaveAttribute("role", "gridcell"));
    expect(field).toHaveValue("");
    await waitFor(() => expect(current()).toMatch(/^14\(b\), Halden/));
  });
});

describe("the name of a row", () => {
  it("parts its levels by commas", async () => {
    open({});
    const name = "14(a)(iv), Climate transition plan, assumptions, dependencies";
    expect(await screen.findByRole("rowheader", { name })).toBeInTheDocument();
    expect(screen.getByRole("rowheader", { name: /^6\(a\), .*, 4 requirements$/ })).toBeInTheDocument();
  });
});
