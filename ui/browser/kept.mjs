// Scenes of what is kept, by name: the bin, documents that are held back, a damaged library and its backups, texts that were cited.

import { readFileSync } from "node:fs";

/** Ids of what was recorded. */
const names = JSON.parse(readFileSync(new URL("../src/api/recorded/names.json", import.meta.url)));

const press = (name) => (page) => page.getByRole("button", { name }).first().click();

const files = (count, ...paths) => ({ count, documents: paths.map((path) => ({ id: path, path })) });
const QUARRY = {
  root: "/home/ada/reports/2024",
  corpus: "Reports FY2024",
  watched: 1,
  reason: "many",
  gone: "delete",
  files: files(6, "quarry/north.pdf", "quarry/south.pdf", "quarry/water.pdf", "quarry/west.pdf"),
  until: "2025-11-20T10:02:00Z",
};
const SHARE = { ...QUARRY, reason: "away", gone: "mark", files: files(6, "share/mill.pdf"), until: null };

/** Documents are held back and away, and a check of their folder has ended. */
const heldBack = `(all) => {
  all["held.list"] = () => ${JSON.stringify([QUARRY, SHARE, { ...QUARRY, corpus: "SASB Standards", files: files(128, "a.pdf") }])};
  const list = all["job.list"];
  const gone = ${JSON.stringify({
    deleted: files(2, "old/plan-2019.pdf", "old/plan-2020.pdf"),
    marked: files(1, "notes.md"),
    held: QUARRY.files,
    away: SHARE.files,
    until: QUARRY.until,
  })};
  all["job.list"] = async (...given) =>
    (await list(...given)).map((each) => ({ ...each, state: "done", files: 5, files_done: 5, report: { ...each.report, gone } }));
}`;

/** A rescue could not save all of some documents, and files of others are gone. */
const rescued = `(all) => {
  const lost = (each) => (each.corpus.name === "Reports FY2024" ? { ...each, incomplete: 12, missing: 3 } : each);
  const overview = all["library.overview"];
  all["library.overview"] = async (...given) => {
    const whole = await overview(...given);
    return { ...whole, corpora: whole.corpora.map(lost) };
  };
  const details = all["corpus.inspect"];
  all["corpus.inspect"] = async (...given) => {
    const one = await details(...given);
    return { ...one, overview: lost(one.overview) };
  };
}`;

/** Some documents are in the bin. */
const binned = `(all) => {
  const list = all["document.list"];
  const bin = all["bin.list"];
  all["bin.list"] = async (...given) => {
    const rows = await list({ corpus: "Reports FY2024" }, ...given.slice(1));
    all["document.delete"]({ ids: rows.slice(0, 5).map(({ id }) => id) });
    all["bin.list"] = bin;
    return bin(...given);
  };
}`;

const BACKUPS = ["2025-11-19T08:00:00Z", "2025-11-18T07:58:00Z", "2025-11-17T08:03:00Z"].map(
  (made_at, at) => ({
    name: `${made_at.replaceAll(":", "-")}.sibyl`,
    made_at,
    bytes: 220_000_000 - at * 3_100_000,
  }),
);

const condition = (more) => `(all) => {
  all["library.condition"] = () => (${JSON.stringify({
    state: "sound",
    message: null,
    place: null,
    backups: BACKUPS,
    no_backup: null,
    ...more,
  })});
}`;
const DAMAGED = {
  state: "damaged",
  message:
    "the library file is damaged: file is not a database; run `sibyl rescue` to save what can be read, or `sibyl backup restore` to restore a backup",
  no_backup: "the library does not open",
};

/** The library does not open: only its state, its backups and both ways back answer. */
const unopened = (more = {}) => `(all) => {
  const kept = ["library.condition", "backup.list", "library.rescue", "backup.restore"];
  for (const name of Object.keys(all))
    if (!name.startsWith("shell.") && !kept.includes(name))
      all[name] = () => { throw ${JSON.stringify({ code: "damaged", message: DAMAGED.message })}; };
  (${condition({ ...DAMAGED, ...more })})(all);
}`;

