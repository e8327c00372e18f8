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
];

/** The Chromium of this machine. */
const program = () =>
  process.env.CHROMIUM ??
  ["chromium", "chromium-browser", "google-chrome"]
    .flatMap((name) => (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)))
    .find((path) => existsSync(path));

/** Starts Chromium. */
export const launch = () => chromium.launch({ executablePath: program(), args: FLAGS });

/**
 * Starts Chromium on `dist-fake`. `open` gives a page and the violations of the security policy seen on it. `scene` is
 * a function that changes the handlers of the in-memory engine before the page asks anything.
 */
export async function start(folder = new URL("../dist-fake", import.meta.url).pathname) {
  const site = await serve(folder);
  const browser = await launch();
  return {
    async open({
      path = "",
      file = "",
      theme = "light",
      width = 1440,
      height = 900,
      preferences = {},
      scene,
      now,
      motion = "no-preference",
    } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion: motion,
      });
      const page = await context.newPage();
      if (now) await page.clock.setFixedTime(new Date(now));
      if (scene) await page.addInitScript(`window.sibylScene = ${scene}`);
      const problems = [];
      page.on("console", (message) => {
        if (message.type() === "error") problems.push(message.text());
      });
      page.on("pageerror", (error) => problems.push(String(error)));
      await page.addInitScript(
        (kept) => localStorage.setItem("sibyl.preferences", kept),
        JSON.stringify(preferences),
      );
      await page.goto(`${site.url}${file}#/${path}`);
      await page.waitForSelector(file ? "[data-pane]" : "nav a[aria-current=page]");
      await page.evaluate(() => document.fonts.ready);
      return { page, problems, close: () => context.close() };
    },
    async stop() {
      await browser.close();
      site.stop();
    },
  };
}
