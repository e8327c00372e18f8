// What axe finds serious on a page in a real browser, contrast included. The pictures are where axe looks (`shots.mjs`).
// Besides, it looks at what they cannot show: the window's own engine (`tests/window/accessible.rs`), and the sign-in of a
// server (`served.mjs`).

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious and critical findings on what is on screen, one a line: of all rules, or of `rules` alone. */
export async function serious(page, rules) {
  // As text it is evaluated by the debugger, which the policy does not bind. To send and to read it costs as much as the
  // contrast of a whole page.
  if (await page.evaluate(() => !window.axe)) await page.evaluate(source);
  return page.evaluate(async (runOnly) => {
    const result = await window.axe.run(document, {
      resultTypes: ["violations"],
      ...(runOnly && { runOnly }),
    });
    return result.violations
      .filter((each) => each.impact === "serious" || each.impact === "critical")
      .flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.html} ${node.any[0]?.message ?? ""}`));
  }, rules);
}
