// Pictures of every screen and state in both themes and both widths, into ../screenshots, each looked at by axe.
// `node browser/shots.mjs [name…]` takes those scenes whose names begin so.

import { mkdir } from "node:fs/promises";
import { serious } from "./axe.mjs";
import { SCENES } from "./scenes.mjs";
import { settled } from "./settled.mjs";
import { start } from "./window.mjs";

const SIZES = [
  [1440, 900],
  [1100, 700],
];
const THEMES = ["light", "dark"];
/** The day on which the figures of the in-memory engine were fresh. */
const NOW = "2025-11-19T14:31:00";
/** Scenes that are open at a time: more than most computers have cores to spare, for each waits now and then. */
const AT_ONCE = 3;

const out = new URL("../../screenshots/", import.meta.url).pathname;
const wanted = process.argv.slice(2);
await mkdir(out, { recursive: true });
const chromium = await start();
const findings = new Set();

/** Takes a scene in `sizes`, one after the other. What is done first is done at the first of them. */
async function take({ name, path, scene, act, waits, broken }, sizes) {
  const [[width, height]] = sizes;
  const { page, problems, close } = await chromium.open({
    path: encodeURI(path),
    width,
    height,
    scene,
    now: NOW,
  });
  const rest = async (waits) => {
    // What never comes is pictured as it waits.
    const shown = waits
      ? page.locator(waits).first().waitFor({ timeout: 20_000 })
      : page.waitForFunction(() => document.querySelector("main")?.textContent, undefined, {
          timeout: 20_000,
        });
    await shown
      .then(() => settled(page, { answered: !waits }))
      .catch(() => findings.add(`${name} ${width}: something is still on its way`));
  };
  try {
    // What is waited for comes of the act, where there is one.
    await rest(act ? undefined : waits);
    if (act) {
      await act(page);
      await rest(waits);
    }
    for (const size of sizes) {
      if (size[0] !== width) {
        await page.setViewportSize({ width: size[0], height: size[1] });
        await rest(waits);
      }
      for (const theme of THEMES) {
        await page.emulateMedia({ colorScheme: theme });
        await settled(page, { answered: !waits });
        await page.screenshot({ path: `${out}${name}-${size[0]}-${theme}.png` });
        // What axe looks at does not change with the width.
        if (size === SIZES[0])
          for (const each of await serious(page)) findings.add(`${name} ${theme}: ${each}`);
      }
    }
  } catch (thrown) {
    findings.add(`${name} ${width}: ${thrown}`);
  }
  if (!broken) for (const problem of problems) findings.add(`${name} ${width}: ${problem}`);
  await close();
}

// A menu or a selection does not outlive another width: those scenes start over for each.
const queue = SCENES.filter(
  ({ name }) => wanted.length === 0 || wanted.some((each) => name.startsWith(each)),
).flatMap((each) => (each.act ? SIZES.map((size) => [each, [size]]) : [[each, SIZES]]));
const work = async () => {
  for (let next = queue.shift(); next; next = queue.shift()) await take(...next);
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
await chromium.stop();
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.exitCode = findings.size > 0 ? 1 : 0;
