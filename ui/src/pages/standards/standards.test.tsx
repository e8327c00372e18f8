import { act, configure, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent, { PointerEventsCheckLevel } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseTransport, enterWorkspace } from "@/api/client";
import { handlers } from "@/api/fake";
import { passageText, page as standardPage, standardsHandlers } from "@/api/fake/standards";
import { type FakeHandlers, type FakeTransport, fakeTransport } from "@/api/transport/fake";
import type {
  DocumentRow,
  Edition,
  Evidence,
  EvidenceRequest,
  Hit,
  PassageSentence,
  Review,
  SentenceQuery,
  StoredChunk,
} from "@/api/types";
import { Toasts } from "@/app/Toasts";
import { defineShortcuts, handleKey } from "@/kit/shortcuts";
import { HeaderContext } from "@/parts/PageHeader";
import { href, navigate, parseRoute } from "@/state/router";
import { show } from "@/test/render";
import { clearToasts } from "@/test/toasts";
import StandardsPage from "./index";
import { page } from "./page";
import { findParagraphs } from "./palette";

let fake: FakeTransport;
let user: ReturnType<typeof userEvent.setup>;
const keys = (event: KeyboardEvent) => void handleKey(event);

function open(id: string, query: Record<string, string> = {}, changed: FakeHandlers = {}) {
  fake = fakeTransport({ ...handlers, ...standardsHandlers(), ...changed });
  chooseTransport(fake);
  window.location.hash = href("standards", id === "" ? [] : [id], query);
  const slots = { context: null, actions: document.body.appendChild(document.createElement("div")) };
  return show(
    <HeaderContext value={slots}>
      <StandardsPage />
      <Toasts />
    </HeaderContext>,
  );
}
const sent = <T,>(command: string) =>
  fake.calls.filter((each) => each.command === command).map((each) => each.input as T);
const place = () => parseRoute(window.location.hash);
// Asking for roles costs jsdom a walk through thousands of elements each time; what is waited for is asked for plainly.
const waitForElement = (selector: string, text = "") =>
  waitFor(() => {
    const found = [...document.querySelectorAll<HTMLElement>(selector)].find((each) =>
      text === "" ? true : each.textContent === text,
    );
    if (!found) throw new Error(`no ${selector} ${text}`);
    return found;
  });
const heading = (label: string) => waitForElement("h2", label);
const passages = () => waitForElement("ul[aria-label='Evidence in reports']");
const rows = () => [...document.querySelectorAll<HTMLElement>("[role=treeitem]")];
const words = (row: HTMLElement) =>
  [
    row.textContent,
    ...[...row.querySelectorAll("[role=img]")].map(
      (shape) => shape.ariaLabel ?? shape.getAttribute("aria-label"),
    ),
  ].join(" ");
const treeItem = (name: RegExp) =>
  waitFor(() => {
    const row = rows().find((each) => name.test(words(each)));
    if (!row) throw new Error(`no row of the tree is like ${name}`);
    return row;
  });

// Whether something is hidden costs jsdom a walk to the root for each of a thousand elements; nothing here is.
configure({ defaultHidden: true });
beforeEach(() => {
  user = userEvent.setup({ delay: null, pointerEventsCheck: PointerEventsCheckLevel.Never });
  defineShortcuts(page.shortcuts ?? []);
  window.addEventListener("keydown", keys);
});
afterEach(() => {
  window.removeEventListener("keydown", keys);
  sessionStorage.clear();
  clearToasts();
  document.body.replaceChildren();
});

