// Settings: declared values, keys in a keychain that answers, a log, disk use, a library to look after.

import { answering, recorded } from "../recording";
import type { FakeHandlers } from "../transport/fake";
import type { Condition, LogLine, ModelView, Secret, SecretStatus, SettingView, Workspace } from "../types";

type Value = SettingView["value"];

/** What the engine declares, with every value as usual. */
export const declared = (): SettingView[] =>
  recorded("settings.get", {}).map(({ param }) => ({ param, value: param.default }));

/** Models of the library: two that ship inside, one of a provider. */
export const models: readonly ModelView[] = [
  {
    space_id: "potion",
    space: {
      tier: "instant",
      model: "potion-base-8M",
      endpoint: "",
      revision: "dcbec7a",
      dimensions: 256,
      window: "",
    },
    vectors: 38_114,
    served: true,
  },
  {
    space_id: "bge-small",
    space: {
      tier: "embedded",
      model: "all-MiniLM-L6-v2",
      endpoint: "",
      revision: "5c38ec7",
      dimensions: 384,
      window: "",
    },
    vectors: 23_834,
    served: true,
  },
  {
    space_id: "remote-small",
    space: {
      tier: "remote",
      model: "openai/text-embedding-3-small",
      endpoint: "https://openrouter.ai/api/v1",
      revision: "",
      dimensions: 1536,
      window: "",
    },
    vectors: 25_829,
    served: false,
  },
];

const LEVELS = ["error", "warn", "info", "debug", "trace"];

const line = (
  clock: string,
  level: LogLine["level"],
  target: string,
  message: string,
  fields = {},
): LogLine => ({
  at: `2025-11-19T${clock}Z`,
  level,
  target,
  message,
  fields,
});

const LINES: readonly LogLine[] = [
  line("14:19:57", "info", "sibyl", "started", { version: "0.1.0" }),
  line("14:19:57", "info", "sibyl::store", "migrations up to date", { version: 1 }),
  line("14:19:58", "info", "sibyl::store", "code files opened", { vectors: 38_114 }),
  line("14:22:40", "info", "sibyl::search", "search", { mode: "hybrid", ms: 31 }),
  line("14:27:12", "info", "sibyl::ingest", "job started", { job: 7, files: 46 }),
  line("14:27:33", "warn", "sibyl::ingest", "61 of 88 pages have no text", { job: 7 }),
  line("14:28:02", "error", "sibyl::ingest", "the provider answered 429 after 5 attempts", { job: 7 }),
  line("14:29:40", "info", "sibyl::embed", "batch stored", { batch: 45, of: 74 }),
  line("14:29:51", "warn", "sibyl::embed", "the provider asks to wait", { seconds: 4, attempt: 3 }),
  line("14:31:04", "info", "sibyl::search", "search", { mode: "hybrid", ms: 409 }),
];

const refuse = (message: string) => ({ code: "setting", message });

