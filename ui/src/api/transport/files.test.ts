import { afterEach, describe, expect, it, vi } from "vitest";
import { filesOf } from "./files";

const texts = new Map<File, string>();
function file(text: string, name: string, lastModified: number): File {
  const made = new File([text], name, { lastModified });
  texts.set(made, text);
  return made;
}
const named = (each: File) => ({ name: each.name, file: each });
/** Gives a file its own text as id. */
const send = async (each: File) => texts.get(each) ?? "";

/** Has the next dialog give `files`, each at its path below the folder that is chosen. */
function choosing(files: readonly (readonly [path: string, text: string])[]) {
  const chosen = files.map(([path, text]) => {
    const each = file(text, path.split("/").at(-1) ?? "", 1);
    Object.defineProperty(each, "webkitRelativePath", { value: path });
    return each;
  });
  vi.spyOn(HTMLInputElement.prototype, "click").mockImplementationOnce(function (this: HTMLInputElement) {
    expect(this.webkitdirectory).toBe(true);
    Object.defineProperty(this, "files", { value: chosen });
    this.dispatchEvent(new Event("change"));
  });
}

afterEach(() => vi.restoreAllMocks());

describe("two files of one name", () => {
  it("have names of their own, and neither takes the other's place in an import", async () => {
    const files = filesOf();
    const first = files.keep([named(file("a", "report.pdf", 1))]);
    const second = files.keep([named(file("b", "report.pdf", 2))]);
    expect([...first, ...second]).toEqual(["report.pdf", "report (2).pdf"]);
    expect(files.keep([named(file("a", "report.pdf", 1))]), "the same one again").toEqual(["report.pdf"]);
    const sources = [...second, ...first].map((path) => ({ kind: "path", path }));
    expect(await files.sent("ingest.start", { sources }, send)).toEqual({
      sources: [
        { kind: "upload", name: "report.pdf", file: "b" },
        { kind: "upload", name: "report (2).pdf", file: "a" },
      ],
    });
  });
});

describe("a folder", () => {
  const collection = [
    ["wiki/corpus.jsonl", "all texts"],
    ["wiki/queries.jsonl", "queries"],
    ["wiki/qrels/test.tsv", "qrels"],
  ] as const;

  it("stands for its files in an import", async () => {
    const files = filesOf();
    choosing([...collection, ["wiki/.DS_Store", "no document"], ["wiki/.git/config", "no document"]]);
    const [path] = await files.pickFolder();
    const sent = await files.sent("ingest.preflight", { sources: [{ kind: "path", path }] }, send);
    const upload = ([name, id]: (typeof collection)[number]) => ({ kind: "upload", name, file: id });
    expect(sent).toEqual({ sources: collection.map(upload) });
  });

  it("is a collection of judged queries without the texts that they are judged on", async () => {
    const files = filesOf();
    choosing(collection);
    const [path] = await files.pickFolder();
    expect(await files.sent("gold.import", { path }, send)).toEqual({
      path: "wiki",
      files: [
        { name: "wiki/queries.jsonl", file: "queries" },
        { name: "wiki/qrels/test.tsv", file: "qrels" },
      ],
    });
  });
});

describe("files that a command reads by itself", () => {
  it("are sent for it", async () => {
    const files = filesOf();
    const [qrels, queries, run] = files.keep(
      ["qrels.txt", "qrels.queries.tsv", "bm25.run"].map((name) => named(file(`in ${name}`, name, 1))),
    );
    expect(await files.sent("gold.import", { path: qrels, queries }, send)).toEqual({
      path: "qrels.txt",
      queries: "qrels.queries.tsv",
      files: [
        { name: "qrels.txt", file: "in qrels.txt" },
        { name: "qrels.queries.tsv", file: "in qrels.queries.tsv" },
      ],
    });
    expect(await files.sent("eval.run_import", { path: run, set: "a" }, send)).toEqual({
      path: "bm25.run",
      set: "a",
      file: "in bm25.run",
    });
  });

  it("are told by their names where they are gone", async () => {
    const input = { sources: [{ kind: "path", path: "lost.pdf" }] };
    await expect(filesOf().sent("ingest.start", input, send)).rejects.toMatchObject({ code: "not_found" });
  });
});
