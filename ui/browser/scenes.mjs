// Every screen in every state, by name: where it is, what the in-memory engine answers otherwise, and what is done first.
//
// `scene` runs in the page before anything is asked and changes the handlers; it can use nothing of this file.
// `act` drives the page once it stands.
//
// Over 500 lines: one list.

import { readFileSync } from "node:fs";
import { KEPT } from "./kept.mjs";
import { settled } from "./settled.mjs";

/** Ids of what was recorded. */
const names = JSON.parse(readFileSync(new URL("../src/api/recorded/names.json", import.meta.url)));

const never = (...commands) =>
  `(all) => { for (const name of ${JSON.stringify(commands)}) all[name] = () => new Promise(() => {}); }`;
const fails = (code, message, ...commands) =>
  `(all) => { for (const name of ${JSON.stringify(commands)}) all[name] = () => { throw ${JSON.stringify({ code, message })}; }; }`;

const job = (state, more = {}) => `(all) => {
  const list = all["job.list"];
  const more = ${JSON.stringify(more)};
  const { files, files_done } = { files: 5, files_done: 2 };
  const change = (each) => ({ ...each, state: ${JSON.stringify(state)}, files, files_done, ...more });
  all["job.list"] = async (...given) => (await list(...given)).map(change);
  if (${JSON.stringify(state)} === "running") {
    const of = all["job.files"];
    const states = [["running", "embed"], ["running", "chunk"]];
    all["job.files"] = async (...given) =>
      (await of(...given)).map((file, at) => (states[at] ? { ...file, state: states[at][0], stage: states[at][1] } : file));
  }
}`;

/** The job at work tells of itself, but for what is given. */
const tell =
  (more = {}) =>
  (page) =>
    page.evaluate(
      (given) => window.sibylFake.emit({ job: { ...window.sibylFake.runningJob, ...given } }),
      more,
    );

/** A scene in which messages stay, however long it takes to look at them. */
const lasting = (scene) => `(all) => {
  const later = window.setTimeout;
  window.setTimeout = (run, wait, ...given) => later(run, wait === 6000 ? 2 ** 31 - 1 : wait, ...given);
  (${scene})(all);
}`;

const HOSTILE = [
  "<img src=x onerror=alert(1)>.pdf",
  "javascript:alert(document.domain).html",
  "\u202efdp.exe\u202c invoice \u2066left\u2069.pdf",
  `${"very-long-name-without-a-break".repeat(8)}.docx`,
  "](javascript:alert(1)) [click me](data:text/html,<script>alert(1)</script>).md",
];

const hostile = `(all) => {
  const names = ${JSON.stringify(HOSTILE)};
  const files = all["job.files"];
  all["job.files"] = async (...given) =>
    (await files(...given)).map((file, at) => ({ ...file, path: names[at], origin: "/tmp/" + names[at] }));
  const documents = all["document.list"];
  all["document.list"] = async (...given) =>
    (await documents(...given)).map((row, at) => ({ ...row, title: names[at % names.length], path: names[at % names.length] }));
  const overview = all["library.overview"];
  all["library.overview"] = async (...given) => {
    const found = await overview(...given);
    found.corpora.slice(1, 6).forEach((each, at) => { each.corpus.name = names[at]; });
    return found;
  };
  const inspect = all["corpus.inspect"];
  all["corpus.inspect"] = async (...given) => ({
    ...(await inspect(...given)),
    folder: "/tmp/" + names[3],
    notices: names.map((name) => [name, name]),
  });
  const page = all["standards.page"];
  all["standards.page"] = async (...given) => {
    const found = await page(...given);
    return { ...found, prose: names.join(" ") + "\\n\\n<script>alert(1)</script> [x](javascript:alert(1))", label: names[2] };
  };
  const evidence = all["standards.evidence"];
  all["standards.evidence"] = async (...given) => {
    const found = await evidence(...given);
    found.hits.forEach((hit, at) => { hit.title = names[at % names.length]; hit.chunk_text = "[x]\\n\\n" + names.join(" "); });
    return found;
  };
  all["workspace.list"] = () => names.map((name, id) => ({ id, name, language: "en", created_at: "2025-11-12T09:14:00Z" }))
    .concat({ id: 9, name: "default", language: "en", created_at: "2025-11-12T09:14:00Z" });
  const runs = all["eval.runs"];
  all["eval.runs"] = async (...given) =>
    (await runs(...given)).map((run, at) => ({ ...run, name: names[at % names.length] }));
  const compared = all["eval.compare_queries"];
  all["eval.compare_queries"] = async (...given) => {
    const found = await compared(...given);
    return { ...found, queries: found.queries.map((each, at) => ({ ...each, query: names[at % names.length] })) };
  };
  const log = all["log.tail"];
  all["log.tail"] = async (...given) => {
    const tail = await log(...given);
    return { ...tail, lines: tail.lines.map((line, at) => ({ ...line, message: names[at % names.length] })) };
  };
}`;

/** Where the single keys of Search Lab act. */
const toResults = (page) =>
  page.getByRole("listbox", { name: "Fused list" }).getByRole("option", { selected: true }).focus();
const press =
  (...keys) =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key);
  };
const click = (role, name) => (page) => page.getByRole(role, { name }).first().click();
const find = (words) => (page) => page.getByRole("combobox", { name: /^Find a paragraph/ }).fill(words);
const both =
  (...acts) =>
  async (page) => {
    for (const act of acts) {
      await act(page);
      await settled(page, { answered: false });
    }
  };

const DROPPED = [
  "northwind-energy-climate-report-2024.pdf",
  "aurelia-cement-annual-2024.pdf",
  "notes.md",
  "older-reports.zip",
].map((name) => `/home/ada/reports/2024/${name}`);
const drag = (kind) => (page) =>
  page.evaluate((given) => window.sibylFake.drag({ ...given, x: 600, y: 400 }), { kind, paths: DROPPED });

