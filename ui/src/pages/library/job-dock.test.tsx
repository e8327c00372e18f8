import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { runningJob } from "@/api/fake/library/jobs";
import { followJobs } from "@/state/jobs";
import { href } from "@/state/router";
import { fake, sent } from "@/test/page";
import { canCancel, canResume, jobToShow, stagesOf } from "./job";
import { file, job, open, retried, started } from "./testing";

describe("reading again", () => {
  it("asks first, for a corpus and for a document", async () => {
    window.location.hash = href("library", [], { corpus: "Transition notes" });
    open();
    await userEvent.click(await screen.findByRole("button", { name: "Ingest again…" }));
    const corpus = await screen.findByRole("alertdialog", { name: "Ingest “Transition notes” again?" });
    expect(started()).toEqual([]);
    await userEvent.click(within(corpus).getByRole("button", { name: "Ingest again" }));
    await waitFor(() => expect(started()).toHaveLength(1));
    await userEvent.click(screen.getByRole("radio", { name: "Documents 12" }));
    const name = "Transition notes, document 2";
    await userEvent.click(await screen.findByRole("button", { name: `Ingest ${name} again` }));
    const document = await screen.findByRole("alertdialog", { name: `Ingest “${name}” again?` });
    await userEvent.click(within(document).getByRole("button", { name: "Ingest again" }));
    await waitFor(() =>
      expect(started()).toEqual([
        { sources: [{ kind: "corpus", name: "Transition notes" }], force: true, embed: "instant" },
        { sources: [{ kind: "document", id: 7001 }], force: true, embed: "instant" },
      ]),
    );
  });
});

describe("a file that failed", () => {
  const name = "meridian-foods-sustainability.pdf";

  it("is tried again alone from its row", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: `Retry ${name}` }));
    await waitFor(() => expect(retried()).toEqual([{ id: 7, file: 3 }]));
  });

  it("is tried again while the others are still at work", async () => {
    open({ "job.list": () => [job(7, "running")] });
    await userEvent.click(await screen.findByRole("button", { name: `Retry ${name}` }));
    await waitFor(() => expect(retried()).toEqual([{ id: 7, file: 3 }]));
  });

  it("says why in its details, and is tried again from there", async () => {
    open();
    await userEvent.click(await screen.findByRole("button", { name: `Details of ${name}` }));
    const dialog = await screen.findByRole("alertdialog", { name: `${name} couldn’t be ingested` });
    expect(dialog).toHaveTextContent("No text layer on 61 of 88 pages");
    expect(dialog).toHaveTextContent("no_text");
    await userEvent.click(within(dialog).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(retried()).toEqual([{ id: 7, file: 3 }]));
  });
});

describe("a locked file", () => {
  it("is read again with the password that its row asks for", async () => {
    const locked = { ...file(2, "failed"), code: "password_needed" };
    open({ "job.list": () => [job(9, "done", { files: 1 })], "job.files": () => [locked] });
    await userEvent.click(await screen.findByRole("button", { name: "Enter the password for 2.md" }));
    const dialog = await screen.findByRole("dialog", { name: "Enter the password for 2.md" });
    const field = within(dialog).getByLabelText("Password");
    expect(field).toHaveAttribute("type", "password");
    expect(within(dialog).getByRole("button", { name: "Ingest the file" })).toBeDisabled();
    // Every box is at the origin here, so a press of the pointer would go to the edge of a pane.
    await waitFor(() => expect(field).toHaveFocus());
    await userEvent.keyboard("open sesame{Enter}");
    await waitFor(() => expect(retried()).toEqual([{ id: 9, file: 2 }]));
    expect(sent("ingest.unlock")).toEqual([{ passwords: ["open sesame"] }]);
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
  });
});

describe("a text that the provider refuses", () => {
  it("is named with its cure, and asked for again from there", async () => {
    const refused = [
      {
        path: "paper.md",
        line: null,
        page: 4,
        page_label: null,
        code: "embedding_refused",
        message: "too long; shorten it",
      },
    ];
    open({ "job.list": () => [job(9, "done", { report: { ...job(9, "done").report, refused } })] });
    const dock = await screen.findByTestId("job-dock");
    expect(within(dock).getByText("The provider refused to embed 1 chunk")).toBeInTheDocument();
    expect(within(dock).getByText("paper.md: too long; shorten it")).toBeInTheDocument();
    await userEvent.click(within(dock).getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(retried()).toEqual([{ id: 9 }]));
  });
});

describe("the stages of a job at work", () => {
  it("tell what they did, how fast and for how much", async () => {
    open({ "job.list": () => [job(7, "running")] });
    const stop = followJobs();
    const dock = await screen.findByTestId("job-dock");
    act(() => fake.emit({ job: runningJob }));
    for (const words of [
      "5 files · 5,914 pages · 1 failed",
      "17,804 chunks · 71 pages/s",
      "11,549 · 92/s · $0.08 of $0.14 · text-embedding-3-small",
      "11,170 rows",
    ])
      expect(await within(dock).findByText(words)).toBeInTheDocument();
    expect(await screen.findByRole("row", { name: /aurelia/ })).toHaveTextContent("Chunking 212 pages");
    expect(screen.getByRole("row", { name: /halden/ })).toHaveTextContent("Stored in 38 s");
    act(() => fake.emit({ job: { ...runningJob, ocr_pages: 40, ocr_done: 3 } }));
    expect(
      await within(dock).findByText("5 files · 5,914 pages · OCR: 3 of 40 pages · 1 failed"),
    ).toBeInTheDocument();
    stop();
  });
});

describe("a job", () => {
  it("goes on where it rests and is given up while it lives", () => {
    const table = [
      ["queued", false, true],
      ["running", false, true],
      ["paused", true, true],
      ["cancelled", true, false],
      ["failed", true, false],
      ["done", false, false],
    ] as const;
    for (const [state, resume, cancel] of table)
      expect([state, canResume(job(1, state)), canCancel(job(1, state))]).toEqual([state, resume, cancel]);
    expect(canResume(job(1, "running", { interrupted: true }))).toBe(true);
  });

  it("counts each stage by the files that are through with it", () => {
    const event = {
      ...runningJob,
      files: 4,
      files_done: 1,
      files_read: 3,
      files_cut: 2,
      embedded: 10,
      to_embed: 40,
    };
    const shares = stagesOf({ job: job(1, "running"), event }).map(({ share }) => share);
    expect(shares).toEqual([0.75, 0.5, 0.25, 0.25]);
    expect(stagesOf({ job: job(1, "done"), event: undefined }).every(({ kind }) => kind === "ok")).toBe(true);
    expect(stagesOf({ job: job(1, "done", { kind: "embed" }), event: undefined })).toHaveLength(1);
  });

  it("that is at work is shown before newer ones that wait", () => {
    const jobs = [job(3, "queued"), job(2, "running"), job(1, "done")];
    expect(jobToShow(jobs, "")?.id).toBe(2);
    expect(jobToShow(jobs, "1")?.id).toBe(1);
    expect(jobToShow([], "")).toBeUndefined();
  });
});