/** The sources of an answer have changed since. */
const sourcesChanged = `(all) => {
  const get = all["answer.log.get"];
  all["answer.log.get"] = async (...given) => {
    const kept = await get(...given);
    const citations = kept.answer.citations.map((each, at) =>
      at === 1 ? each : { ...each, document_id: ${names.halden}, text_version: "v1", source: { changed: true, document_id: ${names.halden}, range: null, kept: true } });
    return { ...kept, answer: { ...kept.answer, citations, source_changed: true } };
  };
  const list = all["answer.log.list"];
  all["answer.log.list"] = async (...given) => {
    const found = await list(...given);
    return { ...found, entries: found.entries.map((each) => ({ ...each, source_changed: each.id === 7 })) };
  };
}`;

const QUOTE = "The mills emitted 4,812 tonnes of CO₂ equivalent in 2023.";
const THEN = `Fallow Mills\n\nEmissions\n\n${QUOTE}\n\nPeople\n\nFallow Mills employs 310 people.\n`;
const fallow = `chunk-lab?document=${names.halden}&version=v1&mark=${THEN.indexOf(QUOTE)}-${THEN.indexOf(QUOTE) + QUOTE.length}`;

/** A document was cited and has another text now, with the quote in it or without. */
const citedBefore = (now) => `(all) => {
  const text = ${JSON.stringify(now)};
  const quote = ${JSON.stringify(QUOTE)};
  const structure = { about_pages: false, sections: [], pages: [], ocr: null, notices: [] };
  const list = all["document.list"];
  const row = async (given) => {
    const [first] = await list({}, ...given.slice(1));
    return { ...first, id: ${names.halden}, title: "Report of Fallow Mills", path: "fallow.md", format: "markdown", text_version: "v2", ingested_at: "2025-11-19T10:02:00Z" };
  };
  all["document.list"] = async (...given) => [await row(given)];
  all["document.get"] = async (...given) => ({ row: await row(given), text, structure });
  all["document.version"] = async (...given) => ({
    row: await row(given), path: "fallow.md", title: "Report of Fallow Mills", structure, text: ${JSON.stringify(THEN)},
    read_at: "2025-10-01T09:00:00Z", replaced_at: "2025-11-19T10:02:00Z",
    now: text.includes(quote) ? [text.indexOf(quote), text.indexOf(quote) + quote.length] : null,
  });
}`;

/** The scenes, as in `scenes.mjs`. */
export const KEPT = [
  { name: "library-held", path: "library?corpus=IFRS S1", scene: heldBack },
  { name: "library-held-chosen", path: "library?corpus=Reports FY2024&closed=7", scene: heldBack },
  { name: "library-bin", path: "library?corpus=Reports FY2024&bin=open", scene: binned },
  { name: "library-bin-empty", path: "library?corpus=Reports FY2024&bin=open" },
  { name: "library-rescued", path: "library?corpus=Reports FY2024", scene: rescued },
  { name: "library-damaged", path: "library", scene: unopened() },
  { name: "ask-changed", path: "ask?answer=7&cite=1", scene: sourcesChanged },
  {
    name: "chunk-lab-changed",
    path: fallow,
    scene: citedBefore(THEN.replace("4,812", "5,977").replace("310", "322")),
  },
  {
    name: "chunk-lab-changed-stands",
    path: fallow,
    scene: citedBefore(THEN.replace("Emissions", "The mills are old.\n\nEmissions")),
  },
  { name: "settings-backups", path: "settings/data/backups", scene: condition({}) },
  {
    name: "settings-backups-restore",
    path: "settings/data/backups",
    scene: condition({}),
    act: press("Restore"),
  },
  {
    name: "settings-damaged",
    path: "settings/data/rescue",
    scene: condition({ ...DAMAGED, no_backup: "the library is damaged; its backups are kept as they are" }),
  },
  { name: "settings-unopened", path: "settings/data/rescue", scene: unopened() },
  {
    name: "settings-rescued",
    path: "settings/data/rescue",
    scene: unopened({ state: "replaced", no_backup: "the library cannot be written" }),
    act: press("Rescue what can be read"),
  },
];
