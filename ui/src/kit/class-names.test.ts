import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "..");
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.(?:css|tsx?)$/.test(path) && !/\.test\.tsx?$/.test(path),
);

/** Classes of one letter in a style sheet. */
const inSheet = (sheet: string): string[] =>
  [...sheet.replaceAll(/\/\*[\s\S]*?\*\/|\{[^{}]*\}/g, " ").matchAll(/\.([a-z])(?![\w-])/gi)].map(
    ([, name]) => name ?? "",
  );

/** Classes of one letter that an element is given: in `className="…"`, `className={…}` and `classes(…)`. */
const inElements = (code: string): string[] =>
  [...code.matchAll(/className=\{?(["`])([^"`]*)\1|classes\(([^()]*)\)|className: "([^"]*)"/g)].flatMap(
    ([, , plain, listed, named]) => {
      const literals =
        plain ??
        named ??
        [...(listed ?? "").replaceAll(/[=!]== "[^"]*"/g, "").matchAll(/"([^"]*)"/g)]
          .map(([, each]) => each)
          .join(" ");
      return literals
        .replaceAll(/\$\{[^}]*\}/g, " ")
        .split(/\s+/)
        .filter((name) => /^[a-z]$/i.test(name));
    },
  );

it("finds a class of one letter wherever it is written", () => {
  expect(
    inSheet(".mono {\n  flex: 1;\n}\nth.r,\n.m:hover > b {\n}\n@media (width < 9px) {\n  .x {\n  }\n}"),
  ).toEqual(["r", "m", "x"]);
  expect(
    inElements(
      'className="m xs" className={`n nowrap`} classes("row", side === "b" && "x") { className: "s" }',
    ),
  ).toEqual(["m", "n", "x", "s"]);
});

it.each(files)("%s names its classes in words", (path) => {
  const code = readFileSync(join(source, path), "utf8");
  expect(path.endsWith(".css") ? inSheet(code) : inElements(code)).toEqual([]);
});