const wordsFirst = `(all) => {
  const search = all.search;
  all.search = (input, ...given) => (input.mode === "hybrid" ? new Promise(() => {}) : search(input, ...given));
}`;
const traced = (change) => `(all) => {
  const search = all.search;
  all.search = async (...given) => {
    const answer = await search(...given);
    return { ...answer, trace: { ...answer.trace, ...${JSON.stringify(change)} } };
  };
}`;
const OFFLINE = {
  semantic: [],
  space: null,
  tier: null,
  degraded: true,
  notices: [
    { cause: "keyword_only", message: "only keyword search answered: the provider could not be reached" },
  ],
};
const notReranked = `(all) => {
  const run = all["search.run"];
  all["search.run"] = async (...given) => {
    const { request, response } = await run(...given);
    const results = [...response.results]
      .sort((a, b) => a.fused_rank - b.fused_rank)
      .map((hit, at) => ({ ...hit, rank: at + 1, rerank_score: null }));
    const notices = [{ cause: "not_reranked", message: "not reranked; results keep the fused order: no answer within 8 s" }];
    return { request, response: { ...response, results, trace: { ...response.trace, notices } } };
  };
}`;

const asks = (question) => async (page) => {
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.keyboard.press("Enter");
};
const pastes = (page) =>
  page
    .getByRole("textbox", { name: "Selected text" })
    .fill(
      "Our transition plan rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and turbines reach the market by 2029. If any of these premises slips by more than two years, the 2035 milestone moves to 2038. We have set aside €1.9 billion through 2030.",
    );
const halfWritten = `(all) => {
  // The clock beside what is being written would keep the page from coming to rest.
  window.setInterval = () => 0;
  const ask = all["answer.ask"];
  all["answer.ask"] = (input, call) => {
    let left = 17;
    const wait = () => (left-- > 0 ? Promise.resolve() : new Promise(() => {}));
    return ask(input, { ...call, wait });
  };
}`;

/** A chat model writes five sentences of it. */
const RESTS = "Which assumptions does Northwind’s transition plan rest on?";

const S2 = "standards/S2.14(a)";
const REPORT = "northwind-energy-climate-report-2024";

/** A program has made a first pass over two requirements. */
const PROPOSED = `(all) => {
  const cell = { id: 1, report_id: "northwind-energy-climate-report-2024", program: "first-reader" };
  all["assess.propose"]({
    ...cell,
    requirement: "S2.14(a)(v)",
    finding: "partly",
    reason: "The plan says what it rests on and what it depends on. It gives no sum for the years after 2027.",
    quotes: [
      { quote: "The plan rests on four assumptions: connection dates as offered in December 2024.", page: 7 },
      { quote: "Spending on the plan was £1,510 million in 2024.", page: 7 },
    ],
  });
  all["assess.propose"]({
    ...cell, report_id: "halden-shipping-esg-2024", requirement: "S2.14(b)", finding: "gap", reason: "Nothing is said of it.", quotes: [],
  });
}`;
const SEARCH = "search-lab?q=transition plan assumptions of Northwind under S2.14(a)(iv)";

/** Figures of three reports, one of which prints another unit. */
const FIGURES = `(all) => {
  const figure = {
    id: 1, document_id: 1, document: "Northwind report 2024", document_year: 2024, report_id: "northwind-energy-climate-report-2024",
    label: ["Water withdrawn"], column: "", above: ["Water and supply"], year: 2023, part: null, printed: "2,480",
    unit: "thousand m³", measure: "volume", per: false, value: 2480, normal: 2480000, status: "actual",
    origin: "table", span: [100, 105], page: 84, sheet: null, cells: null,
  };
  const figures = [
    figure,
    { ...figure, id: 2, year: 2024, printed: "2,310", value: 2310, normal: 2310000 },
    { ...figure, id: 3, document_id: 2, document: "Northwind report 2023", document_year: 2023,
      report_id: "northwind-2023", page: 79, printed: "2,408", value: 2408, normal: 2408000 },
    { ...figure, id: 5, document_id: 3, document: "Aurelia report 2024", report_id: "aurelia-2024", page: 41,
      printed: "4.1", unit: "million m³", value: 4.1, normal: 4100000 },
    { ...figure, id: 4, label: ["Reused"], printed: "31", unit: "%", measure: "share", value: 31, normal: 31 },
  ];
  all["figure.list"] = () => ({ figures, total: figures.length });
}`;

