import { afterEach, describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import type { SourceTypeView } from "@/api/types";
import { codeOf, typeName } from "@/pages/library/corpus";
import { shippedOffers } from "@/pages/library/shipped";
import { commandOf } from "@/pages/search-lab/calls";
import { valueName } from "@/pages/search-lab/Filters";
import { fromAddress as labFromAddress, toAddress } from "@/pages/search-lab/state";
import { citation, shortId, toOutline } from "@/pages/standards/outline";
import { fromAddress } from "@/pages/standards/place";
import { groupName } from "@/parts/EmbeddingMap";
import { nameOf } from "@/parts/passage";
import { activeFilters, filterLabel, filterNames } from "./filters";
import {
  allows,
  fieldOf,
  labelOf,
  learnSourceTypes,
  sourceTypesTold,
  standards,
  withSourceTypes,
} from "./source-types";

const sourceTypes = recorded("source_type.list", {});
const GRI: SourceTypeView = {
  name: "gri",
  label: "GRI Standards",
  about: "Topic standards",
  mark: "GR",
  strategy: "paragraphs",
  corpus: "gri",
  nature: "standard",
  standard: {
    short: "GRI",
    body: "GRI",
    outline: "paragraphs",
    example: "305-2(a)",
    editions: false,
    copies: false,
    counterparts: false,
  },
  ships: null,
  allows: ["review", "share", "remote", "fill"],
  filters: [
    {
      name: "standard",
      list: "standards",
      label: "Standard",
      values: [{ value: "GRI", label: "GRI" }],
      closed: false,
    },
    {
      name: "series",
      list: "series",
      label: "Series",
      values: [{ value: "300", label: "Environmental" }],
      closed: false,
    },
  ],
};

afterEach(() => learnSourceTypes(sourceTypes));

describe("a kind that the engine tells of", () => {
  it("has its names everywhere", () => {
    learnSourceTypes([...sourceTypes, GRI]);
    expect(valueName("source_types", "gri")).toBe("GRI Standards");
    expect(valueName("standards", "GRI")).toBe("GRI");
    expect([codeOf("gri"), typeName("gri"), groupName("gri")]).toEqual([
      "GR",
      "Topic standards",
      "GRI Standards",
    ]);
    expect(allows("gri", "fill")).toBe(true);
    const passage = { metadata: { paragraph_id: "305-1" }, title: "Emissions", path: "emissions.md" };
    const named = nameOf({ ...passage, source_type: "gri", pages: null, page_labels: null });
    expect(named).toEqual({ id: "305-1", source: "GRI" });
  });

  it("has the filters that it lists, in the address and on the command line", () => {
    learnSourceTypes([...sourceTypes, GRI]);
    expect(filterNames()).toContain("series");
    expect([filterLabel("series"), valueName("series", "300")]).toEqual(["Series", "Environmental"]);
    const { request } = labFromAddress(new URLSearchParams("q=steam&series=300&standard=GRI"));
    expect(activeFilters(request.filters)).toEqual(["standards", "series"]);
    expect(toAddress(labFromAddress(new URLSearchParams("series=300"))).series).toBe("300");
    expect(commandOf(request)).toContain("--standard GRI --series 300");
  });

  it("has its fields merged once, and anew with another kind", () => {
    learnSourceTypes([...sourceTypes]);
    const before = fieldOf("standards");
    expect(fieldOf("standards")).toBe(before);
    learnSourceTypes([...sourceTypes, GRI]);
    expect(fieldOf("standards")?.values).toEqual([...(before?.values ?? []), { value: "GRI", label: "GRI" }]);
  });

  it("has its place in the tree of the standards", () => {
    learnSourceTypes([...sourceTypes, GRI]);
    const row = { number: "", depth: 0, requirement: true, source_type: "gri" } as const;
    const { roots, byTarget } = toOutline([
      { ...row, id: null, label: "Emissions", kind: "standard", parent: null },
      { ...row, id: "305-1", label: "Direct emissions", kind: "paragraph", parent: 0 },
    ]);
    expect(roots[0]?.body).toBe("GRI");
    const node = byTarget.get("305-1");
    expect(node && citation(node)).toBe("GRI, paragraph 305-1");
    expect([shortId("305-1"), shortId("S2.A.users"), shortId("S2.14(a)")]).toEqual([
      "305-1",
      "users",
      "14(a)",
    ]);
    expect(standards().map(({ short }) => short)).toEqual(["S1", "S2", "SASB", "GRI"]);
    expect(fromAddress([], new URLSearchParams("in=GRI")).body).toBe("GRI");
  });

  it("is offered where it ships, in its own words where the interface has none", () => {
    learnSourceTypes([...sourceTypes, { ...GRI, ships: "gri" }]);
    const offers = shippedOffers().map(({ group, title, add }) => [group, title, add]);
    expect(offers).toEqual([
      ["ifrs", "IFRS S1 and S2", "Import IFRS S1 and S2"],
      ["sasb", "SASB Standards", "Import SASB topics"],
      ["gri", "GRI Standards", "Import GRI Standards"],
    ]);
  });
});

describe("a kind that nobody told of", () => {
  it("keeps its bare name and allows nothing", () => {
    expect([valueName("source_types", "esrs"), typeName("esrs"), codeOf("esrs")]).toEqual([
      "esrs",
      "esrs",
      "ES",
    ]);
    expect(allows("esrs", "fill")).toBe(false);
  });
});

describe("a door that tells the kinds late", () => {
  const late = () => {
    const kinds = { resolve: (_: unknown) => {}, reject: (_: Error) => {} };
    const told = new Promise<unknown>((resolve, reject) => Object.assign(kinds, { resolve, reject }));
    const call = (command: string) =>
      command === "source_type.list" ? told : Promise.resolve(`answer to ${command}`);
    const stop = () => () => undefined;
    const door = withSourceTypes({ call, cancel: stop, onEvent: stop, onDrag: stop });
    const asked = (command: string) => door.call(command, {}, { requestId: "1", workspace: "default" });
    return { kinds, asked };
  };

  it("holds its answers back until they are known", async () => {
    learnSourceTypes([]);
    const { kinds, asked } = late();
    const drawn = asked("library.overview").then(() => labelOf("gri"));
    expect(await asked("shell.pick_files")).toBe("answer to shell.pick_files");
    kinds.resolve([...sourceTypes, GRI]);
    expect(await drawn).toBe("GRI Standards");
  });

  it("tells when they are known, and when they cannot be", async () => {
    learnSourceTypes([]);
    const first = late();
    const known = sourceTypesTold().then(() => labelOf("gri"));
    first.kinds.resolve([...sourceTypes, GRI]);
    expect(await known).toBe("GRI Standards");
    const second = late();
    second.kinds.reject(new Error("no such command"));
    await expect(sourceTypesTold()).resolves.toBeUndefined();
  });

  it("answers where they cannot be told", async () => {
    const { kinds, asked } = late();
    const answer = asked("library.overview");
    kinds.reject(new Error("no such command"));
    expect(await answer).toBe("answer to library.overview");
  });
});
