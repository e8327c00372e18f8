// Where points of a map of vectors are drawn, and which of them is meant.

import type { MapPoint } from "@/api/types";

/** How the points of a group look: shape and colour together. */
export type Look = {
  shape: "circle" | "square" | "triangle" | "diamond";
  /** Drawn as an outline, so that more groups than shapes can be told apart. */
  hollow: boolean;
  /** A CSS variable. */
  colour: string;
};

/** Groups that always look the same. */
const KNOWN: Record<string, Look> = {
  governance: { shape: "circle", hollow: false, colour: "--s-1" },
  strategy: { shape: "square", hollow: false, colour: "--s-2" },
  risk_management: { shape: "triangle", hollow: false, colour: "--s-3" },
  metrics_targets: { shape: "diamond", hollow: false, colour: "--s-4" },
};

const OTHERS: readonly Look[] = (["circle", "square", "triangle", "diamond"] as const).map((shape, at) => ({
  shape,
  hollow: true,
  colour: at % 2 === 0 ? "--s-5" : "--s-6",
}));

/** The groups of `points`, the largest first, each with its look. */
export function groupsOf(points: readonly MapPoint[]): { name: string; count: number; look: Look }[] {
  const counts = new Map<string, number>();
  for (const { group } of points) counts.set(group, (counts.get(group) ?? 0) + 1);
  const names = [...counts.keys()].sort();
  const unknown = names.filter((name) => !KNOWN[name]);
  return names
    .map((name) => ({
      name,
      count: counts.get(name) ?? 0,
      look: KNOWN[name] ?? (OTHERS[unknown.indexOf(name) % OTHERS.length] as Look),
    }))
    .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name));
}

/** A place on the drawing, in pixels. */
export type Spot = { x: number; y: number };

/** Room at the edges for shapes, rings and names. */
const EDGE = 22;

/** Puts places of a map onto a drawing of `width` by `height` pixels, one scale for both axes. */
export function fitted(places: readonly Spot[], width: number, height: number): (place: Spot) => Spot {
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of places) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  const room = { x: Math.max(1, width - 2 * EDGE), y: Math.max(1, height - 2 * EDGE) };
  const scale = Math.min(room.x / Math.max(right - left, 1e-6), room.y / Math.max(high - low, 1e-6));
  const middle = { x: (left + right) / 2, y: (low + high) / 2 };
  return ({ x, y }) => ({
    x: width / 2 + (x - middle.x) * scale,
    // The second axis points upwards.
    y: height / 2 - (y - middle.y) * scale,
  });
}

/** Outlines of one shape at every spot, as the data of a single path. */
export function pathOf(spots: readonly Spot[], shape: Look["shape"], size: number): string {
  const r = size / 2;
  const at = (value: number) => Math.round(value * 10) / 10;
  return spots
    .map(({ x, y }) => {
      if (shape === "circle")
        return `M${at(x - r)} ${at(y)}a${r} ${r} 0 1 0 ${size} 0a${r} ${r} 0 1 0 ${-size} 0z`;
      if (shape === "square") return `M${at(x - r)} ${at(y - r)}h${size}v${size}h${-size}z`;
      if (shape === "triangle") return `M${at(x)} ${at(y - r)}l${r} ${size}h${-size}z`;
      return `M${at(x)} ${at(y - r)}l${r} ${r}l${-r} ${r}l${-r} ${-r}z`;
    })
    .join("");
}

/** The spot nearest to a place within `reach` pixels. */
export function nearestSpot(spots: readonly Spot[], place: Spot, reach: number): number | undefined {
  let best: number | undefined;
  let least = reach * reach;
  spots.forEach(({ x, y }, index) => {
    const away = (x - place.x) ** 2 + (y - place.y) ** 2;
    if (away <= least) [best, least] = [index, away];
  });
  return best;
}

const WAYS: Record<string, Spot> = {
  ArrowRight: { x: 1, y: 0 },
  ArrowLeft: { x: -1, y: 0 },
  ArrowDown: { x: 0, y: 1 },
  ArrowUp: { x: 0, y: -1 },
};

/** The next spot in the direction of an arrow key: near, and rather ahead than aside. */
export function spotTowards(spots: readonly Spot[], from: number, key: string): number | undefined {
  const way = WAYS[key];
  const start = spots[from];
  if (!way || !start) return undefined;
  let best: number | undefined;
  let least = Infinity;
  spots.forEach((spot, index) => {
    const ahead = (spot.x - start.x) * way.x + (spot.y - start.y) * way.y;
    const aside = Math.abs((spot.x - start.x) * way.y) + Math.abs((spot.y - start.y) * way.x);
    if (index === from || ahead <= 0 || aside > ahead) return;
    const cost = ahead + 2 * aside;
    if (cost < least) [best, least] = [index, cost];
  });
  return best;
}

/** Where the name of a group stands: beyond its points, away from the middle, and clear of the names before. */
export function namePlaces(
  groups: readonly { name: string; spots: readonly Spot[] }[],
  width: number,
  height: number,
): Spot[] {
  const placed: (Spot & { half: number })[] = [];
  for (const { name, spots } of groups) {
    const x = spots.reduce((sum, spot) => sum + spot.x, 0) / Math.max(1, spots.length);
    const ys = spots.map((spot) => spot.y).sort((a, b) => a - b);
    const middle = ys[ys.length >> 1] ?? height / 2;
    const above = middle < height / 2;
    const end = ys[Math.floor((ys.length - 1) * (above ? 0.02 : 0.98))] ?? middle;
    const half = name.length * 3.2 + 4;
    const place = {
      x: Math.max(half, Math.min(width - half, x)),
      y: Math.max(12, Math.min(height - 4, above ? end - 10 : end + 18)),
      half,
    };
    const hit = (other: (typeof placed)[number]) =>
      Math.abs(other.x - place.x) < other.half + half && Math.abs(other.y - place.y) < 14;
    for (let tries = 0; tries < 12 && placed.some(hit); tries += 1) place.y += above ? 14 : -14;
    placed.push(place);
  }
  return placed;
}
