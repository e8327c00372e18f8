import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { enterWorkspace } from "@/api/client";
import { REPORT, standardsHandlers } from "@/api/fake/standards";
import type { Review } from "@/api/types";
import { href, navigate } from "@/state/router";
import { fake, sent } from "@/test/page";
import { heading, open, pageOf, passages, place, treeItem, user, waitForElement } from "./testing";

describe("the review", () => {
  const status = (name: string) => screen.getByRole("radio", { name });

  it("stores a status at once and a note as it is written, and shows both in the tree", async () => {
    open("S2.14(a)(v)");
    await heading("How climate targets will be achieved");
    await screen.findByRole("radiogroup", { name: "Status" });
    fireEvent.keyDown(document.body, { key: "2" });
    await waitFor(() => expect(status("Met")).toBeChecked());
    await treeItem(/How climate targets will be achieved.*Met/);
    fireEvent.keyDown(document.body, { key: "m" });
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: "Reviewer’s note" }));
    await user.keyboard("Levers on p. 40");
    await waitFor(() =>
      expect(sent<Review>("review.put").at(-1)).toMatchObject({
        report_id: REPORT,
        paragraph_id: "S2.14(a)(v)",
        status: "met",
        note: "Levers on p. 40",
      }),
    );
    expect(sent("review.put").length).toBeLessThan(6);
  });

  it("keeps nothing before what is stored is known, and says what keeps it from being read", async () => {
    const stored = standardsHandlers();
    let answer: (() => void) | undefined;
    let broken = true;
    open(
      "S2.14(a)",
      {},
      {
        ...stored,
        "review.list": async (input, call) => {
          await new Promise<void>((done) => {
            answer = done;
          });
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return stored["review.list"]?.(input, call);
        },
      },
    );
    await heading("Responses and target-achievement plans");
    await passages();
    const press = async () => {
      for (const key of ["2", "i", "n"]) fireEvent.keyDown(document.body, { key });
      expect(screen.queryByRole("radiogroup", { name: "Status" })).toBeNull();
      expect(screen.queryByRole("textbox", { name: "Reviewer’s note" })).toBeNull();
      expect(screen.queryByRole("button", { name: /^Pin/ })).toBeNull();
    };
    await screen.findByRole("status", { name: "Loading the review" });
    await press();
    answer?.();
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The review couldn’t be loaded. Disk I/O error");
    await press();
    broken = false;
    await user.click(within(alert).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(sent("review.list").length).toBe(2));
    answer?.();
    await waitFor(() => expect(status("Partly met")).toBeChecked());
    expect(sent("review.put")).toEqual([]);
    fireEvent.keyDown(document.body, { key: "2" });
    await waitFor(() =>
      expect(sent<Review>("review.put").at(-1)).toMatchObject({
        status: "met",
        note: expect.stringMatching(/^Assumptions are named/),
      }),
    );
  });

  it("keeps a note that is left in haste", async () => {
    open("S2.14(a)(v)");
    await heading("How climate targets will be achieved");
    act(() => screen.getByRole("textbox", { name: "Reviewer’s note" }).focus());
    await user.keyboard("In haste");
    act(() => {
      window.location.hash = href("standards", ["S2.6"]);
    });
    await heading(pageOf("S2.6").label);
    await waitFor(() =>
      expect(sent<Review>("review.put").at(-1)).toMatchObject({
        paragraph_id: "S2.14(a)(v)",
        note: "In haste",
      }),
    );
    expect(screen.getByRole("textbox", { name: "Reviewer’s note" })).toHaveValue("");
  });

  it("goes to the next open item by N and from the note, and says where nothing is open", async () => {
    open("S2.14(a)(iv)");
    await heading("Climate transition plan, assumptions, dependencies");
    fireEvent.keyDown(document.body, { key: "n" });
    await heading("How climate targets will be achieved");
    act(() => screen.getByRole("textbox", { name: "Reviewer’s note" }).focus());
    await user.keyboard("Done{Control>}{Enter}{/Control}");
    await heading("Resourcing of climate activities");
    expect(sent<Review>("review.put").at(-1)?.note).toBe("Done");
    fireEvent.keyDown(document.body, { key: "N", shiftKey: true });
    await heading("How climate targets will be achieved");
  });

  it("is of one report at a time", async () => {
    open("S2.14(a)");
    await waitFor(() => expect(status("Partly met")).toBeChecked());
    await user.click(screen.getByRole("combobox", { name: "Report under review" }));
    await user.click(await screen.findByRole("option", { name: /Aurelia.* · 2024$/ }));
    await waitFor(() => expect(status("Not reviewed")).toBeChecked());
    expect(place().query.get("report")).toBe("aurelia-cement-annual-2024");
    const closed = screen.getByRole("combobox", { name: "Report under review" }).closest("[data-tip]");
    expect(closed).toHaveTextContent(/^Aurelia Cement.*Aurelia Cement S\.A\. · 2024$/);
  });

  it("says that a finding was not stored, keeps its words and tries again", async () => {
    let broken = true;
    const stored = standardsHandlers();
    open(
      "S2.14(a)(v)",
      {},
      {
        ...stored,
        "review.put": (review, call) => {
          if (broken) throw { code: "storage", message: "disk full" };
          return stored["review.put"]?.(review, call);
        },
      },
    );
    await heading("How climate targets will be achieved");
    act(() => screen.getByRole("textbox", { name: "Reviewer’s note" }).focus());
    await user.keyboard("Kept");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Not saved. Disk full.");
    expect(screen.getByRole("textbox", { name: "Reviewer’s note" })).toHaveValue("Kept");
    broken = false;
    await user.click(within(alert).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    expect(sent<Review>("review.put").at(-1)?.note).toBe("Kept");
  });

  it("tells what could not be saved once the person has moved on, keeps it, and saves it on Retry", async () => {
    let broken = true;
    const stored = standardsHandlers();
    open(
      "S2.14(a)(v)",
      {},
      {
        ...stored,
        "review.put": async (review, call) => {
          await call.wait(20);
          if (broken) throw { code: "storage", message: "disk full" };
          return stored["review.put"]?.(review, call);
        },
      },
    );
    await heading("How climate targets will be achieved");
    act(() => screen.getByRole("textbox", { name: "Reviewer’s note" }).focus());
    await user.keyboard("Kept");
    act(() => navigate(href("standards", ["S2.14(a)(iv)"])));
    await heading("Climate transition plan, assumptions, dependencies");
    const toast = await waitForElement(".toast");
    expect(toast).toHaveTextContent("The review of 14(a)(v) couldn’t be saved");
    expect(toast).toHaveTextContent("Disk full.");
    act(() => navigate(href("standards", ["S2.14(a)(v)"])));
    await heading("How climate targets will be achieved");
    expect(screen.getByRole("textbox", { name: "Reviewer’s note" })).toHaveValue("Kept");
    broken = false;
    await user.click(within(toast).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(screen.queryByText("Not saved.")).toBeNull());
    expect(sent<Review>("review.put").at(-1)).toMatchObject({ paragraph_id: "S2.14(a)(v)", note: "Kept" });
    expect(document.querySelector(".toast")).toBeNull();
  });

  it("is stored in the workspace that it was typed in, whichever is entered next", async () => {
    const stored = standardsHandlers();
    open(
      "S2.14(a)(v)",
      {},
      {
        ...stored,
        "review.put": async (review, call) => {
          await call.wait(20);
          return stored["review.put"]?.(review, call);
        },
      },
    );
    await heading("How climate targets will be achieved");
    await user.click(await screen.findByRole("radio", { name: "Met" }));
    act(() => screen.getByRole("textbox", { name: "Reviewer’s note" }).focus());
    await user.keyboard("Typed here");
    act(() => enterWorkspace("elsewhere"));
    await waitFor(() =>
      expect(sent<Review>("review.put").some((review) => review.note === "Typed here")).toBe(true),
    );
    const into = fake.calls.filter(({ command }) => command === "review.put");
    expect(new Set(into.map(({ workspace }) => workspace))).toEqual(new Set(["default"]));
    enterWorkspace("default");
  });

  it("is exported as a file, and copied", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    await user.click(await screen.findByRole("button", { name: "Export review" }));
    await user.click(await screen.findByRole("menuitem", { name: /^Save “Northwind.*CSV$/ }));
    const told = await screen.findByText(/^\d+ findings exported$/);
    const [saved] = sent<{ name: string; text: string }>("shell.save_text");
    expect(saved?.name).toMatch(new RegExp(`^review-${REPORT}-\\d{4}-\\d\\d-\\d\\d\\.csv$`));
    expect(saved?.text).toMatch(/^\ufeffreport,report_title,paragraph,label,status,note\r\n/);
    const count = Number.parseInt(told.textContent ?? "", 10);
    expect(saved?.text.trim().split("\r\n")).toHaveLength(count + 1);
    expect(sent("review.export")).toEqual([{ report_id: REPORT, format: "csv" }]);
    await user.click(screen.getByRole("button", { name: "Copy instead" }));
    await screen.findByText(`${count} findings copied as CSV`);
    expect(await navigator.clipboard.readText()).toMatch(
      /^report,report_title,paragraph,label,status,note\r\n/,
    );
  });

  it("is exported as data", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    await user.click(await screen.findByRole("button", { name: "Export review" }));
    await user.click(await screen.findByRole("menuitem", { name: "Save all reports as JSON" }));
    await screen.findByText(/^\d+ findings exported$/);
    const [saved] = sent<{ name: string; text: string }>("shell.save_text");
    expect(saved?.name).toMatch(/^review-all-\d{4}-\d\d-\d\d\.json$/);
    const findings: { paragraph: string; report: string }[] = JSON.parse(saved?.text ?? "");
    expect(findings).toContainEqual(expect.objectContaining({ report: REPORT }));
    expect(sent("review.export")).toEqual([{ report_id: null, format: "json" }]);
  });
});
