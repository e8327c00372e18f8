import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useAddressState } from "./address-state";

const read = (query: URLSearchParams) => query.get("q") ?? "";
const write = (q: string) => ({ q });

/** A screen that stays mounted while the next one is loaded. */
function Screen() {
  const [q, setQ] = useAddressState("search-lab", read, write);
  return (
    <button type="button" onClick={() => setQ("plan")}>
      {q}
    </button>
  );
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("state in the address", () => {
  it("is written a moment after it changed, and not over a screen that was opened meanwhile", async () => {
    window.location.hash = "#/search-lab";
    render(<Screen />);
    await userEvent.click(screen.getByRole("button"));
    act(() => void vi.advanceTimersByTime(400));
    expect(window.location.hash).toBe("#/search-lab?q=plan");
    window.location.hash = "#/search-lab";
    await act(async () => void (await vi.advanceTimersByTimeAsync(1)));
    await userEvent.click(screen.getByRole("button"));
    window.location.hash = "#/settings/data";
    act(() => void vi.advanceTimersByTime(400));
    expect(window.location.hash).toBe("#/settings/data");
  });

  it("follows an address of the same screen that came while it waited", async () => {
    window.location.hash = "#/search-lab";
    render(<Screen />);
    await userEvent.click(screen.getByRole("button"));
    window.location.hash = "#/search-lab?q=target";
    act(() => void vi.advanceTimersByTime(400));
    expect(window.location.hash).toBe("#/search-lab?q=target");
    await screen.findByRole("button", { name: "target" });
    act(() => void vi.advanceTimersByTime(400));
    expect(window.location.hash).toBe("#/search-lab?q=target");
  });
});
