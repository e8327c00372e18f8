import { expect, test } from "vitest";
import { findDoubtful, ocrOf } from "./ocr";

test("what OCR read of a passage is told by its fields", () => {
  expect(ocrOf({ metadata: { ocr: { confidence: 87, doubtful: ["c0st", 3] } } })).toEqual({
    confidence: 87,
    doubtful: ["c0st"],
  });
  expect(ocrOf({ metadata: {} })).toBeUndefined();
  expect(ocrOf({ metadata: { ocr: null } })).toBeUndefined();
});

test("doubtful words are found whole, wherever they stand", () => {
  const text = "The c0st, not c0sts: c0st.";
  expect(findDoubtful(text, ["c0st", "c0st", ""]).map(({ start }) => start)).toEqual([4, 21]);
  expect(findDoubtful("30 & 300 % (30)", ["30"]).map(({ start }) => start)).toEqual([0, 12]);
});
