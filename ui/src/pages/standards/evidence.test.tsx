import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { REPORT, standardsHandlers } from "@/api/fake/standards";
import { recorded } from "@/api/recording";
import type {
  DocumentRow,
  Evidence,
  EvidenceRequest,
  Hit,
  PassageSentence,
  Review,
  SentenceQuery,
  StoredChunk,
} from "@/api/types";
import { href, navigate } from "@/state/router";
import { sent } from "@/test/page";
import { heading, open, pageOf, passages, place, user, waitForElement } from "./testing";

const FOUND = recorded("standards.evidence", { id: "S2.14(a)", below: true, mode: "hybrid", top_k: 16 });
const [BEST] = FOUND.hits as [Hit];
const PAGE = String(BEST.pages?.[0]);
const DOCUMENT = String(BEST.document_id);
const ITEM = "S2.14(a)(iv)";
const AURELIA = "aurelia-cement-annual-2024";
const HALDEN = "halden-shipping-esg-2024";
const inReport = (report: string) => FOUND.hits.filter(({ report_id }) => report_id === report);
const reports = recorded("document.list", { reports: true });
/** One of the reports is of Northwind and the year before. */
const years = {
  "document.list": () =>
    reports.map((row) =>
      row.report_id === HALDEN ? { ...row, issuer: "Northwind Energy plc", year: 2023 } : row,
    ),
};

