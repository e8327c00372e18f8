// The main task of each screen in a browser, against a running server:
// `node browser/served.mjs ADDRESS TOKEN FOLDER`. FOLDER holds what is uploaded: `report.pdf`, `notes/` with two
// documents, `gold.jsonl`, and `wiki/`, a collection in BEIR layout. It also holds `qrels.txt` of TREC with
// `qrels.queries.tsv`, and `bm25.run`.

import { join } from "node:path";
import { serious } from "./axe.mjs";
import { settled } from "./settled.mjs";
import { launch } from "./window.mjs";

const [address, token, folder] = process.argv.slice(2);
const own = (name) => join(folder, name);
const PARAGRAPH = "S2.14(a)(iv)";
const QUESTION = "What must an entity disclose about its climate-related transition plan under S2.14(a)(iv)?";

const browser = await launch();
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
const page = await context.newPage();
page.setDefaultTimeout(20_000);
const findings = [];
/** Answers that refuse; the one to a wrong token is wanted. */
const refused = [];
page.on("console", (message) => {
  // Whatever breaks the policy or throws says so here; refusals are looked at with their bodies.
  if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
    findings.push(message.text());
});
page.on("pageerror", (error) => findings.push(String(error)));
page.on("request", (request) => {
  if (!request.url().startsWith(address) && !request.url().startsWith("data:"))
    findings.push(`asked elsewhere: ${request.url()}`);
  if (request.url().includes(token)) findings.push(`the token is in an address: ${request.url()}`);
});
page.on("response", async (response) => {
  if (response.status() < 400) return;
  refused.push(`${response.status()} ${response.request().method()} ${response.url()}`);
});

const button = (name) => page.getByRole("button", { name }).first();
const go = (path) =>
  page.evaluate((hash) => {
    window.location.hash = hash;
  }, `#/${path}`);
/** Presses what asks for files or a folder, and chooses some of one's own. */
async function choose(control, ...names) {
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), control.click()]);
  await chooser.setFiles(names.map(own));
}
const said = (words) => process.stdout.write(`${words}\n`);

