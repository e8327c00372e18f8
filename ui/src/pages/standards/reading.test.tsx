import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import type { Edition } from "@/api/types";
import { href } from "@/state/router";
import { sent } from "@/test/page";
import { heading, open, pageOf, place, user, waitForElement } from "./testing";

describe("the reading pane", () => {
  it("tells all that is linked to a paragraph", async () => {
    const page = pageOf("S2.14");
    const [[counter], [added], [cited], [citing], [term], [part]] = [
      page.counterparts,
      page.adds,
      page.cites,
      page.cited_by,
      page.terms,
      page.chunks,
    ];
    open("S2.14");
    await heading(page.label);
    const crumbs = screen.getByRole("navigation", { name: "Location in the standard" });
    expect(crumbs).toHaveTextContent([...page.breadcrumb.map(([label]) => label), "14"].join(""));
    for (const fact of ["Requirement", "Mandatory"]) expect(screen.getByText(fact)).toBeInTheDocument();
    const counterpart = screen.getByRole("region", { name: "S1 counterpart" });
    for (const words of [`${counter?.id}general`, counter?.label])
      expect(counterpart).toHaveTextContent(words ?? "?");
    expect(counterpart).toHaveTextContent("S2.14addsclimate only");
    expect(
      within(counterpart).getByRole("link", { name: (words) => words.endsWith(added?.label ?? "?") }),
    ).toHaveAttribute("href", href("standards", [added?.id ?? ""]));
    expect(screen.getByRole("region", { name: "Refers to" })).toHaveTextContent(cited?.id ?? "?");
    expect(screen.getByRole("region", { name: "Referred to by" })).toHaveTextContent(citing?.id ?? "?");
    expect(screen.getByRole("region", { name: "Defined terms" })).toHaveTextContent(term?.name ?? "?");
    const chunk = within(screen.getByRole("region", { name: "Chunks of this paragraph" })).getAllByRole(
      "link",
    )[0];
    expect(chunk?.getAttribute("href")).toBe(
      `#/chunk-lab?document=${part?.document_id}&chunk=${part?.chunk_id}`,
    );
    const [phrase = "?"] = page.asked_as;
    expect(screen.queryByRole("link", { name: phrase })).toBeNull();
    const folded = `Found by ${page.asked_as.length} phrasings`;
    await user.click(screen.getByRole("button", { name: folded, expanded: false }));
    expect(within(screen.getByRole("list", { name: "Phrasings" })).getAllByRole("link")).toHaveLength(
      page.asked_as.length,
    );
    expect(screen.getByRole("link", { name: phrase })).toHaveAttribute(
      "href",
      href("search-lab", [], { q: phrase }),
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
    const page = pageOf("S2.14(a)(i)");
    open(page.id);
    await heading(page.label);
    const term = screen.getAllByRole("link", { name: "business model" })[0] as HTMLElement;
    act(() => term.focus());
    const [defined] = page.terms;
    expect(await screen.findByRole("tooltip")).toHaveTextContent(defined?.definition.slice(0, 60) ?? "?");
    await user.keyboard("{Enter}");
    await heading("Business model");
    const [used] = pageOf(defined?.id ?? "").used_by;
    expect(screen.getByRole("region", { name: "Used in" })).toHaveTextContent(used?.id ?? "?");
  });

  it("follows ids in the text, goes on and back by keys, and jumps to the counterpart", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    fireEvent.keyDown(document.body, { key: "j" });
    await heading("Business model and resource allocation changes");
    fireEvent.keyDown(document.body, { key: "k" });
    await heading("Responses and target-achievement plans");
    act(() => {
      window.location.hash = href("standards", ["S2.14"]);
    });
    await heading(pageOf("S2.14").label);
    await user.click(screen.getAllByRole("link", { name: "S2.33" })[0] as HTMLElement);
    await heading(pageOf("S2.33").label);
    act(() => {
      window.location.hash = href("standards", ["S2.14(a)"]);
    });
    await heading("Responses and target-achievement plans");
    fireEvent.keyDown(document.body, { key: "c" });
    await heading(pageOf("S1.33(a)").label);
  });

  it("narrows SASB topics to an industry and keeps it", async () => {
    const topic = (code: string, industry: string, tail: string, name: string) => ({
      code: `${code}-${tail}`,
      topic: name,
      industry,
      industry_code: code,
    });
    const industries = recorded("standards.tree", {}).filter(({ kind }) => kind === "industry");
    const sasb = industries.flatMap(({ id, label }) => [
      topic(id ?? "", label, "110a", "Greenhouse Gas Emissions"),
      topic(id ?? "", label, "420a", "Reserves Valuation"),
    ]);
    const related = { "standards.page": () => ({ ...pageOf("S2.14(a)"), sasb }) };
    const { unmount } = open("S2.14(a)", {}, related);
    const topics = await screen.findByRole("region", { name: "Related SASB topics" });
    expect(within(topics).getAllByRole("link")).toHaveLength(12);
    const named = within(topics)
      .getAllByRole("link")
      .map((link) => link.textContent);
    const [first] = sasb;
    expect(named).toContain(`${first?.code}${first?.industry}${first?.topic}`);
    await user.click(within(topics).getByRole("button", { name: `Show all ${sasb.length}` }));
    expect(within(topics).getAllByRole("link")).toHaveLength(sasb.length);
    await user.click(within(topics).getByRole("combobox", { name: "Industry" }));
    await user.click(await screen.findByRole("option", { name: "Coal Operations" }));
    expect(
      within(topics)
        .getAllByRole("link")
        .map((link) => link.textContent),
    ).toEqual(["EM-CO-110aGreenhouse Gas Emissions", "EM-CO-420aReserves Valuation"]);
    unmount();
    open("S2.14(a)", {}, related);
    const again = await screen.findByRole("region", { name: "Related SASB topics" });
    expect(within(again).getAllByRole("link")).toHaveLength(2);
  });

  it("shows the metrics of a topic with their units, each of which opens", async () => {
    open("EM-EP-110a");
    const table = within(await screen.findByRole("region", { name: "Metrics" })).getByRole("table");
    expect(within(table).getAllByRole("row")).toHaveLength(4);
    const { unit } = pageOf("EM-EP-110a").metrics[0] ?? {};
    expect(table).toHaveTextContent(unit ?? "?");
    await user.click(within(table).getByRole("link", { name: "EM-EP-110a.3" }));
    await heading(pageOf("EM-EP-110a.3").label);
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
    await heading(pageOf("S2.13").label);
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
    const amended = { ...pageOf("S2.29(a)"), amended: "the limit is new" };
    open("S2.29(a)", {}, { "standards.page": () => amended });
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
          ...pageOf((input as { id: string }).id),
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
    await heading(pageOf("S1.1").label);
    act(() => {
      window.location.hash = href("standards", ["S2.6"]);
    });
    await heading(pageOf("S2.6").label);
    unmount();
    open("");
    await heading(pageOf("S2.6").label);
  });
});
