// Every screen by keyboard alone. Each stop is in sight, has a name and shows that it has the focus. What opens
// closes on Escape and gives the focus back. Nothing moves that the reader wants still. `node browser/walk.mjs`
// after `npm run build:fake`.

import { settled } from "./settled.mjs";
import { start } from "./window.mjs";

const SCREENS = [
  "library",
  "assess",
  "assess?edit=new",
  "standards/S2.14(a)",
  "chunk-lab",
  "search-lab?q=transition plan",
  "ask?answer=7",
  "evaluate",
  "settings/models",
];
const MOST_STOPS = 160;
/** What opens over the window: the keys or the button, and what shows then. */
const OPENED = [
  ["Control+k", "dialog"],
  ["?", "dialog"],
  ["Menu", "menu"],
  ["Workspace: default", "menu"],
];

const chromium = await start();
const window = await chromium.window({ motion: "reduce" });
const findings = [];

const stop = (page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return undefined;
    window.walked ??= new Set();
    const again = window.walked.has(element);
    window.walked.add(element);
    const box = element.getBoundingClientRect();
    const marked = [element, element.parentElement, element.closest("li, label")]
      .filter(Boolean)
      .some((each) =>
        ["", "::after", "::before"].some((part) => {
          const style = getComputedStyle(each, part || undefined);
          return (
            (style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1) ||
            // The line between panes grows thicker and takes the colour.
            (element.matches("[role=separator]") && part === "::after" && style.content !== "none") ||
            (element.matches("input, textarea, [contenteditable]") && style.boxShadow !== "none")
          );
        }),
      );
    const name =
      element.getAttribute("aria-label") ??
      element.getAttribute("aria-labelledby") ??
      element.getAttribute("title") ??
      element.textContent;
    return {
      again,
      marked,
      named: Boolean(name?.trim() || element.closest("label")),
      shown: box.bottom > 0 && box.right > 0 && box.top < window.innerHeight && box.left < window.innerWidth,
      what: element.outerHTML.slice(0, 160),
    };
  });

async function stops(page, name) {
  let count = 0;
  for (; count < MOST_STOPS; count += 1) {
    await page.keyboard.press("Tab");
    const now = await stop(page);
    if (!now || now.again) break;
    if (!now.marked) findings.push(`${name}: no sign of the focus on ${now.what}`);
    if (!now.named) findings.push(`${name}: no name for ${now.what}`);
    if (!now.shown) findings.push(`${name}: out of sight: ${now.what}`);
  }
  if (count < 8) findings.push(`${name}: Tab stops at ${count} places only`);
  return count;
}

async function opened(page, name, [how, role]) {
  const button = page.getByRole("button", { name: how, exact: true }).first();
  if (how === "?" || how.includes("+")) {
    await page.evaluate(() => document.querySelector("nav a[aria-current=page]")?.focus());
    await page.keyboard.press(how);
  } else {
    await button.focus();
    await page.keyboard.press("Enter");
  }
  const before = how === "?" || how.includes("+") ? "nav a[aria-current=page]" : undefined;
  const sheet = page.getByRole(role).first();
  await sheet.waitFor();
  const inside = await page
    .waitForFunction((kind) => document.activeElement?.closest(`[role=${kind}]`) !== null, role, {
      timeout: 20_000,
    })
    .catch(() => undefined);
  if (!inside) findings.push(`${name}: ${how} opens a ${role} without the focus`);
  await page.keyboard.press("Escape");
  await sheet
    .waitFor({ state: "hidden", timeout: 20_000 })
    .catch(() => findings.push(`${name}: Escape leaves the ${role} of ${how} open`));
  const back = await page
    .waitForFunction(
      ([css, element]) => (css ? document.activeElement?.matches(css) : document.activeElement === element),
      [before, before ? undefined : await button.elementHandle()],
      { timeout: 20_000 },
    )
    .catch(() => undefined);
  if (!back) findings.push(`${name}: the focus does not return after ${how}`);
}

for (const path of SCREENS) {
  const name = path.split(/[/?]/)[0];
  const { page, problems } = await window.open({ path: encodeURI(path) });
  await settled(page);
  const moving = await page.evaluate(
    () =>
      document
        .getAnimations()
        .filter((each) => each.playState === "running" && each.effect?.getComputedTiming().duration > 1)
        .length,
  );
  if (moving > 0) findings.push(`${name}: ${moving} parts move although the reader wants them still`);
  process.stdout.write(`${name}: ${await stops(page, name)} stops\n`);
  for (const each of OPENED) await opened(page, name, each);
  for (const problem of problems) findings.push(`${name}: ${problem}`);
}
await chromium.stop();
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
