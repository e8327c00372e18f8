import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { libraryHandlers } from "@/api/fake/library";
import type { FakeHandlers } from "@/api/transport/fake";
import type { BinnedDocument, GoneReport, HeldDocuments, Job, WatchedFolder } from "@/api/types";
import { href } from "@/state/router";
import { connect, sent, showPage } from "@/test/page";
import { named } from "./gone";
import LibraryPage from "./index";

function open(changed: FakeHandlers = {}) {
  connect({ ...handlers, ...libraryHandlers(), ...changed });
  showPage(<LibraryPage />);
}

const binned = (id: number, path: string, title: string): BinnedDocument => ({
  id,
  corpus: "Reports FY2024",
  title,
  path,
  origin: `/home/ada/reports/${path}`,
  report_id: null,
  reason: "gone",
  deleted_at: "2025-11-19T10:02:00Z",
  kept_until: "2025-12-19T10:02:00Z",
});

const files = (...paths: string[]) => ({
  count: paths.length,
  documents: paths.slice(0, 20).map((path, id) => ({ id, path })),
});

const held = (changed: Partial<HeldDocuments>): HeldDocuments => ({
  root: "/home/ada/reports",
  corpus: "Reports FY2024",
  watched: 1,
  reason: "many",
  gone: "delete",
  files: files("a.pdf", "b.pdf", "c.pdf", "d.pdf"),
  until: "2025-11-20T10:02:00Z",
  ...changed,
});

beforeEach(() => {
  localStorage.clear();
  window.location.hash = href("library", [], { corpus: "Reports FY2024" });
});

describe("the bin", () => {
  it("lists what was deleted, restores it and deletes it for good once that is confirmed", async () => {
    let rows = [binned(1, "mill.pdf", "Mill"), binned(2, "pond.pdf", "Pond")];
    open({
      "bin.list": () => rows,
      "bin.restore": ({ ids }: { ids: number[] }) => {
        rows = rows.filter(({ id }) => !ids.includes(id));
        return { restored: ids, refused: [] };
      },
      "bin.delete": ({ ids }: { ids: number[] }) => {
        rows = rows.filter(({ id }) => !ids.includes(id));
        return { texts_kept: 0 };
      },
    });
    await userEvent.click(await screen.findByRole("button", { name: "Bin" }));
    const bin = await screen.findByRole("dialog", { name: "Bin" });
    await within(bin).findByRole("button", { name: "Restore Mill" });
    await userEvent.click(within(bin).getByRole("button", { name: "Restore Mill" }));
    expect(sent("bin.restore")).toEqual([{ ids: [1] }]);
    await waitFor(() => expect(within(bin).queryByText("Mill")).toBeNull());

    await userEvent.click(within(bin).getByRole("button", { name: "Delete Pond for good" }));
    expect(
      await screen.findByText(/^It can’t be restored after this\. Your original file is not touched\./),
    ).toBeVisible();
    expect(sent("bin.delete")).toEqual([]);
    await userEvent.click(screen.getByTestId("confirm"));
    expect(sent("bin.delete")).toEqual([{ ids: [2] }]);
    await within(bin).findByText("The bin is empty.");
  });

  it("says why a document stays in it", async () => {
    open({
      "bin.list": () => [binned(1, "mill.pdf", "Mill")],
      "bin.restore": () => ({
        restored: [],
        refused: [
          {
            path: "mill.pdf",
            line: null,
            page: null,
            page_label: null,
            code: "exists",
            message: "is there again",
          },
        ],
      }),
    });
    window.location.hash = href("library", [], { bin: "open" });
    await userEvent.click(await screen.findByRole("button", { name: "Restore Mill" }));
    expect(await screen.findByText("is there again")).toBeVisible();
  });
});

