// Pictures of every screen in both themes and both widths: `node browser/shots.mjs [screen…]`, into ../screenshots.

import { mkdir } from "node:fs/promises";
import { start } from "./window.mjs";

const out = new URL("../../screenshots/", import.meta.url).pathname;
const screens = process.argv.slice(2);
const names = screens.length > 0 ? screens : ["library", "standards", "chunk-lab", "search-lab", "settings"];
await mkdir(out, { recursive: true });
const chromium = await start();
let failed = false;
for (const name of names)
  for (const theme of ["light", "dark"])
    for (const [width, height] of [
      [1440, 900],
      [1100, 700],
    ]) {
      const { page, problems, close } = await chromium.open({ path: name, theme, width, height });
      await page.waitForTimeout(400);
      await page.screenshot({ path: `${out}${name.replaceAll(/[/?=&]/g, "-")}-${width}-${theme}.png` });
      for (const problem of problems) process.stderr.write(`${name} ${theme} ${width}: ${problem}\n`);
      failed ||= problems.length > 0;
      await close();
    }
await chromium.stop();
process.exitCode = failed ? 1 : 0;
