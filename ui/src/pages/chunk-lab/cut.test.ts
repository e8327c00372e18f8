import { describe, expect, it } from "vitest";
import type { ChunkView, PieceView, PreviewedChunk, Role } from "@/api/types";
import {
  axisOf,
  binsOf,
  boundaryChanges,
  chunkAt,
  chunkOf,
  embeddedText,
  harmOf,
  headerOf,
  holdsWhole,
  layoutOf,
  limitsOf,
  pagesAt,
  stretchAt,
  titleOf,
} from "./cut";

const body = (from: number, to: number): PieceView => ({ kind: "source", range: [from, to], role: "body" });
const source = (from: number, to: number, role: Role): PieceView => ({
  kind: "source",
  range: [from, to],
  role,
});

function chunk(
  ordinal: number,
  pieces: PieceView[],
  rest: Partial<ChunkView> & { orphan?: boolean } = {},
): PreviewedChunk {
  const own = pieces.flatMap((piece) =>
    piece.kind === "source" && piece.role === "body" ? [piece.range] : [],
  );
  const { orphan = false, ...view } = rest;
  return {
    view: {
      chunk_id: null,
      ordinal,
      parent: null,
      pieces,
      range: [Math.min(...own.map(([from]) => from)), Math.max(...own.map(([, to]) => to))],
      tokens: 10,
      header_tokens: 0,
      overlap_tokens: 0,
      aid_tokens: 0,
      oversize: false,
      pages: null,
      page_labels: null,
      metadata: {},
      ...view,
    },
    orphan,
    content_hash: String(ordinal),
  };
}

const TEXT = "One two. Three four.\n\nFive six. Seven.\n\n| a | b |\n| c | d |\n";

it("holds a passage whole in one chunk, with what that repeats, or cuts it", () => {
  const chunks = [chunk(0, [body(0, 20)]), chunk(1, [source(10, 20, "overlap"), body(20, 40)])];
  const held = (from: number, to: number) => holdsWhole(chunks, [from, to]);
  expect([held(0, 20), held(20, 40), held(12, 40)]).toEqual([true, true, true]);
  expect([held(9, 21), held(19, 41)]).toEqual([false, false]);
});

describe("the layout of a cut", () => {
  const chunks = [
    chunk(0, [body(0, 20)]),
    chunk(1, [source(9, 20, "overlap"), body(22, 31)]),
    chunk(2, [body(32, 38)]),
    chunk(3, [body(40, 49)]),
    chunk(4, [body(50, 59)]),
  ];
  const layout = layoutOf(chunks, TEXT);

  it("covers the text once, with white space after its chunk and repeated stretches apart", () => {
    expect(layout.stretches.map(({ from, to, chunk: index, over }) => [from, to, index, over])).toEqual([
      [0, 9, 0, undefined],
      [9, 22, 0, 1],
      [22, 32, 1, undefined],
      [32, 40, 2, undefined],
      [40, 50, 3, undefined],
      [50, 60, 4, undefined],
    ]);
    expect(layout.tone).toEqual(["a", "b", "a", "b", "a"]);
    expect(stretchAt(layout, 21)?.chunk).toBe(0);
    expect(stretchAt(layout, 60)).toBeUndefined();
  });

  it("warns where a boundary parts a paragraph or a table", () => {
    expect(layout.warnings).toEqual([[], [], ["cut_paragraph"], [], ["cut_table"]]);
  });

  it("leaves text that no chunk holds without an owner", () => {
    const gap = layoutOf([chunk(0, [body(0, 8)]), chunk(1, [body(22, 31)])], TEXT);
    expect(stretchAt(gap, 10)).toBeUndefined();
    expect(chunkAt(gap, 10)).toBeUndefined();
  });

  it("tints nested chunks as the one around them, and finds the innermost", () => {
    const nested = layoutOf(
      [chunk(0, [body(0, 38)]), chunk(1, [body(22, 31)], { parent: 0 }), chunk(2, [body(40, 59)])],
      TEXT,
    );
    expect(nested.tone).toEqual(["a", "a", "b"]);
    expect([5, 25, 33, 45].map((at) => chunkAt(nested, at))).toEqual([0, 1, 0, 2]);
    expect(chunkOf(nested, [22, 31])).toBe(1);
    expect(chunkOf(nested, [23, 31])).toBe(0);
  });
});

