import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { idOf, recorded } from "@/api/recording";
import { parseRoute } from "@/state/router";
import { write } from "@/test/page";
import { whole } from "@/text/format";
import { commandOf } from "./calls";
import { defaultRequest } from "./state";
import { answering, HELD, held, kept, list, open, QUESTION, requests, results } from "./testing";

const EXPENDITURE = idOf<string>("S2.29(e)");

describe("reranking", () => {
  const { response } = kept(214);
  const moves = response.results.map((hit) => (hit.fused_rank ?? 0) - hit.rank);

  it("shows how far it moved each passage, and is a part of the score that adds nothing to the sum", async () => {
    const moved = response.results.findIndex(
      (hit, at) => (moves[at] ?? 0) > 0 && hit.contributions.length > 1,
    );
    const hit = response.results[moved];
    open({ run: "214", chunk: hit?.chunk_id ?? "" });
    const fused = within(await list("Fused list"));
    const places = fused.getAllByRole("option").map((row) => row.querySelector(".move")?.textContent);
    const expected = [...response.results]
      .sort((a, b) => (a.fused_rank ?? 0) - (b.fused_rank ?? 0))
      .map((each) => (each.fused_rank ?? 0) - each.rank)
      .map((by) => (by === 0 ? "·" : by > 0 ? `▲${by}` : `▼${-by}`));
    expect(places).toEqual(expected);
    expect(new Set(places).size).toBeGreaterThan(2);
    const score = await screen.findByRole("region", { name: "Score" });
    expect(within(score).getByRole("img", { name: "Rerank" })).toHaveTextContent("R");
    expect(score).toHaveTextContent(`Reranker ${hit?.rerank_score?.toFixed(2)}`);
    expect(score).toHaveTextContent(`${hit?.fused_rank} → ${hit?.rank}▲${moves[moved]}`);
    const parts = [...(score.textContent?.matchAll(/\+(\d+\.\d+)/g) ?? [])].map((match) => match[1] ?? "");
    const sum = /^Score\s*(\d+\.\d+)/.exec(score.textContent ?? "")?.[1] ?? "";
    const digits = sum.split(".")[1]?.length ?? 0;
    const units = (text: string) => BigInt(Number(text).toFixed(digits).replace(".", ""));
    expect(parts).toHaveLength(hit?.contributions.length ?? 0);
    expect(parts.reduce((total, part) => total + units(part), 0n)).toBe(units(sum));
  });

  it("that failed leaves the fused order, strikes its badge through, and says why in Timing", async () => {
    const message = "not reranked; results keep the fused order: no answer within 8 s";
    const cause = { cause: "not_reranked" as const, message };
    open(
      { run: "214" },
      {
        "search.run": () => {
          const { request, response: answer } = kept(214);
          const results = [...answer.results]
            .sort((a, b) => (a.fused_rank ?? 0) - (b.fused_rank ?? 0))
            .map((hit, at) => ({ ...hit, rank: at + 1, rerank_score: null, fused_rank: null }));
          return { request, response: { ...answer, results, trace: { ...answer.trace, notices: [cause] } } };
        },
      },
    );
    await list("Fused list");
    expect(document.querySelector(".move")).toBeNull();
    const badge = document.querySelector(".after .leg.rerank");
    expect(badge).toHaveClass("struck");
    expect(badge?.parentElement).toHaveAttribute(
      "data-tip",
      "Reranking failed; the fused order is shown. See Timing.",
    );
    const said = "Not reranked; results keep the fused order: no answer within 8 s.";
    expect(await screen.findByText(said)).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Stages" })).toHaveTextContent(said);
  });
});

describe("why not this one", () => {
  it("tells the fate of a pinned paragraph", async () => {
    open({ q: "transition plan", k: "5" });
    await list("Fused list");
    const why = screen.getByRole("region", { name: "Why isn’t it here?" });
    await write(within(why).getByRole("textbox"), "S9.99{Enter}");
    expect(await within(why).findByRole("alert")).toHaveTextContent("Paragraph `S9.99` does not exist");
    await write(within(why).getByRole("textbox"), "{Control>}a{/Control}{Delete}");
    await write(within(why).getByRole("textbox"), "S2.29(e){Enter}");
    const [fate] = recorded("search", { query: "transition plan", top_k: 5, pinned: [EXPENDITURE] }).trace
      .pinned;
    if (fate?.fate.kind !== "ranked_too_low") throw new Error("the paragraph is not far down");
    await within(why).findByText(new RegExp(`rank ${whole(fate.fate.semantic ?? 0)} by meaning`));
    expect(requests().at(-1)?.pinned).toEqual([EXPENDITURE]);
    expect(screen.getByRole("region", { name: "Score" })).toHaveTextContent("not in the results");
  });
});

