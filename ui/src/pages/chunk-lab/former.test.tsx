// A document that has changed since it was cited: its text then and now.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { handlers as all } from "@/api/fake";
import { idOf } from "@/api/recording";
import type { FakeHandlers } from "@/api/transport/fake";
import type { DocumentRow, DocumentVersion, DocumentView } from "@/api/types";
import { href, parseRoute } from "@/state/router";
import { connect, sent } from "@/test/page";
import { show } from "@/test/render";
import ChunkLabPage from "./index";

// CodeMirror measures text, which jsdom cannot.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();

const THEN = "Fallow Mills\n\nThe mills emitted 4,812 tonnes.\n";
const NOW = "Fallow Mills\n\nThe mills are old. The mills emitted 4,812 tonnes.\n";
const QUOTE = "The mills emitted 4,812 tonnes.";
const structure = { about_pages: false, sections: [], pages: [], ocr: null, notices: [] };
const at = (text: string): [number, number] => [text.indexOf(QUOTE), text.indexOf(QUOTE) + QUOTE.length];
const HALDEN = idOf<number>("halden");
const row = {
  id: HALDEN,
  corpus_id: 1,
  title: "Fallow Mills",
  path: "fallow.md",
  format: "markdown",
  text_version: "v2",
  ingested_at: "2025-11-19T10:02:00Z",
} as DocumentRow;
const former: DocumentVersion = {
  row,
  path: "fallow.md",
  title: "Fallow Mills",
  read_at: "2025-10-01T09:00:00Z",
  replaced_at: "2025-11-19T10:02:00Z",
  text: THEN,
  structure,
  now: at(NOW),
};

function open(version: string, changed: FakeHandlers = {}) {
  window.location.hash = href("chunk-lab", [], {
    document: String(HALDEN),
    version,
    mark: at(THEN).join("-"),
  });
  connect({
    ...all,
    "document.list": () => [row],
    "document.get": (): DocumentView => ({ row, text: NOW, structure }),
    "document.version": () => former,
    ...changed,
  });
  show(<ChunkLabPage />);
}

const pane = (name: string) => screen.findByRole("region", { name });

beforeEach(() => localStorage.clear());

describe("a link to a text that has changed since", () => {
  it("shows the text then and now", async () => {
    open("v1");
    expect(await screen.findByText(/This document has changed since it was cited\./)).toHaveTextContent(
      "The quote is still in it.",
    );
    const was = await within(await pane("As it was cited")).findByRole("textbox", {
      name: "As it was cited",
    });
    const is = await within(await pane("As it is now")).findByRole("textbox", { name: "As it is now" });
    expect(was).toHaveTextContent("The mills emitted 4,812 tonnes.");
    expect(was).not.toHaveTextContent("The mills are old.");
    expect(is).toHaveTextContent("The mills are old.");
    const [start, end] = at(THEN);
    const asked = sent("document.version")[0];
    expect(asked).toEqual({ id: HALDEN, text_version: "v1", start, end });
    expect(sent("chunk.preview")).not.toEqual([]);
  });

  it("leads to the quote where it stands now", async () => {
    open("v1");
    await userEvent.click(await screen.findByRole("button", { name: "Open as it is now" }));
    await waitFor(() => {
      const { query } = parseRoute(window.location.hash);
      expect([query.get("version"), query.get("mark")]).toEqual([null, at(NOW).join("-")]);
    });
  });

  it("says that the quote is gone, or the document", async () => {
    open("v1", { "document.version": () => ({ ...former, now: null }) });
    expect(await screen.findByText(/This document has changed/)).toHaveTextContent(
      "The quote is no longer in it.",
    );
  });

  it("shows what was cited of a document that is gone", async () => {
    open("v1", {
      "document.list": () => [],
      "document.version": () => ({ ...former, row: null, now: null }),
    });
    await screen.findByText(/This document is no longer in the library\./);
    await pane("As it was cited");
    expect(screen.queryByRole("region", { name: "As it is now" })).toBeNull();
  });

  it("says that a text is kept no longer", async () => {
    open("v0", {
      "document.version": () => {
        throw { code: "not_found", message: "text version `v0` does not exist" };
      },
    });
    await screen.findByText("This document has changed since");
    await userEvent.click(screen.getByRole("button", { name: "Open as it is now" }));
    await waitFor(() => expect(parseRoute(window.location.hash).query.get("version")).toBeNull());
  });

  it("is the document as it is where it has not changed", async () => {
    open("v2");
    await waitFor(() => expect(sent("chunk.preview")).not.toEqual([]));
    expect(sent("document.version")).toEqual([]);
    expect(screen.queryByText(/has changed since/)).toBeNull();
  });
});