/** The scenes. A picture is named `<name>-<width>-<theme>.png`. */
export const SCENES = [
  { name: "library", path: "library?corpus=Reports FY2024", scene: job("running"), act: tell() },
  { name: "library-job-paused", path: "library?corpus=Reports FY2024" },
  {
    name: "library-job-failed",
    path: "library?corpus=Reports FY2024",
    scene: job("failed", {
      error: "The provider answered 402 after 5 attempts: the key has reached its limit.",
    }),
  },
  { name: "library-job-done", path: "library?corpus=IFRS S1", scene: job("done", { files_done: 5 }) },
  { name: "library-loading", path: "library", scene: never("library.overview", "job.list"), waits: ".skel" },
  {
    name: "library-first-run",
    path: "library",
    scene: `(all) => {
      all["library.overview"] = () => ({ corpora: [], documents: 0, chunks: 0, tokens: 0, embedded_percent: 0, disk_bytes: 92000, folder: "~/.local/share/sibyl" });
      all["job.list"] = () => [];
    }`,
  },
  {
    name: "library-error",
    path: "library",
    scene: fails(
      "storage",
      "Another process holds the library file; close it and try again.",
      "library.overview",
    ),
  },
  { name: "library-drop", path: "library", act: drag("enter") },
  { name: "library-preflight", path: "library", act: both(drag("enter"), drag("drop")) },
  {
    name: "library-preflight-partial",
    path: "library",
    scene: `(all) => {
      const before = all["ingest.preflight"];
      all["ingest.preflight"] = async (...given) => {
        const found = await before(...given);
        found.files[1] = { ...found.files[1], failure: "the file is encrypted; remove its password" };
        return { ...found, sampled: true, skipped: [{ path: "archive.zip", line: null, page: null, code: "format", message: "ZIP archives are not read: extract it first" }] };
      };
    }`,
    act: both(drag("enter"), drag("drop")),
  },
  {
    name: "library-preflight-locked",
    path: "library",
    scene: `(all) => {
      const before = all["ingest.preflight"];
      all["ingest.preflight"] = async (...given) => {
        const found = await before(...given);
        return { ...found, files: found.files.map((file) => ({ ...file, failure: "is locked with a password", code: "password_needed" })) };
      };
    }`,
    act: both(drag("enter"), drag("drop")),
  },
  {
    name: "library-password",
    path: "library?corpus=Reports FY2024",
    scene: `(all) => {
      const files = all["job.files"];
      all["job.files"] = async (...given) =>
        (await files(...given)).map((file) => (file.state === "failed" ? { ...file, code: "password_needed" } : file));
    }`,
    act: click("button", /^Enter the password for/),
  },
  {
    name: "library-alike",
    path: "library?corpus=Reports FY2024",
    scene: `(all) => {
      const list = all["document.list"];
      all["document.alike"] = async (...given) => {
        const [gone, found] = await list({ corpus: "Reports FY2024" }, ...given.slice(1));
        return [{ gone, found, share: 0.917, job: 7 }];
      };
    }`,
  },
  { name: "library-corpus-menu", path: "library?corpus=Reports FY2024", act: click("button", /^More about/) },
  {
    name: "library-job-stopped",
    path: "library?corpus=Reports FY2024",
    scene: job("failed"),
    act: both(
      tell({
        state: "failed",
        code: "embedding_refused",
        error:
          "https://openrouter.ai/api/v1 rejected the request (HTTP 402): the key has reached its limit; check the model name, base URL and credit",
      }),
      click("button", /^Details embedding/),
    ),
  },
  {
    name: "library-watch-trouble",
    path: "library?corpus=Reports FY2024",
    scene: `(all) => {
      const watched = all["watch.list"];
      all["watch.list"] = () => watched().map((each) => ({ ...each, state: "trouble", code: "io", message: "/home/ada/reports/2024: not found; check the path, or connect the drive" }));
    }`,
  },
  { name: "library-add-menu", path: "library", act: click("button", "Add documents") },
  { name: "library-licensed", path: "library?add=licensed" },
  {
    name: "library-licensed-chosen",
    path: "library?add=licensed",
    act: both(click("button", "Choose file…")),
  },
  { name: "library-documents", path: "library?corpus=Reports FY2024", act: click("radio", "Documents 46") },
  {
    name: "library-details",
    path: "library?corpus=Reports FY2024",
    act: both(click("radio", "Documents 46"), click("button", /^Edit details of/)),
  },
  { name: "library-chunks", path: "library?corpus=Reports FY2024", act: click("radio", /^Chunks/) },
  { name: "library-delete", path: "library?corpus=Reports FY2024", act: click("button", "Delete…") },
  { name: "library-again", path: "library?corpus=Reports FY2024", act: click("button", "Ingest again…") },
  { name: "library-hostile", path: "library?corpus=Reports FY2024", scene: hostile },

  { name: "assess", path: `assess?at=S2.14(a)(iv)&report=${REPORT}`, wide: true },
  {
    name: "assess-page",
    path: `assess?at=S2.14(a)(iv)&report=${REPORT}`,
    act: async (page) => {
      await page.getByRole("button", { name: "Evidence 2" }).first().click();
      const tab = page.getByRole("tab", { name: /^Page 3/ });
      if (await tab.isVisible()) await tab.click();
    },
  },
  {
    name: "assess-text",
    path: `assess?at=S2.14(a)(iv)&report=${REPORT}`,
    scene: `(all) => {
      const cell = all["assess.cell"];
      all["assess.cell"] = async (...asked) => {
        const view = await cell(...asked);
        const evidence = view.proposal?.evidence.map((one) => ({ ...one, pin: { ...one.pin, path: "northwind.md" } }));
        return { ...view, proposal: view.proposal && { ...view.proposal, evidence } };
      };
    }`,
    act: async (page) => {
      const tab = page.getByRole("tab", { name: /^Page/ });
      if (await tab.isVisible()) await tab.click();
    },
  },
  {
    name: "assess-selected",
    path: `assess?at=S2.14(a)(iv)&report=${REPORT}`,
    act: async (page) => {
      await page.getByRole("button", { name: "Evidence 2" }).first().click();
      const tab = page.getByRole("tab", { name: /^Page 3/ });
      if (await tab.isVisible()) await tab.click();
      await page.getByRole("button", { name: /^Select: The sustainability committee/ }).click();
      await page.getByRole("button", { name: "Pin what is selected on the page" }).click();
    },
  },
  {
    name: "assess-nothing",
    path: "assess?at=S2.14(b)&report=aurelia-cement-annual-2024",
    act: click("button", "Nearest passage 2"),
  },
  {
    name: "assess-not-asked",
    path: "assess?at=IF-EU-110a.1&report=halden-shipping-esg-2024",
    scene: `(all) => {
      const show = all["assess.show"];
      all["assess.show"] = async (...asked) => {
        const grid = await show(...asked);
        const rows = grid.rows.map((row) => (row.id === "IF-EU-110a.1" ? { ...row, reports: ["northwind-energy-climate-report-2024"] } : row));
        return { ...grid, rows };
      };
    }`,
    act: async (page) => {
      await page.keyboard.press("4");
    },
  },
  {
    name: "assess-name-taken",
    path: "assess?edit=new",
    act: async (page) => {
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("FY2024 climate review");
    },
  },
  {
    name: "assess-claims",
    path: `assess?at=S2.14(a)(iv)&report=${REPORT}`,
    act: async (page) => {
      await page.getByText("Points to another document.").scrollIntoViewIfNeeded();
    },
  },
  { name: "assess-start", path: "assess?edit=new" },
  {
    name: "assess-first",
    path: "assess",
    scene: `(all) => { all["assess.list"] = () => []; }`,
  },
  { name: "assess-change", path: "assess?edit=change" },
  { name: "assess-parent", path: "assess", act: click("gridcell", /^Governance, Northwind Energy plc 2024/) },
  {
    name: "assess-changed",
    path: "assess?from=northwind-energy-climate-report-2023&to=northwind-energy-climate-report-2024&at=S2.14(a)(iv)",
    wide: true,
  },
  {
    name: "assess-changed-issuers",
    path: "assess?from=northwind-energy-climate-report-2024&to=halden-shipping-esg-2024",
  },
  {
    name: "assess-changed-error",
    path: "assess?from=northwind-energy-climate-report-2023&to=northwind-energy-climate-report-2024",
    scene: fails(
      "storage",
      "Another process holds the library file; close it and try again.",
      "assess.compare",
    ),
  },
  { name: "assess-carried", path: "assess?only=carried" },
  { name: "assess-none", path: "assess?only=moved,mine&q=transition" },
  {
    name: "assess-reason",
    path: "assess",
    act: both(click("gridcell", /^Metrics and targets, Halden/), click("radio", "N/A")),
  },
  {
    name: "assess-running",
    path: "assess",
    scene: `(all) => {
      all["assess.run"] = (_, { tell }) => {
        tell({ kind: "assessing", done: 41, total: 52, report_id: "halden-shipping-esg-2024", requirement: "S2.14(b)" });
        return new Promise(() => {});
      };
    }`,
    act: click("button", "Resume"),
    waits: ".spin",
  },
  { name: "assess-program", path: `assess?at=S2.14(a)(v)&report=${REPORT}`, scene: PROPOSED, wide: true },
  {
    name: "assess-program-changed",
    path: `assess?at=S2.14(a)(v)&report=${REPORT}&only=proposed`,
    scene: `(all) => {
      (${PROPOSED})(all);
      const cell = all["assess.cell"];
      all["assess.cell"] = async (...asked) => {
        const view = await cell(...asked);
        const source = { changed: true, document_id: 1, range: null, kept: false };
        const lost = (quote) => ({ ...quote, pin: { ...quote.pin, source } });
        return { ...view, programs: view.programs.map((one) => ({ ...one, quotes: one.quotes.map(lost) })) };
      };
      all["assess.confirm"] = () => {
        throw { code: "invalid", message: "the quote no longer stands in the report; dismiss the proposal, or decide without it" };
      };
    }`,
    act: click("button", /^Confirm Partly met/),
    waits: "[role=alert]",
  },
  { name: "assess-menu", path: "assess", act: click("button", /^Assessment:/) },
  { name: "assess-export", path: "assess", act: click("button", "Export pack…") },
  {
    name: "assess-signed",
    path: "assess",
    act: async (page) => {
      await page.getByRole("button", { name: "Export pack…" }).click();
      const file = (name) => ({ name, mimeType: "text/plain", buffer: Buffer.from("{}") });
      await page.getByTestId("pack").setInputFiles([file("pack.json"), file("pack.json.minisig")]);
      await page.getByText(/^Signed with the key/).waitFor();
    },
  },
  { name: "assess-loading", path: "assess", scene: never("assess.show"), waits: ".skel" },
  {
    name: "assess-error",
    path: "assess",
    scene: fails("storage", "Another process holds the library file; close it and try again.", "assess.show"),
  },
  { name: "standards", path: S2 },
  { name: "standards-filter", path: `${S2}?q=transition plan` },
  { name: "standards-item", path: `${S2}?item=S2.14(a)(iv)` },
  {
    name: "standards-item-passage",
    path: `${S2}?item=S2.14(a)(iv)`,
    act: (page) =>
      page
        .getByRole("list", { name: "Evidence in reports" })
        .getByRole("button", { expanded: false })
        .first()
        .click(),
  },
  {
    name: "standards-term",
    path: "standards/S2.14",
    act: async (page) => {
      await page.locator("article a[class*=term]").first().hover();
      await page.getByRole("tooltip").waitFor();
    },
  },
  {
    name: "standards-score",
    path: S2,
    act: async (page) => {
      await page.locator("[data-passage]").first().waitFor();
      await page
        .getByRole("button", { name: /^\d+\.\d{2}/ })
        .first()
        .click();
    },
  },
  { name: "standards-phrasings", path: S2, act: click("button", /^Found by/) },
  { name: "standards-sasb", path: "standards/EM-EP-110a" },
  { name: "standards-metric", path: "standards/EM-EP-110a.3" },
  {
    name: "standards-metric-words",
    path: "standards/EM-EP-110a.3",
    act: click("button", /^What the standard asks for in item/),
  },
  {
    name: "standards-metric-item",
    path: "standards/EM-EP-110a.3?item=EM-EP-110a.3.also_to_be_discussed.the-short-and-long-term",
    act: click("button", /^Status of item 3/),
  },
  { name: "standards-status", path: `standards/EM-EP-110a.3?status=met` },
  {
    name: "standards-licensed",
    path: S2,
    act: click("radio", "With your copy"),
  },
  { name: "standards-export", path: S2, act: click("button", "Export review") },
  { name: "standards-issuers", path: S2, act: click("button", /^Issuer/) },
  { name: "standards-years", path: `${S2}?years=2023,2024&issuers=Northwind Energy plc` },
  { name: "standards-excluded", path: `${S2}?years=2023&issuers=Aurelia Cement S.A.` },
  { name: "standards-loading", path: S2, scene: never("standards.tree"), waits: ".skel" },
  { name: "standards-page-loading", path: S2, scene: never("standards.page"), waits: ".skel" },
  { name: "standards-evidence-loading", path: S2, scene: never("standards.evidence"), waits: ".skel" },
  { name: "standards-empty", path: "standards", scene: `(all) => { all["standards.tree"] = () => []; }` },
  {
    name: "standards-no-reports",
    path: S2,
    scene: `(all) => {
      const before = all["document.list"];
      all["document.list"] = async (...given) => (await before(...given)).map((row) => ({ ...row, report_id: null }));
    }`,
  },
  {
    name: "standards-no-evidence",
    path: S2,
    scene: `(all) => {
      const before = all["standards.evidence"];
      all["standards.evidence"] = async (...given) => ({ ...(await before(...given)), hits: [], found_by: [] });
    }`,
  },
  {
    name: "standards-partial",
    path: S2,
    scene: `(all) => {
      const before = all["standards.evidence"];
      all["standards.evidence"] = async (...given) => {
        const found = await before(...given);
        found.trace.covered = 24;
        found.trace.degraded = true;
        found.trace.notices = [
          { cause: "partly_embedded", message: "24 of the chunks have a vector; the rest are found by words alone" },
        ];
        return found;
      };
    }`,
  },
  {
    name: "standards-error",
    path: S2,
    scene: fails(
      "storage",
      "Another process holds the library file; close it and try again.",
      "standards.tree",
    ),
  },
  {
    name: "standards-evidence-error",
    path: S2,
    scene: fails("embedding_model", "The model of the corpus is not on this computer.", "standards.evidence"),
    waits: "[role=alert]",
  },
  { name: "standards-unknown", path: "standards/S2.14(z)" },
  { name: "standards-hostile", path: S2, scene: hostile },

  { name: "chunk-lab", path: "chunk-lab" },
  { name: "chunk-lab-compare", path: "chunk-lab", act: both(press("Control+d")) },
  {
    name: "chunk-lab-compare-gold",
    path: "chunk-lab?view=compare&b=recursive",
    act: both(click("button", /^Measure A and B/), async (page) => {
      await page.getByTestId("confirm").click();
      const button = page.getByRole("button", { name: "Compare in Evaluate" });
      await button.waitFor();
      await button.scrollIntoViewIfNeeded();
    }),
  },
  { name: "chunk-lab-compare-changed", path: "chunk-lab?view=compare&b=recursive" },
  {
    name: "chunk-lab-difference",
    path: "chunk-lab?a=recursive",
    act: async (page) => {
      await settled(page);
      const line = page.getByRole("button", { name: /^Library \+/ });
      await ((await line.count())
        ? line
        : page.locator("[data-testid=chunk-lab-difference] + button")
      ).click();
    },
  },
  { name: "chunk-lab-picker", path: "chunk-lab", act: click("button", /^Document: /) },
  {
    name: "chunk-lab-find",
    path: "chunk-lab",
    act: both(press("Control+f"), (page) => page.keyboard.type("plan")),
  },
  { name: "chunk-lab-apply", path: "chunk-lab", act: both(press("Control+Shift+a")) },
  { name: "chunk-lab-page", path: "chunk-lab?show=page&at=1411-2110" },
  { name: "chunk-lab-blocks", path: "chunk-lab?show=page&page=3&blocks=1" },
  {
    name: "chunk-lab-page-loading",
    path: "chunk-lab?show=page",
    scene: never("document.page_image"),
    waits: ".skel",
  },
  {
    name: "chunk-lab-page-error",
    path: "chunk-lab?show=page",
    scene: fails(
      "page_not_drawn",
      "page 1 could not be drawn: the file ends in the middle of it",
      "document.page_image",
    ),
  },
  { name: "chunk-lab-map", path: "chunk-lab?show=map&at=9000-9600" },
  { name: "chunk-lab-map-table", path: "chunk-lab?show=map", act: both(press("Control+Shift+t")) },
  { name: "chunk-lab-tables", path: "chunk-lab", act: both(press("Control+Shift+t")) },
  { name: "chunk-lab-rows", path: "chunk-lab?at=9000-9010" },
  {
    name: "chunk-lab-no-pages",
    path: "chunk-lab",
    scene: `(all) => {
      const before = all["document.list"];
      all["document.list"] = async (...given) => (await before(...given)).map((row) => ({ ...row, format: "markdown" }));
    }`,
    act: async (page) => {
      const menu = page.getByRole("button", { name: /^Show the document as/ });
      if (await menu.count()) await menu.click();
      else await page.getByRole("radio", { name: "Page", exact: true }).hover();
      await page.getByRole("tooltip").or(page.getByRole("menu")).first().waitFor();
    },
  },
  { name: "chunk-lab-dropping", path: "chunk-lab", act: drag("enter") },
  { name: "chunk-lab-dropped", path: "chunk-lab", act: both(drag("enter"), drag("drop")) },
  {
    name: "chunk-lab-pasted",
    path: "chunk-lab",
    act: both((page) =>
      page.evaluate(() => {
        const data = new DataTransfer();
        data.setData(
          "text/plain",
          "# Site memo\n\n## Water\n\n**Three** sites draw from stressed basins.\n\n| Site | m³ | Basin |\n|---|--:|---|\n| Ostend | 41,200 | Scheldt |\n| Lyon | 9,800 | Rhône |\n",
        );
        document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
      }),
    ),
  },
  {
    name: "chunk-lab-refused",
    path: "chunk-lab?a=report~target_tokens~400~max_tokens~200~min_tokens~80",
    scene: `(all) => {
      const before = all["chunk.preview"];
      all["chunk.preview"] = async (input, ...given) => {
        if (input.settings?.max_tokens === 200)
          throw { code: "invalid", message: "\`target_tokens\` (400) is above \`max_tokens\` (200): lower it, or allow more" };
        return before(input, ...given);
      };
    }`,
  },
  {
    name: "chunk-lab-notices",
    path: "chunk-lab",
    scene: `(all) => {
      const before = all["chunk.preview"];
      const notice = (message) => ({ severity: "warning", code: "pdf_columns", message, range: null, page: 34, line: null });
      all["chunk.preview"] = async (...given) => {
        const cut = await before(...given);
        if (!cut.structure) return cut;
        const notices = [notice("Page 34 has two columns whose order was guessed."), notice("Page 61 has no text layer.")];
        return { ...cut, structure: { ...cut.structure, notices } };
      };
    }`,
  },
  { name: "chunk-lab-loading", path: "chunk-lab", scene: never("chunk.preview"), waits: ".skel" },
  {
    name: "chunk-lab-error",
    path: "chunk-lab",
    scene: fails("invalid", "`overlap` must be smaller than `target_tokens`.", "chunk.preview"),
  },
  { name: "chunk-lab-empty", path: "chunk-lab", scene: `(all) => { all["document.list"] = () => []; }` },

  { name: "search-lab", path: SEARCH },
  { name: "ask-start", path: "ask" },
  { name: "ask", path: "ask?answer=4&cite=2" },
  {
    name: "ask-chat",
    path: "ask?generator=chat",
    act: both(asks(RESTS)),
  },
  {
    name: "ask-checked",
    path: "ask?generator=chat",
    act: both(asks(RESTS), click("button", "Check: Altered")),
  },
  {
    name: "ask-streaming",
    path: "ask?generator=chat",
    scene: halfWritten,
    act: asks(RESTS),
    waits: "[data-caret]",
  },
  { name: "ask-not-found", path: "ask?answer=5" },
  {
    name: "ask-gap",
    path: "ask?answer=5",
    scene: `(all) => {
      const metadata = { paragraph_id: "S2.29(f)(ii)", label: "Carbon price per tonne" };
      all.search = () => ({ results: [{ metadata }] });
    }`,
    act: both(click("button", "Record as gap…")),
  },
  {
    name: "ask-figure",
    path: "ask",
    act: both(asks("What were Northwind’s Scope 1 emissions in 2023?")),
  },
  {
    name: "ask-figure-missing",
    path: "ask",
    act: both(asks("What were Northwind’s Scope 1 emissions in 2021?")),
  },
  { name: "ask-readings", path: "ask?answer=6" },
  {
    name: "ask-selection",
    path: "ask?from=selection",
    act: both(pastes, asks("Which premises move the milestone?")),
  },
  {
    name: "ask-selection-empty",
    path: "ask?from=selection",
    act: both(asks("Which premises move the milestone?")),
  },
  {
    name: "ask-follow-up",
    path: "ask",
    act: both(asks("What must a transition plan disclose?"), asks("And what does it depend on?")),
  },
  {
    name: "ask-chips",
    path: "ask",
    act: both(
      asks("What were Northwind’s Scope 1 emissions in 2023?"),
      asks("And what were they in 2021?"),
      click("button", "Year: 2021, change"),
    ),
  },
  {
    name: "ask-chips-changed",
    path: "ask",
    act: both(
      asks("What were Northwind’s Scope 1 emissions in 2023?"),
      click("button", "Year: 2023, change"),
      press("2", "0", "2", "1", "Enter"),
    ),
  },
  {
    name: "ask-chips-folded",
    path: "ask",
    scene: `(all) => {
      const ask = all["answer.ask"];
      all["answer.ask"] = async (...given) => {
        const answer = await ask(...given);
        const more = ["Aurelia Cement S.A.", "Halden Shipping Group", "Kestrel Bank", "Thorne Wind and Solar Holdings"].map((value) => ({ kind: "issuer", value }));
        return { ...answer, id: null, understood: [...answer.understood, ...more, { kind: "basis", value: "market" }], inherited: [...more, { kind: "scope", value: "1" }] };
      };
    }`,
    act: both(asks("What were Northwind’s Scope 1 emissions in 2023?")),
  },
  {
    name: "ask-incomplete",
    path: "ask?generator=chat",
    scene: `(all) => {
      const ask = all["answer.ask"];
      all["answer.ask"] = async (...given) => {
        const answer = await ask(...given);
        const sentences = answer.sentences.slice(0, 3);
        const citations = answer.citations.slice(0, 2);
        return { ...answer, id: null, outcome: "incomplete", sentences, citations, fault: { code: "chat_cut", message: "The provider closed the connection before the answer was complete; ask again." } };
      };
    }`,
    act: both(asks(RESTS)),
  },
  {
    name: "ask-failed",
    path: "ask",
    scene: fails("storage", "The library file couldn’t be read; try again.", "answer.ask"),
    act: both(asks("What is a plan?")),
  },
  { name: "ask-replay", path: "ask?answer=7", act: both(click("button", "Replay the search")) },
  { name: "ask-log", path: "ask?answer=7", act: both(press("Escape", "h")) },
  {
    name: "ask-delete",
    path: "ask?answer=7",
    act: both(
      press("Escape", "h"),
      click("button", "Log options"),
      click("menuitem", /^Delete the whole log/),
    ),
  },
  { name: "ask-generator", path: "ask", act: click("button", /^Written by/) },
  { name: "ask-context", path: "ask?answer=7", act: both(click("radio", "Context")) },
  { name: "ask-gone", path: "ask?answer=9999" },
  {
    name: "ask-over",
    path: S2,
    act: (page) =>
      page.evaluate(() => {
        const words = document.querySelector("[data-askable] p");
        window.getSelection().selectAllChildren(words);
        document.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
      }),
  },
  { name: "search-lab-start", path: "search-lab" },
  { name: "search-lab-loading", path: SEARCH, scene: never("search", "search.stream"), waits: ".skel" },
  { name: "search-lab-pinned", path: `${SEARCH}&pin=${names["S2.29(e)"]}` },
  { name: "search-lab-selected", path: SEARCH, act: both(toResults, press("j", "j")) },
  { name: "search-lab-runs", path: SEARCH, act: both(toResults, press("h")) },
  { name: "search-lab-why", path: SEARCH, act: both(toResults, press("w")) },
  { name: "search-lab-compare", path: `${SEARCH}&against=space:${names.instant}` },
  {
    name: "search-lab-compare-map",
    path: `${SEARCH}&against=space:${names.instant}`,
    act: async (page) => {
      const tab = page.getByRole("tab", { name: "Embedding map" });
      if (await tab.count()) await tab.click();
      await page
        .getByRole("radiogroup", { name: "Side shown on the map" })
        .getByRole("radio", { name: "B" })
        .click();
    },
  },
  {
    name: "search-lab-cli",
    path: SEARCH,
    act: async (page) => {
      const call = page.getByRole("tab", { name: "Equivalent call" });
      if (await call.count()) await call.click();
      await click("radio", "CLI")(page);
    },
  },
  { name: "search-lab-rerank", path: SEARCH, act: both(click("switch", /Rerank/)) },
  { name: "search-lab-options", path: SEARCH, act: click("button", "Search options") },
  { name: "search-lab-compare-menu", path: SEARCH, act: click("button", /^Compare/) },
  {
    name: "search-lab-why-told",
    path: SEARCH,
    act: async (page) => {
      await toResults(page);
      await page.keyboard.press("w");
      await page.keyboard.type("S2.22(a)");
      await page.keyboard.press("Enter");
      await settled(page);
    },
  },
  {
    name: "search-lab-error",
    path: SEARCH,
    scene: fails("query_syntax", "a quotation mark is open: close it", "search", "search.stream"),
  },
  { name: "search-lab-nothing", path: "search-lab?q=plan&corpus=Nowhere&pillar=strategy" },
  {
    name: "search-lab-provisional",
    path: SEARCH,
    scene: wordsFirst,
    waits: "text=keyword results only so far",
  },
  { name: "search-lab-semantic-offline", path: SEARCH, scene: traced(OFFLINE) },
  { name: "search-lab-partial", path: SEARCH, scene: traced({ covered: 9 }) },
  { name: "search-lab-reranked", path: "search-lab?run=214" },
  { name: "search-lab-rerank-failed", path: "search-lab?run=214", scene: notReranked },
  {
    name: "search-lab-gold",
    path: "search-lab?q=What does the transition plan depend on?",
    act: async (page) => {
      const gold = page.getByRole("region", { name: "Gold set" });
      await gold.getByRole("button", { name: /^2:/ }).waitFor();
      await toResults(page);
      await page.keyboard.press("2");
      await gold.getByRole("button", { name: /^2:/, pressed: true }).waitFor();
      await gold.scrollIntoViewIfNeeded();
    },
  },
  { name: "search-lab-parsed", path: SEARCH, act: click("button", "Parsed") },
  { name: "search-lab-left-out", path: `${SEARCH}&k=3`, act: click("button", /left out/) },
  { name: "search-lab-compare-runs", path: "search-lab?run=214&against=run:213" },

  { name: "evaluate", path: "evaluate" },
  {
    name: "evaluate-expanded",
    path: "evaluate",
    act: async (page) => {
      await page.getByRole("row", { name: /^Q/ }).first().click();
      await page.keyboard.press("Enter");
      await settled(page);
    },
  },
  {
    name: "evaluate-graded",
    path: "evaluate",
    act: async (page) => {
      await page.getByRole("row", { name: /^Q07/ }).click();
      await page.keyboard.press("Enter");
      await page
        .getByRole("button", { name: /^Grade of northwind/ })
        .first()
        .click();
      await page.getByRole("group", { name: "Judge the whole document" }).waitFor();
    },
  },
  {
    name: "evaluate-alone",
    path: "evaluate",
    scene: `(all) => { const runs = all["eval.runs"]; all["eval.runs"] = async (...given) => (await runs(...given)).slice(0, 1); }`,
  },
  { name: "evaluate-no-runs", path: "evaluate", scene: `(all) => { all["eval.runs"] = () => []; }` },
  { name: "evaluate-empty", path: "evaluate", scene: `(all) => { all["gold.list"] = () => []; }` },
  {
    name: "evaluate-loading",
    path: "evaluate",
    scene: never("eval.runs", "eval.compare_queries"),
    waits: ".skel",
  },
  {
    name: "evaluate-error",
    path: "evaluate",
    scene: fails(
      "storage",
      "Another process holds the library file; close it and try again.",
      "eval.runs",
      "eval.compare_queries",
    ),
    waits: "[role=alert]",
  },
  { name: "evaluate-form", path: "evaluate", act: click("button", "Run gold set") },
  { name: "evaluate-sets", path: "evaluate", act: click("button", /^Gold set:/) },
  {
    name: "evaluate-history",
    path: "evaluate",
    act: both(click("button", /^Gold set:/), click("button", /^History of/)),
  },
  {
    name: "evaluate-details",
    path: "evaluate",
    act: both(click("button", /^More about/), click("menuitem", "Configuration…")),
  },
  { name: "evaluate-compare", path: "evaluate?view=compare" },
  { name: "evaluate-judge", path: "evaluate?view=judge", act: both(press("3", "0", "k")) },
  { name: "evaluate-matrix", path: "evaluate?view=matrix" },
  { name: "evaluate-matrix-row", path: "evaluate?view=matrix", act: click("button", "Add chunking") },
  {
    name: "evaluate-matrix-asked",
    path: "evaluate?view=matrix",
    act: click("button", /^Run \d+ combinations/),
  },
  {
    name: "evaluate-matrix-done",
    path: "evaluate?view=matrix",
    act: both(
      click("button", "Add chunking"),
      click("radio", "Sweep"),
      click("button", /^Add \d+ rows/),
      click("button", "Remove As it is now"),
      click("button", /^Run \d+ combinations/),
      (page) => page.getByTestId("confirm").click(),
      async (page) => {
        await page.getByText(/^Best: /).waitFor();
        await page.getByRole("button", { name: /the best$/ }).waitFor();
        await page.getByRole("button", { name: "Pause" }).waitFor({ state: "detached" });
        await page.getByRole("button", { name: /the best$/ }).click();
      },
    ),
  },
  { name: "evaluate-candidates", path: "evaluate?view=candidates" },
  { name: "evaluate-hostile", path: "evaluate", scene: hostile },

  { name: "figures", path: "figures", scene: FIGURES },
  { name: "figures-one", path: "figures?units=one", scene: FIGURES },
  { name: "figures-none", path: "figures" },

  { name: "settings", path: "settings/models" },
  { name: "settings-retrieval", path: "settings/retrieval" },
  { name: "settings-data", path: "settings/data" },
  { name: "settings-data-checked", path: "settings/data", act: both(click("button", "Check now")) },
  { name: "settings-data-rebuilt", path: "settings/data/rebuild", act: both(click("button", "Rebuild")) },
  {
    name: "settings-backed-up",
    path: "settings/data/back_up",
    act: async (page) => {
      await page.getByRole("group", { name: "Back up" }).getByRole("button", { name: "Back up…" }).click();
    },
  },
  {
    name: "settings-moved",
    path: "settings/data",
    act: both(click("button", "Move…")),
  },
  { name: "settings-language", path: "settings/language" },
  {
    name: "settings-toast",
    path: "settings/data",
    scene: lasting(fails("invalid", "the workspace is gone", "library.diagnostics")),
    act: both(click("button", "Copy diagnostics"), (page) =>
      page.getByText("the workspace is gone").first().waitFor(),
    ),
  },
  { name: "settings-appearance", path: "settings/appearance" },
  { name: "settings-keyboard", path: "settings/keyboard" },
  { name: "settings-about", path: "settings/about" },
  { name: "settings-tested", path: "settings/models", act: both(click("button", "Test")) },
  {
    name: "settings-log-line",
    path: "settings/models",
    act: async (page) => {
      await page.getByRole("option").nth(3).click();
    },
  },
  {
    name: "settings-no-keychain",
    path: "settings/models",
    scene: `(all) => {
      all["secret.status"] = () => ["openrouter", "rerank"].map((secret) => ({
        secret, source: secret === "openrouter" ? "environment" : "none",
        variable: secret === "openrouter" ? "OPENROUTER_API_KEY" : "SIBYL_RERANK_KEY",
        keychain_error: "org.freedesktop.secrets was not provided by any .service files",
      }));
    }`,
  },
  {
    name: "settings-key-refused",
    path: "settings/models",
    scene: fails("embedding_unauthorised", "The provider answered 401: the key is not valid.", "secret.test"),
    act: both(click("button", "Test")),
  },
  {
    name: "settings-no-key",
    path: "settings/models",
    scene: `(all) => {
      all["secret.status"] = () => ["openrouter", "rerank"].map((secret) => ({ secret, source: "none", variable: "OPENROUTER_API_KEY", keychain_error: null }));
    }`,
  },
  {
    name: "settings-loading",
    path: "settings",
    scene: never("settings.get", "library.storage", "log.tail"),
    waits: ".skel",
  },
  {
    name: "settings-error",
    path: "settings",
    scene: fails(
      "storage",
      "Another process holds the library file; close it and try again.",
      "settings.get",
      "library.storage",
    ),
  },
  { name: "settings-hostile", path: "settings/models", scene: hostile },

  { name: "global-menu", path: "library", act: click("button", "Menu") },
  {
    name: "global-palette",
    path: SEARCH,
    act: both(press("Control+k"), find("tra")),
  },
  {
    name: "global-palette-nothing",
    path: "library",
    act: both(press("Control+k"), find("zzzz")),
  },
  {
    name: "global-palette-commands",
    path: "library",
    act: both(press("Control+k"), find(">")),
  },
  { name: "global-keyboard", path: "library", act: both(press("?")) },
  { name: "global-keyboard-customise", path: "library", act: both(press("?"), click("button", "Customise")) },
  { name: "global-workspace-menu", path: "library", act: click("button", /^Workspace/) },
  {
    name: "global-workspaces",
    path: "library",
    act: both(click("button", /^Workspace/), click("menuitem", "Manage workspaces…")),
  },
  {
    name: "global-workspaces-hostile",
    path: "library",
    scene: hostile,
    act: both(click("button", /^Workspace/), click("menuitem", "Manage workspaces…")),
  },
  {
    name: "global-toasts",
    path: "library?corpus=Reports FY2024",
    scene: lasting(job("done", { files_done: 5 })),
    act: (page) =>
      page.evaluate(() => {
        window.sibylFake.toast({ kind: "ok", title: "3 files added", detail: "41 chunks" });
        window.sibylFake.toast({
          kind: "warn",
          title: "2 files couldn’t be ingested",
          detail: "One has no text layer",
          action: { label: "Review", onClick: () => undefined },
        });
        window.sibylFake.toast({
          kind: "bad",
          title: "The provider can’t be reached",
          detail: "Connection refused (127.0.0.1:9): check the address and the network, then try again",
        });
      }),
  },
  {
    name: "global-error",
    path: "library?corpus=Reports FY2024",
    scene: job("failed", {
      error: "The provider answered 402 after 5 attempts: the key has reached its limit.",
    }),
    act: both(
      tell(),
      tell({
        state: "failed",
        error: "The provider answered 402 after 5 attempts: the key has reached its limit.",
      }),
    ),
  },
  {
    name: "global-offline",
    path: "library",
    scene: fails(
      "transport",
      "The engine isn’t responding.",
      "app.info",
      "model.list",
      "library.overview",
      "workspace.list",
      "job.list",
    ),
  },
  {
    name: "global-crash",
    path: "library",
    scene: `(all) => { all["library.overview"] = () => ({}); }`,
    broken: true,
  },

  ...KEPT,
];