describe("the explanation", () => {
  it("splits the score of the words among them", async () => {
    open({ q: QUESTION, chunk: HELD });
    const words = await screen.findByRole("region", { name: "Matched terms" });
    const shares = within(words)
      .getAllByRole("meter")
      .map((meter) => Number(meter.getAttribute("aria-valuetext")));
    expect(shares.length).toBeGreaterThan(2);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(
      held.contributions.find(({ leg }) => leg === "keyword")?.raw ?? 0,
      1,
    );
  });

  it("folds the words that the top results added under their sum", async () => {
    open({ q: "plan" });
    await list("Fused list");
    fireEvent.keyDown(results(), { key: "j" });
    const words = await screen.findByRole("region", { name: "Matched terms" });
    const folded = within(words).getByRole("button", { name: /words? from the top results$/ });
    const before = within(words).getAllByRole("meter").length;
    await userEvent.click(folded);
    expect(folded).toHaveAttribute("aria-expanded", "true");
    expect(within(words).getAllByRole("meter").length).toBeGreaterThan(before);
    expect(screen.getByText(/^from the top results: /)).toBeVisible();
  });

  it("adds no words where that is switched off, and says so on the command line", async () => {
    open({ q: "plan", feedback: "0" });
    await list("Fused list");
    expect(requests().at(-1)?.feedback).toBe(false);
    expect(screen.queryByText(/^from the top results: /)).toBeNull();
    expect(commandOf({ ...defaultRequest(), query: "plan", feedback: false })).toContain("--no-feedback");
  });

  it("leaves reciprocal rank fusion as documented: without counterparts and without words of the top results", async () => {
    open({ q: "plan", fusion: "rrf" });
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Search options" }));
    expect(await screen.findByRole("switch", { name: /^Include counterparts/ })).toBeDisabled();
    expect(screen.getByRole("switch", { name: /^Add words from the top results/ })).toBeDisabled();
  });

  it("becomes the default search of the library, which the address then need not say", async () => {
    open({ q: "plan", feedback: "0" });
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Search options" }));
    const make = await screen.findByRole("button", { name: "Make this the default" });
    await userEvent.click(make);
    await waitFor(() => expect(make).toBeDisabled());
    await waitFor(() => expect(parseRoute(window.location.hash).query.has("feedback")).toBe(false));
    const feedback = screen.getByRole("switch", { name: /^Add words from the top results/ });
    expect(feedback).not.toBeChecked();
    await userEvent.click(feedback);
    await userEvent.click(screen.getByRole("button", { name: "Back to the default" }));
    expect(feedback).not.toBeChecked();
    await userEvent.click(feedback);
    await userEvent.click(make);
    await waitFor(() => expect(parseRoute(window.location.hash).query.has("feedback")).toBe(false));
    expect(feedback).toBeChecked();
  });

  it("tells how the query was read, and what was embedded for it", async () => {
    const embedded = "plan (scheme)";
    open(
      { q: "plan" },
      answering(() => ({ embedded })),
    );
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Parsed" }));
    const read = await screen.findByRole("region", { name: "How the query was interpreted" });
    expect(within(read).getByText(embedded)).toBeVisible();
  });

  it("lists what was left out of the answer, and why", async () => {
    open({ q: "transition plan", k: "5", least: "0.4" });
    await list("Fused list");
    const { dropped } = recorded("search", { query: "transition plan", top_k: 5, min_relevance: 0.4 }).trace;
    const below = dropped.flatMap(({ cause }) => (cause.kind === "below_minimum" ? [cause.relevance] : []));
    await userEvent.click(screen.getByRole("button", { name: `${dropped.length} left out` }));
    const stages = await screen.findByRole("radiogroup", { name: "Reason" });
    expect(
      within(stages).getByRole("radio", { name: `Below minimum relevance ${below.length}` }),
    ).toBeChecked();
    const rows = within(screen.getByRole("listbox", { name: "Left out of the results" })).getAllByRole(
      "option",
    );
    expect(rows[0]).toHaveTextContent(`Relevance ${below[0]?.toFixed(3)} is below the minimum of 0.4.`);
    await userEvent.click(rows[0] as HTMLElement);
    await waitFor(() => expect(screen.getByText("not in the results")).toBeInTheDocument());
  });
});
