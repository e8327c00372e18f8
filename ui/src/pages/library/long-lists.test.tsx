import { fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { handlers } from "@/api/fake";
import { libraryHandlers } from "@/api/fake/library";
import { idOf } from "@/api/recording";
import type { CorpusDetails, DocumentRow, JobFile, StoredChunk } from "@/api/types";
import { href } from "@/state/router";
import { sent } from "@/test/page";
import { file, job, open } from "./testing";

type Asked = { states?: string[]; offset?: number; limit?: number };

/** Rows as the engine gives them: those in one of the states, from the offset on. */
const paged =
  (rows: readonly JobFile[]) =>
  ({ states = [], offset = 0, limit = 1_000 }: Asked) =>
    rows.filter((each) => states.length === 0 || states.includes(each.state)).slice(offset, offset + limit);

/** Scrolls a table to where the row `index` stands and waits for it. */
async function scrollTo(table: string, index: number, name: string, height = 28) {
  const grid = await screen.findByRole("grid", { name: table });
  const region = grid.querySelector(".scrolls") as HTMLElement;
  fireEvent.scroll(region, { target: { scrollTop: index * height } });
  return within(grid).findByText(name);
}

describe("a list of more rows than a page", () => {
  const failures = Array.from({ length: 2_500 }, (_, ordinal) => file(ordinal + 500, "failed"));
  const files = [...Array.from({ length: 500 }, (_, ordinal) => file(ordinal, "done")), ...failures];
  const report = {
    ...job(9, "paused").report,
    failed: failures.map(({ path }) => ({
      path,
      line: null,
      page: null,
      page_label: null,
      code: "io",
      message: "",
    })),
  };
  const many = {
    "job.list": () => [job(9, "paused", { files: 3_200, files_done: 3_000, report })],
    "job.files": paged(files),
  };
  const pagesOf = (command: string) => (sent(command) as Asked[]).map(({ offset }) => offset);

  it("counts all files of a job, and asks for the first page alone", async () => {
    open(many);
    for (const name of ["All 3,200", "Queued 200", "Done 500", "Failed 2,500"])
      expect(await screen.findByRole("radio", { name })).toBeInTheDocument();
    await screen.findByText("0.md");
    expect(new Set(pagesOf("job.files"))).toEqual(new Set([0]));
    expect(screen.getByRole("grid", { name: "Files in the job" })).toHaveAttribute("aria-rowcount", "3201");
  });

  it("reaches each of 2,500 failed files by scrolling", async () => {
    open(many);
    await userEvent.click(await screen.findByRole("radio", { name: "Failed 2,500" }));
    await screen.findByText("500.md");
    await scrollTo("Files in the job", 990, "1490.md");
    await scrollTo("Files in the job", 1_990, "2490.md");
    await scrollTo("Files in the job", 2_490, "2999.md");
    expect(screen.getByRole("grid", { name: "Files in the job" })).toHaveAttribute("aria-rowcount", "2501");
  });

  it("loads all before it is sorted, for the last may be the first", async () => {
    open(many);
    await userEvent.click(await screen.findByRole("radio", { name: "Failed 2,500" }));
    await screen.findByText("500.md");
    const head = screen.getByRole("button", { name: "File" });
    await userEvent.click(head);
    await userEvent.click(head);
    expect(await screen.findByText("2999.md")).toBeInTheDocument();
  });

  it("says so where a further page fails, and tries again", async () => {
    let broken = true;
    open({
      ...many,
      "job.files": (input: Asked) => {
        if (broken && (input.offset ?? 0) > 0) throw { code: "storage", message: "The disk is gone." };
        return paged(files)(input);
      },
    });
    await screen.findByText("0.md");
    const region = screen.getByRole("grid", { name: "Files in the job" }).querySelector(".scrolls");
    fireEvent.scroll(region as HTMLElement, { target: { scrollTop: 990 * 28 } });
    const alert = await screen.findByRole("alert");
    broken = false;
    await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
    await scrollTo("Files in the job", 1_200, "1200.md");
  });

  it("reaches every document of a corpus", async () => {
    const rows = (await libraryHandlers()["document.list"]?.(
      { corpus: "Transition notes" },
      {} as never,
    )) as DocumentRow[];
    const documents = Array.from({ length: 2_500 }, (_, id) => ({
      ...(rows[0] as DocumentRow),
      id,
      title: `Report ${id}`,
      issuer: id === 1 ? "Northwind Energy plc" : null,
      year: id === 1 ? 2024 : null,
    }));
    window.location.hash = href("library", [], { corpus: "Transition notes" });
    open({
      "document.list": ({ offset = 0, limit }: Asked) =>
        documents.slice(offset, limit === undefined ? undefined : offset + limit),
    });
    await userEvent.click(await screen.findByRole("radio", { name: /^Documents/ }));
    await screen.findByText("Report 0");
    // Titles alone are often the same.
    expect(screen.getByText("Report 1").closest("a")).toHaveTextContent(
      "Report 1Northwind Energy plc · 2024",
    );
    expect(pagesOf("document.list")).toEqual([0]);
    await scrollTo("Documents", 990, "Report 990", 58);
    await scrollTo("Documents", 1_990, "Report 1990", 58);
    await scrollTo("Documents", 2_490, "Report 2499", 58);
  });

  describe("the chunks of a corpus", () => {
    const answered = (command: "document.list" | "chunk.list", input: object) =>
      ({ ...handlers, ...libraryHandlers() })[command]?.(input as never, {} as never) as Promise<unknown[]>;
    /** Opens the chunks of 2,500 documents with two each; `ask` hears of each call for some of them. */
    async function chunks(ask: () => void = () => undefined) {
      const [row] = (await answered("document.list", { corpus: "Transition notes" })) as DocumentRow[];
      const [chunk] = (await answered("chunk.list", {
        document: idOf("northwind"),
        offset: 0,
        limit: 1,
      })) as StoredChunk[];
      if (!row || !chunk) throw new Error("the in-memory library is empty");
      const documents = Array.from({ length: 2_500 }, (_, id) => ({ ...row, id, chunks: 2 }));
      const inspect = libraryHandlers()["corpus.inspect"];
      window.location.hash = href("library", [], { corpus: "Transition notes" });
      open({
        "document.list": ({ offset = 0, limit }: Asked) =>
          documents.slice(offset, limit === undefined ? undefined : offset + limit),
        "chunk.list": ({ document }: { document: number }) => {
          ask();
          return [0, 1].map((ordinal) => ({
            ...chunk,
            row: { ...chunk.row, document_id: document, ordinal },
            passage: `Passage ${document}.${ordinal}`,
          }));
        },
        "corpus.inspect": async (...given: Parameters<NonNullable<typeof inspect>>) => {
          const details = (await inspect?.(...given)) as CorpusDetails;
          return { ...details, overview: { ...details.overview, chunks: 5_000 } };
        },
      });
      await userEvent.click(await screen.findByRole("radio", { name: /^Chunks/ }));
    }

    it("are counted at once, and their documents are loaded page by page", async () => {
      await chunks();
      expect(await screen.findByText("Passage 0.0")).toBeInTheDocument();
      expect(screen.getByText("Passage 0.0").closest("[role=option]")).toHaveAttribute(
        "aria-setsize",
        "5000",
      );
      expect(pagesOf("document.list")).toEqual([0]);
      const region = screen.getByRole("listbox", { name: "Chunks" }).parentElement as HTMLElement;
      fireEvent.scroll(region, { target: { scrollTop: 4_990 * 50 } });
      expect(await screen.findByText("Passage 2495.0")).toBeInTheDocument();
      expect(pagesOf("document.list")).toEqual([0, 1_000, 2_000]);
    });

    it("say so where some could not be loaded, and are loaded again", async () => {
      let broken = true;
      await chunks(() => {
        if (broken) throw { code: "storage", message: "The disk is gone." };
      });
      const alert = await screen.findByRole("alert");
      expect(alert).toHaveTextContent("The disk is gone.");
      broken = false;
      await userEvent.click(within(alert).getByRole("button", { name: "Retry" }));
      expect(await screen.findByText("Passage 0.0")).toBeInTheDocument();
    });
  });
});
