import { describe, expect, it } from "vitest";
import { PAGE, pagesBetween, placeOf, shelve } from "./chunk-pages";

const documents = [
  { id: 7, chunks: 3 },
  { id: 8, chunks: 0 },
  { id: 9, chunks: 2 * PAGE + 1 },
  { id: 12, chunks: PAGE },
];
const shelves = shelve(documents);
const total = documents.reduce((sum, { chunks }) => sum + chunks, 0);

describe("the pages of a corpus", () => {
  it("gives every chunk one place, in order", () => {
    const places = Array.from({ length: total }, (_, index) => {
      const place = placeOf(shelves, index);
      const [document, offset] = (place?.page ?? "").split(":").map(Number);
      return `${document} ${(offset ?? 0) + (place?.at ?? 0)}`;
    });
    const wanted = documents.flatMap(({ id, chunks }) =>
      Array.from({ length: chunks }, (_, ordinal) => `${id} ${ordinal}`),
    );
    expect(places).toEqual(wanted);
    expect(placeOf(shelves, total)).toBeUndefined();
    expect(placeOf([], 0)).toBeUndefined();
  });

  it("loads exactly the pages in sight", () => {
    for (let first = 0; first < total; first += 17)
      for (const last of [first, first + 25, first + 150]) {
        const seen = Array.from({ length: Math.min(last, total - 1) - first + 1 }, (_, step) => first + step);
        const wanted = new Set(seen.map((index) => placeOf(shelves, index)?.page));
        const pages = pagesBetween(shelves, first, last);
        expect(pages.map(({ key }) => key)).toEqual([...wanted]);
        expect(pages.every(({ offset, limit }) => offset % PAGE === 0 && limit === PAGE)).toBe(true);
      }
  });
});
