// What an import says of documents whose file moved, or may have.

import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { libraryHandlers } from "@/api/fake/library";
import { runningJob } from "@/api/fake/library/jobs";
import type { FakeHandlers } from "@/api/transport/fake";
import type { DocumentRow, JobFile, Likeness } from "@/api/types";
import { href } from "@/state/router";
import { connect, sent } from "@/test/page";
import { show } from "@/test/render";
import LibraryPage from "./index";

const document = (id: number, path: string) => ({ id, path, title: path }) as DocumentRow;
let asked: Likeness[];

function open(changed: FakeHandlers = {}) {
  connect({
    ...handlers,
    ...libraryHandlers(),
    "document.alike": () => asked,
    "document.same": () => {
      asked = [];
      return document(12, "plan 2031.md");
    },
    ...changed,
  });
  show(<LibraryPage />);
}

const said = () => sent("document.same");

beforeEach(() => {
  localStorage.clear();
  window.location.hash = href("library");
  const pair = { gone: document(12, "plan.md"), found: document(31, "plan 2031.md"), share: 0.917 };
  asked = [
    { ...pair, job: runningJob.job },
    { ...pair, gone: document(40, "elsewhere.md"), job: runningJob.job + 1 },
  ];
});

describe("a document that looks like one whose file is gone", () => {
  it("is asked about in the report of its import", async () => {
    open();
    const dock = await screen.findByTestId("job-dock");
    await within(dock).findByText("1 new document looks like one whose file is gone");
    expect(dock).toHaveTextContent("plan 2031.md looks like plan.md (91% of their sequences of three words");
    expect(dock).not.toHaveTextContent("elsewhere.md");
  });

  it.each([
    ["plan 2031.md and plan.md are the same document", true],
    ["plan 2031.md and plan.md are two documents", false],
  ])("%s", async (name, same) => {
    open();
    const dock = await screen.findByTestId("job-dock");
    await within(dock).findByText("1 new document looks like one whose file is gone");
    await userEvent.click(within(dock).getByRole("button", { name }));
    expect(said()).toEqual([{ former: 12, found: 31, same }]);
    await waitFor(() => expect(screen.queryByText(/looks like one whose file is gone/)).toBeNull());
  });
});

describe("a file that moved", () => {
  it("says which document it is", async () => {
    const own = libraryHandlers();
    open({
      "job.files": (input, call) =>
        ((own["job.files"]?.(input, call) ?? []) as JobFile[]).map((file) =>
          file.state === "done" ? { ...file, moved_from: "plan.md" } : file,
        ),
    });
    const dock = await screen.findByTestId("job-dock");
    expect((await within(dock).findAllByText("Renamed from plan.md; same document")).length).toBeGreaterThan(
      0,
    );
  });
});
