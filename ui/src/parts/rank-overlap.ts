// How far two ranked lists agree.

/** Places a list is compared over. */
export const DEPTH = 10;
const PERSISTENCE = 0.9;

/** How many of the first `depth` stand in both lists. */
export function overlap(a: readonly string[], b: readonly string[], depth = DEPTH): number {
  const first = new Set(a.slice(0, depth));
  return b.slice(0, depth).filter((id) => first.has(id)).length;
}

/**
 * Rank-biased overlap with persistence 0.9, extrapolated from what both lists show (Webber, Moffat and Zobel, TOIS
 * 2010, equation 32). It is 1 for the same list, and 0 for lists without a common member. The top places count most.
 */
export function rankBiasedOverlap(a: readonly string[], b: readonly string[], p = PERSISTENCE): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const s = short.length;
  const l = long.length;
  if (l === 0) return 1;
  if (s === 0) return 0;
  const inShort = new Set<string>();
  const inLong = new Set<string>();
  const common: number[] = [0];
  let shared = 0;
  for (let depth = 1; depth <= l; depth += 1) {
    const left = short[depth - 1];
    const right = long[depth - 1];
    if (left !== undefined) inShort.add(left);
    if (right !== undefined) inLong.add(right);
    if (left !== undefined && left === right) shared += 1;
    else {
      if (left !== undefined && inLong.has(left)) shared += 1;
      if (right !== undefined && inShort.has(right)) shared += 1;
    }
    common.push(shared);
  }
  const at = (depth: number) => common[depth] ?? 0;
  let first = 0;
  for (let depth = 1; depth <= l; depth += 1) first += (at(depth) / depth) * p ** depth;
  let second = 0;
  for (let depth = s + 1; depth <= l; depth += 1)
    second += ((at(s) * (depth - s)) / (s * depth)) * p ** depth;
  return ((1 - p) / p) * (first + second) + ((at(l) - at(s)) / l + at(s) / s) * p ** l;
}