describe("a boundary", () => {
  it("harms what has no blank line between, but for blocks of their own", () => {
    const at = (text: string) => {
      const end = text.indexOf("^");
      const clean = text.replace("^", "");
      return harmOf(clean, end, end + (/^\s*/.exec(clean.slice(end))?.[0].length ?? 0));
    };
    expect(at("one two^ three")).toBe("cut_paragraph");
    expect(at("one\n^two")).toBe("cut_paragraph");
    expect(at("one^\n\ntwo")).toBeUndefined();
    expect(at("one^\n- two")).toBeUndefined();
    expect(at("one^\n## two")).toBeUndefined();
    expect(at("| a |^\n| b |")).toBe("cut_table");
  });
});

describe("the embedded text", () => {
  const join = (pieces: PieceView[]) =>
    embeddedText(chunk(0, pieces).view, TEXT)
      .map((part) => part.text)
      .join("");

  it("keeps white space between neighbours and sets all else apart by a blank line", () => {
    expect(join([{ kind: "generated", text: "[A > B]\n" }, source(9, 20, "overlap"), body(22, 38)])).toBe(
      "[A > B]\n\nThree four.\n\nFive six. Seven.",
    );
    expect(join([body(0, 9), body(9, 20)])).toBe("One two. Three four.");
    expect(join([body(0, 8), body(22, 31)])).toBe("One two.\n\nFive six.");
  });

  it("puts rows on the line below their repeated header", () => {
    expect(join([source(40, 49, "table_header"), body(50, 59)])).toBe("| a | b |\n| c | d |");
    expect(join([body(22, 31), source(0, 8, "lead_in")])).toBe("Five six.\n\nOne two.");
  });

  it("trims what the engine trims, and nothing else", () => {
    const text = "a\u0085\ufeff b";
    expect(
      embeddedText(chunk(0, [body(0, 2)]).view, text)
        .map((part) => part.text)
        .join(""),
    ).toBe("a");
    expect(embeddedText(chunk(0, [body(0, 3)]).view, text)[0]?.text).toBe("a\u0085\ufeff");
  });
});

describe("names", () => {
  it("come from the first words and the generated header", () => {
    expect(titleOf({ range: [0, 30] }, "\n## **3.2** Plan\nWords")).toBe("3.2 Plan");
    expect(titleOf({ range: [0, 20] }, "|---|\n| Site | 2024 |")).toBe("Site 2024");
    expect(headerOf(chunk(0, [{ kind: "generated", text: "[A]\n(part 2)" }, body(0, 3)]).view)).toBe(
      "[A] · (part 2)",
    );
  });
});

describe("pages", () => {
  const page = (number: number, from: number, to: number) => ({
    number,
    label: null,
    range: [from, to] as [number, number],
  });
  const numbers = (place: number) => pagesAt(pages, place)?.map(({ number }) => number);
  // A paragraph from 60 to 140 goes on over the end of page 1; page 2 ends with its last one.
  const pages = [page(1, 0, 140), page(2, 60, 200), page(3, 202, 300)];

  it("are both told where a place can stand on either", () => {
    expect(numbers(59)).toEqual([1, 1]);
    expect(numbers(60)).toEqual([1, 2]);
    expect(numbers(139)).toEqual([1, 2]);
    expect(numbers(140)).toEqual([2, 2]);
    expect(numbers(201)).toEqual([3, 3]);
    expect(numbers(300)).toBeUndefined();
    expect(pagesAt([], 0)).toBeUndefined();
  });
});

describe("figures", () => {
  it("compare boundaries", () => {
    expect(boundaryChanges([0, 5, 9], [0, 7, 9, 12])).toEqual({ onlyA: [5], onlyB: [7, 12], both: 2 });
  });

  it("count every chunk in a bin, and mark those beyond the limits", () => {
    const chunks = [3, 10, 25, 900].map((tokens, ordinal) => chunk(ordinal, [body(0, 1)], { tokens }));
    const axis = axisOf(900);
    const bins = binsOf(chunks, axis, { min: 50, max: 500 });
    expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(4);
    expect(bins[0]?.tone).toBe("warn");
    expect(bins.at(-1)?.tone).toBe("bad");
    expect(bins.at(-1)?.to).toBe(axis.end);
  });

  it("read the limits of a strategy, whatever its unit", () => {
    expect(limitsOf({ min_tokens: 80, target_tokens: 320, max_tokens: 512 })).toEqual({
      min: 80,
      target: 320,
      max: 512,
    });
    expect(limitsOf({ chunk_size: 500, chunk_overlap: 50 }).max).toBe(125);
  });
});
