import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { show } from "@/test/render";
import { chooseTransport } from "./client";
import { PAGE, useReportDocuments } from "./row-pages";
import { fakeTransport } from "./transport/fake";
import type { DocumentQuery, DocumentRow } from "./types";

function Counted() {
  const { rows, complete } = useReportDocuments();
  return <p role="status">{`${rows.length} ${complete ? "all" : "more"}`}</p>;
}

describe("reports to choose from", () => {
  it("come page by page, to the last", async () => {
    const all = Array.from({ length: 2 * PAGE + 3 }, (_, id) => ({ id }) as DocumentRow);
    const fake = fakeTransport({
      "document.list": ({ offset = 0, limit }: DocumentQuery) => all.slice(offset, offset + (limit ?? 0)),
    });
    chooseTransport(fake);
    show(<Counted />);
    await screen.findByText("2003 all");
    const asked = fake.calls.map(({ input }) => input as DocumentQuery);
    expect(asked.map(({ offset, reports }) => [offset, reports])).toEqual([
      [0, true],
      [PAGE, true],
      [2 * PAGE, true],
    ]);
  });
});
