import { describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import { configFrom, configOf, configText, fromAddress, toAddress, valuesOf } from "./state";

const strategies = recorded("strategy.list", {});
const report = strategies.find(({ name }) => name === "report") as (typeof strategies)[number];
const usual = (param: string) => report.params.find(({ name }) => name === param)?.default;

describe("the address", () => {
  it("holds everything a person would want back", () => {
    const query = {
      document: "12",
      at: "20-40",
      mark: "24-31",
      side: "b",
      view: "compare",
      a: "report~target_tokens~400",
      b: "docs~keep_tables~false",
      order: "longest",
      only: "orphan",
      show: "page",
      page: "34",
    };
    const lab = fromAddress(new URLSearchParams(query));
    expect(lab.a).toEqual({ strategy: "report", values: { target_tokens: 400 } });
    expect(lab.b).toEqual({ strategy: "docs", values: { keep_tables: false } });
    expect(
      Object.fromEntries(Object.entries(toAddress(lab)).filter(([, value]) => value !== undefined)),
    ).toEqual(query);
  });

  it("holds that the document is read", () => {
    expect(toAddress(fromAddress(new URLSearchParams({ view: "read" })))).toMatchObject({ view: "read" });
  });

  it("leaves at its default what makes no sense", () => {
    const lab = fromAddress(
      new URLSearchParams({
        document: "x",
        at: "9-3",
        mark: "7",
        only: "all of it",
        order: "sideways",
        show: "film",
        page: "0",
      }),
    );
    expect(lab).toMatchObject({
      document: undefined,
      at: undefined,
      only: "all",
      order: "position",
      show: "text",
      page: undefined,
      a: undefined,
    });
  });

  it("keeps signs of its own in values", () => {
    const config = { strategy: "x~y", values: { pattern: "a~b%7E" } };
    expect(configFrom(configText(config) ?? null)).toEqual(config);
  });
});

describe("a configuration", () => {
  it("keeps what differs from the defaults, and takes defaults for what does not fit", () => {
    const values = valuesOf(report, { target_tokens: 400, min_tokens: 99_999, keep_tables: "yes" });
    expect(values).toMatchObject({
      target_tokens: 400,
      min_tokens: usual("min_tokens"),
      keep_tables: usual("keep_tables"),
    });
    expect(configOf(report, values)).toEqual({ strategy: "report", values: { target_tokens: 400 } });
  });
});