function checked({ param }: SettingView, value: Value | null): Value {
  if (value === null) return param.default;
  if (param.kind === "integer") {
    const fits = typeof value === "number" && value >= (param.min ?? value) && value <= (param.max ?? value);
    if (!fits) throw refuse(`\`${param.name}\` takes a whole number from ${param.min} to ${param.max}`);
  }
  if (param.name.endsWith("base_url") && value !== "" && !/^https?:\/\//.test(String(value)))
    throw refuse(`\`${param.name}\` takes an address that begins with https://, not \`${value}\``);
  return value;
}

/** What differs from a machine whose keychain answers. */
export type Machine = {
  /** Why no keychain answers. */
  noKeychain?: string;
  /** Keys in the environment. */
  environment?: readonly Secret[];
};

const VARIABLES: Record<Secret, string> = {
  openrouter: "OPENROUTER_API_KEY",
  rerank: "SIBYL_RERANK_KEY",
  signing: "SIBYL_SIGNING_KEY",
};

function secretHandlers({ noKeychain, environment = [] }: Machine): FakeHandlers {
  const kept = new Set<Secret>(noKeychain ? [] : ["openrouter"]);
  const status = (): SecretStatus[] =>
    (["openrouter", "rerank"] as const).map((secret) => ({
      secret,
      source: kept.has(secret) ? "keychain" : environment.includes(secret) ? "environment" : "none",
      variable: VARIABLES[secret],
      keychain_error: noKeychain ?? null,
    }));
  return answering({
    "secret.status": status,
    "secret.set": ({ secret, value }) => {
      if (noKeychain) throw { code: "keychain", message: noKeychain };
      if (/\s/.test(value.trim())) throw refuse("a key has no spaces");
      kept.add(secret);
      return status();
    },
    "secret.clear": ({ secret }) => {
      kept.delete(secret);
      return status();
    },
    "secret.test": async ({ secret }, { wait }) => {
      await wait(20);
      return secret === "openrouter"
        ? { model: "openai/text-embedding-3-small", dimensions: 1536, milliseconds: 214 }
        : { model: "cohere/rerank-v3.5", dimensions: null, milliseconds: 180 };
    },
  });
}

/** The file of the library: what it takes, where it lies, and what makes it smaller. */
function fileHandlers(isRemote: () => boolean): FakeHandlers {
  let compacted = false;
  let moved: string | null = null;
  return answering({
    "app.info": () => ({
      version: "0.1.0",
      folder: "~/.local/share/sibyl",
      disk_bytes: 231_000_000,
      free_bytes: 84_000_000_000,
      movable: true,
      moved_to: moved,
      remote: isRemote(),
    }),
    "library.storage": () => ({
      folder: "~/.local/share/sibyl",
      parts: [
        { name: "vectors", bytes: 96_000_000 },
        { name: "originals", bytes: 21_000_000 },
        { name: "text", bytes: 32_000_000 },
        { name: "keyword", bytes: 34_000_000 },
        { name: "records", bytes: 2_000_000 },
        { name: "free", bytes: compacted ? 0 : 4_000_000 },
        { name: "write_ahead_log", bytes: 4_000_000 },
        { name: "codes", bytes: 29_000_000 },
        { name: "logs", bytes: 9_000_000 },
        { name: "scratch", bytes: 0 },
      ],
    }),
    "library.move": async ({ path }, { wait }) => {
      await wait(20);
      if (path.includes("full")) throw refuse(`${path} is not empty; choose an empty folder`);
      moved = path;
      return { folder: path, former: "~/.local/share/sibyl", bytes: 221_000_000 };
    },
    "library.check_place": ({ path }) => ({
      warning: path.includes("Dropbox") ? `${path} is synchronised by Dropbox; choose another folder` : null,
    }),
    "library.compact": async (_, { wait }) => {
      await wait(20);
      const freed = compacted ? 0 : 4_000_000;
      compacted = true;
      return { bytes: 227_000_000, freed };
    },
  });
}

/** A library that is looked after: its condition, its backups. */
function careHandlers(): FakeHandlers {
  let condition: Condition = {
    state: "sound",
    message: null,
    place: null,
    backups: [{ name: "2026-01-02T08-00-00Z.sibyl", made_at: "2026-01-02T08:00:00Z", bytes: 220_000_000 }],
    no_backup: null,
  };
  return answering({
    "library.diagnostics": async (_, { wait }) => {
      await wait(20);
      return { text: "Sibyl 0.1.0 on linux x86_64\ndoctor: sound\n" };
    },
    "library.doctor": async (_, { wait }) => {
      await wait(20);
      return {
        healthy: false,
        checked: ["the library file", "38,114 chunks of 564 documents", "38,114 rows of the keyword index"],
        findings: [
          {
            severity: "warning",
            code: "keyword_missing",
            message:
              "2 words of chunks are missing from the keyword index: `scope` of row 7; `climate` of row 9",
            cure: "run `sibyl rebuild`",
          },
        ],
      };
    },
    "library.rebuild": async (_, { wait }) => {
      await wait(20);
      return { keyword_rows: 38_114, keys: 2_310, fields: 9_104, code_files: 2, seconds: 4.2 };
    },
    "library.back_up": ({ path }) => {
      if (!path) throw { code: "io", message: "no path" };
      return { bytes: 221_000_000 };
    },
    "library.condition": () => condition,
    "library.rescue": async (_, { wait }) => {
      await wait(20);
      condition = { ...condition, state: "replaced", message: null };
      return {
        tables: [
          { name: "review", saved: 41, lost: 0 },
          { name: "chunk", saved: 38_102, lost: 12 },
        ],
        incomplete: ["acme/2024.pdf"],
        bytes: 219_000_000,
      };
    },
    "backup.list": () => condition.backups ?? [],
    "backup.make": async (_, { wait }) => {
      await wait(20);
      const made = {
        name: "2026-01-03T08-00-00Z.sibyl",
        made_at: "2026-01-03T08:00:00Z",
        bytes: 221_000_000,
      };
      condition = { ...condition, backups: [made, ...(condition.backups ?? [])] };
      return made;
    },
    "backup.restore": ({ name }) => {
      condition = { ...condition, state: "replaced", message: null };
      return { name, bytes: 220_000_000 };
    },
  });
}

/** Workspaces that are made and deleted. */
function workspaceHandlers(): FakeHandlers {
  let workspaces = ["default", "FY2025 assurance"].map(
    (name, id): Workspace => ({ id, name, language: "en", created_at: "2025-11-12T09:14:00Z" }),
  );
  return answering({
    "workspace.list": () => workspaces,
    "workspace.create": ({ name, language }) => {
      if (name.trim() === "") throw refuse("a workspace needs a name");
      const made: Workspace = {
        id: workspaces.length,
        name: name.trim(),
        language: language ?? "en",
        created_at: "2025-11-19T14:31:00Z",
      };
      workspaces = [...workspaces, made];
      return made;
    },
    "workspace.language": ({ name, language }) => {
      workspaces = workspaces.map((each) => (each.name === name ? { ...each, language } : each));
      return workspaces.find((each) => each.name === name) as Workspace;
    },
    "workspace.delete": ({ name }) => {
      if (name === "default") throw refuse("the default workspace cannot be deleted; delete its corpora");
      workspaces = workspaces.filter((each) => each.name !== name);
    },
  });
}

/** Handlers of settings that can be changed. */
export function settingsHandlers(machine: Machine = {}): FakeHandlers {
  let settings = declared();
  const isRemote = () =>
    settings.some((each) => each.param.name === "remote_embedding" && each.value === true);
  return {
    ...secretHandlers(machine),
    ...fileHandlers(isRemote),
    ...careHandlers(),
    ...workspaceHandlers(),
    ...answering({
      "settings.get": () => settings,
      "ocr.state": () => ({ installed: true, languages: ["eng", "swe"], install: "install Tesseract" }),
      "settings.set": ({ values }) => {
        settings = settings.map((each) => {
          const value = values[each.param.name];
          return value === undefined ? each : { ...each, value: checked(each, value) };
        });
        return settings;
      },
      "log.tail": ({ level = "trace", limit = LINES.length }) => ({
        file: "~/.local/share/sibyl/logs/sibyl.log",
        lines: LINES.filter((each) => LEVELS.indexOf(each.level) <= LEVELS.indexOf(level)).slice(-limit),
      }),
      "shell.save_text": ({ name }) => ({ paths: [`/home/ada/${name}`] }),
      "shell.save_bytes": ({ name }) => ({ paths: [`/home/ada/${name}`] }),
      "shell.show_folder": () => ({ paths: ["/home/ada/.local/share/sibyl"] }),
      "shell.quit": () => ({ paths: [] }),
      "shell.link": () => null,
      "shell.save_file": ({ name }) => ({ paths: [`/home/ada/${name}`] }),
    }),
  };
}

/** Handlers of the settings. */
export const handlers: FakeHandlers = settingsHandlers();
