import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recorded } from "@/api/recording";
import { parseRoute } from "@/state/router";
import { learnSourceTypes } from "@/state/source-types";
import { write } from "@/test/page";
import { found, list, open, QUESTION, requests } from "./testing";

const kinds = recorded("source_type.list", {});
const addressed = (name: string) => parseRoute(window.location.hash).query.get(name);
const pillars = () => requests().map(({ filters }) => filters.pillars);
const opened = () =>
  open({ q: QUESTION, pillar: "strategy", edition: "1999" }, { search: () => structuredClone(found) });

beforeEach(() => learnSourceTypes([]));
afterEach(() => learnSourceTypes(kinds));

describe("an address that is read before the kinds of sources are told", () => {
  it("restricts the search once they are", async () => {
    opened();
    await list("Fused list");
    expect(pillars().flat()).toEqual([]);
    act(() => learnSourceTypes(kinds));
    await waitFor(() => expect(pillars().at(-1)).toEqual(["strategy"]));
    expect(await screen.findByRole("button", { name: /^Pillar.*Strategy/ })).toBeVisible();
    // No such edition is known.
    await waitFor(() => expect(addressed("edition")).toBeNull());
    expect(addressed("pillar")).toBe("strategy");
  });

  it("keeps what it says where they are never told", async () => {
    opened();
    await list("Fused list");
    await write(screen.getByRole("searchbox", { name: "Query" }), "?");
    await waitFor(() => expect(addressed("q")).not.toBe(QUESTION));
    expect([addressed("pillar"), addressed("edition")]).toEqual(["strategy", "1999"]);
  });

  it("has every filter to add once they are told", async () => {
    // Nothing of the address restricts anything, so that the filters have no other cause to be drawn again.
    open({ q: QUESTION });
    await list("Fused list");
    act(() => learnSourceTypes(kinds));
    await userEvent.click(screen.getByRole("button", { name: "Filter" }));
    expect(await screen.findByRole("button", { name: "Section" })).toBeVisible();
  });
});
