// Records what the interface is tested on: `npm run record [scene…]`. It starts the program `sibyl` (or `SIBYL`)
// on a library of its own, with the shipped standards, three reports and a gold set. `sibyl-loopback` (or
// `SIBYL_LOOPBACK`) is the provider, which reranks and writes. It sends the requests of `record/<scene>.jsonl`
// through the door of a browser, and writes each with its answer to `src/api/recorded/<scene>.ts`. The wire types
// check it there.
//
// A line of a list is `{"command", "input"}`. `@northwind` in an input is the row of that report, `@northwind#4`
// its fifth chunk, `@S2.14(a)(iv)` the chunk of that paragraph, and `@instant` the model of that tier. `"quiet"`
// prepares what follows and is not written. A line `{"add"}` imports a report of this folder.

import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { JSDOM } from "jsdom";
import { runnerImport } from "vite";

const here = (path) => new URL(path, import.meta.url).pathname;
// Pictures are written in letters, which may spell a mark of unfinished work by chance: its last one is escaped.
const PLACEHOLDER = /(X{2})X/g;
const program = process.env.SIBYL ?? "sibyl";
const loopback = process.env.SIBYL_LOOPBACK ?? "sibyl-loopback";
const TOKEN = "sibyl_recorder_0000000000000000000000";
const REPORTS = [
  here("record/northwind-energy-climate-report-2024.pdf"),
  here("../data/sample/aurelia-cement-annual-2024.md"),
  here("../data/sample/halden-shipping-esg-2024.md"),
];
const GOLD_SET = "S2 review";
/** Recorded after all others, in this order: one deletes a document for a while, one adds a report. */
const LAST = ["ask", "assess"];
/** What the chat model writes: an altered figure, what no source says, and what no page may run. */
const WRITTEN = [
  "The plan of Northwind rests on four assumptions: connection dates as offered in December 2024, a contract round for offshore wind in each year, a carbon price that does not fall below £55 a tonne, and the supply of installation vessels now under contract. [Citation 1]",
  "Two things follow from them:",
  "- **What a slip would cost.** [Citation 1]",
  "If connection dates slip by two years, the target for 2030 is missed by about 190,000 tonnes. [Citation 1]",
  "- **Who answers for it.** [Citation 2]",
  "The plan was audited by Ernst & Young, says [its chairman](https://evil.example/x) ![pixel](https://evil.example/p.png) <img src=x onerror=alert(1)>. [Citation 3]",
].join("\n");
/** How they are cut: the sample is short, and a cut has to have something to do. */
const SIZES = ["target_tokens=320", "min_tokens=80", "max_tokens=512", "overlap_tokens=48"];
const AS_REPORT = [
  ...["--corpus", "Reports FY2024", "--source-type", "report"],
  ...SIZES.flatMap((size) => ["--set", size]),
];
/** When everything happened, and how long it took: the same in every recording. */
const AT = "2025-11-19T10:02:00Z";
const NOW = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
const STEP_MS = 2;
const SECONDS = 4;
/** Digits behind the point that are kept of a number. */
const DIGITS = 6;
/** What a formula on the screen has to give exactly. */
const EXACT = "value";
/** An address on this computer: its port differs from start to start. */
const PORT = /^(http:\/\/127\.0\.0\.1):\d+/;
/** What is asked for smaller than a screen asks: rows of a leg, and pixels of a page. */
const SMALL = {
  search: { listed: 12 },
  "search.record": { listed: 12 },
  "document.page_image": { width: 320 },
  "embedding.map": { sample: 150 },
};
/** Rows of a stage that are kept of what a search left out, and of a ranking: no request makes these lists shorter. */
const LEFT_OUT = 8;
const RANKING = { before: 12, after: 12 };
function shortened(list, name) {
  if (name in RANKING) return list.slice(0, RANKING[name]);
  if (name !== "dropped") return list;
  const seen = {};
  return list.filter(({ stage }) => {
    seen[stage] = (seen[stage] ?? 0) + 1;
    return seen[stage] <= LEFT_OUT;
  });
}
/** Sectors of the SASB Standards that are kept of the tree: those that follow are much alike. */
const SECTORS = 2;
function pruned(command, output) {
  if (command !== "standards.tree") return output;
  const [end] = output.flatMap(({ kind }, at) => (kind === "sector" ? [at] : [])).slice(SECTORS);
  return output.slice(0, end);
}
/** What a stored chunk's row has beside its view, and no wire type names. */
const UNTYPED = "pieces";

