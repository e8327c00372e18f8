// What axe finds serious on a page in a real browser, contrast included.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Serious and critical findings on what is on screen, one a line: of all rules, or of `rules` alone. */
export async function serious(page, rules) {
  // As text it is evaluated by the debugger, which the policy does not bind.
  await page.evaluate(`window.axe ?? (() => {${source}})()`);
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
