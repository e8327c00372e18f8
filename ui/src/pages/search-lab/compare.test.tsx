import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { handlers as settingsHandlers } from "@/api/fake/settings";
import { recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { KeptSearch } from "@/api/types";
import { sent } from "@/test/page";
import { whole } from "@/text/format";
import {
  embedded,
  far,
  found,
  HELD,
  handlers,
  instant,
  list,
  models,
  open,
  PARAGRAPH,
  QUESTION,
  requests,
} from "./testing";

describe("comparison", () => {
  it("sets two runs beside each other", async () => {
    open({ run: "214", against: "run:213", chunk: PARAGRAPH });
    await list("Results A");
    await list("Results B");
    expect(screen.getByText("Rank-biased overlap")).toBeInTheDocument();
    expect(screen.getAllByRole("option", { selected: true })).toHaveLength(2);
  });

  it("tells what it could not load, beside what it compares", async () => {
    let broken = true;
    open(
      { run: "214", against: "run:213" },
      {
        "search.runs": (input, call) => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return handlers["search.runs"]?.(input, call);
        },
        "settings.get": settingsHandlers["settings.get"] as NonNullable<FakeHandlers[string]>,
      },
    );
    await list("Results B");
    const alert = await screen.findByRole("alert");
    expect(alert).toHaveTextContent("Disk I/O error");
    const sides = () =>
      screen.getAllByRole("heading", { level: 2 }).map((head) => head.parentElement?.nextSibling);
    const before = sides()[0]?.textContent;
    broken = false;
    await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    // When the run was made is told with it.
    expect(sides()[0]?.textContent).not.toBe(before);
  });

  it("offers what there is to compare with, and says what there would be", async () => {
    let broken = true;
    open(
      { q: QUESTION },
      {
        "search.runs": (input, call) => {
          if (broken) throw { code: "storage", message: "disk I/O error" };
          return handlers["search.runs"]?.(input, call);
        },
      },
    );
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Compare run" }));
    expect(await screen.findByRole("menuitem", { name: /^This search with potion/ })).toBeInTheDocument();
    broken = false;
    await userEvent.click(screen.getByRole("menuitem", { name: /Retry.*Disk I\/O error/ }));
    await userEvent.click(screen.getByRole("button", { name: "Compare run" }));
    expect(await screen.findByRole("menuitem", { name: /^Run 213/ })).toBeInTheDocument();
    expect(screen.queryByRole("menuitem", { name: /Retry/ })).toBeNull();
  });

  it("sets two models beside each other", async () => {
    open({ q: QUESTION });
    await list("Fused list");
    await userEvent.click(screen.getByRole("button", { name: "Compare run" }));
    expect(screen.queryByRole("menuitem", { name: /^This search with all-MiniLM/ })).not.toBeInTheDocument();
    await userEvent.click(await screen.findByRole("menuitem", { name: /^This search with potion/ }));
    await list("Results B");
    expect(requests().at(-1)).toMatchObject({ space: instant.space_id, query: QUESTION });
    const heads = () => screen.getAllByRole("heading", { level: 2 }).map((head) => head.textContent);
    const [first, second] = heads();
    await userEvent.click(screen.getByRole("button", { name: "Swap" }));
    await waitFor(() => expect(heads().slice(0, 2)).toEqual([second, first]));
  });

  it("shows where the query of either side stands among the chunks of its model", async () => {
    open({ q: QUESTION, against: `space:${instant.space_id}`, chunk: HELD });
    await screen.findByRole("application", { name: /^The query of A among/ });
    const maps = () => sent("embedding.map");
    expect(maps()[0]).toMatchObject({ space: embedded.space_id, query: QUESTION });
    await waitFor(() => expect(document.querySelectorAll("[data-nearest]")).toHaveLength(6));
    expect(document.querySelector("[data-query]")).toHaveTextContent("query");
    expect(document.querySelector("[data-selected]")).toHaveAttribute("data-selected", HELD);
    const include = found.results.map((hit) => hit.chunk_id);
    const map = recorded("embedding.map", { space: embedded.space_id, query: QUESTION, include });
    const counted = `${map.model}: ${whole(map.points.length)} of ${whole(map.total)} chunks on the first two`;
    expect(screen.getByText(counted, { exact: false })).toBeVisible();
    await userEvent.click(
      within(screen.getByRole("radiogroup", { name: "Side shown on the map" })).getByRole("radio", {
        name: "B",
      }),
    );
    await screen.findByText(/^potion-base-8M.*: /);
    expect(maps().at(-1)).toMatchObject({ space: instant.space_id });
  });

  it("keeps both lists in sight where the window is narrow: difference and map take turns below them", async () => {
    const wide = window.matchMedia;
    window.matchMedia = (query) => ({ ...wide(query), matches: query.includes("max-width") });
    try {
      open({ run: "214", against: "run:213" });
      await list("Results B");
      expect(screen.getByRole("tab", { name: "Difference" })).toHaveAttribute("aria-selected", "true");
      expect(screen.getByText("Rank-biased overlap")).toBeVisible();
      await userEvent.click(screen.getByRole("tab", { name: "Embedding map" }));
      expect(await screen.findByRole("application", { name: /^The query of A/ })).toBeInTheDocument();
      expect(screen.queryByText("Rank-biased overlap")).toBeNull();
      expect(await list("Results A")).toBeInTheDocument();
    } finally {
      window.matchMedia = wide;
    }
  });

  it("says of the cost of a query only what is known", async () => {
    const remote = { ...far.space, model: "openai/text-embedding-3-small" };
    const settings = settingsHandlers["settings.get"] as NonNullable<FakeHandlers[string]>;
    const changed: FakeHandlers = {
      "settings.get": settings,
      "search.run": async (input, call) => {
        const kept = (await handlers["search.run"]?.(input, call)) as KeptSearch;
        if (input.id !== 213) return kept;
        const trace = { ...kept.response.trace, space: remote, tier: "remote", embedded: "x".repeat(4_000) };
        return { ...kept, response: { ...kept.response, trace } };
      },
    };
    const { unmount } = open({ run: "213", against: "run:212" }, changed);
    expect(
      await screen.findByRole("row", { name: /^Cost per query \$0\.00002 → \$0(\.00)? local$/ }),
    ).toBeVisible();
    unmount();
    open({ run: "214", against: "run:213" }, changed);
    expect(await screen.findByRole("row", { name: /^Cost per query not known → \$0\.00002$/ })).toBeVisible();
  });

  it("asks a provider only on demand", async () => {
    open(
      { q: QUESTION, against: "space:far" },
      {
        "model.list": () => [...models, far],
        search: ({ space, ...input }, call) =>
          handlers.search?.({ ...input, space: space === "far" ? null : space }, call),
      },
    );
    const ask = await screen.findByRole("button", { name: "Ask the provider" });
    expect(requests().some((request) => request.space === "far")).toBe(false);
    await userEvent.click(ask);
    await list("Results B");
    expect(requests().filter((request) => request.space === "far")).toHaveLength(1);
  });
});
