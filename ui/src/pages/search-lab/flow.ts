// The lines between two ranked lists: where each starts and ends, in rows.

/** A line from a row of one list to a row of another. Positions are rows from the top. */
export type FlowLine = {
  chunkId: string;
  from: number;
  to: number;
  /** `line` joins two rows, `below` comes from under the last row, `stub` leads nowhere. */
  kind: "line" | "below" | "stub";
};

/** Most lines that are drawn: more slow the web view down. */
export const MOST_LINES = 100;

/**
 * Lines from the rows of `leg` (chunk ids by rank) to those of `answer`, of which `rows` rows can be seen. A chunk of
 * the answer that stands deeper in the leg comes from below; a row of the leg that is not in the answer ends soon.
 */
export function flowLines(
  leg: readonly string[],
  answer: readonly string[],
  rows: number,
  window: readonly [number, number] = [0, rows],
): FlowLine[] {
  const place = new Map(answer.map((chunkId, index) => [chunkId, index]));
  const near = (index: number) => index >= window[0] - 1 && index <= window[1];
  const lines: FlowLine[] = [];
  for (const [index, chunkId] of leg.entries()) {
    const to = place.get(chunkId);
    if (to === undefined) {
      if (index < rows && near(index)) lines.push({ chunkId, from: index, to: index, kind: "stub" });
    } else if (index >= rows) {
      if (near(to)) lines.push({ chunkId, from: rows - 0.25, to, kind: "below" });
    } else if (near(index) || near(to)) lines.push({ chunkId, from: index, to, kind: "line" });
  }
  return lines.slice(0, MOST_LINES);
}
