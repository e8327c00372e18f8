import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { SEARCH_DEFAULTS } from "@/api/defaults";
import { parseRoute } from "@/state/router";
import { sent, write } from "@/test/page";
import { writeLike } from "@/text/locale";
import {
  embedded,
  far,
  HELD,
  handlers,
  held,
  list,
  models,
  open,
  PARAGRAPH,
  QUESTION,
  requests,
  results,
} from "./testing";

describe("searching", () => {
  it("answers while typing, and supersedes what is no longer asked", async () => {
    // What is typed on the way is answered as the whole.
    open(
      {},
      {
        search: (input, call) => handlers.search?.({ ...input, query: "transition plan" }, call),
        "passage.nearest_sentence": () => [],
      },
    );
    await write(screen.getByRole("searchbox", { name: "Query" }), "transition plan");
    expect(await list("Fused list")).toBeInTheDocument();
    await waitFor(() => expect(requests().at(-1)?.query).toBe("transition plan"));
    expect(requests().length).toBeLessThanOrEqual("transition plan".length);
    expect(sent("search.record")).toEqual([]);
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("q")).toBe("transition plan"));
  });

  it("keeps a run on Enter, and opens it again by its number alone", async () => {
    const { unmount } = open({ q: QUESTION });
    await list("Fused list");
    await write(screen.getByRole("searchbox", { name: "Query" }), "{Enter}");
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("run")).toMatch(/^\d+$/));
    unmount();
    open({ run: "212" });
    await waitFor(() =>
      expect(screen.getByRole("searchbox", { name: "Query" })).toHaveValue("transition plan assumptions"),
    );
    expect(screen.getByRole("radio", { name: /^Keyword/ })).toBeChecked();
    expect(requests()).toEqual([]);
  });

  it("selects one passage in all three lists, and J and K walk the fused one", async () => {
    open({ q: QUESTION, chunk: HELD });
    await list("Fused list");
    const chosen = () => screen.getAllByRole("option", { selected: true });
    expect(chosen()).toHaveLength(3);
    for (const option of chosen()) expect(option).toHaveTextContent(held.title);
    const place = async () => {
      const fused = within(await list("Fused list")).getByRole("option", { selected: true });
      return Number(fused.getAttribute("aria-posinset"));
    };
    const before = await place();
    fireEvent.keyDown(results(), { key: "j" });
    expect(await place()).toBe(before + 1);
    fireEvent.keyDown(results(), { key: "k" });
    expect(chosen()[1]).toHaveTextContent(held.title);
  });

  it("takes what is typed without focus as a query, and letters as keys among the results", async () => {
    open({ q: "plan" });
    await list("Fused list");
    const query = screen.getByRole("searchbox", { name: "Query" });
    const chosen = () => parseRoute(window.location.hash).query.get("chunk");
    const before = chosen();
    for (const key of ["2", "?", "w", "h", "j"]) {
      act(() => query.blur());
      fireEvent.keyDown(document.body, { key });
      expect(query, key).toHaveFocus();
    }
    expect(chosen()).toBe(before);
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(results()).toHaveFocus());
    await userEvent.keyboard("j");
    await waitFor(() => expect(chosen()).not.toBe(before));
    expect(query).toHaveValue("plan");
  });

  it("goes from list to list with the arrows, and to the explanation with Space", async () => {
    open({ q: QUESTION, chunk: HELD });
    const fused = within(await list("Fused list")).getByRole("option", { selected: true });
    act(() => fused.focus());
    await userEvent.keyboard("{ArrowRight}");
    const keyword = within(await list("Keyword list")).getByRole("option", { selected: true });
    expect(keyword).toHaveFocus();
    await userEvent.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(within(await list("Semantic list")).getByRole("option", { selected: true })).toHaveFocus();
    await userEvent.keyboard(" ");
    expect(await screen.findByRole("region", { name: "Score" })).toHaveFocus();
  });

  it("changes mode and reranking, and compares with the last run, by keys", async () => {
    open({ q: QUESTION });
    await list("Fused list");
    const pressed = (key: string, code: string, more: object) =>
      fireEvent.keyDown(document.body, { key, code, ...more });
    pressed("3", "Digit3", { altKey: true });
    expect(screen.getByRole("radio", { name: /^Keyword/ })).toBeChecked();
    pressed("1", "Digit1", { altKey: true });
    expect(screen.getByRole("radio", { name: /^Hybrid/ })).toBeChecked();
    pressed("r", "KeyR", { altKey: true });
    expect(screen.getByRole("switch", { name: "Rerank" })).toBeChecked();
    pressed("d", "KeyD", { ctrlKey: true });
    expect(await list("Results B")).toBeInTheDocument();
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("against")).toMatch(/^run:\d+$/));
    pressed("d", "KeyD", { ctrlKey: true });
    expect(await list("Fused list")).toBeInTheDocument();
  });

  it("shows a score whose parts add up, and an exact reference as a part of its own", async () => {
    open({ q: QUESTION, chunk: PARAGRAPH });
    const score = await screen.findByRole("region", { name: "Score" });
    const parts = [...(score.textContent?.matchAll(/\+(\d+\.\d+)/g) ?? [])].map((match) => match[1] ?? "");
    const sum = /^Score\s*(\d+\.\d+)/.exec(score.textContent ?? "")?.[1] ?? "";
    const places = sum.split(".")[1]?.length ?? 0;
    const units = (text: string) => BigInt(Number(text).toFixed(places).replace(".", ""));
    expect(parts).toHaveLength(3);
    expect(parts.reduce((total, part) => total + units(part), 0n)).toBe(units(sum));
    expect(within(score).getByRole("img", { name: "Exact reference" })).toBeInTheDocument();
    expect(score).toHaveTextContent(/0\.4·\(0\.\d{3}−0\.\d{3}\)\/0\.\d{3}/);
  });

  it("counts by ranks where it is asked to", async () => {
    open({ q: QUESTION, chunk: PARAGRAPH, fusion: "rrf" });
    const score = await screen.findByRole("region", { name: "Score" });
    expect(score).toHaveTextContent(`/(${SEARCH_DEFAULTS.rrf_k}+1)`);
  });

  it("compares both kinds of fusion", async () => {
    open({ q: QUESTION, against: "fusion:rrf" });
    expect(await list("Results B")).toBeInTheDocument();
    const figures = await screen.findByText("scores → RRF");
    expect(figures).toBeInTheDocument();
    await userEvent.click(screen.getByRole("button", { name: "Swap" }));
    expect(await screen.findByText("RRF → scores")).toBeInTheDocument();
  });
});