describe("the tree", () => {
  it("leads to a paragraph by keyboard alone", async () => {
    open("S2.14(a)");
    const item = await treeItem(/Responses and target-achievement plans/);
    expect(item).toHaveAttribute("aria-selected", "true");
    act(() => item.focus());
    await user.keyboard("{ArrowRight}");
    await treeItem(/How climate targets will be achieved/);
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}");
    await heading("Climate transition plan, assumptions, dependencies");
    expect(place().path).toEqual(["S2.14(a)(iv)"]);
  });

  it("leaves the keys of the screen to the screen after a click in it", async () => {
    open("S2.14(a)");
    await heading("Responses and target-achievement plans");
    await user.click(await treeItem(/Responses and target-achievement plans/));
    act(() =>
      rows()
        .find((row) => row.getAttribute("aria-selected") === "true")
        ?.focus(),
    );
    await user.keyboard("k");
    await waitFor(() => expect(place().path).not.toEqual(["S2.14(a)"]));
  });

  it("filters as one types, keeps what lies around, marks and counts", async () => {
    open("S2.1");
    await heading("Aim: decision-useful climate risk information");
    const field = screen.getByRole("searchbox", { name: "Filter the standards" });
    fireEvent.change(field, { target: { value: "transition plan" } });
    act(() => field.focus());
    const match = await treeItem(/Climate transition plan, assumptions/);
    expect([...match.querySelectorAll("mark")].map((mark) => mark.textContent)).toEqual([
      "transition",
      "plan",
    ]);
    expect(screen.getByRole("status", { name: "3 matches" })).toHaveTextContent("3");
    expect(await treeItem(/IFRS S2 · Climate-related Disclosures/)).toHaveTextContent("3 of 51");
    expect(rows().some((row) => /Governance/.test(words(row)))).toBe(false);
    await waitFor(() => expect(place().query.get("q")).toBe("transition plan"));
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(document.activeElement).toHaveAttribute("role", "treeitem"));
    act(() => field.focus());
    await user.keyboard("{Escape}");
    expect(field).toHaveValue("");
    await treeItem(/Governance/);
  });

  it("opens the first match on Enter, and an id finds itself", async () => {
    open("S2.1");
    await heading("Aim: decision-useful climate risk information");
    const field = screen.getByRole("searchbox", { name: "Filter the standards" });
    fireEvent.change(field, { target: { value: "s2.14(a)(iv)" } });
    act(() => field.focus());
    await user.keyboard("{Enter}");
    await heading("Climate transition plan, assumptions, dependencies");
  });

  it("shows statuses as shapes with their names, gaps alone, and how far the review has come", async () => {
    open("S2.14(a)");
    await treeItem(/Responses and target-achievement plans.*Partly met/);
    expect(await screen.findByRole("meter", { name: "S2 reviewed" })).toHaveAttribute(
      "aria-valuetext",
      "8 of 45",
    );
    await user.click(screen.getByRole("button", { name: "Status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Gap 1" }));
    await treeItem(/Climate transition plan.*Gap/);
    expect(rows().some((row) => /Met$/.test(words(row)))).toBe(false);
    expect(place().query.get("status")).toBe("gap");
    await user.click(screen.getByRole("button", { name: "S1" }));
    await user.click(await screen.findByRole("button", { name: "Clear the filter" }));
    await treeItem(/SASB · 13 industries/);
  });

  it("follows a link to its branch and leaves open what was opened", async () => {
    open("S2.1");
    await heading("Aim: decision-useful climate risk information");
    const branch = await treeItem(/^Governance/);
    await user.click(within(branch).getByRole("button", { name: "Open Governance" }));
    expect(branch).toHaveAttribute("aria-expanded", "true");
    act(() => {
      window.location.hash = href("standards", ["S2.14(a)(iv)"]);
    });
    await heading("Climate transition plan, assumptions, dependencies");
    expect(await treeItem(/Climate transition plan, assumptions/)).toHaveAttribute("aria-selected", "true");
    expect(await treeItem(/^Governance/)).toHaveAttribute("aria-expanded", "true");
  });

  it("leaves a narrower body for a paragraph outside it, and shows it under a filter", async () => {
    open("S1.1", { in: "S1" });
    await treeItem(/IFRS S1/);
    expect(rows().some((row) => /IFRS S2/.test(words(row)))).toBe(false);
    act(() => {
      window.location.hash = href("standards", ["S2.14(a)"], { in: "S1" });
    });
    expect(await treeItem(/Responses and target-achievement plans/)).toHaveAttribute("aria-selected", "true");
    await waitFor(() => expect(place().query.get("in")).toBeNull());
    const field = screen.getByRole("searchbox", { name: "Filter the standards" });
    fireEvent.change(field, { target: { value: "responses" } });
    await waitFor(() => expect(rows().some((row) => /Business model/.test(words(row)))).toBe(false));
    act(() => {
      window.location.hash = href("standards", ["S2.14(a)(i)"], { q: "responses" });
    });
    expect(await treeItem(/Business model and resource/)).toHaveAttribute("aria-selected", "true");
  });

  it("holds a few rows of very many", async () => {
    open("EM-EP-110a.1");
    await heading("Gross scope 1");
    expect(rows().length).toBeLessThan(60);
  });
});

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
    expect(dialog.getByText(/no legal or accounting advice/)).toBeVisible();
    expect(dialog.getByText(/Applies to periods that begin on or after 2027-01-01/)).toBeVisible();
    expect(dialog.getByText(/a profile is not full adoption/)).toBeVisible();
    expect(dialog.getByText("2026-07-16 · A reference · medium confidence")).toBeVisible();
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

