import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { SEARCH_DEFAULTS } from "@/api/defaults";
import { recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { Hit } from "@/api/types";
import { fake, write } from "@/test/page";
import { answering, handlers, instant, list, open, QUESTION, requests } from "./testing";

/** A passage that stands in all lists for a query that is asked while vectors are slow. */
const slowly = recorded("search", { query: "plan", fusion: "rrf" }).results.find(
  ({ contributions }) => contributions.length === 2 && contributions.every(({ rank }) => rank <= 10),
) as Hit;
const rankOf = (leg: string) => slowly.contributions.find((part) => part.leg === leg)?.rank;

describe("before the first answer", () => {
  it("all panes stand where they will stand, and what is known shows", async () => {
    open({ q: QUESTION }, { search: () => new Promise(() => undefined) });
    expect(screen.getByRole("heading", { name: "Semantic" })).toBeInTheDocument();
    for (const name of ["Timing", "Context", "Equivalent call"])
      expect(screen.getByRole("heading", { name })).toBeInTheDocument();
    expect(screen.getByRole("heading", { name: "Score" })).toBeInTheDocument();
    expect(screen.getByRole("region", { name: "Call as text" })).toHaveTextContent(QUESTION);
    expect(document.querySelectorAll(".awaited")).toHaveLength(30);
    await waitFor(() => expect(document.querySelectorAll(".skel").length).toBeGreaterThan(60));
  });
});

describe("states", () => {
  it("begins with examples", async () => {
    open({});
    await userEvent.click(screen.getByRole("button", { name: "Scope 3 emissions S2.29" }));
    expect(screen.getByRole("searchbox", { name: "Query" })).toHaveValue("Scope 3 emissions S2.29");
    await list("Fused list");
  });

  it("names the filter that keeps everything out, and clears it", async () => {
    open({ q: "plan", corpus: "Nowhere", pillar: "strategy" });
    expect(await screen.findByText("No chunks match Corpus Nowhere.")).toBeInTheDocument();
    await userEvent.click(screen.getAllByRole("button", { name: "Clear Corpus" }).at(-1) as HTMLElement);
    await list("Fused list");
    expect(requests().at(-1)?.filters).toMatchObject({ corpora: [], pillars: ["strategy"] });
  });

  it("says what failed, and tries again", async () => {
    let broken = true;
    open(
      { q: "plan" },
      {
        search: (input, call) => {
          if (broken) throw { code: "query_syntax", message: "a quotation mark is open; close it" };
          return handlers.search?.(input, call);
        },
      },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("A quotation mark is open; close it.");
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list("Fused list");
  });

  it("says in a comparison too what failed, on either side, and tries again", async () => {
    let broken = true;
    const fails = () => {
      throw { code: "storage", message: "disk I/O error" };
    };
    const { unmount } = open(
      { q: "plan", against: `space:${instant.space_id}` },
      { search: (input, call) => (broken ? fails() : handlers.search?.(input, call)) },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list("Results A");
    unmount();
    broken = true;
    open(
      { q: "plan", against: `space:${instant.space_id}` },
      { "model.list": (input, call) => (broken ? fails() : handlers["model.list"]?.(input, call)) },
    );
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
    broken = false;
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await list("Results B");
  });

  it("says in a filter that its values could not be loaded", async () => {
    open(
      { q: "plan" },
      {
        "library.overview": () => {
          throw { code: "storage", message: "disk I/O error" };
        },
      },
    );
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: /^Corpus/ }));
    expect(await screen.findByRole("alert")).toHaveTextContent("Disk I/O error");
  });

  it("explains nothing beside an error: what stood there explained the answer before", async () => {
    open({ q: "transition plan" });
    await list("Fused list");
    await screen.findByRole("region", { name: "Score" });
    await userEvent.click(screen.getByRole("button", { name: "Search options" }));
    await userEvent.click(await screen.findByRole("switch", { name: /^Operators/ }));
    await userEvent.keyboard("{Escape}");
    await write(screen.getByRole("searchbox", { name: "Query" }), ' "board');
    expect(await screen.findByRole("alert")).toHaveTextContent(/a quotation mark is opened/i);
    expect(screen.queryByRole("region", { name: "Score" })).toBeNull();
    expect(screen.queryByText("FTS5")).toBeNull();
    expect(screen.queryByText("rag_lookup")).toBeNull();
  });

  it("says why a leg is silent, and how much of the scope has vectors", async () => {
    const { unmount } = open(
      { q: "plan" },
      answering(() => ({
        semantic: [],
        space: null,
        tier: null,
        degraded: true,
        notices: [
          {
            cause: "keyword_only",
            message: "only keyword search answered: the provider could not be reached",
          },
        ],
      })),
    );
    expect(await screen.findByText(/the provider could not be reached/)).toBeInTheDocument();
    unmount();
    open(
      { q: "plan" },
      answering(({ trace }) => ({ covered: Math.ceil(trace.candidates_after * 0.61) })),
    );
    expect(await screen.findByText("61% covered")).toBeInTheDocument();
  });

  describe("while the vectors are slow", () => {
    let arrive: (() => void)[] = [];
    const slow: FakeHandlers = {
      search: async (input, call) => {
        if (input.mode === "hybrid") await new Promise<void>((resolve) => arrive.push(resolve));
        return handlers.search?.({ ...input, query: "plan" }, call);
      },
    };
    const arriveAll = () => act(async () => arrive.splice(0).forEach((resolve) => void resolve()));
    const score = () => screen.getByRole("region", { name: "Score" });
    beforeEach(() => {
      arrive = [];
    });

    it("lets words answer first, then replaces them, and keeps the selection", async () => {
      open({ q: "plan", chunk: slowly.chunk_id, fusion: "rrf" }, slow);
      expect(await screen.findByText("keyword results only so far")).toBeInTheDocument();
      expect(score()).toHaveTextContent("provisional");
      const byWords = `${SEARCH_DEFAULTS.keyword_weight}/(${SEARCH_DEFAULTS.rrf_k}+${rankOf("keyword")})`;
      expect(score()).toHaveTextContent(byWords);
      // Keyword mode is the screen's own: the call is that of the search that was asked for.
      expect(screen.getByText(/has no parameter for: fusion\./)).toBeInTheDocument();
      await arriveAll();
      await list("Semantic list");
      expect(screen.queryByText("keyword results only so far")).not.toBeInTheDocument();
      expect(screen.queryByText("embedding the query")).not.toBeInTheDocument();
      // The inspector follows the lists by a frame.
      await waitFor(() => expect(score()).not.toHaveTextContent("provisional"));
      const byMeaning = `${SEARCH_DEFAULTS.semantic_weight}/(${SEARCH_DEFAULTS.rrf_k}+${rankOf("semantic")})`;
      expect(score()).toHaveTextContent(byMeaning);
      expect(screen.getAllByRole("option", { selected: true })).toHaveLength(3);
      for (const option of screen.getAllByRole("option", { selected: true }))
        expect(option).toHaveTextContent(String(slowly.metadata.paragraph_id));
    });

    it("marks the former words as provisional until those of the next query are there", async () => {
      open({ q: "plan" }, slow);
      await screen.findByText("keyword results only so far");
      await write(screen.getByRole("searchbox", { name: "Query" }), " transition");
      expect(screen.getByText("keyword results only so far")).toBeInTheDocument();
      await waitFor(() =>
        expect(requests().at(-1)).toMatchObject({ mode: "keyword", query: "plan transition" }),
      );
      await arriveAll();
      await list("Semantic list");
      expect(screen.queryByText("keyword results only so far")).not.toBeInTheDocument();
    });

    it("keeps a whole answer that is only brought up to date", async () => {
      open({ q: "plan" }, slow);
      await waitFor(() => expect(arrive).toHaveLength(1));
      await arriveAll();
      await list("Semantic list");
      act(() => fake.emit({ tags: ["vectors"] }));
      await waitFor(() => expect(arrive).toHaveLength(1));
      await act(() => new Promise((resolve) => setTimeout(resolve, 600)));
      expect(screen.queryByText("keyword results only so far")).not.toBeInTheDocument();
      expect(screen.getByRole("listbox", { name: "Semantic list" })).toBeInTheDocument();
      expect(requests().every((request) => request.mode === "hybrid")).toBe(true);
    });
  });
});
