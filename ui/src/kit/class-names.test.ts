import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import postcss from "postcss";
import { describe, expect, it } from "vitest";

const source = join(import.meta.dirname, "..");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.(?:css|tsx?)$/.test(path) && !/\.test\.tsx?$/.test(path),
);
const texts = new Map(files.map((path) => [path, readFileSync(join(source, path), "utf8")]));
const sheets = files.filter((path) => path.endsWith(".css"));
const modules = sheets.filter((path) => path.endsWith(".module.css"));
const globals = sheets.filter((path) => !modules.includes(path));
const scripts = files.filter((path) => !sheets.includes(path));
const textOf = (path: string) => texts.get(path) ?? "";

const GLOBAL = /:global\(([^()]*)\)/g;

/** The selectors of a style sheet, a line each. */
const selectors = (sheet: string): string => {
  const found: string[] = [];
  postcss.parse(sheet).walkRules(({ selector }) => void found.push(selector));
  return found.join("\n");
};

const named = (selector: string): string[] =>
  [...selector.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name ?? "");

/** Classes of a style sheet: its own, not those that it only refers to. */
const inSheet = (sheet: string): string[] => named(selectors(sheet).replaceAll(GLOBAL, " "));

/** Classes of the global sheets that a module refers to. */
const referredTo = (sheet: string): string[] =>
  [...selectors(sheet).matchAll(GLOBAL)].flatMap(([, inner]) => named(inner ?? ""));

/** Classes that an element is given as words: in `className="…"`, `className={…}` and `classes(…)`. */
const inElements = (code: string): string[] =>
  [
    ...code.matchAll(
      /className=\{?(["`])([^"`]*)\1|classes\(([^()]*(?:\([^()]*\)[^()]*)*)\)|className: "([^"]*)"/g,
    ),
  ].flatMap(([, , plain, listed, words]) => {
    const literals =
      plain ??
      words ??
      [...(listed ?? "").replaceAll(/[=!]== "[^"]*"|\([^()]*\)/g, "").matchAll(/"([^"]*)"/g)]
        .map(([, each]) => each)
        .join(" ");
    return literals
      .replaceAll(/\S*\$\{[^}]*\}\S*/g, " ")
      .split(/\s+/)
      .filter((name) => /^[a-z][\w-]*$/i.test(name));
  });

/** The modules that a script takes classes from, by the name that it gives them. */
const modulesOf = (path: string): [name: string, sheet: string][] =>
  [...textOf(path).matchAll(/import (\w+) from "([^"]+\.module\.css)"/g)].map(([, name = "", from = ""]) => [
    name,
    from.startsWith("@/") ? from.slice(2) : join(dirname(path), from),
  ]);

/** Classes that a script takes from a module: `css.name`. */
const takenFrom = (code: string, module: string): string[] =>
  [...code.matchAll(new RegExp(`(?<![.\\w])${module}\\.(\\w+)`, "g"))]
    .map(([, name]) => name ?? "")
    .filter((name) => name !== "module");

const takesByName = (code: string, module: string) => code.includes(`${module}[`);

describe("what is read", () => {
  it("finds classes wherever they are written", () => {
    expect(
      inSheet(
        ".mono {\n  flex: 1.5;\n}\nth.r,\n.m:hover > b {\n}\n@media (width < 9px) {\n  .x :global(.pid) {\n  }\n}\n/* .y */",
      ),
    ).toEqual(["mono", "r", "m", "x"]);
    expect(referredTo(".x :global(.pid) {\n}")).toEqual(["pid"]);
    expect(
      inElements(
        `className="m xs" className={\`n \${css.o} tone-\${p} nowrap\`} classes("row", side === "b" && "x", is("z") && css.on) { className: "s" }`,
      ),
    ).toEqual(["m", "xs", "n", "nowrap", "row", "x", "s"]);
    expect(takenFrom('import css from "./a.module.css"; css.on', "css")).toEqual(["on"]);
  });
});

describe("class names", () => {
  it.each(files)("%s names them in words", (path) => {
    const names = path.endsWith(".css") ? inSheet(textOf(path)) : inElements(textOf(path));
    expect(names.filter((name) => name.length === 1)).toEqual([]);
  });

  const ruled = new Set(globals.flatMap((path) => inSheet(textOf(path))));
  it.each(scripts)("%s gives elements classes that have a rule", (path) => {
    expect(inElements(textOf(path)).filter((name) => !ruled.has(name))).toEqual([]);
    for (const [name, sheet] of modulesOf(path)) {
      const own = new Set(inSheet(textOf(sheet)));
      expect(
        takenFrom(textOf(path), name).filter((each) => !own.has(each)),
        sheet,
      ).toEqual([]);
    }
  });

  it.each(globals)("%s has rules for classes in use only", (path) => {
    const words = new Set(scripts.flatMap((script) => textOf(script).match(/[\w-]+/g) ?? []));
    // Tabler's icons bring their class with them.
    expect(inSheet(textOf(path)).filter((name) => !words.has(name) && name !== "tabler-icon")).toEqual([]);
  });

  it("are ruled by the file of one component, which the list of files names", () => {
    const list = textOf("kit/base.css");
    const shared = globals.filter((path) => path.startsWith("kit/css/"));
    const imported = [...list.matchAll(/@import "\.\/(css\/[\w-]+\.css)";/g)].map(
      ([, name]) => `kit/${name}`,
    );
    expect(imported.sort()).toEqual(shared.sort());
    expect(selectors(list)).toBe("");
    const owners = new Map<string, string>();
    for (const path of shared)
      for (const selector of selectors(textOf(path)).split(/[\n,]/)) {
        const [first] = named(selector.trim().split(/[\s>]/)[0] ?? "");
        if (first === undefined || selector.trim().startsWith("tr") || first === "align-end") continue;
        expect(owners.get(first) ?? path, first).toBe(path);
        owners.set(first, path);
      }
  });

  it("let nothing scroll but a ScrollRegion, and what a library draws by itself", () => {
    const scrolling = new Set<string>();
    for (const path of sheets)
      postcss.parse(textOf(path)).walkDecls(/^overflow/, ({ parent, value }) => {
        if (!/auto|scroll/.test(value)) return;
        scrolling.add(
          parent?.type === "rule" ? (parent as postcss.Rule).selector.replaceAll(/:where.*/g, "") : path,
        );
      });
    expect([...scrolling].sort()).toEqual([".k-modal", ".scrolls", ".text :global(.cm-scroller)"]);
  });

  it.each(modules)("%s has rules for classes in use only", (path) => {
    const users = scripts.flatMap((script) =>
      modulesOf(script).flatMap(([name, sheet]) => (sheet === path ? [[textOf(script), name] as const] : [])),
    );
    expect(users).not.toHaveLength(0);
    expect(referredTo(textOf(path)).filter((name) => !ruled.has(name) && !name.startsWith("cm-"))).toEqual(
      [],
    );
    if (users.some(([code, name]) => takesByName(code, name))) return;
    const taken = new Set(users.flatMap(([code, name]) => takenFrom(code, name)));
    expect(inSheet(textOf(path)).filter((name) => !taken.has(name))).toEqual([]);
  });
});
