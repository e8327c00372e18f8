// Takes pictures of every screen and state into ../screenshots, and axe looks at each. There are two widths, or three for
// scenes with `wide`. Both themes are taken at the first width, and for scenes with `wide` at every width.
// `node browser/shots.mjs [name…]` takes those scenes whose names begin so.

import { mkdir, writeFile } from "node:fs/promises";
import { serious } from "./axe.mjs";
import { SCENES } from "./scenes.mjs";
import { settled } from "./settled.mjs";
import { start } from "./window.mjs";

const SIZES = [
  [1440, 900],
  [1100, 700],
];
/** What scenes with `wide` are taken in as well. */
const WIDE = [1920, 1080];
/** The themes, and the rules of axe that tell them apart: structure, names and roles are those of the first. */
const THEMES = [["light"], ["dark", ["color-contrast"]]];
/** The day on which the figures of the in-memory engine were fresh. */
const NOW = "2025-11-19T14:31:00";
/** Scenes that are open at a time: more than two cores, for each waits now and then. */
const AT_ONCE = 4;
/** Frames that show another theme: nothing is asked anew for it. */
const REPAINTED = 4;

const out = new URL("../../screenshots/", import.meta.url).pathname;
const wanted = process.argv.slice(2);
await mkdir(out, { recursive: true });
const chromium = await start();
const findings = new Set();
let pictures = 0;

/** Writes what is on screen. Compressed little: pictures are looked at and thrown away. */
async function picture(debuggers, path) {
  const { data } = await debuggers.send("Page.captureScreenshot", { optimizeForSpeed: true });
  await writeFile(path, data, "base64");
  pictures += 1;
}

/** What the page offers and in which state, one string each. */
const offered = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("[role], [aria-label], button, input, textarea, dialog")].map((each) =>
      ["role", "aria-label", "aria-expanded", "aria-selected", "aria-checked", "aria-pressed", "aria-current"]
        .map((name) => each.getAttribute(name))
        .concat(each.tagName, each.value, each.textContent.slice(0, 80))
        .join(),
    ),
  );

/** Takes a scene in `sizes`, one after the other. What is done first is done at the first of them. */
async function take(window, scene, sizes) {
  const { name, path, act, waits, broken, wide } = scene;
  const [[width, height]] = sizes;
  const found = (what) => findings.add(`${name} ${width}: ${what}`);
  const { page, debuggers, problems } = await window.open({
    path: encodeURI(path),
    width,
    height,
    scene: scene.scene,
  });
  const rest = async (waits) => {
    // What never comes is pictured as it waits.
    const shown = waits
      ? page.locator(waits).first().waitFor()
      : page.waitForFunction(() => document.querySelector("main")?.textContent);
    await shown
      .then(() => settled(page, { answered: !waits }))
      .catch(() => found("something is still on its way"));
  };
  try {
    // What is waited for comes of the act, where there is one.
    await rest(act ? undefined : waits);
    let done = [];
    if (act) {
      const before = new Set(await offered(page));
      await act(page);
      await rest(waits);
      done = (await offered(page)).filter((each) => !before.has(each));
    }
    for (const size of sizes) {
      if (size[0] !== width) {
        await page.setViewportSize({ width: size[0], height: size[1] });
        await page.emulateMedia({ colorScheme: THEMES[0][0] });
        await rest(waits);
        // What was done may not outlive another width; where nothing tells, it is done again too.
        const now = act && new Set(await offered(page));
        if (now && !(done.length > 0 && done.every((each) => now.has(each)))) {
          queue.push([scene, [size]]);
          continue;
        }
      }
      // The other theme changes colours and no place: one width shows it, but of grids.
      for (const [theme, rules] of wide || size === SIZES[0] ? THEMES : THEMES.slice(0, 1)) {
        await page.emulateMedia({ colorScheme: theme });
        await settled(page, { answered: !waits, still: REPAINTED });
        await picture(debuggers, `${out}${name}-${size[0]}-${theme}.png`);
        // What axe looks at does not change with the width.
        if (size === SIZES[0])
          for (const each of await serious(page, rules)) findings.add(`${name} ${theme}: ${each}`);
      }
    }
    for (const line of await page.evaluate(() => window.sibylFake.missed.splice(0)))
      found(`not recorded: ${line}`);
  } finally {
    if (!broken) for (const problem of problems) found(problem);
  }
}

const queue = SCENES.filter(
  ({ name }) => wanted.length === 0 || wanted.some((each) => name.startsWith(each)),
).map((each) => [each, each.wide ? [...SIZES, WIDE] : SIZES]);
const fresh = () => chromium.window({ now: NOW, motion: "reduce" });
const work = async () => {
  let window;
  for (let next = queue.shift(); next; next = queue.shift()) {
    try {
      window ??= await fresh();
      await take(window, ...next);
    } catch (thrown) {
      // The page may be gone with what was thrown: the next scene has one of its own.
      findings.add(`${next[0].name} ${next[1][0][0]}: ${thrown}`);
      await window?.close().catch(() => undefined);
      window = undefined;
    }
  }
  await window?.close().catch(() => undefined);
};
await Promise.all(Array.from({ length: AT_ONCE }, work));
await chromium.stop().catch(() => undefined);
process.stdout.write(`${pictures} pictures\n`);
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.exitCode = findings.size > 0 ? 1 : 0;