const folder = await mkdtemp(join(tmpdir(), "sibyl-record-"));
const env = {
  ...process.env,
  SIBYL_DATA_DIR: join(folder, "library"),
  SIBYL_SHIPPED_DIR: here("../data"),
  OPENROUTER_API_KEY: "",
  SIBYL_RERANK_KEY: "recorded",
};
const run = (...given) => promisify(execFile)(program, given, { env });

/** The provider on this machine: starts it, and reranks and writes with it. */
async function provide() {
  const provider = spawn(loopback, ["--always", `say=${WRITTEN}`], { stdio: ["pipe", "pipe", "inherit"] });
  for await (const url of createInterface(provider.stdout)) {
    await run("settings", "rerank_base_url", url);
    await run("settings", "chat_base_url", url);
    await run("settings", "chat_model", "loopback/writer");
    return { url, stop: () => provider.kill() };
  }
  throw new Error(`${loopback} did not start`);
}

/** The same for every run: times, durations and digits that nobody reads; names in the order of the alphabet. */
function settled(value, name = "", at = 0) {
  if (typeof value === "number") {
    if (/_ms$|^milliseconds$/.test(name)) return name === "start_ms" ? at * STEP_MS : STEP_MS;
    if (/seconds/.test(name)) return SECONDS;
    return name === EXACT ? value : Number(value.toFixed(DIGITS));
  }
  if (typeof value === "string")
    return value.replaceAll(NOW, AT).replaceAll(folder, "/home/ada").replace(PORT, "$1:8000");
  if (Array.isArray(value)) return shortened(value, name).map((each, index) => settled(each, name, index));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => name !== "row" || key !== UNTYPED)
      .sort()
      .map((key) => [key, settled(value[key], key, at)]),
  );
}

/** Starts the server. Gives its address. */
async function serve() {
  const tokens = join(folder, "tokens");
  await writeFile(tokens, `spend ${TOKEN}\n`, { mode: 0o600 });
  const given = ["serve", "--port", "0", "--allow", "spend", "--token-file", tokens];
  const server = spawn(program, given, { env, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [server.stderr, server.stdout])
    for await (const line of createInterface(stream)) {
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
      if (address) return { address, stop: () => server.kill() };
    }
  throw new Error(`${program} serve did not start`);
}

/** The door of a browser, at `address`. */
async function door(address) {
  const { window } = new JSDOM("", { url: address });
  const { document, navigator, localStorage, sessionStorage } = window;
  Object.assign(globalThis, { window, document, navigator, localStorage, sessionStorage });
  const ask = globalThis.fetch;
  globalThis.fetch = (path, { credentials, ...options }) => ask(new URL(path, address), options);
  const { module } = await runnerImport(here("src/api/transport/http.ts"), {
    root: here("."),
    resolve: { alias: { "@": here("src") } },
  });
  const transport = module.httpTransport(TOKEN, { scope: "spend", workspace: "default", version: "" });
  return (command, input, onProgress) =>
    transport.call(command, input, { requestId: command, workspace: "default", onProgress });
}

/** What the names in the lists stand for. */
async function namesOf(call) {
  const names = {};
  for (const { space, space_id } of await call("model.list", {})) names[space.tier] = space_id;
  for (const row of await call("document.list", { limit: 1000 })) {
    const standard = row.source_type.startsWith("ifrs");
    const name = row.source_type === "report" ? row.path.split("-")[0] : row.path.split(".")[0];
    names[name] = row.id;
    if (row.source_type === "sasb") continue;
    for (const chunk of await call("chunk.list", { document: row.id, offset: 0, limit: 1000 })) {
      const { chunk_id, ordinal, metadata } = chunk.row;
      if (!standard) names[`${name}#${ordinal}`] = chunk_id;
      else if (metadata.paragraph_id in names)
        names[`${metadata.paragraph_id}~${chunk_id.slice(0, 4)}`] = chunk_id;
      else if (metadata.paragraph_id) names[metadata.paragraph_id] = chunk_id;
    }
  }
  return names;
}

const named = (value, names) => {
  if (typeof value === "string" && value.startsWith("@")) {
    if (!(value.slice(1) in names)) throw new Error(`there is no ${value}`);
    return names[value.slice(1)];
  }
  if (Array.isArray(value)) return value.map((each) => named(each, names));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each, names)]));
};

