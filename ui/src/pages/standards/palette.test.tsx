import { describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { standardsHandlers } from "@/api/fake/standards";
import { connect, sent } from "@/test/page";
import { page } from "./page";
import { findParagraphs } from "./palette";
import { place } from "./testing";

describe("the palette", () => {
  const find = async (query: string) => {
    connect({ ...handlers, ...standardsHandlers() });
    const source = page.sources?.[0];
    return [...((await source?.find(query, new AbortController().signal)) ?? [])];
  };

  it.each([
    ["S2.14(a)(iv)", "S2.14(a)(iv)"],
    ["s2 14 a iv", "S2.14(a)(iv)"],
    ["transition assumptions", "S2.14(a)(iv)"],
    ["EM-EP-110a.3", "EM-EP-110a.3"],
  ])("finds %s", async (query, id) => expect((await find(query))[0]?.id).toBe(id));

  it("finds words that begin so before letters inside of others", async () => {
    const labels = (await find("ensu")).map((item) => item.label);
    const within = labels.findIndex((label) => !/(?:^|[\s(-])ensu/i.test(label));
    expect(within).toBeGreaterThan(0);
    expect(labels.slice(within).some((label) => /(?:^|\s)ensu/i.test(label))).toBe(false);
  });

  it("opens what was chosen, asks for the tree once, and not at all for nothing", async () => {
    expect(await find("")).toEqual([]);
    const [first] = await find("S2.13");
    first?.run();
    expect(place()).toMatchObject({ page: "standards", path: ["S2.13"] });
    await findParagraphs("S2", new AbortController().signal);
    expect(sent("standards.tree").length).toBeLessThanOrEqual(1);
  });
});
