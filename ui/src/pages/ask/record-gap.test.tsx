// What nothing answers is recorded as a gap of a requirement.

import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import type { Review, ReviewStatus } from "@/api/types";
import { connect, sent } from "@/test/page";
import { show } from "@/test/render";
import { RecordGap } from "./RecordGap";
import { begun } from "./shown";

const QUESTION = "What was the internal carbon price in 2021?";
const REQUIREMENT = "S2.29(f)(ii)";
const REPORT = "northwind-2024";

let closed = 0;

function open(status: ReviewStatus = "open", note = "") {
  closed = 0;
  const standing: Review = {
    report_id: REPORT,
    paragraph_id: REQUIREMENT,
    words: "",
    status,
    note,
    passages: [],
    updated_at: "2026-01-01T00:00:00Z",
  };
  const hits = [
    { metadata: { paragraph_id: REQUIREMENT, label: "Carbon price per tonne" } },
    { metadata: { paragraph_id: REQUIREMENT, label: "Carbon price per tonne" } },
    { metadata: { paragraph_id: "S2.29(f)(i)", label: "Whether a carbon price is applied" } },
  ];
  connect({
    ...handlers,
    search: () => ({ results: hits }),
    "review.list": () => [standing],
    "review.put": (review: Review) => review,
  });
  const filters = { reports: [REPORT] };
  const request = { question: QUESTION, filters } as unknown as Parameters<typeof begun>[0];
  return show(
    <RecordGap
      shown={begun(request)}
      onClose={() => {
        closed += 1;
      }}
    />,
  );
}

const stored = () => sent<Review>("review.put");
const record = () => screen.getByRole("button", { name: "Record as gap" });

describe("what nothing answers", () => {
  it("is recorded for the nearest requirement, with what was asked", async () => {
    open("open", "Ask the company.");
    await waitFor(() => expect(record()).toBeEnabled());
    expect(document.querySelector("input[aria-label=Requirement]")).toHaveValue(
      `${REQUIREMENT} Carbon price per tonne`,
    );
    await userEvent.click(record());
    await waitFor(() => expect(closed).toBe(1));
    expect(stored()).toHaveLength(1);
    const [review] = stored();
    expect([review?.report_id, review?.paragraph_id, review?.status]).toEqual([REPORT, REQUIREMENT, "gap"]);
    expect(review?.note.startsWith("Ask the company.\n")).toBe(true);
    expect(review?.note).toContain(QUESTION);
  });

  it("replaces no decision", async () => {
    open("met");
    expect(await screen.findByText(/A reviewer has decided on this requirement: Met/)).toBeInTheDocument();
    expect(record()).toBeDisabled();
    expect(stored()).toEqual([]);
  });
});
