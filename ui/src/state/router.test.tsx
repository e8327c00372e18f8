import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { href, keepPlace, navigate, parseRoute, useQueryState, useRoute } from "./router";

describe("addresses", () => {
  it.each([
    [href("standards", ["S2.14(a)(iv)"]), "standards", ["S2.14(a)(iv)"], {}],
    [href("search-lab", [], { q: "a & b?/#", empty: "" }), "search-lab", [], { q: "a & b?/#" }],
    ["#/chunk-lab/a%2Fb?x=1", "chunk-lab", ["a/b"], { x: "1" }],
    ["#/%E0%A4%A", "%E0%A4%A", [], {}],
    ["", "", [], {}],
  ])("%s is read back", (address, page, path, query) => {
    const route = parseRoute(address);
    expect(route.page).toBe(page);
    expect(route.path).toEqual(path);
    expect(Object.fromEntries(route.query)).toEqual(query);
  });

  it("keep state beside other state", async () => {
    function Query() {
      const [q, setQ] = useQueryState("q", "");
      const { page } = useRoute();
      return (
        <button type="button" onClick={() => setQ(q === "" ? "plan" : "")}>
          {page}:{q}
        </button>
      );
    }
    navigate(href("search-lab", [], { mode: "hybrid" }));
    render(<Query />);
    await userEvent.click(screen.getByRole("button"));
    expect(screen.getByRole("button")).toHaveTextContent("search-lab:plan");
    expect(window.location.hash).toBe("#/search-lab?mode=hybrid&q=plan");
    await userEvent.click(screen.getByRole("button"));
    expect(window.location.hash).toBe("#/search-lab?mode=hybrid");
    act(() => navigate(href("library")));
  });

  it("lead back to where a screen was left, also after a restart, and not to what was taken back there", async () => {
    const go = async (to: string) => {
      const gone = new Promise((resolve) => window.addEventListener("hashchange", resolve, { once: true }));
      navigate(to);
      await gone;
    };
    keepPlace();
    await go(href("library", [], { corpus: "reports" }));
    await go(href("standards", ["S2.6"], { report: "acme-2024" }));
    await go(href("library"));
    expect(window.location.hash).toBe("#/library?corpus=reports");
    // A new window knows what is kept, and no more.
    window.history.replaceState(null, "", "#/standards");
    keepPlace();
    expect(window.location.hash).toBe("#/standards/S2.6?report=acme-2024");
    await go(href("library", [], { corpus: "all" }));
    navigate(href("library"), { replace: true });
    expect(window.location.hash).toBe("#/library");
  });

  it("lead a new window to where the last one was", () => {
    localStorage.clear();
    navigate(href("library"), { replace: true });
    keepPlace();
    expect(window.location.hash).toBe("#/library");
    act(() => navigate(href("standards", ["S2.6"]), { replace: true }));
    act(() => navigate(href("settings", ["data"]), { replace: true }));
    window.history.replaceState(null, "", " ");
    expect(window.location.hash).toBe("");
    keepPlace();
    expect(window.location.hash).toBe("#/settings/data");
  });
});
