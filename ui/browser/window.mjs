// A window on the build with the in-memory engine, in headless Chromium.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page that was left would live on beside the one that is looked at.
  "--disable-features=BackForwardCache",
];

/** The Chromium of this machine. */
const program = () =>
  process.env.CHROMIUM ??
  ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)))
    .find((path) => existsSync(path));

/** Starts Chromium. */
export const launch = () => chromium.launch({ executablePath: program(), args: FLAGS });

/** What stands in a page before its own scripts: nothing is kept from the scene before, and no text cursor blinks. */
const afresh = (kept) => {
  sessionStorage.clear();
  localStorage.clear();
  localStorage.setItem("sibyl.preferences", kept);
  localStorage.setItem("sibyl.reviewer", "M. Okafor");
  // As a sheet made by a script the policy lets it pass.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { caret-color: transparent !important; }");
  document.adoptedStyleSheets.push(sheet);
};

/**
 * Starts Chromium on `dist-fake`. `window` gives a window at a fixed time, which shows one scene after another: to start a
 * page costs more than what is seen in it. Its `open` loads the build anew and gives the page, a session of the debugger
 * on it, and the violations of the security policy seen since. `scene` is a function that changes the handlers of the
 * in-memory engine before the page asks anything.
 */
export async function start(folder = new URL("../dist-fake", import.meta.url).pathname) {
  const site = await serve(folder);
  const browser = await launch();
  return {
    async window({ now, motion = "no-preference" } = {}) {
      const context = await browser.newContext({ reducedMotion: motion });
      context.setDefaultTimeout(120_000);
      if (now) await context.clock.setFixedTime(new Date(now));
      const page = await context.newPage();
      const debuggers = await context.newCDPSession(page);
      await debuggers.send("Page.enable");
      let problems = [];
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(String(error)));
      let count = 0;
      return {
        async open({ path = "", width = 1440, height = 900, preferences = {}, scene } = {}) {
          await page.setViewportSize({ width, height });
          await page.emulateMedia({ colorScheme: "light" });
          // Nothing of the next scene is pointed at.
          await page.mouse.move(-1, -1);
          const source = `(${afresh})(${JSON.stringify(JSON.stringify(preferences))});${scene ? `window.sibylScene = ${scene};` : ""}`;
          const { identifier } = await debuggers.send("Page.addScriptToEvaluateOnNewDocument", { source });
          problems = [];
          // Another address than before, or only the part after # would change.
          count += 1;
          await page.goto(`${site.url}?${count}#/${path}`);
          await debuggers.send("Page.removeScriptToEvaluateOnNewDocument", { identifier });
          await page.waitForSelector("nav a[aria-current=page]");
          await page.evaluate(() => document.fonts.ready);
          return { page, debuggers, problems };
        },
        close: () => context.close(),
      };
    },
    async stop() {
      await browser.close();
      site.stop();
    },
  };
}