describe("evidence", () => {
  it("belongs to the paragraph and its items; an item shows its own alone", async () => {
    open("S2.14(a)");
    const list = await passages();
    expect(within(list).getAllByRole("listitem")).toHaveLength(7);
    expect(within(list).getAllByRole("listitem")[0]).toHaveTextContent("p. 34");
    expect([...list.querySelectorAll("mark")].map((mark) => mark.textContent)).toContain("transition plan");
    const item = screen.getByRole("button", { name: "Climate transition plan, assumptions, dependencies" });
    expect(item.closest("li")).toHaveTextContent("3 passages");
    await user.click(item);
    expect(within(list).getAllByRole("listitem")).toHaveLength(3);
    expect(place().query.get("item")).toBe("S2.14(a)(iv)");
    await user.click(
      screen.getAllByRole("button", { name: "Show evidence for all items" })[0] as HTMLElement,
    );
    expect(within(list).getAllByRole("listitem")).toHaveLength(7);
  });

  it("looks for the paragraph alone, in some reports, by one list", async () => {
    open("S2.14(a)");
    await passages();
    await user.click(screen.getByRole("button", { name: "14(a) and its items" }));
    await user.click(screen.getByRole("radio", { name: "Keyword" }));
    await user.click(screen.getByRole("button", { name: /^Issuer\s*any$/ }));
    await user.click(await screen.findByRole("checkbox", { name: /Aurelia.*Annual report/ }));
    await waitFor(() =>
      expect(sent<EvidenceRequest>("standards.evidence").at(-1)).toMatchObject({
        id: "S2.14(a)",
        below: false,
        mode: "keyword",
        reports: ["aurelia-2024"],
      }),
    );
    await waitFor(async () => expect(within(await passages()).getAllByRole("listitem")).toHaveLength(1));
  });

  it("opens a score into parts that add up, and a passage in Chunk Lab", async () => {
    open("S2.14(a)");
    const list = await passages();
    await user.click(within(list).getAllByRole("button", { expanded: false })[0] as HTMLElement);
    const score = within(list).getByRole("region", { name: "Score" });
    const scores = [...list.querySelectorAll<HTMLElement>("[data-tip]")].map(
      (each) => each.dataset.tip ?? "",
    );
    expect(
      scores.filter((words) => words.startsWith("Fused score: the sum of both lists’ scores")),
    ).toHaveLength(7);
    expect(score).toHaveTextContent("0.5·(0.710−0.200)/0.100");
    expect(score).toHaveTextContent("0.5·(13.00−0.00)/3.00");
    const numbers = [...(score.textContent?.matchAll(/\+(\d\.\d+)/g) ?? [])].map((match) => Number(match[1]));
    const sum = Number(/^Score\s*(\d\.\d+)/.exec(score.textContent ?? "")?.[1]);
    expect(numbers.reduce((total, each) => total + each, 0)).toBeCloseTo(sum, 9);
    expect(sum).toBeCloseTo((0.5 * (0.71 - 0.2)) / 0.1 + (0.5 * 13) / 3, 4);
    await user.click(within(list).getByRole("button", { name: /^Open .* in Chunk Lab$/ }));
    expect(place()).toMatchObject({ page: "chunk-lab" });
    expect(place().query.get("document")).toBe("90001");
    expect([place().query.get("show"), place().query.get("page")]).toEqual(["page", "34"]);
  });

  it("is walked with the arrows", async () => {
    open("S2.14(a)");
    const list = await passages();
    fireEvent.keyDown(document.body, { key: "e", ctrlKey: true });
    expect(document.activeElement).toHaveTextContent("Northwind");
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(document.activeElement).toHaveTextContent("Aurelia"));
    expect(within(list).getByRole("button", { current: true })).toHaveTextContent("Aurelia");
  });

  it("pins a passage by its words and their place, and takes it back", async () => {
    const text = `Größe. ${standardPage("S2.14").prose} Our transition plan covers operated assets to 2035 and rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and hydrogen-ready turbines reach the market by 2029. Each assumption is reviewed by the board every year. Where one of them fails, the plan names the assets that close earlier.`;
    open(
      "S2.14(a)",
      {},
      {
        "chunk.get": () =>
          ({ view: { range: [0, text.length], pieces: [] }, row: {} }) as unknown as StoredChunk,
        "document.get": () => ({
          row: { text_version: "text-0", path: "northwind-2024.pdf" },
          text,
          structure: { sections: [], pages: [], about_pages: false, ocr: null, notices: [] },
        }),
      },
    );
    await passages();
    fireEvent.keyDown(document.body, { key: "p" });
    await screen.findByRole("button", { name: "1 passage pinned" });
    const [pinned] = sent<Review>("review.put").at(-1)?.passages ?? [];
    expect(pinned).toMatchObject({ text_version: "text-0", path: "northwind-2024.pdf", page: 34 });
    const whole = new TextEncoder().encode(text);
    expect(new TextDecoder().decode(whole.slice(pinned?.start, pinned?.end))).toBe(pinned?.quote);
    await user.click(screen.getByRole("button", { name: "Pinned" }));
    await waitFor(() => expect(sent<Review>("review.put").at(-1)?.passages).toEqual([]));
    expect(sent<Review>("review.put").at(-1)?.status).toBe("partly");
    fireEvent.keyDown(document.body, { key: "p" });
    await user.click(await screen.findByRole("button", { name: "1 passage pinned" }));
    await user.click(await screen.findByRole("button", { name: "Open northwind-2024.pdf in Chunk Lab" }));
    await waitFor(() => expect(place().page).toBe("chunk-lab"));
    const [from, to] = (place().query.get("at") ?? "").split("-").map(Number);
    expect(place().query.get("document")).toBe("90001");
    expect(text.slice(from, to)).toBe(pinned?.quote);
    expect(Object.fromEntries(place().query)).toMatchObject({
      view: "read",
      mark: `${from}-${to}`,
      show: "page",
      page: "34",
    });
  });

  it("counts the first passages as such where there are more", async () => {
    const stored = standardsHandlers();
    open(
      "S2.14(a)",
      {},
      {
        ...stored,
        "standards.evidence": async (input: EvidenceRequest, call) => {
          const answer = (await stored["standards.evidence"]?.(input, call)) as Evidence;
          const most = input.top_k > 50 ? 60 : 50;
          const times = Array.from({ length: most }, (_, index) => index);
          return {
            ...answer,
            hits: times.map((index) => ({
              ...(answer.hits[0] as Hit),
              chunk_id: `c${index}`,
              rank: index + 1,
            })),
            found_by: times.map((index) => (index < 3 ? "S2.14(a)(iv)" : "S2.14(a)")),
          };
        },
      },
    );
    await passages();
    const pane = screen.getByRole("region", { name: "Evidence in reports" });
    expect(within(pane).getByText("first 50")).toBeInTheDocument();
    const item = screen.getByRole("button", { name: "Climate transition plan, assumptions, dependencies" });
    expect(item.closest("li")).toHaveTextContent("3 of first 50");
    await user.click(item);
    expect(within(pane).getByText("3 of first 50")).toBeInTheDocument();
    await user.click(within(pane).getByRole("button", { name: "Show more" }));
    await waitFor(() => expect(item.closest("li")).toHaveTextContent("3 passages"));
    expect(within(pane).queryByText(/first/)).toBeNull();
  });

  it("waits for the report that was asked for, on whichever page of the list it is", async () => {
    const { "document.list": own } = standardsHandlers();
    open(
      "S2.14(a)",
      { report: "late" },
      {
        "document.list": async (input, call) => {
          const { offset = 0, reports } = input as { offset?: number; reports?: boolean };
          const [row] = ((await own?.({ reports: true }, call)) ?? []) as DocumentRow[];
          if (!row || !reports) return [];
          if (offset > 0) return [{ ...row, id: 5_000, report_id: "late", title: "Late report" }];
          return Array.from({ length: 1_000 }, (_, id) => ({ ...row, id, report_id: `early-${id}` }));
        },
      },
    );
    expect((await screen.findAllByText(/^Late report · /)).length).toBeGreaterThan(0);
    const asked = sent<{ reports?: string[] }>("standards.evidence").flatMap(({ reports = [] }) => reports);
    expect(asked.filter((report) => report !== "late")).toEqual([]);
  });

  it("says why there is none", async () => {
    const { unmount } = open("S2.14(a)", {}, { "document.list": () => [] });
    await screen.findByText("No reports in the library yet.");
    expect(screen.queryByRole("radiogroup", { name: "Status" })).toBeNull();
    unmount();
    open("S2.14(a)", { reports: "nobody" });
    await screen.findByText("No report matches Report nobody.");
    expect(sent("standards.evidence")).toEqual([]);
    await user.click(screen.getByText("Clear Report", { selector: "button *, button" }));
    await passages();
  });

  it("stays on this computer until the provider is asked, for this paragraph alone", async () => {
    const model = (space_id: string, tier: "embedded" | "remote") => ({
      space_id,
      space: { tier, model: tier, endpoint: "", revision: "", dimensions: 8, window: "" },
      vectors: 10,
      served: true,
    });
    open("S2.14(a)", {}, { "model.list": () => [model("paid", "remote"), model("own", "embedded")] });
    await passages();
    const spaces = () => sent<EvidenceRequest>("standards.evidence").map(({ space }) => space);
    expect(new Set(spaces())).toEqual(new Set(["own"]));
    await user.click(screen.getByRole("button", { name: "Ask the provider" }));
    await waitFor(() => expect(spaces().at(-1)).toBeNull());
    expect(screen.queryByRole("button", { name: "Ask the provider" })).toBeNull();
    act(() => navigate(href("standards", ["S2.14(a)(v)"])));
    await heading("How climate targets will be achieved");
    await waitFor(() =>
      expect(sent<EvidenceRequest>("standards.evidence").at(-1)).toMatchObject({
        id: "S2.14(a)(v)",
        space: "own",
      }),
    );
  });

  it("looks in the reports of the chosen issuers and years, before the nearest are taken", async () => {
    open("S2.14(a)", { issuers: encodeURIComponent("Northwind Energy plc"), years: "2023" });
    await waitFor(async () => expect(within(await passages()).getAllByRole("listitem")).toHaveLength(1));
    expect(sent<EvidenceRequest>("standards.evidence").map(({ reports }) => reports)).toEqual([
      ["northwind-2023"],
    ]);
    const card = within(await passages()).getByRole("listitem");
    expect(card).toHaveTextContent(/^Northwind Energy plc2023 · p\.\s29/);
    await user.click(screen.getByRole("button", { name: /^Year\s*2023$/ }));
    await user.click(await screen.findByRole("checkbox", { name: /^2024/ }));
    await waitFor(() =>
      expect(sent<EvidenceRequest>("standards.evidence").at(-1)?.reports).toEqual([
        "northwind-2023",
        "northwind-2024",
      ]),
    );
    expect(screen.getByRole("button", { name: /^Year\s*2023–24$/ })).toBeInTheDocument();
    expect(place().query.get("years")).toBe("2023,2024");
  });

  it("names the filters that left nothing, and clears each by itself", async () => {
    const { unmount } = open("S2.14(a)", { issuers: "Aurelia%20Cement", years: "2023" });
    await screen.findByText("No report matches Issuer Aurelia Cement · Year 2023.");
    expect(sent("standards.evidence")).toEqual([]);
    await user.click(screen.getByText("Clear Year", { selector: "button *, button" }));
    await waitFor(async () => expect(within(await passages()).getAllByRole("listitem")).toHaveLength(1));
    unmount();
    open(
      "S2.14(a)",
      { years: "2024" },
      {
        "standards.evidence": async (input, call) => ({
          ...((await standardsHandlers()["standards.evidence"]?.(input, call)) as Evidence),
          hits: [],
          found_by: [],
        }),
      },
    );
    await screen.findByText("No passage in the reports that match Year 2024 addresses this paragraph.");
  });

  it("underlines the sentence closest in meaning once it is known, and asks by what found the passage", async () => {
    let answer: (found: PassageSentence[]) => void = () => {};
    const told = new Promise<PassageSentence[]>((resolve) => {
      answer = resolve;
    });
    open("S2.14(a)", { reports: "northwind-2024" }, { "passage.nearest_sentence": () => told });
    const list = await passages();
    const before = list.textContent;
    expect(list.querySelector("mark.near")).toBeNull();
    await waitFor(() => expect(sent("passage.nearest_sentence")).toHaveLength(1));
    const [asked] = sent<SentenceQuery>("passage.nearest_sentence");
    expect(asked?.query).toBe("Climate transition plan, assumptions, dependencies");
    const id = asked?.chunk_ids[0] ?? "";
    const text = passageText(id) ?? "";
    const wanted = "Each assumption is reviewed by the board every year.";
    const start = text.indexOf(wanted);
    const end = start + wanted.length;
    await act(async () => answer([{ chunk_id: id, start, end, similarity: 0.4, model: "potion" }]));
    const near = await waitForElement("mark.near", wanted);
    expect(near.dataset.tip).toMatch(/closest in meaning/);
    expect([...near.querySelectorAll("mark.keyword")].map((mark) => mark.textContent)).toEqual([
      "assumption",
    ]);
    expect(list.textContent).toBe(before);
  });

  it("asks once for the nearest sentence of a passage, whatever list it stands in", async () => {
    open("S2.14(a)", { years: "2023" });
    const asked = () => sent<SentenceQuery>("passage.nearest_sentence").flatMap(({ chunk_ids }) => chunk_ids);
    await waitFor(() => expect(asked()).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: /^Year\s*2023$/ }));
    await user.click(await screen.findByRole("checkbox", { name: /^2024/ }));
    const cards = await waitFor(async () => {
      const found = within(await passages()).getAllByRole("listitem");
      expect(found.length).toBeGreaterThan(1);
      return found;
    });
    await waitFor(() => expect(asked().length).toBeGreaterThanOrEqual(cards.length));
    expect(asked()).toHaveLength(cards.length);
    expect(new Set(asked()).size).toBe(cards.length);
  });

  it("keeps signs that turn the order of writing from reaching what stands around them", async () => {
    const turned = "\u202egnp.exe\u2066";
    open(
      "S2.14(a)",
      {},
      {
        "document.list": async (input, call) =>
          ((await standardsHandlers()["document.list"]?.(input, call)) as DocumentRow[] | undefined)?.map(
            (row) => ({
              ...row,
              title: turned,
              issuer: row.issuer && turned,
            }),
          ),
        "standards.evidence": async (input, call) => {
          const found = (await standardsHandlers()["standards.evidence"]?.(input, call)) as Evidence;
          const hostile = {
            title: turned,
            path: turned,
            pages: null,
            chunk_text: `[${turned}]\n\n${turned} is`,
          };
          return { ...found, hits: found.hits.map((hit) => ({ ...hit, ...hostile })) };
        },
        "standards.page": (input) => ({
          ...standardPage((input as { id: string }).id),
          licensed: [{ chunk_id: "1", title: turned, text: turned }],
        }),
      },
    );
    const list = await passages();
    await user.click(within(list).getAllByRole("button", { name: "Full passage" })[0] as HTMLElement);
    await user.click(screen.getByRole("radio", { name: "With your copy" }));
    await user.click(screen.getByRole("button", { name: /^Issuer/ }));
    await screen.findAllByRole("checkbox");
    expect(document.body.innerHTML.match(/.{80}[\u202a-\u202e\u2066-\u2069].{40}/)).toBeNull();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const bare: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode())
      if (node.textContent?.includes("gnp.exe") && !node.parentElement?.closest("bdi, p, [role=option]"))
        bare.push(node.parentElement?.outerHTML ?? "");
    expect(bare).toEqual([]);
  });

  it("tells a failure in its place and leaves the rest", async () => {
    let broken = true;
    open(
      "S2.14(a)",
      {},
      {
        "standards.evidence": (input, call) => {
          if (broken) throw { code: "embedding_unreachable", message: "no answer from the provider" };
          return standardsHandlers()["standards.evidence"]?.(input, call);
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("No answer from the provider.");
    await heading("Responses and target-achievement plans");
    broken = false;
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await passages();
  });

  it("says what is degraded, partial or sent away", async () => {
    open(
      "S2.14(a)",
      {},
      {
        "standards.evidence": (input, call) => {
          const answer = standardsHandlers()["standards.evidence"]?.(input, call) as {
            trace: { space: object };
          };
          return {
            ...answer,
            trace: {
              ...answer.trace,
              space: { ...answer.trace.space, endpoint: "https://openrouter.ai" },
              tier: "remote",
              covered: 6_000,
              degraded: true,
              notices: [{ cause: "keyword_only", message: "only keyword search answered" }],
            },
          };
        },
      },
    );
    await screen.findByText("Only keyword search answered.");
    expect(screen.getByText(/^51% of the passages have a vector/)).toBeInTheDocument();
    expect(screen.getByRole("img", { name: /sent to https:\/\/openrouter\.ai/ })).toBeInTheDocument();
  });
});

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
        report_id: "northwind-2024",
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
    await heading("Who oversees climate matters");
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
    expect(place().query.get("report")).toBe("aurelia-2024");
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
    expect(saved?.name).toMatch(/^review-northwind-2024-\d{4}-\d\d-\d\d\.csv$/);
    expect(saved?.text).toMatch(/^\ufeffreport,report_title,paragraph,label,status,note\r\n/);
    const count = Number.parseInt(told.textContent ?? "", 10);
    expect(saved?.text.trim().split("\r\n")).toHaveLength(count + 1);
    expect(sent("review.export")).toEqual([{ report_id: "northwind-2024", format: "csv" }]);
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
    expect(findings).toContainEqual(expect.objectContaining({ report: "northwind-2024" }));
    expect(sent("review.export")).toEqual([{ report_id: null, format: "json" }]);
  });
});