async function wrongThenRight() {
  const response = await page.goto(address);
  const policy = response.headers()["content-security-policy"] ?? "";
  for (const part of [
    "default-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ])
    if (!policy.includes(part)) findings.push(`the policy lacks ${part}: ${policy}`);
  await page.getByLabel("Token").fill("sibyl_0000000000000000");
  await button("Sign in").click();
  await page.getByRole("alert").getByText("doesn’t recognise this token").waitFor();
  if (refused.splice(0).join() !== `401 GET ${address}/api/v1/session`)
    findings.push(`not refused: ${refused}`);
  for (const each of await serious(page)) findings.push(`sign-in: ${each}`);
  await page.getByLabel("Token").fill(token);
  await button("Sign in").click();
  await page.getByTestId("library-corpora").getByText("sasb").first().waitFor();
  const kept = await page.evaluate(() => [
    JSON.stringify(Object.values(sessionStorage)),
    JSON.stringify(Object.values(localStorage)) + document.cookie + window.location.href,
  ]);
  if (!kept[0].includes(token) || kept[1].includes(token))
    findings.push("the token is kept elsewhere than in this tab");
  // The tab stays signed in.
  await page.reload();
  await page.getByTestId("library-corpora").getByText("sasb").first().waitFor();
}

async function library() {
  for (const [control, name, corpus] of [
    [/^Choose files/, "report.pdf", /^reports/i],
    [/^Choose folder/, "notes", /^docs/],
  ]) {
    await button("Add documents").click();
    if (await page.getByRole("menuitem", { name: "Open the sample" }).count())
      findings.push("library: the sample cannot be opened here");
    await choose(page.getByRole("menuitem", { name: control }), name);
    await page.getByTestId("preflight").waitFor();
    await page.getByTestId("add-start").click();
    await page.getByTestId("library-corpora").getByText(corpus).first().waitFor({ timeout: 60_000 });
    await page.getByTestId("job-dock").getByText(/Done/).first().waitFor({ timeout: 60_000 });
  }
  // The dock still says "Done" of the first job while the second one runs.
  await until(
    async () =>
      (await api("documents?corpus=docs")).map(({ path }) => path).join() === "notes/one.md,notes/two.md",
    "both documents of the folder are in the library",
  );
}

async function standards() {
  await go("standards");
  await page.getByRole("tree").getByText("IFRS S2").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("S2 14 a iv");
  await page.getByRole("option", { selected: true }).getByText(PARAGRAPH).waitFor();
  await page.keyboard.press("Enter");
  await page.locator("#standards-title").getByText("Climate transition plan").waitFor();
  await page.getByRole("radiogroup", { name: "Status" }).getByRole("radio", { name: /^Gap/ }).click();
  await until(
    async () =>
      (await api("reviews")).some((each) => each.paragraph_id === PARAGRAPH && each.status === "gap"),
    "the mark is kept",
  );
}

async function searchLab() {
  await go("search-lab");
  await page.getByRole("searchbox", { name: "Query" }).fill("transition plan dependencies S2.14(a)(iv)");
  const first = page.locator("[aria-label='Fused list'] [aria-posinset='1']");
  await first.getByText(PARAGRAPH).first().waitFor();
  await first.click();
  const score = page.getByRole("region", { name: "Score" });
  await score.getByRole("img").first().waitFor();
  const sum = await score.locator(".mono.sm").first().textContent();
  if (!/\d\.\d/.test(sum ?? "")) findings.push(`search: no score in ${sum}`);
}

async function chunkLab() {
  const [document] = await api("documents?words=report.pdf");
  await go(`chunk-lab?document=${document.id}`);
  const figures = page.getByTestId("chunk-lab-stats");
  await figures
    .getByText(/chunks/)
    .first()
    .waitFor();
  const before = await figures.textContent();
  for (const [name, value] of [
    ["Minimum", "40"],
    ["Overlap", "20"],
    ["Target tokens", "120"],
  ]) {
    await page.getByLabel(name, { exact: true }).first().fill(value);
    await page.keyboard.press("Enter");
  }
  await until(async () => (await figures.textContent()) !== before, "other chunks are cut");
  // A file of this computer, of which the server has no copy.
  await button(/^Document: /).click();
  await choose(button(/^Open a file/), "report.pdf");
  await button("Document: report.pdf").waitFor();
  await figures
    .getByText(/chunks/)
    .first()
    .waitFor();
}

async function askIt() {
  await go("ask");
  await page.getByLabel("Question", { exact: true }).fill(QUESTION);
  await page.keyboard.press("Enter");
  await page.locator("[data-testid=ask-article][data-standing=answered]").waitFor({ timeout: 40_000 });
  const checks = await page
    .locator("[data-check]")
    .evaluateAll((all) => all.map((each) => each.dataset.check));
  if (checks.length === 0 || checks.some((check) => check !== "verified"))
    findings.push(`ask: checks ${checks.join()}`);
  await page.locator("[data-cite='1']").first().waitFor();
}

async function evaluate() {
  await go("evaluate");
  const imported = async (name, control, ...names) => {
    await choose(button(control), ...names);
    const told = page.getByRole("dialog", { name: `“${name}” imported` });
    await told.getByRole("button", { name: "Close" }).click();
  };
  await imported("gold", /^Import file/, "gold.jsonl");
  await button("Run gold set").click();
  await button(/^Run \d+ queries/).click();
  await page.locator("tr[data-run]").first().waitFor({ timeout: 60_000 });
  // Collections and runs of other systems.
  await button(/^Gold set: gold/).click();
  await imported("wiki", /^Import folder/, "wiki");
  await button(/^Gold set: wiki/).click();
  await imported("qrels", /^Import file/, "qrels.txt", "qrels.queries.tsv");
  await choose(button(/^Import run/), "bm25.run");
  await page.locator("tr[data-run]").getByText("bm25").first().waitFor();
}

async function settings() {
  await go("settings");
  const sections = page.getByRole("navigation", { name: "Sections" });
  await sections.waitFor();
  await settled(page);
  for (const absent of ["Data folder", "Logs", "Retrieval", "Advanced"])
    if (await sections.getByRole("link", { name: absent, exact: true }).count())
      findings.push(`settings: the section ${absent} is of the window`);
  for (const absent of [
    /^Move/,
    /^Show folder/,
    /^Replace/,
    /^Back up/,
    /^Check now/,
    /^Rebuild/,
    /^Save key/,
    /^Compact/,
  ])
    if (await page.getByRole("button", { name: absent }).count())
      findings.push(`settings: ${absent} is of the window`);
  await button("Menu").click();
  if (await page.getByRole("menuitem", { name: /^Quit/ }).count()) findings.push("the menu offers to quit");
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
  if (await page.evaluate((key) => JSON.stringify(Object.values(sessionStorage)).includes(key), token))
    findings.push("the token outlives signing out");
}

/** Asks the server apart from the page. */
async function api(path) {
  const answer = await fetch(`${address}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  return answer.json();
}

async function until(holds, what) {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return;
    await new Promise((next) => setTimeout(next, 50));
  }
  throw new Error(`in vain: ${what}`);
}

for (const task of [wrongThenRight, library, standards, searchLab, chunkLab, askIt, evaluate, settings]) {
  const began = Date.now();
  try {
    await task();
  } catch (thrown) {
    findings.push(`${task.name}: ${thrown}`);
    await page.screenshot({ path: `${process.env.SCREENSHOTS ?? "/tmp"}/served-${task.name}.png` });
  }
  for (const each of refused.splice(0)) findings.push(`${task.name}: ${each}`);
  said(`${task.name} ${((Date.now() - began) / 1000).toFixed(1)} s`);
}
await browser.close();
for (const finding of findings) process.stderr.write(`${finding}\n`);
process.exitCode = findings.length > 0 ? 1 : 0;
