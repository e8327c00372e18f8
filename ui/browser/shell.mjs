// Checks of the shell that need a real browser: contrast in both themes, the security policy, where edges lie.
// `node browser/shell.mjs` after `npm run build:fake`; pictures go to ../screenshots.

import { mkdir } from "node:fs/promises";
import { serious } from "./axe.mjs";
import { start } from "./window.mjs";

const out = new URL("../../screenshots/", import.meta.url).pathname;
await mkdir(out, { recursive: true });
const chromium = await start();
const findings = [];

/** Serious findings of axe on what is on screen. */
async function check(page, name) {
  for (const violation of await serious(page)) findings.push(`${name}: ${violation}`);
}

/** Where the design puts the edges of the shell. */
async function edges(page, name, rail, [width, height]) {
  const boxes = await page.evaluate(() =>
    Object.fromEntries(
      [".rail", ".top", ".main", ".status"].map((each) => {
        const box = document.querySelector(each).getBoundingClientRect();
        return [each, [box.left, box.top, box.right, box.bottom]];
      }),
    ),
  );
  const wanted = {
    ".rail": [0, 0, rail, height - 24],
    ".top": [rail, 0, width, 44],
    ".main": [rail, 44, width, height - 24],
    ".status": [0, height - 24, width, height],
  };
  for (const [part, box] of Object.entries(wanted))
    box.forEach((edge, index) => {
      const off = Math.abs(edge - boxes[part][index]);
      if (off > 1) findings.push(`${name}: edge ${index} of ${part} is ${off} pixels off`);
    });
}

for (const theme of ["light", "dark"]) {
  for (const size of [
    [1440, 900],
    [1100, 700],
  ]) {
    const name = `shell-${size[0]}-${theme}`;
    const { page, problems, close } = await chromium.open({
      path: "library",
      theme,
      width: size[0],
      height: size[1],
    });
    await page.waitForTimeout(300);
    await edges(page, name, size[0] < 1180 ? 48 : 64, size);
    await page.evaluate(() =>
      window.sibylFake.emit({
        job: { job: 7, state: "running", stage: "embed", embedded: 61, to_embed: 100 },
      }),
    );
    const walked = [];
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press("F6");
      walked.push(
        await page.evaluate(
          () => document.activeElement.closest("[data-pane], main").className.split(" ")[0],
        ),
      );
    }
    const order = "rail top main status";
    if (walked.join(" ") !== order) findings.push(`${name}: F6 walks ${walked.join(" ")}, not ${order}`);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("go");
    await page.waitForSelector("[role=option]");
    await page.screenshot({ path: `${out}${name}-palette.png` });
    await check(page, `${name} palette`);
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await page.waitForSelector(".kg");
    await page.screenshot({ path: `${out}${name}-keyboard.png` });
    await check(page, `${name} keyboard map`);
    await page.keyboard.press("Escape");
    await page.evaluate(() => {
      window.sibylFake.toast({ kind: "ok", title: "Added 3 files", detail: "41 chunks" });
      window.sibylFake.toast({
        kind: "warn",
        title: "2 files couldn’t be ingested",
        detail: "One has no text layer",
        action: { label: "Review", onClick: () => undefined },
      });
      window.sibylFake.showTrouble({
        title: "Embedding stopped at 61%",
        message:
          "The provider rejected the request. The 11,549 chunks already embedded are saved and searchable.",
        code: "embedding_provider",
        choices: [
          {
            label: "Search with the built-in model for now",
            detail: "Covers all chunks, at no cost.",
            action: "Use built-in model",
            run: () => undefined,
          },
          {
            label: "Resume later",
            detail: "Keyword search covers the rest.",
            action: "Leave queued",
            run: () => undefined,
          },
        ],
      });
    });
    await page.waitForSelector("[role=alertdialog]");
    await page.screenshot({ path: `${out}${name}-error.png` });
    await check(page, `${name} error`);
    for (const problem of problems) findings.push(`${name}: ${problem}`);
    await close();
  }
  const gallery = await chromium.open({ file: "gallery.html", theme });
  await gallery.page.waitForTimeout(900);
  const lefts = await gallery.page.evaluate(() =>
    [...document.querySelectorAll("[data-pane]")].map((pane) =>
      Math.round(pane.getBoundingClientRect().left),
    ),
  );
  // Two side panes of 470 in 1440, parted by lines of one pixel.
  [0, 471, 970].forEach((left, index) => {
    if (Math.abs((lefts[index] ?? -99) - left) > 1)
      findings.push(`kit ${theme}: pane ${index} starts at ${lefts[index]}`);
  });
  const width = (pane) => gallery.page.evaluate((id) => document.getElementById(id).clientWidth, pane);
  const fold = async (keys, pane) => {
    const before = await width(pane);
    await gallery.page.keyboard.press(keys);
    await gallery.page.waitForTimeout(100);
    if ((await width(pane)) !== 0) findings.push(`kit ${theme}: ${keys} does not fold pane ${pane}`);
    await gallery.page.keyboard.press(keys);
    await gallery.page.waitForTimeout(100);
    if ((await width(pane)) !== before)
      findings.push(`kit ${theme}: ${keys} does not bring pane ${pane} back`);
  };
  await fold("Control+b", "a");
  await fold("Control+i", "c");
  await gallery.page.screenshot({ path: `${out}kit-${theme}.png` });
  await check(gallery.page, `kit ${theme}`);
  for (const problem of gallery.problems) findings.push(`kit ${theme}: ${problem}`);
  await gallery.close();
}
await chromium.stop();
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
