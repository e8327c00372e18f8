import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { page as standardPage } from "@/api/fake/standards/page";
import { recorded } from "@/api/recording";
import type { Edition } from "@/api/types";
import { href } from "@/state/router";
import { sent } from "@/test/page";
import { heading, open, place, user, waitForElement } from "./testing";

describe("the reading pane", () => {
  it("tells all that is linked to a paragraph", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    const crumbs = screen.getByRole("navigation", { name: "Location in the standard" });
    expect(crumbs).toHaveTextContent("IFRS S2StrategyStrategy and decision-making1414(a)");
    for (const fact of ["Requirement", "Mandatory"]) expect(screen.getByText(fact)).toBeInTheDocument();
    const counterpart = screen.getByRole("region", { name: "S1 counterpart" });
    expect(counterpart).toHaveTextContent("S1.33(a)generalResponse to risks, with plans");
    expect(counterpart).toHaveTextContent("S2.14(a)addsclimate only(i) Business model");
    expect(
      within(counterpart).getByRole("link", { name: /^\(iv\) Climate transition plan/ }),
    ).toHaveAttribute("href", href("standards", ["S2.14(a)(iv)"]));
    expect(screen.getByRole("region", { name: "Refers to" })).toHaveTextContent("S2.33");
    expect(screen.getByRole("region", { name: "Referred to by" })).toHaveTextContent("S2.9(c)");
    expect(screen.getByRole("region", { name: "Defined terms" })).toHaveTextContent("Value chain");
    const chunk = within(screen.getByRole("region", { name: "Chunks of this paragraph" })).getAllByRole(
      "link",
    )[0];
    expect(chunk?.getAttribute("href")).toMatch(/^#\/chunk-lab\?document=3&chunk=[0-9a-f]{16}$/);
    expect(screen.queryByRole("link", { name: /what is the company doing/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Found by 8 phrasings", expanded: false }));
    expect(within(screen.getByRole("list", { name: "Phrasings" })).getAllByRole("link")).toHaveLength(8);
    expect(screen.getByRole("link", { name: /what is the company doing/ })).toHaveAttribute(
      "href",
      href("search-lab", [], { q: "what is the company doing about climate" }),
    );
  });

  it("adds phrasings that it is found by, marks them, and removes them", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    await user.click(screen.getByRole("button", { name: "Found by 8 phrasings" }));
    expect(screen.getByRole("button", { name: "Add" })).toBeDisabled();
    // Without a click: nothing has a size here, so that it would be taken for one on the edge of a pane.
    screen.getByRole("textbox", { name: "New phrasing" }).focus();
    await user.keyboard(" how do we get to zero {Enter}");
    await screen.findByRole("button", { name: "Found by 9 phrasings" });
    const added = within(screen.getByRole("list", { name: "Phrasings" })).getAllByRole("listitem")[8];
    expect(added).toHaveTextContent("how do we get to zero added by hand");
    expect(screen.getByRole("textbox", { name: "New phrasing" })).toHaveValue("");
    // What the text itself gives stays.
    expect(screen.getAllByText("added by hand")).toHaveLength(1);
    await user.click(screen.getByRole("button", { name: "Remove “how do we get to zero”" }));
    await screen.findByRole("button", { name: "Found by 8 phrasings" });
    expect(screen.queryByText("added by hand")).toBeNull();
  });

  it("says where a counterpart is that of what lies around an item", async () => {
    open("S2.14(a)(iv)");
    const counterpart = await screen.findByRole("region", { name: "S1 counterpart" });
    expect(counterpart).toHaveTextContent("S1.33(a)generalpaired with S2.14(a)");
  });

  it("tells a defined term on focus, and opens it", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    const term = screen.getAllByRole("link", { name: "business model" })[0] as HTMLElement;
    act(() => term.focus());
    expect(await screen.findByRole("tooltip")).toHaveTextContent("turns inputs into outputs");
    await user.keyboard("{Enter}");
    await heading("Business model");
    expect(screen.getByRole("region", { name: "Used in" })).toHaveTextContent("S2.14(a)(i)");
  });

  it("follows ids in the text, goes on and back by keys, and jumps to the counterpart", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    fireEvent.keyDown(document.body, { key: "j" });
    await heading("Business model and resource allocation changes");
    fireEvent.keyDown(document.body, { key: "k" });
    await heading("Responses and target-achievement plans");
    await user.click(screen.getByRole("link", { name: "S2.13" }));
    await heading("Effects on business model and value chain");
    act(() => {
      window.location.hash = href("standards", ["S2.14(a)"]);
    });
    await heading("Responses and target-achievement plans");
    fireEvent.keyDown(document.body, { key: "c" });
    await heading("Response to risks, with plans");
  });

  it("narrows SASB topics to an industry and keeps it", async () => {
    const { unmount } = open("S2.14(a)");
    const topics = await screen.findByRole("region", { name: "Related SASB topics" });
    expect(within(topics).getAllByRole("link")).toHaveLength(12);
    const named = within(topics)
      .getAllByRole("link")
      .map((link) => link.textContent);
    expect(named).toContain("EM-CO-110aCoal OperationsGreenhouse Gas Emissions");
    await user.click(within(topics).getByRole("button", { name: "Show all 26" }));
    expect(within(topics).getAllByRole("link")).toHaveLength(26);
    await user.click(within(topics).getByRole("combobox", { name: "Industry" }));
    await user.click(await screen.findByRole("option", { name: "Coal Operations" }));
    expect(
      within(topics)
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual(["EM-CO-110aGreenhouse Gas Emissions", "EM-CO-420aReserves Valuation"]);
    unmount();
    open("S2.14(a)");
    const again = await screen.findByRole("region", { name: "Related SASB topics" });
    expect(within(again).getAllByRole("link")).toHaveLength(2);
  });

  it("shows the metrics of a topic with their units, each of which opens", async () => {
    open("EM-EP-110a");
    const table = within(await screen.findByRole("region", { name: "Metrics" })).getByRole("table");
    expect(within(table).getAllByRole("row")).toHaveLength(4);
    expect(table).toHaveTextContent("Metric tonnes CO₂-e (t), Percentage (%)");
    await user.click(within(table).getByRole("link", { name: "EM-EP-110a.3" }));
    await heading("Emissions strategy and targets");
  });

  it("sets the reader's own copy beside the explanation, as words only", async () => {
    open("S2.14(a)");
    await user.click(await screen.findByRole("radio", { name: "With your copy" }));
    const copy = screen.getByRole("region", { name: "Your licensed copy" });
    expect(copy).toHaveTextContent("<b>Nothing in it is markup.</b>");
    expect(copy.querySelector("b")).toBeNull();
    // A line that was wrapped by hand goes on, and stars are no words.
    expect(copy.querySelector("p")?.textContent).toMatch(
      /^14\(a\) The words of the standard as the reader’s own copy/,
    );
    act(() => {
      window.location.hash = href("standards", ["S2.13"]);
    });
    await heading("Effects on business model and value chain");
    expect(screen.getByRole("link", { name: /Import your licensed copy/ })).toHaveAttribute(
      "href",
      "#/library?add=licensed",
    );
  });

  it("says what change to the standard of an industry is under way", async () => {
    open("EM-EP");
    expect(await screen.findByText("Pending change:")).toBeInTheDocument();
    expect(screen.getByText(/exposure draft of 3 July 2025/)).toBeInTheDocument();
  });

  it("says what was amended", async () => {
    open("S2.29(a)");
    await screen.findByText("Amended December 2025:");
  });

  it("switches the edition of IFRS S2 and says where the standards stand", async () => {
    open("S2.14(a)(iv)");
    const edition = within(await screen.findByRole("radiogroup", { name: "Edition of IFRS S2" }));
    expect(edition.getByRole("radio", { name: "As issued June 2023" })).toHaveAttribute(
      "aria-checked",
      "true",
    );
    await user.click(edition.getByRole("radio", { name: "As amended December 2025" }));
    await waitFor(() =>
      expect(sent("standards.page")).toContainEqual({ id: "S2.14(a)(iv)", edition: "2025-12" }),
    );
    expect(sent("standards.tree")).toContainEqual({ edition: "2025-12" });
    expect(window.location.hash).toContain("edition=2025-12");
    await user.click(screen.getByRole("button", { name: "Versions and use" }));
    const dialog = within(await screen.findByRole("dialog", { name: /Versions, drafts and use/ }));
    const { context } = recorded("standards.orientation", {});
    expect(dialog.getByText(context.notice)).toBeVisible();
    expect(dialog.getByText(/Applies to periods that begin on or after 2027-01-01/)).toBeVisible();
    for (const { definition, date, sources, confidence } of context.counts) {
      const entry = dialog.getByText(definition, { exact: false, selector: "li" });
      expect(entry).toHaveTextContent(`${date} · ${sources.join("; ")} · ${confidence} confidence`);
    }
  });

  it("shows both editions of an amended paragraph side by side, with what changed in words", async () => {
    const version = (edition: Edition, prose: string, changed: string | null) => ({
      edition,
      prose,
      items: [],
      changed,
      not_settled: changed && "details of the wording.",
    });
    open(
      "S2.14(a)(iv)",
      {},
      {
        "standards.page": (input) => ({
          ...standardPage((input as { id: string }).id),
          editions: ["2023-06"],
          versions: [
            version("2023-06", "All of it.", null),
            version("2025-12", "All or a part.", "A part counts as well."),
          ],
        }),
      },
    );
    const both = within(await screen.findByRole("region", { name: "Both editions" }));
    const before = within(both.getByRole("region", { name: "As issued June 2023" }));
    const now = within(both.getByRole("region", { name: "As amended December 2025" }));
    expect(before.getByText("All of it.")).toBeVisible();
    expect(before.getByText("Shown")).toBeVisible();
    expect(now.getByText("All or a part.")).toBeVisible();
    expect(now.getByText("What changed:").parentElement).toHaveTextContent("A part counts as well.");
    expect(now.getByText("Not settled:").parentElement).toHaveTextContent("details of the wording.");
  });

  it("copies id and citation", async () => {
    open("S2.14(a)(iv)");
    await heading("Climate transition plan, assumptions, dependencies");
    await user.click(screen.getByRole("button", { name: "Copy reference" }));
    await user.click(await screen.findByRole("menuitem", { name: "Copy id" }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe("S2.14(a)(iv)"));
    fireEvent.keyDown(document.body, { key: "R", ctrlKey: true, shiftKey: true });
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe("IFRS S2, paragraph 14(a)(iv)"),
    );
  });

  it("names the nearest ids for one that is unknown", async () => {
    open("S2.14(a)(vii)");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("The standards don’t contain S2.14(a)(vii)");
    const evidence = screen.getByRole("region", { name: "Evidence in reports" });
    expect(within(evidence).getByText("Evidence in reports")).toBeInTheDocument();
    expect(within(evidence).getByText("No paragraph is open.")).toBeInTheDocument();
    await user.click(within(alert).getByRole("link", { name: /S2\.14\(a\)Responses/ }));
    await heading("Responses and target-achievement plans");
  });

  it.each([
    ["S2", "S2"],
    ["ifrs-s1", "S1"],
    ["SASB", "SASB"],
  ])("opens the first paragraph of a body that is named as a whole: %s", async (named, body) => {
    open(named);
    await waitFor(() => expect(place().path[0]).not.toBe(named));
    await waitForElement("h1, h2");
    const first = place().path[0] ?? "";
    expect(place().query.get("in")).toBe(body);
    expect(body === "SASB" ? !/^S[12]\./.test(first) : first.startsWith(`${body}.`)).toBe(true);
    expect(sent("standards.page")).toContainEqual({ id: first });
    expect(sent("standards.page")).not.toContainEqual({ id: named });
  });

  it("opens the first paragraph, and later where it was left", async () => {
    const { unmount } = open("");
    await heading("Aim: decision-useful information");
    act(() => {
      window.location.hash = href("standards", ["S2.6"]);
    });
    await heading("Who oversees climate matters");
    unmount();
    open("");
    await heading("Who oversees climate matters");
  });
});
