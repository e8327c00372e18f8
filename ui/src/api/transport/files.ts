// Files of a browser. A page knows them by name, as it knows files of this computer by their paths. Each is sent to the
// server before the call that names it, and the id that it is kept under there takes the place of the name.

import { t } from "@/text";
import type { DragEvent, Stop } from "../transport";
import { tellUploading } from "../uploading";

/** The files that were chosen or dropped in this tab. */
export type Files = {
  /** Keeps files, and gives the names that stand for them: each its own. */
  keep: (files: readonly Named[]) => string[];
  /** Lets the reader choose some; none where the dialog was closed. */
  pick: () => Promise<string[]>;
  /** Lets the reader choose a folder; none where the dialog was closed. */
  pickFolder: () => Promise<string[]>;
  /** An input with ids in place of the files that it names, each sent by `send` unless it was before. */
  sent: (command: string, input: unknown, send: Send) => Promise<unknown>;
  /** Forgets the ids of the files that `input` names: the server has them no more. Says whether it names any. */
  forget: (input: unknown) => boolean;
};

type Named = { name: string; file: File };
/** Sends a file; gives the id that it is kept under. */
type Send = (file: File) => Promise<string>;
type Fields = Record<string, unknown>;

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** The name that a source of an import has for a file; nothing where it is another source. */
const pathOf = (value: unknown): string | undefined => {
  const { kind, path } = fieldsOf(value) ?? {};
  return kind === "path" && typeof path === "string" ? path : undefined;
};

/** Commands that read files which they name by themselves, not among sources. */
const READ: Readonly<Record<string, readonly string[]>> = {
  "gold.import": ["path", "queries"],
  "eval.run_import": ["path"],
};

/** The texts of a collection: judged queries are read without them, and they are by far its largest file. */
const UNREAD = /\/corpus\.jsonl$/;

/** Whether a file below a folder is hidden, or lies in a hidden folder: such are left out, as in the window. */
const isHidden = (path: string): boolean =>
  path
    .split("/")
    .slice(1)
    .some((part) => part.startsWith("."));

/** `name`, or the first of `name (2)`, `name (3)` … that is not `taken`. */
function free(name: string, taken: (name: string) => boolean): string {
  const dot = name.lastIndexOf(".");
  const [stem, ending] = dot > name.lastIndexOf("/") + 1 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let number = 1; ; number += 1) {
    const own = number === 1 ? name : `${stem} (${number})${ending}`;
    if (!taken(own)) return own;
  }
}

/** The files of this tab by the names that pages know. A browser does not tell in which folder a file lies. */
function keeping() {
  const kept = new Map<string, Named>();
  const folders = new Map<string, { name: string; files: string[] }>();
  const ids = new Map<File, string>();

  const same = (a: File, b: File) => a.size === b.size && a.lastModified === b.lastModified;
  /** Keeps files; two of one name are two. */
  const keep = (files: readonly Named[]) =>
    files.map((each) => {
      const own = free(each.name, (name) => {
        const known = kept.get(name);
        return known !== undefined && !same(known.file, each.file);
      });
      kept.set(own, each);
      return own;
    });
  const keepFolder = (folder: string, files: readonly File[]) => {
    const own = free(folder, (name) => folders.has(name));
    folders.set(own, {
      name: folder,
      files: keep(files.map((file) => ({ name: file.webkitRelativePath, file }))),
    });
    return own;
  };
  const of = (name: string): Named => {
    const known = kept.get(name);
    if (!known) throw { code: "not_found", message: t("sign_in.gone", { name }) };
    return known;
  };
  return {
    keep,
    keepFolder,
    of,
    ids,
    /** What is kept under a name, where anything is. */
    known: (name: string): File | undefined => kept.get(name)?.file,
    /** What a name stands for: a file, or all of a folder. */
    below: (name: string): string[] => folders.get(name)?.files ?? [name],
    /** What a file or folder is called where it comes from. */
    given: (name: string): string => folders.get(name)?.name ?? of(name).name,
    /** The id of a file that was sent. */
    idOf: (name: string) => ids.get(of(name).file) ?? "",
  };
}

type Kept = ReturnType<typeof keeping>;

/** The names of files in an input. */
function namedIn(value: unknown, below: Kept["below"]): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => namedIn(each, below));
  const path = pathOf(value);
  if (path !== undefined) return below(path);
  return Object.values(fieldsOf(value) ?? {}).flatMap((each) => namedIn(each, below));
}

/** The names of files that a command reads by itself. */
function readBy(command: string, input: unknown, below: Kept["below"]): string[] {
  const fields = fieldsOf(input) ?? {};
  const names = (READ[command] ?? []).flatMap((field) => fields[field] ?? []) as string[];
  return names.flatMap(below).filter((name) => !UNREAD.test(name));
}

/** The input with the ids of its files, which were sent, in place of their names. */
function withIds(input: unknown, { below, given, idOf }: Kept): unknown {
  const used = new Set<string>();
  const upload = (own: string) => {
    // Two of one name are two files, and neither may take the other's place.
    const name = free(given(own), (each) => used.has(each));
    used.add(name);
    return { kind: "upload", name, file: idOf(own) };
  };
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.flatMap((each) => {
        const path = pathOf(each);
        return path === undefined ? [replaced(each)] : below(path).map(upload);
      });
    const path = pathOf(value);
    if (path !== undefined) return upload(path);
    const fields = fieldsOf(value);
    if (!fields) return value;
    return Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, replaced(each)]));
  };
  return replaced(input);
}

