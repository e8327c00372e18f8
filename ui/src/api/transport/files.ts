// Files of a browser. A page knows them by name, as it knows files of this computer by their paths; on their way to
// the server their bytes take the place of the name.

import { t } from "@/text";
import type { DragEvent, Stop } from "../transport";

/** The files that were chosen or dropped in this tab. */
export type Files = {
  /** Keeps files, and gives the names that stand for them. */
  keep: (files: readonly Named[]) => string[];
  /** Lets the reader choose some; none where the dialog was closed. */
  pick: () => Promise<string[]>;
  /** An input with the bytes of the files that it names. */
  sent: (input: unknown) => Promise<unknown>;
};

type Named = { name: string; file: File };

const encoded = new WeakMap<File, Promise<string>>();

/** The bytes of a file in Base64. */
function base64(file: File): Promise<string> {
  const known = encoded.get(file);
  if (known) return known;
  const reading = new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = String(reader.result);
      done(url.slice(url.indexOf(",") + 1));
    };
    reader.onerror = () => failed({ code: "io", message: t("sign_in.unread", { name: file.name }) });
    reader.readAsDataURL(file);
  });
  encoded.set(file, reading);
  return reading;
}

/** The files of this tab. */
export function filesOf(): Files {
  const kept = new Map<string, File>();
  const keep = (files: readonly Named[]) =>
    files.map(({ name, file }) => {
      kept.set(name, file);
      return name;
    });
  const of = (name: string): File => {
    const file = kept.get(name);
    if (!file) throw { code: "not_found", message: t("sign_in.gone", { name }) };
    return file;
  };
  const sent = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(sent));
    if (typeof value !== "object" || value === null) return value;
    const fields = value as Record<string, unknown>;
    if (fields.kind === "path" && typeof fields.path === "string")
      return { kind: "upload", name: fields.path, bytes: await base64(of(fields.path)) };
    const entries = await Promise.all(
      Object.entries(fields).map(async ([name, each]) => [name, await sent(each)] as const),
    );
    return Object.fromEntries(entries);
  };
  return {
    keep,
    pick: async () => {
      const files = await picked();
      return keep(files.map((file) => ({ name: file.name, file })));
    },
    sent: async (input) => {
      const { path } = input as { path?: unknown };
      const file = typeof path === "string" ? kept.get(path) : undefined;
      const whole = (await sent(input)) as object;
      return file ? { ...whole, text: await file.text() } : whole;
    },
  };
}

/** The files that the reader chooses in the browser's dialog. */
function picked(): Promise<readonly File[]> {
  return new Promise((done) => {
    const field = document.createElement("input");
    field.type = "file";
    field.multiple = true;
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
export function saved(name: string, text: string): string {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
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
      (found) => listener({ kind: "drop", paths: files.keep(found.flat()), ...at }),
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