describe("numbers", () => {
  afterEach(() => writeLike("en-US"));

  it("are written the chosen way where they are read, and with a point where a program reads them", async () => {
    writeLike("sv-SE");
    open({ q: QUESTION, chunk: HELD, fusion: "rrf", sw: "0.5" });
    for (const name of ["Semantic list", "Fused list", "Keyword list"]) {
      const [row] = within(await list(name)).getAllByRole("option");
      expect(row).toHaveTextContent(/\d,\d{2}/);
      expect(row).not.toHaveTextContent(/0\.\d/);
    }
    const score = await screen.findByRole("region", { name: "Score" });
    expect(score).toHaveTextContent(/^Score\s*0,0\d{4}/);
    expect(score).toHaveTextContent(`0,5/(${SEARCH_DEFAULTS.rrf_k}+`);
    expect(score).not.toHaveTextContent(/0\.\d/);
    await userEvent.click(screen.getByRole("radio", { name: "CLI" }));
    expect(screen.getByRole("region", { name: "Call as text" })).toHaveTextContent("--semantic-weight 0.5");
  });
});

describe("the page of a result", () => {
  const opened = () => Object.fromEntries(parseRoute(window.location.hash).query);
  it("opens with its passage marked, where its file is a PDF", async () => {
    open({ q: QUESTION, chunk: HELD });
    await userEvent.click(await screen.findByRole("button", { name: "Open page" }));
    expect(parseRoute(window.location.hash).page).toBe("chunk-lab");
    expect(opened()).toMatchObject({ chunk: HELD, show: "page", page: String(held.pages?.[0]) });
  });

  it("is not offered for what has none", async () => {
    open({ q: QUESTION, chunk: PARAGRAPH });
    await screen.findByRole("region", { name: "Score" });
    expect(screen.queryByRole("button", { name: "Open page" })).toBeNull();
  });
});

describe("paid work", () => {
  it("begins with Enter, never with typing or a switch", async () => {
    open({ q: QUESTION }, { "model.list": () => [far, ...models] });
    await list("Fused list");
    await userEvent.click(screen.getByRole("switch", { name: "Rerank" }));
    await screen.findByText("Press Enter to ask the provider", { exact: false });
    await waitFor(() => expect(requests().length).toBeGreaterThan(0));
    for (const request of requests())
      expect(request).toMatchObject({ space: embedded.space_id, rerank: false });
    await write(screen.getByRole("searchbox", { name: "Query" }), "{Enter}");
    await waitFor(() =>
      expect(sent("search.record")[0]).toMatchObject({
        space: null,
        rerank: true,
      }),
    );
  });
});

describe("context", () => {
  it("says in which order its passages come", async () => {
    const { unmount } = open({ q: "plan" });
    expect(await screen.findByText(/^Best first, up to the budget; grouped by document/)).toBeVisible();
    unmount();
    open({ run: "214" });
    expect(await screen.findByText(/^Reranked order, up to the budget; grouped by document/)).toBeVisible();
    await userEvent.click(await screen.findByRole("button", { name: /^Order/ }));
    await userEvent.click(await screen.findByRole("menuitemradio", { name: "fused" }));
    expect(await screen.findByText(/^Fused order, up to the budget; grouped by document/)).toBeVisible();
  });

  it("drops a passage that is tapped, and takes it back", async () => {
    open({ q: "plan" });
    const segments = await screen.findByRole("toolbar", { name: "Passages in the context" });
    const first = (await within(segments).findAllByRole("button"))[0] as HTMLElement;
    const before = within(segments).getAllByRole("button").length;
    act(() => first.focus());
    await userEvent.keyboard("{ArrowRight}");
    expect(within(segments).getAllByRole("button")[1]).toHaveFocus();
    await userEvent.click(first);
    await waitFor(() => expect(within(segments).getAllByRole("button")).toHaveLength(before - 1));
    await userEvent.click(screen.getByRole("button", { name: /^Include .* again$/ }));
    await waitFor(() => expect(within(segments).getAllByRole("button")).toHaveLength(before));
  });
});