describe("files that are gone", () => {
  it("are asked about, and what is decided is sent for the one reason", async () => {
    let questions = [
      held({}),
      held({ reason: "away", until: null, gone: "mark", files: files("share/x.pdf") }),
      held({ corpus: "Another", files: files("y.pdf") }),
    ];
    open({
      "held.list": () => questions,
      "held.decide": ({ reason }: { reason: string }) => {
        questions = questions.filter((each) => each.reason !== reason);
        return { deleted: 4, marked: 0, kept: 0 };
      },
    });
    expect(await screen.findByText("4 files in /home/ada/reports are gone at once.")).toBeVisible();
    expect(screen.getByText("a.pdf, b.pdf, c.pdf, and 1 more")).toBeVisible();
    expect(screen.getByText(/^Documents whose files are still gone on .* move to the bin\.$/)).toBeVisible();
    expect(screen.getByText(/Is a drive disconnected\?/)).toBeVisible();
    expect(screen.getByText(/^Nothing is deleted or marked until/)).toBeVisible();
    expect(screen.queryByText("y.pdf")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Move all to the bin now" }));
    const root = "/home/ada/reports";
    expect(sent("held.decide")).toEqual([
      { root, corpus: "Reports FY2024", reason: "many", confirmed: true },
    ]);
    await waitFor(() => expect(screen.queryByText(/are gone at once/)).toBeNull());
    await userEvent.click(screen.getByRole("button", { name: "Keep document" }));
    expect(sent("held.decide")).toContainEqual({
      root,
      corpus: "Reports FY2024",
      reason: "away",
      confirmed: false,
    });
  });

  it("stand in the row of every corpus, chosen or not", async () => {
    open({
      "held.list": () => [
        held({ corpus: "IFRS S1", files: files("a", "b") }),
        held({ corpus: "IFRS S1", root: "", files: files("c") }),
        held({ corpus: "IFRS S1", reason: "away", files: files("d") }),
      ],
    });
    const corpora = within(await screen.findByTestId("library-corpora"));
    expect(await corpora.findByRole("row", { name: /IFRS S1/ })).toHaveTextContent("3 held back · 1 away");
    expect(corpora.getByRole("row", { name: /IFRS S1/ })).not.toHaveTextContent("Ready");
    expect(corpora.queryAllByText(/held back/)).toHaveLength(1);
  });

  it("are told of by the job that looked for them, with the way to decide and to the bin", async () => {
    const gone: GoneReport = {
      deleted: files("n1.pdf", "n2.pdf"),
      marked: { count: 1, documents: [{ id: 40, path: "m.pdf" }] },
      held: files("h1.pdf"),
      away: { count: 6, documents: [{ id: 50, path: "x/a.pdf" }] },
      until: null,
    };
    const job = (libraryHandlers()["job.list"] as () => Job[])()[0] as Job;
    const done = { ...job, state: "done" as const };
    let questions = [held({ corpus: "IFRS S1", files: files("h1.pdf") })];
    open({
      "job.list": () => [{ ...done, report: { ...done.report, gone } }],
      "held.list": () => questions,
      "held.decide": () => {
        questions = [];
        return { deleted: 1, marked: 0, kept: 0 };
      },
    });
    const dock = within(await screen.findByTestId("job-dock"));
    dock.getByText("2 documents moved to the bin because their files are gone: n1.pdf and n2.pdf.");
    dock.getByText("1 document marked as missing because its file is gone: m.pdf.");
    dock.getByText("1 document held back because its file is gone: h1.pdf.");
    dock.getByText(
      /^6 documents kept because their folder can’t be found or was replaced: x\/a\.pdf and 5 more\./,
    );
    await userEvent.click(await dock.findByRole("button", { name: "Decide in IFRS S1" }));
    await userEvent.click(await screen.findByRole("button", { name: "Move to the bin now" }));
    await waitFor(() => expect(dock.queryByRole("button", { name: "Decide in IFRS S1" })).toBeNull());
    await userEvent.click(dock.getByRole("button", { name: "Open bin" }));
    expect(await screen.findByRole("dialog", { name: "Bin" })).toBeVisible();
  });

  it("are told of with the way to the bin where an update deleted their documents", async () => {
    const none = { count: 0, documents: [] };
    const settled: GoneReport = {
      deleted: files("n1.pdf"),
      marked: none,
      held: none,
      away: none,
      until: null,
    };
    const watched = libraryHandlers()["watch.list"] as () => WatchedFolder[];
    open({ "watch.list": () => watched().map((folder) => ({ ...folder, settled })) });
    expect(
      await screen.findByText(/moved 1 document to the bin because its file is gone: n1\.pdf\./),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Open bin" }));
    expect(await screen.findByRole("dialog", { name: "Bin" })).toBeVisible();
  });

  it("are named up to three", () => {
    expect(named(files("a"))).toBe("a");
    expect(named(files("a", "b", "c"))).toBe("a, b, and c");
    expect(named({ ...files("a", "b", "c"), count: 1_200 })).toBe("a, b, c, and 1,197 more");
  });
});
