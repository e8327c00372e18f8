import { describe, expect, it } from "vitest";
import type { Job, JobEvent } from "@/api/types";
import { stagesOf } from "./job";

const job = (more: Partial<Job>): Job =>
  ({
    id: 7,
    kind: "ingest",
    state: "running",
    interrupted: false,
    files: 5,
    files_done: 2,
    report: {
      failed_in: null,
      chunks: { created: 40, updated: 0, unchanged: 0 },
      embedded: {},
      failed: [],
      refused: [],
    },
    ...more,
  }) as unknown as Job;
const event = {
  stage: "embed",
  files: 5,
  files_done: 2,
  files_failed: 0,
  files_read: 2,
  files_cut: 2,
  chunks_cut: 40,
  chunks: 40,
  embedded: 20,
  to_embed: 40,
  file: null,
} as unknown as JobEvent;
const kinds = (of: Job, told?: JobEvent) => stagesOf({ job: of, event: told }).map((stage) => stage.kind);

describe("the stages of a job", () => {
  it("are all at work while their files go through them", () =>
    expect(kinds(job({}), event)).toEqual(["run", "run", "run", "run"]));
  it("wait where nothing has come to them", () =>
    expect(
      kinds(job({ files_done: 0 }), {
        ...event,
        stage: "read",
        files_done: 0,
        files_read: 0,
        files_cut: 0,
        to_embed: 0,
      }),
    ).toEqual(["run", "off", "off", "off"]));
  it("stand still when the job does, and the one that failed says so", () => {
    expect(kinds(job({ state: "paused" }), event)).toEqual(["pause", "pause", "pause", "pause"]);
    const report = { ...job({}).report, failed_in: "embed" as const };
    expect(kinds(job({ state: "failed", report }))).toEqual(["pause", "pause", "bad", "pause"]);
  });
  it("tell no share where nobody knows how much there is", () => {
    const report = { ...job({}).report, embedded: { potion: 30 } };
    const [, , embed] = stagesOf({ job: job({ state: "paused", report }), event: undefined });
    expect(embed).toEqual({ stage: "embed", share: undefined, kind: "pause" });
  });
});