/** The files of this tab. */
export function filesOf(): Files {
  const files = keeping();
  const { keep, keepFolder, of, ids, known, below, given, idOf } = files;
  return {
    keep,
    pick: async () => keep((await chosen(false)).map((file) => ({ name: file.name, file }))),
    pickFolder: async () => {
      const found = (await chosen(true)).filter((file) => !isHidden(file.webkitRelativePath));
      const folder = found[0]?.webkitRelativePath.split("/")[0];
      return folder === undefined ? [] : [keepFolder(folder, found)];
    },
    sent: async (command, input, send) => {
      const read = readBy(command, input, below);
      const missing = [...new Set([...namedIn(input, below), ...read].map((name) => of(name).file))].filter(
        (file) => !ids.has(file),
      );
      try {
        for (const [index, file] of missing.entries()) {
          tellUploading({ file: index + 1, of: missing.length });
          ids.set(file, await send(file));
        }
      } finally {
        if (missing.length > 0) tellUploading(undefined);
      }
      const whole = withIds(input, files) as Fields;
      for (const field of READ[command] ?? [])
        if (typeof whole[field] === "string") whole[field] = given(whole[field]);
      if (command === "gold.import")
        return { ...whole, files: read.map((name) => ({ name: given(name), file: idOf(name) })) };
      return command === "eval.run_import" ? { ...whole, file: idOf(read[0] ?? "") } : whole;
    },
    forget: (input) => {
      const fields = fieldsOf(input) ?? {};
      const paths = [fields.path, fields.queries].filter((path) => typeof path === "string");
      const named = [...namedIn(input, below), ...paths.flatMap(below)].flatMap((name) => known(name) ?? []);
      for (const file of named) ids.delete(file);
      return named.length > 0;
    },
  };
}

/** The files that the reader chooses in the browser's dialog, or all of the folder that is chosen there. */
function chosen(folder: boolean): Promise<readonly File[]> {
  return new Promise((done) => {
    const field = document.createElement("input");
    field.type = "file";
    field.multiple = true;
    field.webkitdirectory = folder;
    field.hidden = true;
    const end = () => {
      done([...(field.files ?? [])]);
      field.remove();
    };
    field.addEventListener("change", end, { once: true });
    field.addEventListener("cancel", end, { once: true });
    // A dialog whose field is in no page is taken away by some browsers.
    document.body.append(field);
    field.click();
  });
}

/** Gives the reader a file to keep. Gives its name. */
export function saved(name: string, content: BlobPart, type = "text/plain;charset=utf-8"): string {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  // The browser reads it once the click is over.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  return name;
}

/** Everything below an entry of what was dropped, by its path from there. */
async function below(entry: FileSystemEntry): Promise<Named[]> {
  const name = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed));
    return [{ name, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: Named[] = [];
  // A folder is told a hundred entries at a time.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await below(each)));
  }
}

/** Names for files that hang over the window: a browser tells what they are called when they are let go. */
const hanging = (items: readonly DataTransferItem[]): string[] =>
  items.map(({ type }, index) => {
    const ending = {
      "application/pdf": "pdf",
      "text/markdown": "md",
      "text/plain": "txt",
      "text/html": "html",
    }[type];
    return ending === undefined ? `${index + 1}` : `${index + 1}.${ending}`;
  });

/** Tells of files that are dragged over the window and let go. */
export function dropped(files: Files, listener: (event: DragEvent) => void): Stop {
  let over = false;
  const itemsOf = (event: globalThis.DragEvent) =>
    [...(event.dataTransfer?.items ?? [])].filter(({ kind }) => kind === "file");
  const place = ({ clientX: x, clientY: y }: globalThis.DragEvent) => ({ x, y });
  const onOver = (event: globalThis.DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    if (over) listener({ kind: "over", ...place(event) });
    else {
      over = true;
      listener({ kind: "enter", paths: hanging(itemsOf(event)), ...place(event) });
    }
  };
  const onLeave = (event: globalThis.DragEvent) => {
    // Within the window it leaves one element for the next.
    if (!over || event.relatedTarget !== null) return;
    over = false;
    listener({ kind: "leave" });
  };
  const onDrop = (event: globalThis.DragEvent) => {
    const items = itemsOf(event);
    if (items.length === 0) return;
    event.preventDefault();
    over = false;
    // They are gone once the event is over.
    const entries = items.flatMap((item) => item.webkitGetAsEntry() ?? []);
    const at = place(event);
    void Promise.all(entries.map(below)).then(
      (found) => {
        const shown = found.flat().filter(({ name }) => !isHidden(name));
        listener({ kind: "drop", paths: files.keep(shown), ...at });
      },
      () => listener({ kind: "leave" }),
    );
  };
  window.addEventListener("dragenter", onOver);
  window.addEventListener("dragover", onOver);
  window.addEventListener("dragleave", onLeave);
  window.addEventListener("drop", onDrop);
  return () => {
    window.removeEventListener("dragenter", onOver);
    window.removeEventListener("dragover", onOver);
    window.removeEventListener("dragleave", onLeave);
    window.removeEventListener("drop", onDrop);
  };
}
