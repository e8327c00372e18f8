// Writes the licences of everything that ships in the desktop program: crates that are linked into it on any system,
// and packages of the interface. `npm run licences`, after a dependency came, went or changed.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ui = dirname(fileURLToPath(import.meta.url));
const PROGRAM = "sibyl";
const SYSTEMS = ["x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc"];
/** Licences that stand in a crate's files only. */
const UNDECLARED = { "model2vec-rs": "MIT" };
const OUT = join(ui, "src/pages/settings/licences.json");

/** What the two lock files name, so that a test can tell whether the list is of them. */
export function lockedNow() {
  const cargo = [
    ...readFileSync(join(ui, "../Cargo.lock"), "utf8").matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource/gm),
  ].map(([, name, version]) => `${name} ${version}`);
  const npm = Object.entries(JSON.parse(readFileSync(join(ui, "package-lock.json"), "utf8")).packages)
    .filter(([path, each]) => path !== "" && !each.dev)
    .map(([path, each]) => `${path} ${each.version}`);
  return createHash("sha256")
    .update([...cargo, ...npm].sort().join("\n"))
    .digest("hex");
}

/** Texts of licences and notices in a package's folder. Of a choice that offers MIT, that one is taken. */
function textsIn(folder, licence) {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((each) => each.isFile() && /^(licen[cs]e|copying|notice|unlicense)/i.test(each.name))
    .map((each) => each.name)
    .sort();
  const mit = names.filter((name) => /mit/i.test(name));
  const chosen = /\bMIT\b/.test(licence) && / OR |\//.test(licence) && mit.length > 0 ? mit : names;
  return chosen.map((name) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim());
}

/** Crates that are linked into the program on `system`; what only builds it is left out. */
function cratesOn(system) {
  const { packages, resolve } = JSON.parse(
    execFileSync("cargo", ["metadata", "--format-version", "1", "--locked", "--filter-platform", system], {
      cwd: join(ui, ".."),
      maxBuffer: 1 << 28,
    }),
  );
  const known = new Map(packages.map((each) => [each.id, each]));
  const nodes = new Map(resolve.nodes.map((each) => [each.id, each]));
  const builds = (id) => known.get(id).targets.some(({ kind }) => kind.includes("proc-macro"));
  const linked = new Set();
  const queue = packages.filter((each) => each.name === PROGRAM && each.source === null).map(({ id }) => id);
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    if (linked.has(id) || builds(id)) continue;
    linked.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps)
      if (dep_kinds.some(({ kind }) => kind === null)) queue.push(pkg);
  }
  return [...linked].map((id) => known.get(id)).filter(({ source }) => source !== null);
}

/** Crates of the program on any system. */
function crates() {
  const all = new Map(SYSTEMS.flatMap(cratesOn).map((each) => [each.id, each]));
  return [...all.values()].map(({ name, version, license, manifest_path }) => {
    const licence = (license ?? UNDECLARED[name] ?? "").replaceAll("/", " OR ").replace(/\s+/g, " ");
    if (licence === "")
      throw new Error(`${name} declares no licence; see its files and name it in UNDECLARED`);
    return { name, version, licence, texts: textsIn(dirname(manifest_path), licence) };
  });
}

/** Packages that the interface depends on. */
function modules() {
  const { packages } = JSON.parse(readFileSync(join(ui, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, each]) => path !== "" && !each.dev && !each.optional)
    .map(([path, { version, license }]) => ({
      name: path.replace(/^.*node_modules\//, ""),
      version,
      licence: license ?? "",
      texts: textsIn(join(ui, path), license ?? ""),
    }));
}

function write() {
  const texts = [];
  const places = new Map();
  const placeOf = (text) => {
    const key = text.replace(/\s+/g, " ");
    if (!places.has(key)) places.set(key, texts.push(text) - 1);
    return places.get(key);
  };
  const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1);
  const parts = [...crates(), ...modules()]
    .sort(byName)
    .map((each) => ({ ...each, texts: each.texts.map(placeOf) }));
  writeFileSync(OUT, `${JSON.stringify({ locked: lockedNow(), parts, texts }, null, 1)}\n`);
  process.stdout.write(`${parts.length} parts, ${texts.length} texts\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) write();
