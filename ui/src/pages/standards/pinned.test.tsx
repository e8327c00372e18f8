// Pinned passages whose source has changed since.

import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { chooseTransport } from "@/api/client";
import { fakeTransport } from "@/api/transport/fake";
import type { DocumentVersion, PinnedPassage } from "@/api/types";
import { openPinned } from "@/parts/pin";
import { href, parseRoute } from "@/state/router";
import { show } from "@/test/render";
import { ReviewBlock } from "./Review";
import type { Report, Reviews } from "./reviews";

const TEXT = "Größe: 14 quays.";
const bytes = (text: string) => new TextEncoder().encode(text).length;
const pin: PinnedPassage = {
  text_version: "v1",
  path: "plan.md",
  start: bytes("Größe: "),
  end: bytes(TEXT),
  quote: "14 quays.",
  before: "",
  after: "",
  page: null,
  page_label: null,
  ocr: null,
};
const changed = { changed: true, document_id: 12, range: null, kept: true };

describe("a pinned passage whose source has changed since", () => {
  it("says so", async () => {
    const report = { id: "plan", title: "Plan" } as Report;
    const review = {
      report_id: "plan",
      paragraph_id: "S2.29(a)",
      words: "",
      status: "met" as const,
      note: "",
      passages: [{ ...pin, source: changed }],
      updated_at: "",
    };
    const nothing = () => undefined;
    const findings = {
      workspace: "default",
      find: () => review,
      save: nothing,
      failed: nothing,
      show: nothing,
    };
    const reviews = { list: {}, findings } as unknown as Reviews;
    show(
      <ReviewBlock
        paragraph="S2.29(a)"
        report={report}
        reports={[report]}
        onReport={nothing}
        reviews={reviews}
        onOpen={nothing}
        onStep={nothing}
      />,
    );
    await userEvent.click(await screen.findByRole("button", { name: "1 passage pinned" }));
    await screen.findByText("Changed since");
  });

  it("opens the text that it was pinned in", async () => {
    const former = { text: TEXT } as DocumentVersion;
    chooseTransport(fakeTransport({ "document.version": () => former }));
    window.location.hash = href("standards");
    await openPinned({ ...pin, source: changed }, "plan", []);
    const { page, query } = parseRoute(window.location.hash);
    const place = ["document", "version", "mark"].map((name) => query.get(name));
    expect([page, ...place]).toEqual(["chunk-lab", "12", "v1", "7-16"]);
  });
});
