import { describe, expect, it } from "vitest";
import { parseRoute } from "@/state/router";
import { fromAddress, toAddress } from "./place";

const placeAt = (address: string) => {
  const { path, query } = parseRoute(address);
  return fromAddress(path, query);
};

describe("the place", () => {
  it.each(["issuers", "reports", "years"] as const)("keeps %s with signs of their own", (name) => {
    const place = { ...placeAt("#/standards/S2.14"), [name]: ["100%, net", "a&b"] };
    expect(placeAt(toAddress(place))).toEqual(place);
  });

  it("takes a malformed escape as it stands", () => {
    expect(placeAt("#/standards/S2.14?issuers=100%25,A%2520B").issuers).toEqual(["100%", "A B"]);
  });
});
