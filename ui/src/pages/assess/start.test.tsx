// The sheet on which an assessment is started: what it counts, the name, and an import.

import { configure, renderHook, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { freshHandlers } from "@/api/fake/assess";
import { REPORT } from "@/api/fake/standards";
import { type FakeHandlers, fakeTransport } from "@/api/transport/fake";
import type { AssessmentSummary, PackImport, Review, ReviewStatus } from "@/api/types";
import { defineShortcuts } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href } from "@/state/router";
import { useToasts } from "@/state/toasts";
import { show } from "@/test/render";
import { clearToasts } from "@/test/toasts";
import AssessPage from "./index";
import { page } from "./page";

// Whether something is hidden is dear to find out in a large page, and nothing here hides.
configure({ defaultHidden: true });

function open(own: FakeHandlers = {}) {
  window.location.hash = href("assess", [], { edit: "new" });
  chooseTransport(fakeTransport({ ...handlers, ...freshHandlers(), ...own }));
  return show(
    <HeaderContext value={{ context: document.createElement("div"), actions: document.createElement("div") }}>
      <AssessPage />
    </HeaderContext>,
  );
}

const ready = () => waitFor(() => expect(screen.getByRole("button", { name: /^Start/ })).toBeEnabled());
const name = () => screen.getByRole("textbox", { name: "Name" });

beforeEach(() => {
  defineShortcuts(page.shortcuts ?? []);
  clearToasts();
});

describe("the number of decisions", () => {
  it("counts the metrics of an industry for its reports alone", async () => {
    open();
    await ready();
    const reports = screen
      .getAllByRole("checkbox")
      .filter((each) => /\d{4}$/.test(each.getAttribute("aria-label") ?? ""));
    const metrics = screen
      .getAllByText(/^\d+ metrics$/)
      .map((each) => Number.parseInt(each.textContent ?? "", 10));
    const climate = Number(
      screen.getByText("IFRS S2").closest("button")?.parentElement?.lastChild?.textContent,
    );
    const sum = metrics.reduce((all, each) => all + each, 0);
    expect(metrics.length).toBeGreaterThan(1);
    expect(screen.getByText("decisions in all").previousSibling).toHaveTextContent(
      String(climate * reports.length + sum),
    );
  });

  it("says how many are taken already, in whichever assessment", async () => {
    const of = (report_id: string, status: ReviewStatus, paragraph_id: string) =>
      ({ report_id, paragraph_id, status, words: "", note: "", passages: [], updated_at: "" }) as Review;
    open({
      "review.list": () => [
        of(REPORT, "met", "S2.6(a)(i)"),
        of(REPORT, "gap", "S2.6(a)(ii)"),
        of(REPORT, "open", "S2.6(a)(iii)"),
        of("elsewhere", "met", "S2.6(a)(i)"),
      ],
    });
    await ready();
    expect(
      await screen.findByText(
        /assessments share them\. 2 decisions on these reports have been taken already\.$/,
      ),
    ).toBeVisible();
  });
});

describe("the name", () => {
  it("that another assessment has is told at its field, and nothing starts", async () => {
    open();
    await ready();
    await userEvent.clear(name());
    await userEvent.type(name(), "FY2024 climate review");
    expect(name()).toHaveAccessibleDescription("Another assessment has this name. Choose another name.");
    expect(name()).toBeInvalid();
    expect(screen.getByRole("button", { name: /^Start/ })).toBeDisabled();
  });

  it("that is proposed is one that is free", async () => {
    const summary = (id: number, name: string): AssessmentSummary => ({
      id,
      name,
      reports: 1,
      requirements: 1,
      decided: 0,
      cells: 1,
      updated_at: "2025-11-19T14:31:01Z",
    });
    open({ "assess.list": () => [summary(1, "FY2024 review"), summary(2, "FY2024 review 2")] });
    await waitFor(() => expect(name()).toHaveValue("FY2024 review 3"));
  });
});

describe("an import", () => {
  it("says what came when it leads to its assessment", async () => {
    const done: PackImport = { assessment: 1, made: true, taken: 37, same: 0, conflicts: [], missing: [] };
    open({ "assess.import": () => done });
    await ready();
    const pack = Object.assign(new File(["{}"], "pack.json"), { text: () => Promise.resolve("{}") });
    await userEvent.upload(screen.getByTestId("taken-pack"), pack);
    expect(await screen.findByRole("treegrid")).toBeInTheDocument();
    expect(renderHook(useToasts).result.current.map(({ title }) => title)).toContain(
      "37 decisions imported.",
    );
  });
});
