import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { EmbeddingMap as MapView } from "@/api/types";
import { show } from "@/test/render";
import { EmbeddingMap, MOST_DRAWN, MOST_MARKED, mapCaption } from "./EmbeddingMap";

const map = (count: number): MapView => ({
  space: "s",
  model: "bge-small",
  dimensions: 384,
  total: 2 * count,
  variance: [0.2, 0.1],
  points: Array.from({ length: count }, (_, at) => ({
    chunk_id: `c${at}`,
    document_id: 1,
    ordinal: at,
    x: Math.cos(at),
    y: Math.sin(at),
    group: at % 2 === 0 ? "strategy" : "governance",
    title: "Report",
  })),
  query: { x: 0, y: 0 },
  nearest: ["c0", "c1"],
});
const named = (point: { ordinal: number }) => `Chunk ${point.ordinal + 1}`;

describe("the map", () => {
  it("draws a path for each group, and paints many points instead", () => {
    const { container, unmount } = show(<EmbeddingMap map={map(40)} label="Map" name={named} />);
    expect(container.querySelectorAll("path[data-group]")).toHaveLength(2);
    expect(container.querySelector("canvas")).toBeNull();
    unmount();
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
    const large = show(<EmbeddingMap map={map(MOST_DRAWN + 1)} label="Map" name={named} selected="c7" />);
    expect(large.container.querySelectorAll("path[data-group]")).toHaveLength(0);
    expect(large.container.querySelector("canvas")).not.toBeNull();
    expect(large.container.querySelectorAll("[data-nearest]")).toHaveLength(2);
    expect(large.container.querySelector("[data-selected]")).not.toBeNull();
  });

  it("marks points while there is room", () => {
    const mark = (point: { ordinal: number }) => `#${point.ordinal + 1}`;
    const few = show(<EmbeddingMap map={map(3)} label="Map" name={named} mark={mark} />);
    expect([...few.container.querySelectorAll("[data-marked]")].map((each) => each.textContent)).toEqual([
      "#1",
      "#2",
      "#3",
    ]);
    few.unmount();
    const many = show(<EmbeddingMap map={map(MOST_MARKED + 1)} label="Map" name={named} mark={mark} />);
    expect(many.container.querySelector("[data-marked]")).toBeNull();
  });

  it("is a picture where nothing can be chosen, and is walked where it can", async () => {
    const { unmount } = show(<EmbeddingMap map={map(10)} label="Map" name={named} />);
    expect(screen.getByRole("img", { name: "Map" })).toBeInTheDocument();
    unmount();
    const chosen = vi.fn();
    show(<EmbeddingMap map={map(10)} label="Map" name={named} selected="c0" onSelect={chosen} />);
    screen.getByRole("application", { name: /^Map/ }).focus();
    await userEvent.keyboard("{ArrowLeft}");
    expect(chosen).toHaveBeenCalledTimes(1);
    expect(screen.getByRole("status")).toHaveTextContent("Chunk 1 · Strategy");
  });

  it("says what it is a projection of, and why a query is not on it", () => {
    expect(mapCaption(map(10), true)).toBe(
      "bge-small: 10 of 20 chunks on the first two principal components, 30% of the variance. Rings: the 2 most similar chunks.",
    );
    expect(mapCaption({ ...map(10), query: null, total: 10 }, true)).toBe(
      "bge-small: 10 chunks on the first two principal components, 30% of the variance. The query isn’t on the map: only a provider can compute its vector.",
    );
  });
});
