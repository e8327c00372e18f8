// Frames of the query table of Evaluate at a server that runs: `node browser/frames.mjs ADDRESS TOKEN SET QUERIES`.
// Prints JSON: the milliseconds of each frame while the table is scrolled and while rows are expanded, and the rows there were.

import { launch } from "./window.mjs";

const [address, token, set, queries] = process.argv.slice(2);
const browser = await launch();
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
page.setDefaultTimeout(120_000);
await page.goto(address);
await page.getByLabel("Token").fill(token);
await page.getByRole("button", { name: "Sign in" }).click();
await page.getByRole("navigation").first().waitFor();
await page.evaluate((hash) => {
  window.location.hash = hash;
}, `#/evaluate?set=${set}`);
const table = page.locator(`[role=treegrid][aria-rowcount="${Number(queries) + 1}"]`);
await table.waitFor();
await table.locator("[role=row][data-index]").first().waitFor();

/** Scrolls from the top to the end in sweeps, with a halt after each. */
const scrolled = await page.evaluate(async () => {
  const grid = document.querySelector("[role=treegrid]");
  const scroller = [...grid.querySelectorAll("*")].find(
    (each) => each.scrollHeight > each.clientHeight + 1000 && getComputedStyle(each).overflowY !== "visible",
  );
  const end = scroller.scrollHeight - scroller.clientHeight;
  const frames = [];
  let rows = 0;
  let last;
  const frame = () =>
    new Promise((next) => {
      requestAnimationFrame(() => {
        const now = performance.now();
        if (last !== undefined) frames.push(now - last);
        last = now;
        rows = Math.max(rows, document.querySelectorAll("[role=row][data-index]").length);
        next(now);
      });
    });
  const [sweeps, moving, halting] = [8, 800, 300];
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const start = await frame();
    for (let now = start; now < start + moving; now = await frame())
      scroller.scrollTop = (end * (sweep + (now - start) / moving)) / sweeps;
    for (let now = start; now < start + moving + halting; ) now = await frame();
  }
  const foot = Math.max(
    ...[...document.querySelectorAll("[role=row][data-index]")].map((row) => Number(row.dataset.index)),
  );
  scroller.scrollTop = 0;
  return { frames, rows, foot };
});

/** Expands one row after the other, from one end of the window to the other, until both rankings stand there. */
const expanded = await page.evaluate(async () => {
  const frames = [];
  let last;
  const frame = () =>
    new Promise((next) => {
      requestAnimationFrame(() => {
        const now = performance.now();
        if (last !== undefined) frames.push(now - last);
        last = now;
        next(now);
      });
    });
  for (let rest = 0; rest < 30; rest++) await frame();
  let count = 0;
  for (let index = 0; index < 12; index++) {
    const row = document.querySelector(`[role=row][data-index="${index}"]`);
    if (!row) continue;
    row.click();
    row.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    const start = await frame();
    for (let now = start; now < start + 600; ) now = await frame();
    if (document.querySelector("[role=row][aria-expanded=true]")) count++;
  }
  return { frames, count };
});
await browser.close();
process.stdout.write(JSON.stringify({ scrolled, expanded }));
