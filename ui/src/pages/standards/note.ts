// The note of a finding, stored while it is written.

import { useEffect, useState } from "react";
import type { Review } from "@/api/types";
import { type Findings, useLeaving, useShown } from "./reviews";

/** Milliseconds that a note waits for the next keystroke before it is stored. */
const NOTE_PAUSE = 500;

/** The words in the field, and what stores them: after a pause, and whenever the field is left. `latest` is read again. */
export function useNote(findings: Findings, latest: () => Review) {
  const [draft, setDraft] = useState<string>();
  const review = latest();
  const note = draft ?? review.note;
  const flush = () => {
    const stored = latest();
    if (draft !== undefined && draft !== stored.note) findings.save({ ...stored, note: draft });
  };
  useShown(findings, review);
  useLeaving(flush);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each keystroke restarts the wait.
  useEffect(() => {
    const timer = setTimeout(flush, NOTE_PAUSE);
    return () => clearTimeout(timer);
  }, [draft]);
  return { review, note, write: setDraft, flush };
}
