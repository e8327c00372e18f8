import { afterEach, describe, expect, it, vi } from "vitest";
import { address } from "./address";
import { href, navigate, parseRoute } from "./router";

describe("an address that changes with every step of a held key", () => {
  afterEach(() => {
    vi.runAllTimers();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("is known at once, and written as often as a web view allows", () => {
    vi.useFakeTimers();
    const replace = window.history.replaceState.bind(window.history);
    const at: number[] = [];
    vi.spyOn(window.history, "replaceState").mockImplementation((...all) => {
      at.push(Date.now());
      // As WebKit does.
      if (at.filter((each) => Date.now() - each < 30_000).length > 100) throw new Error("SecurityError");
      replace(...all);
    });
    for (let step = 0; step < 1_200; step += 1) {
      navigate(href("standards", [`S1.${step}`]), { replace: true });
      expect(parseRoute(address()).path).toEqual([`S1.${step}`]);
      vi.advanceTimersByTime(30);
    }
    vi.advanceTimersByTime(1_000);
    expect(window.location.hash).toBe("#/standards/S1.1199");
    navigate(href("standards", ["S2.1"]), { replace: true });
    navigate(href("library"));
    expect(address()).toBe("#/library");
  });
});
