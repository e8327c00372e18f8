import { describe, expect, it } from "vitest";
import { fitted, groupsOf, namePlaces, nearestSpot, pathOf, spotTowards } from "./embedding-map";

const point = (group: string) => ({
  chunk_id: "",
  document_id: 1,
  ordinal: 0,
  x: 0,
  y: 0,
  group,
  title: "",
});

describe("a map", () => {
  it("gives every group a look of its own, whatever else is shown", () => {
    const pillars = ["governance", "strategy", "risk_management", "metrics_targets"];
    const all = groupsOf([...pillars, "docs", "text"].map(point));
    expect(new Set(all.map(({ look }) => JSON.stringify(look))).size).toBe(6);
    const alone = groupsOf([point("strategy")]);
    expect(alone[0]?.look).toEqual(all.find(({ name }) => name === "strategy")?.look);
  });

  it("fits both axes by one scale, with the second upwards", () => {
    const put = fitted(
      [
        { x: -1, y: -0.5 },
        { x: 1, y: 0.5 },
      ],
      400,
      400,
    );
    const [low, high] = [put({ x: -1, y: -0.5 }), put({ x: 1, y: 0.5 })];
    expect(high.x - low.x).toBeCloseTo(2 * (low.y - high.y));
    expect(low.x).toBeGreaterThanOrEqual(0);
    expect(high.x).toBeLessThanOrEqual(400);
  });

  it("stands still where all points are one", () => {
    const put = fitted([{ x: 0.2, y: 0.2 }], 300, 200);
    expect(put({ x: 0.2, y: 0.2 })).toEqual({ x: 150, y: 100 });
  });

  it("finds the point that is meant, and none where none is near", () => {
    const spots = [
      { x: 10, y: 10 },
      { x: 50, y: 10 },
    ];
    expect(nearestSpot(spots, { x: 47, y: 12 }, 14)).toBe(1);
    expect(nearestSpot(spots, { x: 30, y: 90 }, 14)).toBeUndefined();
  });

  it("walks to what lies ahead rather than aside", () => {
    const spots = [
      { x: 0, y: 0 },
      { x: 30, y: 2 },
      { x: 12, y: 11 },
      { x: -5, y: 0 },
    ];
    expect(spotTowards(spots, 0, "ArrowRight")).toBe(1);
    expect(spotTowards(spots, 0, "ArrowLeft")).toBe(3);
    expect(spotTowards(spots, 0, "ArrowUp")).toBeUndefined();
    expect(spotTowards(spots, 0, "Enter")).toBeUndefined();
  });

  it("draws any number of points as one path", () => {
    expect(pathOf([{ x: 5, y: 5 }], "square", 4)).toBe("M3 3h4v4h-4z");
    expect(pathOf(Array(3).fill({ x: 5, y: 5 }), "diamond", 4).match(/M/g)).toHaveLength(3);
  });

  it("keeps the names of groups apart", () => {
    const spots = [{ x: 100, y: 20 }];
    const places = namePlaces(
      [
        { name: "Governance", spots },
        { name: "Strategy", spots },
      ],
      300,
      200,
    );
    expect(Math.abs((places[0]?.y ?? 0) - (places[1]?.y ?? 0))).toBeGreaterThanOrEqual(14);
  });
});