describe("evidence", () => {
  it("belongs to the paragraph and its items; an item shows its own alone", async () => {
    open("S2.14(a)");
    const list = await passages();
    expect(within(list).getAllByRole("listitem")).toHaveLength(FOUND.hits.length);
    expect(within(list).getAllByRole("listitem")[0]).toHaveTextContent(`p. ${PAGE}`);
    expect([...list.querySelectorAll("mark")].map((mark) => mark.textContent)).toContain("plan");
    const own = FOUND.found_by.filter((by) => by === ITEM).length;
    const item = screen.getByRole("button", { name: "Climate transition plan, assumptions, dependencies" });
    expect(item.closest("li")).toHaveTextContent(`${own} passages`);
    await user.click(item);
    expect(within(list).getAllByRole("listitem")).toHaveLength(own);
    expect(place().query.get("item")).toBe("S2.14(a)(iv)");
    await user.click(
      screen.getAllByRole("button", { name: "Show evidence for all items" })[0] as HTMLElement,
    );
    expect(within(list).getAllByRole("listitem")).toHaveLength(FOUND.hits.length);
  });

  it("looks for the paragraph alone, in some reports, by one list", async () => {
    open("S2.14(a)");
    await passages();
    await user.click(screen.getByRole("button", { name: "14(a) and its items" }));
    await user.click(screen.getByRole("radio", { name: "Keyword" }));
    await user.click(screen.getByRole("button", { name: /^Issuer\s*any$/ }));
    await user.click(await screen.findByRole("checkbox", { name: /Aurelia.*statement 2024/ }));
    await waitFor(() =>
      expect(sent<EvidenceRequest>("standards.evidence").at(-1)).toMatchObject({
        id: "S2.14(a)",
        below: false,
        mode: "keyword",
        reports: [AURELIA],
      }),
    );
    const keyword = { id: "S2.14(a)", below: false, mode: "keyword", top_k: 16 } as const;
    const { hits } = recorded("standards.evidence", keyword);
    await waitFor(async () =>
      expect(within(await passages()).getAllByRole("listitem")).toHaveLength(
        hits.filter(({ report_id }) => report_id === AURELIA).length,
      ),
    );
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
    ).toHaveLength(FOUND.hits.length);
    expect(score.textContent?.match(/\d·\(\d+\.\d+−\d+\.\d+\)\/\d+\.\d+/g)).toHaveLength(2);
    const numbers = [...(score.textContent?.matchAll(/\+(\d\.\d+)/g) ?? [])].map((match) => Number(match[1]));
    const sum = Number(/^Score\s*(\d\.\d+)/.exec(score.textContent ?? "")?.[1]);
    expect(numbers.reduce((total, each) => total + each, 0)).toBeCloseTo(sum, 3);
    expect(sum).toBeCloseTo(BEST.score, 3);
    await user.click(within(list).getByRole("button", { name: /^Open .* in Chunk Lab$/ }));
    expect(place()).toMatchObject({ page: "chunk-lab" });
    expect(place().query.get("document")).toBe(DOCUMENT);
    expect([place().query.get("show"), place().query.get("page")]).toEqual(["page", PAGE]);
  });

  it("is walked with the arrows", async () => {
    open("S2.14(a)");
    const list = await passages();
    fireEvent.keyDown(document.body, { key: "e", ctrlKey: true });
    const items = within(list).getAllByRole("listitem");
    expect(items[0]).toContainElement(document.activeElement as HTMLElement);
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(items[1]).toContainElement(document.activeElement as HTMLElement));
    expect(items[1]).toContainElement(within(list).getByRole("button", { current: true }));
  });

  it("pins a passage by its words and their place, and takes it back", async () => {
    const text = `Größe. ${BEST.passage}`;
    open(
      "S2.14(a)",
      {},
      {
        "chunk.get": () =>
          ({ view: { range: [0, text.length], pieces: [] }, row: {} }) as unknown as StoredChunk,
        "document.get": () => ({
          row: { text_version: "text-0", path: BEST.path },
          text,
          structure: { sections: [], pages: [], about_pages: false, ocr: null, notices: [] },
        }),
      },
    );
    await passages();
    fireEvent.keyDown(document.body, { key: "p" });
    await screen.findByRole("button", { name: "1 passage pinned" });
    const [pinned] = sent<Review>("review.put").at(-1)?.passages ?? [];
    expect(pinned).toMatchObject({ text_version: "text-0", path: BEST.path, page: Number(PAGE) });
    const whole = new TextEncoder().encode(text);
    expect(new TextDecoder().decode(whole.slice(pinned?.start, pinned?.end))).toBe(pinned?.quote);
    await user.click(screen.getByRole("button", { name: "Pinned" }));
    await waitFor(() => expect(sent<Review>("review.put").at(-1)?.passages).toEqual([]));
    expect(sent<Review>("review.put").at(-1)?.status).toBe("partly");
    fireEvent.keyDown(document.body, { key: "p" });
    await user.click(await screen.findByRole("button", { name: "1 passage pinned" }));
    await user.click(await screen.findByRole("button", { name: `Open ${BEST.path} in Chunk Lab` }));
    await waitFor(() => expect(place().page).toBe("chunk-lab"));
    const [from, to] = (place().query.get("at") ?? "").split("-").map(Number);
    expect(place().query.get("document")).toBe(DOCUMENT);
    expect(text.slice(from, to)).toBe(pinned?.quote);
    expect(Object.fromEntries(place().query)).toMatchObject({
      view: "read",
      mark: `${from}-${to}`,
      show: "page",
      page: PAGE,
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
    open(
      "S2.14(a)",
      { report: "late" },
      {
        "document.list": (input) => {
          const { offset = 0, reports } = input as { offset?: number; reports?: boolean };
          const [row] = recorded("document.list", { reports: true });
          if (!reports) return [];
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
    open("S2.14(a)", { issuers: encodeURIComponent("Northwind Energy plc"), years: "2023" }, years);
    const found = inReport(HALDEN);
    await waitFor(async () =>
      expect(within(await passages()).getAllByRole("listitem")).toHaveLength(found.length),
    );
    expect(sent<EvidenceRequest>("standards.evidence").map(({ reports }) => reports)).toEqual([[HALDEN]]);
    const [card] = within(await passages()).getAllByRole("listitem");
    expect(card).toHaveTextContent(`${found[0]?.title}Northwind Energy plc · 2023p. ${found[0]?.pages?.[0]}`);
    await user.click(screen.getByRole("button", { name: /^Year\s*2023$/ }));
    await user.click(await screen.findByRole("checkbox", { name: /^2024/ }));
    await waitFor(() =>
      expect(sent<EvidenceRequest>("standards.evidence").at(-1)?.reports).toEqual([HALDEN, REPORT]),
    );
    expect(screen.getByRole("button", { name: /^Year\s*2023–24$/ })).toBeInTheDocument();
    expect(place().query.get("years")).toBe("2023,2024");
  });

  it("names the filters that left nothing, and clears each by itself", async () => {
    const { unmount } = open(
      "S2.14(a)",
      { issuers: encodeURIComponent("Aurelia Cement S.A."), years: "2023" },
      years,
    );
    await screen.findByText("No report matches Issuer Aurelia Cement S.A. · Year 2023.");
    expect(sent("standards.evidence")).toEqual([]);
    await user.click(screen.getByText("Clear Year", { selector: "button *, button" }));
    await waitFor(async () =>
      expect(within(await passages()).getAllByRole("listitem")).toHaveLength(inReport(AURELIA).length),
    );
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
    const one = { ...FOUND, hits: [BEST], found_by: FOUND.found_by.slice(0, 1) };
    open("S2.14(a)", {}, { "standards.evidence": () => one, "passage.nearest_sentence": () => told });
    const list = await passages();
    const before = list.textContent;
    expect(list.querySelector("mark.near")).toBeNull();
    await waitFor(() => expect(sent("passage.nearest_sentence")).toHaveLength(1));
    const [asked] = sent<SentenceQuery>("passage.nearest_sentence");
    expect(asked?.query).toBe(FOUND.queries.find(([id]) => id === one.found_by[0])?.[1]);
    const id = asked?.chunk_ids[0] ?? "";
    const text = BEST.chunk_text;
    const [term = "?"] = BEST.matched_terms;
    const wanted = new RegExp(`[^.\\n]*${term}[^.\\n]*\\.`).exec(text)?.[0].trim() ?? "?";
    const start = text.indexOf(wanted);
    const end = start + wanted.length;
    await act(async () => answer([{ chunk_id: id, start, end, similarity: 0.4, model: "potion" }]));
    const near = await waitForElement("mark.near", wanted);
    expect(near.dataset.tip).toMatch(/closest in meaning/);
    expect(near.querySelector("mark.keyword")?.textContent).toContain(term);
    expect(list.textContent).toBe(before);
  });

  it("asks once for the nearest sentence of a passage, whatever list it stands in", async () => {
    open("S2.14(a)", { years: "2023" }, years);
    const asked = () => sent<SentenceQuery>("passage.nearest_sentence").flatMap(({ chunk_ids }) => chunk_ids);
    await waitFor(() => expect(asked()).toHaveLength(inReport(HALDEN).length));
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
          ((await handlers["document.list"]?.(input, call)) as DocumentRow[] | undefined)?.map((row) => ({
            ...row,
            title: turned,
            issuer: row.issuer && turned,
          })),
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
          ...pageOf((input as { id: string }).id),
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
              covered: 24,
              candidates_after: 48,
              degraded: true,
              notices: [{ cause: "keyword_only", message: "only keyword search answered" }],
            },
          };
        },
      },
    );
    await screen.findByText("Only keyword search answered.");
    expect(screen.getByText(/^50% of the passages have a vector/)).toBeInTheDocument();
    expect(screen.getByRole("img", { name: /sent to https:\/\/openrouter\.ai/ })).toBeInTheDocument();
  });
});
