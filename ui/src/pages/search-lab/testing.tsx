// What the tests of Search Lab share.

import { screen } from "@testing-library/react";
import { afterEach } from "vitest";
import { handlers as all } from "@/api/fake";
import { handlers as gold } from "@/api/fake/evaluate";
import { handlers as lab } from "@/api/fake/search-lab";
import { handlers as shell } from "@/api/fake/shell";
import { idOf, recorded } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { Hit, KeptSearch, ModelView, SearchRequest, SearchResponse } from "@/api/types";
import { href } from "@/state/router";
import { connect, Events, sent, withKeys } from "@/test/page";
import { show } from "@/test/render";
import SearchLabPage from "./index";
import { page } from "./page";

export const PARAGRAPH = idOf<string>("S2.14(a)(iv)");
export const QUESTION = "transition plan assumptions of Northwind under S2.14(a)(iv)";
export const models = recorded("model.list", {});
export const [instant, embedded] = models as [ModelView, ModelView];
export const found = recorded("search", { query: QUESTION });
/** A passage of a report that stands in all lists for the question. */
export const held = found.results.find(
  (hit) => hit.pages && hit.contributions.length === 2 && hit.contributions.every(({ rank }) => rank <= 10),
) as Hit;
export const HELD = held.chunk_id;
export const handlers: FakeHandlers = { ...all, ...shell, ...gold, ...lab };
/** A model at a provider. */
export const far: ModelView = {
  space_id: "far",
  served: true,
  vectors: 10,
  space: { tier: "remote", model: "far", endpoint: "", revision: "", dimensions: 8, window: "" },
};

export function open(query: Record<string, string>, changed: FakeHandlers = {}) {
  connect({ ...handlers, ...changed });
  window.location.hash = href("search-lab", [], query);
  return show(
    <>
      <Events />
      <SearchLabPage />
    </>,
  );
}
export const requests = () => sent<SearchRequest>("search");
/** A kept run. */
export const kept = (id: number) => handlers["search.run"]?.({ id }, undefined as never) as KeptSearch;
/** The pane in which single keys act. */
export const results = () => document.querySelector("[data-pane=results]") as HTMLElement;
export const list = (name: string) => screen.findByRole("listbox", { name });
/** Answers a search as the engine does, with a trace that is changed. */
export const answering = (
  change: (answer: SearchResponse) => Partial<SearchResponse["trace"]>,
): FakeHandlers => ({
  search: async (input, call) => {
    const answer = (await handlers.search?.(input, call)) as SearchResponse;
    return { ...answer, trace: { ...answer.trace, ...change(answer) } };
  },
});

withKeys(page);
afterEach(() => sessionStorage.clear());