describe("states", () => {
  it("offers the standards to a library without them", async () => {
    open("", {}, { "standards.tree": () => [], "ingest.start": () => ({ id: 9 }) });
    await user.click(await screen.findByRole("button", { name: "Add the standards" }));
    expect(await screen.findByText(/They are being added/)).toBeInTheDocument();
    expect(sent("ingest.start")).toEqual([{ sources: [], corpus: "all", embed: "instant" }]);
  });

  it("tells that the tree could not be read", async () => {
    open(
      "",
      {},
      {
        "standards.tree": () => {
          throw { code: "storage", message: "disk I/O error" };
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
  });

  it("tells that the reports could not be listed, and lists them again", async () => {
    let broken = true;
    open(
      "S2.14(a)",
      {},
      {
        "document.list": (input, call) => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return handlers["document.list"]?.(input, call);
        },
      },
    );
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Disk I/O error");
    broken = false;
    await user.click(within(alert).getByRole("button", { name: "Retry" }));
    await waitForElement("[role=radiogroup][aria-label='Status']");
  });
});

describe("the palette", () => {
  const find = async (query: string) => {
    fake = fakeTransport({ ...handlers, ...standardsHandlers() });
    chooseTransport(fake);
    const source = page.sources?.[0];
    return [...((await source?.find(query, new AbortController().signal)) ?? [])];
  };

  it.each([
    ["S2.14(a)(iv)", "S2.14(a)(iv)"],
    ["s2 14 a iv", "S2.14(a)(iv)"],
    ["transition assumptions", "S2.14(a)(iv)"],
    ["EM-EP-110a.3", "EM-EP-110a.3"],
  ])("finds %s", async (query, id) => expect((await find(query))[0]?.id).toBe(id));

  it("finds words that begin so before letters inside of others", async () => {
    const labels = (await find("tra")).map((item) => item.label);
    const within = labels.findIndex((label) => !/(?:^|[\s(-])tra/i.test(label));
    expect(within).toBeGreaterThan(0);
    expect(labels.slice(within).some((label) => /(?:^|\s)tra/i.test(label))).toBe(false);
  });

  it("opens what was chosen, asks for the tree once, and not at all for nothing", async () => {
    expect(await find("")).toEqual([]);
    const [first] = await find("S2.13");
    first?.run();
    expect(place()).toMatchObject({ page: "standards", path: ["S2.13"] });
    await findParagraphs("S2", new AbortController().signal);
    expect(sent("standards.tree").length).toBeLessThanOrEqual(1);
  });
});