/** Words of a chat model that are told at a time: each stretch is drawn. */
const TOGETHER = 6;
function folded(told) {
  const out = [];
  let words = 0;
  for (const event of told) {
    const last = out.at(-1);
    const goesOn = event.event === "delta" && last?.event === "delta" && words < TOGETHER;
    if (goesOn) last.text += event.text;
    else out.push({ ...event });
    words = goesOn ? words + 1 : 1;
  }
  return out;
}

async function record(scene, call, names) {
  const lines = [];
  for (const line of (await readFile(here(`record/${scene}.jsonl`), "utf8")).split("\n")) {
    if (line.trim() === "") continue;
    const request = JSON.parse(line);
    if (request.add) {
      await run("ingest", here(`record/${request.add}`), ...AS_REPORT);
      continue;
    }
    const input = named(request.input ?? {}, names);
    const cut = { ...SMALL[request.command], ...input };
    const told = [];
    let result;
    try {
      const output = await call(request.command, cut, (progress) => told.push(progress));
      // A page is drawn once, where nothing is marked on it.
      if (input.end !== undefined && output.png) output.png = "";
      result = {
        output: settled(pruned(request.command, output)),
        ...(told.length > 0 && { told: settled(folded(told)) }),
      };
    } catch (thrown) {
      const { code, message } = thrown;
      if (!code || !request.refused) {
        process.stderr.write(`${scene}: ${line}: ${message ?? thrown}\n`);
        process.exitCode = 1;
        continue;
      }
      result = { error: { code, message } };
    }
    if (request.quiet) continue;
    const written = JSON.stringify({ command: request.command, input, ...result });
    lines.push(`  ${written.replaceAll(PLACEHOLDER, "$1\\u0058")},`);
  }
  await writeFile(
    here(`src/api/recorded/${scene}.ts`),
    [
      "// Written by `npm run record`.",
      "",
      'import type { Recording } from "../recording";',
      "",
      "export default [",
      ...lines,
      "] satisfies Recording[];",
      "",
    ].join("\n"),
  );
  process.stdout.write(`${scene}: ${lines.length} answers\n`);
}

let server;
let provider;
try {
  await run("ingest");
  await run("ingest", here("../data/README.md"), "--corpus", "Documentation", "--source-type", "docs");
  await run("ingest", ...REPORTS, ...AS_REPORT);
  await run("gold", "import", here("record/gold/s2-review.jsonl"), "--name", GOLD_SET);
  provider = await provide();
  server = await serve();
  const call = await door(server.address);
  const names = await namesOf(call);
  await writeFile(here("src/api/recorded/names.json"), `${JSON.stringify(names, null, 1)}\n`);
  const lists = (await readdir(here("record"))).filter((name) => name.endsWith(".jsonl"));
  const listed = lists.map((name) => name.replace(".jsonl", ""));
  const scenes = [...listed.filter((name) => !LAST.includes(name)), ...LAST];
  const wanted = process.argv.slice(2);
  for (const scene of wanted.length > 0 ? wanted : scenes) await record(scene, call, names);
} finally {
  server?.stop();
  provider?.stop();
  await rm(folder, { recursive: true, force: true });
}
