// Standards, evidence and reviews in memory. S2.14 is told in full; what lies around it is written by rule.

import type { FakeHandlers } from "../transport/fake";
import type {
  Counterpart,
  DocumentQuery,
  DocumentRow,
  Evidence,
  EvidenceRequest,
  Hit,
  Orientation,
  PhrasingInput,
  Review,
  ReviewExportQuery,
  ReviewTable,
  StandardId,
  StandardLink,
  StandardPage,
  StandardTerm,
  TreeNode,
} from "../types";
import { leavesOf } from "./leaves";
import { handlers as library, listed as listedDocuments } from "./library";
import { listsOf, PLAN } from "./requirement";

/** Two spaces a level; `!` marks a requirement, `§` a heading. */
const IFRS = `
§ General Requirements for Disclosure of Sustainability-related Financial Information
  § Objective
    S1.1 Aim: decision-useful information
    S1.2 What counts as decision-useful
    S1.3 Covers what may affect prospects
  § Governance
    S1.26 Objective of governance disclosure!
    S1.27 Oversight bodies and management!
      S1.27(a) The body that oversees!
        S1.27(a)(i) Duties in mandates and policies!
        S1.27(a)(ii) Skills and competencies!
      S1.27(b) Management’s role!
  § Strategy
    S1.28 Objective of strategy disclosure!
    S1.29 Five things to understand!
    § Strategy and decision-making
      S1.33 Effects on strategy and decisions!
        S1.33(a) Response to risks, with plans!
        S1.33(b) Progress against earlier plans!
        S1.33(c) Trade-offs considered!
    § Financial position and performance
      S1.34 Financial effects!
      S1.35 Quantitative and qualitative information!
        S1.35(d) Planned funding sources!
  § Risk management
    S1.43 Objective of risk management disclosure!
    S1.44 Processes for risks and opportunities!
  § Appendix A: defined terms
    S1.A.business_model Business model
    S1.A.primary_users Primary users
    S1.A.scenario_analysis Scenario analysis
    S1.A.value_chain Value chain
§ Climate-related Disclosures
  § Objective
    S2.1 Aim: decision-useful climate risk information
    S2.2 Covers prospect-affecting climate matters
  § Scope
    S2.3 Scope of the climate standard
    S2.4 Matters out of scope
  § Governance
    S2.5 Objective of climate governance disclosure!
    S2.6 Who oversees climate matters!
      S2.6(a) The body that oversees!
      S2.6(b) Management’s role!
    S2.7 Avoiding duplication!
  § Strategy
    S2.8 Objective of climate strategy disclosure!
    S2.9 Five strategy elements!
      S2.9(a) Prospect-affecting climate matters!
      S2.9(b) Business model and value chain effects!
      S2.9(c) Strategy effects and transition plan!
      S2.9(d) Financial effects and planning!
      S2.9(e) Climate resilience of strategy!
    § Climate-related risks and opportunities
      S2.10 Describing climate risks and opportunities!
        S2.10(a) Description of each climate matter!
        S2.10(b) Physical or transition risk classification!
        S2.10(c) Time horizon of climate effects!
        S2.10(d) Definitions of short, medium, long term!
      S2.11 Reasonable, supportable information!
      S2.12 Industry topics to consider!
    § Business model and value chain
      S2.13 Effects on business model and value chain!
        S2.13(a) Current and anticipated effects!
        S2.13(b) Where effects concentrate!
    § Strategy and decision-making
      S2.14 Climate effects on strategy and decisions!
        S2.14(a) Responses and target-achievement plans!
          S2.14(a)(i) Business model and resource allocation changes!
          S2.14(a)(ii) Direct mitigation and adaptation efforts!
          S2.14(a)(iii) Indirect mitigation and adaptation efforts!
          S2.14(a)(iv) Climate transition plan, assumptions, dependencies!
          S2.14(a)(v) How climate targets will be achieved!
        S2.14(b) Resourcing of climate activities!
        S2.14(c) Progress of previously disclosed plans!
    § Financial position, performance and cash flows
      S2.15 Financial effects of climate matters!
      S2.16 Quantitative and qualitative information!
        S2.16(c) Investment and disposal plans!
    § Climate resilience
      S2.22 Resilience tested with scenarios!
        S2.22(a) Assessment of resilience!
        S2.22(b) How the scenario analysis was done!
  § Risk management
    S2.24 Objective of climate risk management!
    S2.25 Processes for climate risks!
  § Metrics and targets
    S2.27 Objective of metrics and targets!
    S2.29 Seven cross-industry metrics!
      S2.29(a) Greenhouse gas emissions!
      S2.29(e) Capital deployment!
    S2.33 Climate-related targets!
    S2.36 Greenhouse gas targets!
  § Appendix A: defined terms
    S2.A.climate_resilience Climate resilience
    S2.A.climate_related_transition_plan Climate-related transition plan
`;

const SECTORS: Record<string, [code: string, industry: string][]> = {
  "Consumer Goods": [
    ["CG-AA", "Apparel, Accessories & Footwear"],
    ["CG-AM", "Appliance Manufacturing"],
    ["CG-TS", "Toys & Sporting Goods"],
  ],
  "Extractives & Minerals Processing": [
    ["EM-CO", "Coal Operations"],
    ["EM-CM", "Construction Materials"],
    ["EM-IS", "Iron & Steel Producers"],
    ["EM-MM", "Metals & Mining"],
    ["EM-EP", "Oil & Gas – Exploration & Production"],
    ["EM-MD", "Oil & Gas – Midstream"],
  ],
  Financials: [
    ["FN-AC", "Asset Management & Custody Activities"],
    ["FN-CB", "Commercial Banks"],
  ],
  Infrastructure: [
    ["IF-EU", "Electric Utilities & Power Generators"],
    ["IF-WM", "Waste Management"],
  ],
};
const TOPICS = [
  [
    "110a",
    "Greenhouse Gas Emissions",
    "Gross scope 1",
    "Emissions by source",
    "Emissions strategy and targets",
  ],
  ["140a", "Water Management", "Water withdrawn", "Non-compliance with water permits", "Water risks"],
  ["160a", "Biodiversity Impacts", "Site management plans", "Spills", "Reserves near protected areas"],
  ["320a", "Workforce Health & Safety", "Incident and fatality rates", "Safety culture", "Hours of training"],
  [
    "420a",
    "Reserves Valuation",
    "Sensitivity of reserves",
    "Embedded emissions",
    "Price, capex and reserves",
  ],
  ["540a", "Critical Incident Risk", "Process safety events", "Loss of containment", "Barrier systems"],
] as const;

function rows(): TreeNode[] {
  const found: TreeNode[] = [];
  const open: number[] = [];
  const push = (depth: number, node: Omit<TreeNode, "depth" | "parent" | "source_type">) => {
    open.length = depth;
    found.push({ ...node, depth, parent: open[depth - 1] ?? null, source_type: "" });
    open[depth] = found.length - 1;
  };
  const heading = (label: string, kind: TreeNode["kind"]) =>
    ({ id: null, number: "", label, kind, requirement: false }) as const;
  for (const line of IFRS.split("\n").filter((each) => each.trim() !== "")) {
    const depth = (line.length - line.trimStart().length) / 2;
    const [id = "", ...words] = line.trim().replace(/!$/, "").split(" ");
    const label = words.join(" ");
    if (id === "§") push(depth, heading(label, depth === 0 ? "standard" : "section"));
    else
      push(depth, {
        id,
        number: id.includes(".A.") ? "" : (/\([^()]+\)$/.exec(id)?.[0] ?? id.slice(3)),
        label,
        kind: id.includes(".A.") ? "term" : id.endsWith(")") ? "item" : "paragraph",
        requirement: line.endsWith("!"),
      });
  }
  push(0, heading("SASB", "standard"));
  for (const [sector, industries] of Object.entries(SECTORS)) {
    push(1, heading(sector, "sector"));
    for (const [code, industry] of industries) {
      push(2, { id: code, number: code, label: industry, kind: "industry", requirement: false });
      for (const [tail, topic, ...metrics] of TOPICS) {
        const id = `${code}-${tail}`;
        push(3, { id, number: id, label: topic, kind: "topic", requirement: true });
        for (const [index, label] of metrics.entries()) {
          const metric = `${id}.${index + 1}`;
          push(4, { id: metric, number: metric, label, kind: "metric", requirement: true });
          for (const item of listsOf(metric).also_to_be_discussed)
            push(5, {
              id: item.id,
              number: String(item.number),
              label: item.text,
              kind: "item",
              requirement: true,
            });
        }
      }
    }
  }
  // A heading is of the standard of what follows it.
  for (let at = found.length - 1, kind = ""; at >= 0; at -= 1) {
    const node = found[at] as TreeNode;
    if (node.id !== null) kind = kindOf(node.id);
    node.source_type = kind;
  }
  return found;
}

const kindOf = (id: string) => (id.startsWith("S1.") ? "ifrs_s1" : id.startsWith("S2.") ? "ifrs_s2" : "sasb");

/** The tree of the fixtures. */
export const tree: readonly TreeNode[] = rows();
const places = new Map(tree.map((node, at) => [node.id, at] as const));
const at = (id: string): TreeNode => tree[places.get(id) ?? -1] as TreeNode;

const PROSE: Record<string, string> = {
  "S2.14":
    "The company must explain how climate shapes its strategy and its decisions, in three parts: its response, past and intended; how these activities are and will be resourced; and progress on plans reported in earlier periods. Targets themselves are specified in S2.33 to S2.36.",
  "S2.14(a)":
    "Explain how the entity has reacted, and intends to react, to climate-related risks and opportunities when it sets its strategy and takes decisions. Include how it means to reach any climate targets, whether it chose them or the law imposed them.\n\nA company without a climate-related transition plan need not create one, but one that exists must be disclosed. Changes to the business model belong here as well; see S2.13 for its effects along the value chain.",
  "S2.14(a)(i)": "Present and expected changes to the business model, and to where resources go.",
  "S2.14(a)(ii)": "Steps taken or planned inside its own operations to mitigate or adapt.",
  "S2.14(a)(iii)": "Steps taken or planned with customers, suppliers and others along the value chain.",
  "S2.14(a)(iv)": "Any climate transition plan: the main assumptions behind it and what it depends on.",
  "S2.14(a)(v)": "How it expects to reach its climate targets, emissions targets among them.",
  "S1.33(a)":
    "How strategy and decisions respond to any sustainability-related risk or opportunity. Plans are told with their progress.",
};
const DEFINITIONS: Record<string, string> = {
  "S1.A.business_model":
    "The system by which an entity turns inputs into outputs and outcomes, and so creates cash flows over the short, medium and long term.",
  "S1.A.value_chain":
    "Everything an entity uses and relies on to make its products and services and to bring them to their end.",
  "S2.A.climate_related_transition_plan":
    "The part of the overall strategy that lays out targets, actions or resources for the move to a lower-carbon economy.",
};

const proseOf = (node: TreeNode) =>
  PROSE[node.id ?? ""] ??
  DEFINITIONS[node.id ?? ""] ??
  `${node.label}: what the entity has to tell about it, how the amounts are measured, and for which periods.`;
const link = (id: string): StandardLink => {
  const prose = proseOf(at(id));
  return { id, label: at(id).label, summary: prose.slice(0, prose.indexOf(". ") + 1) || prose };
};
const term = (id: string): StandardTerm => ({ id, name: at(id).label, definition: proseOf(at(id)) });

const COUNTERPARTS: Record<string, string[]> = {
  "S2.14": ["S1.33"],
  "S2.14(a)": ["S1.33(a)"],
  "S2.14(c)": ["S1.33(b)"],
  "S1.33": ["S2.14"],
  "S1.33(a)": ["S2.14(a)"],
};

/** What answers to `id`: its own, else that of what lies around it. */
function counterparts(id: string): Counterpart[] {
  for (let of = id; of !== ""; of = of.endsWith(")") ? of.slice(0, of.lastIndexOf("(")) : "") {
    const others = COUNTERPARTS[of];
    if (others)
      return others.map((other) => ({ ...link(other), level: of === id ? "item" : "enclosing", of }));
  }
  return [];
}

const around = (place: number): TreeNode[] => {
  const found: TreeNode[] = [];
  for (let up = tree[place]?.parent ?? null; up !== null; up = tree[up]?.parent ?? null)
    found.unshift(tree[up] as TreeNode);
  return found;
};

const chunkId = (id: string, part: number) =>
  [...`${id}#${part}`]
    .reduce((sum, each) => (sum * 31 + each.charCodeAt(0)) >>> 0, 7)
    .toString(16)
    .padEnd(16, "0");

/** The page of a part of the standards. */
export function page(id: string): StandardPage {
  const place = places.get(id);
  if (place === undefined)
    throw {
      code: "not_found",
      message: `paragraph \`${id}\` does not exist; ids look like S2.14(a)(iv), S1.A.users or EM-EP-110a.1`,
    };
  const node = at(id);
  const below = tree.filter((each) => each.parent === place && each.id !== null);
  const sasb = !/^S[12]\./.test(id);
  const full = id.startsWith("S2.14");
  const opened = tree.filter((each) => each.id !== null);
  const here = opened.indexOf(node);
  return {
    id,
    label: node.label,
    source_type: kindOf(id),
    kind:
      node.kind === "term" ? "definition" : sasb ? node.kind : node.requirement ? "requirement" : "objective",
    modality: sasb ? "" : node.requirement ? "mandatory" : "explanatory",
    breadcrumb: around(place).map((each, depth) => [
      depth === 0 && !sasb
        ? `IFRS ${id.slice(0, 2)}`
        : each.id?.slice(3) && !sasb
          ? each.id.slice(3)
          : each.label,
      each.id,
    ]),
    pillar: full || id.startsWith("S1.33") ? "strategy" : sasb ? "" : "general",
    amended: id === "S2.29(a)" ? "the limit on Category 15 is the added S2.29A" : null,
    pending:
      node.kind === "industry"
        ? "The ISSB’s exposure draft of 3 July 2025 would rewrite this standard. It is not final."
        : null,
    editions: id.startsWith("S2.") ? ["2023-06", "2025-12"] : [],
    versions: [],
    prose: proseOf(node),
    in_review: full
      ? "Set each effect beside the financial statements: a plan without an amount is a finding."
      : node.kind === "metric"
        ? listsOf(id).in_review
        : null,
    items:
      sasb && node.kind !== "metric"
        ? []
        : below.map((each) => ({
            id: each.id ?? "",
            number: each.number,
            label: sasb ? node.label : each.label,
            prose: sasb ? each.label : proseOf(each),
          })),
    nested: [],
    metrics: (node.kind === "metric" ? [node] : node.kind === "topic" ? below : []).map((each, index) => ({
      code: each.id ?? "",
      label: each.label,
      category: index < 2 ? "Quantitative" : "Discussion and Analysis",
      unit: index < 2 ? "Metric tonnes CO₂-e (t), Percentage (%)" : "n/a",
      measured: { id: `${each.id}.measured`, number: 1, term: null, text: proseOf(each), states: [] },
      ...listsOf(each.id ?? ""),
    })),
    counterparts: counterparts(id),
    adds: (id.startsWith("S2.14(a)(") || id === "S2.14(b)"
      ? [id]
      : id === "S2.14(a)"
        ? below.map((each) => each.id ?? "")
        : id === "S2.14"
          ? ["S2.14(b)"]
          : []
    ).map(link),
    sasb: full
      ? Object.values(SECTORS)
          .flat()
          .flatMap(([code, industry]) =>
            ["110a", "420a"].map((tail) => ({
              code: `${code}-${tail}`,
              topic: at(`${code}-${tail}`).label,
              industry,
              industry_code: code,
            })),
          )
      : [],
    cites: full ? ["S2.13", "S2.33", "S2.36"].map(link) : [],
    cited_by: full ? ["S2.9(c)", "S2.16(c)"].map(link) : [],
    terms: full ? Object.keys(DEFINITIONS).map(term) : [],
    used_by: node.kind === "term" ? ["S2.13", "S2.14(a)(i)"].map(link) : [],
    asked_as: full
      ? [
          "what is the company doing about climate",
          "strategic actions on climate risks and targets",
          "net zero plan",
          "how will targets be reached",
          "decarbonisation measures",
          "changes to the business because of climate",
          "transition plan assumptions",
          "what the plan depends on",
        ]
      : [],
    added_phrases: [],
    chunks: [id, ...below.slice(0, 2).map((each) => each.id ?? "")].map((label, part) => ({
      chunk_id: chunkId(id, part),
      label,
      tokens: 248 - part * 37,
      document_id: 3,
    })),
    licensed:
      id === "S2.14(a)"
        ? [
            {
              chunk_id: chunkId(id, 9),
              title: "Licensed copy of IFRS S2",
              text: "14(a) The words of the *standard* as the reader’s\nown copy holds them. <b>Nothing in it is markup.</b>",
            },
          ]
        : [],
    previous: opened[here - 1]?.id ?? null,
    next: opened[here + 1]?.id ?? null,
  };
}

type Passage = [
  title: string,
  page: number,
  by: string,
  ranks: [number, number],
  terms: string[],
  text: string,
];
const PASSAGES: readonly Passage[] = [
  [
    "Northwind Energy plc, Climate report 2024",
    34,
    "S2.14(a)(iv)",
    [1, 2],
    ["transit plan", "assumpt"],
    "Our transition plan covers operated assets to 2035 and rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and hydrogen-ready turbines reach the market by 2029. Each assumption is reviewed by the board every year. Where one of them fails, the plan names the assets that close earlier.",
  ],
  [
    "Aurelia Cement, Annual report 2024",
    58,
    "S2.14(a)(iv)",
    [3, 1],
    ["plan", "depend"],
    "The plan assumes kiln electrification at two sites; it depends on permitting and on a clinker substitute we do not yet make at scale.",
  ],
  [
    "Halden Shipping, ESG report 2024",
    21,
    "S2.14(a)(i)",
    [2, 9],
    ["busi model"],
    "Fleet renewal from 2027 swaps eleven vessels for dual-fuel designs and reshapes our charter business model.",
  ],
  [
    "Kestrel Bank, Annual report 2024",
    42,
    "S2.14(a)(v)",
    [6, 7],
    ["transit plan", "target"],
    "Sector targets steer new lending: from 2026 the credit policy excludes unabated coal and reprices loans without a client transition plan.",
  ],
  [
    "Meridian Foods, Sustainability report 2024",
    77,
    "S2.14(a)(iii)",
    [11, 4],
    ["supplier"],
    "Supplier programmes support growers in cutting fertiliser emissions; engagement covers 62% of purchased volume.",
  ],
  [
    "Northwind Energy plc, Climate report 2023",
    29,
    "S2.14(a)(iv)",
    [8, 12],
    ["transit"],
    "A first transition roadmap was approved by the board in October; milestones will be published next year.",
  ],
  [
    "Solace Air, Climate report 2024",
    19,
    "S2.14(a)(i)",
    [5, 21],
    ["capit"],
    "Capital moves from long-haul growth to fleet efficiency; sustainable fuel contracts cover 6% of planned 2030 uplift.",
  ],
];
const titles = [...new Set(PASSAGES.map(([title]) => title))];
const reportOf = (title: string) => `${title.split(/[ ,]/)[0]}-${title.slice(-4)}`.toLowerCase();

const documents: DocumentRow[] = titles.map((title, index) => ({
  id: 90_001 + index,
  corpus_id: 7,
  path: `${reportOf(title)}.pdf`,
  root: "/home/ada/reports/2024",
  origin: `/home/ada/reports/2024/${reportOf(title)}.pdf`,
  report_id: reportOf(title),
  source_type: "report",
  format: "pdf",
  title,
  source_hash: "",
  text_version: `text-${index}`,
  config_hash: "",
  word_count: 61_000,
  token_count: 82_000,
  chunks: 371,
  pages: 148,
  ingested_at: "2025-11-19T10:02:00Z",
  issuer: title.split(",")[0] ?? null,
  year: Number(title.slice(-4)),
  as_read: null,
  ocr: null,
  missing_since: null,
}));

function hits(request: EvidenceRequest): { hit: Hit; by: string }[] {
  return PASSAGES.filter(
    ([title]) => request.reports.length === 0 || request.reports.includes(reportOf(title)),
  ).map(([title, page, by, [near, words], terms, text], index) => {
    const given = [
      { leg: "semantic", rank: near, raw: 0.72 - near / 100, label: "bge-small-en-v1.5" },
      { leg: "keyword", rank: words, raw: 14 - words / 2, label: "bm25" },
    ] as const;
    const alone = request.mode !== "hybrid";
    const contributions = given
      .filter((part) => !alone || part.leg === request.mode)
      .map((part) => {
        const weight = alone ? 1 : part.leg === "semantic" ? 0.5 : 0.5;
        const range =
          part.leg === "semantic"
            ? { least: 0.2, best: 0.72, deviation: 0.1 }
            : { least: 0, best: 14, deviation: 3 };
        const share = (part.raw - range.least) / range.deviation;
        return { ...part, weight, range: alone ? null : range, value: alone ? part.raw : weight * share };
      });
    return {
      by,
      hit: {
        chunk_id: chunkId(title, page),
        chunk_text: `[${title} > Strategy > Transition]\n\n${text}`,
        passage: text,
        header: `${title} > Strategy > Transition`,
        found_by: [],
        facts: [],
        metadata: { section_path: ["Strategy", "Transition"], chunk_index: page * 3 + 10 },
        source_type: "report",
        report_id: reportOf(title),
        score: contributions.reduce((sum, part) => sum + part.value, 0),
        search_method: request.mode,
        relevance: 0.72 - near / 100,
        rank: index + 1,
        contributions,
        matched_terms: request.mode === "semantic" ? [] : terms,
        keyword_leaves: leavesOf(request.mode === "semantic" ? [] : terms, contributions),
        fused_rank: null,
        rerank_score: null,
        document_id: 90_001 + titles.indexOf(title),
        title,
        path: `${reportOf(title)}.pdf`,
        corpus: "Reports FY2024",
        pages: [page, page],
        page_labels: null,
        tokens: 180,
      },
    };
  });
}

/** The text of the passage `chunk_id` of a report. */
export const passageText = (chunk_id: string): string | undefined =>
  hits({ id: "", below: true, mode: "hybrid", reports: [], top_k: 20, space: null }).find(
    ({ hit }) => hit.chunk_id === chunk_id,
  )?.hit.chunk_text;

function evidence(asked: Partial<EvidenceRequest>): Evidence {
  const request: EvidenceRequest = {
    id: "",
    below: true,
    mode: "hybrid",
    reports: [],
    top_k: 20,
    space: null,
    ...asked,
  };
  const around = page(request.id);
  const found = hits(request).slice(0, request.top_k);
  const below = new Set(request.below ? around.items.map((item) => item.id) : []);
  const foundBy = found.map(({ by }) => (below.has(by) ? by : request.id));
  const queries = [request.id, ...below];
  return {
    hits: found.map(({ hit }) => hit),
    found_by: foundBy,
    queries: queries.map((id) => [id, at(id).label]),
    trace: {
      query: { references: [], terms: [], match_expression: "" },
      space: {
        tier: "embedded",
        model: "bge-small-en-v1.5",
        endpoint: "",
        revision: "",
        dimensions: 384,
        window: "",
      },
      tier: "embedded",
      embedded: null,
      covered: 11_549,
      candidates_before: 38_114,
      candidates_after: 11_549,
      semantic: [],
      keyword: [],
      semantic_path: "exact",
      dropped: [],
      timings: [],
      config_hash: "0",
      notices: [],
      degraded: false,
      pinned: [],
    },
  };
}

const NORTHWIND = "northwind-2024";
const finding = (paragraph_id: string, status: Review["status"], note = "", words = ""): Review => ({
  report_id: NORTHWIND,
  paragraph_id,
  words,
  status,
  note,
  passages: [],
  updated_at: "2025-11-19T09:40:00Z",
});

const FIRST: readonly Review[] = [
  finding(
    "S2.14(a)",
    "partly",
    "Assumptions are named on p. 34, but dependencies on grid connection are not quantified. Ask management for the sensitivity used in the 2035 case.",
  ),
  finding("S2.14(a)(i)", "met"),
  finding("S2.14(a)(ii)", "met"),
  finding("S2.14(a)(iii)", "partly"),
  finding("S2.14(a)(iv)", "gap", "No dependencies."),
  finding("S2.14(c)", "partly"),
  finding("S2.13(a)", "not_applicable"),
  finding("S2.6(a)", "met"),
  finding("S1.33(a)", "met"),
  finding("S1.33(b)", "partly"),
  finding("EM-EP-110a.3", "met"),
  ...listsOf(PLAN)
    .also_to_be_discussed.slice(0, 2)
    .map((item) => finding(item.id, "met", "", item.text)),
  finding(
    `${PLAN}.also_to_be_discussed.which-investments-it-rests-on`,
    "partly",
    "Only the first two years are costed.",
    "Which investments the plan rests on, and when.",
  ),
];

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Fresh handlers: reviews and phrasings that are put stay in them. */
export function standardsHandlers(): FakeHandlers {
  const added = new Map<string, string[]>();
  const withAdded = (found: StandardPage): StandardPage => {
    const own = added.get(found.chunks[0]?.chunk_id ?? "") ?? [];
    return { ...found, asked_as: [...found.asked_as, ...own], added_phrases: own };
  };
  const reviews = new Map(FIRST.map((each) => [`${each.report_id} ${each.paragraph_id}`, each]));
  const listed = (report: string | null | undefined) =>
    [...reviews.values()].filter((each) => !report || each.report_id === report);
  return {
    "standards.tree": (): TreeNode[] => [...tree],
    "standards.orientation": (): Orientation => ({
      edition: "2023-06",
      context: {
        notice: "Orientation; no legal or accounting advice.",
        as_of: "2026-11-27",
        limits: "Later events are known in part only.",
        standards: [
          {
            standard: "IFRS S2",
            version: "as amended December 2025",
            issued: "2025-12-11",
            applies_from: "2027-01-01",
            text: "Amendments to greenhouse gas disclosures.",
            sources: ["AASB"],
            confidence: "high",
          },
        ],
        drafts: [],
        counts: [
          {
            count: "25",
            date: "2026-07-16",
            definition: "Profiles that were finalised; a profile is not full adoption.",
            sources: ["A reference"],
            confidence: "medium",
          },
        ],
        jurisdictions: [
          {
            subject: "Australia",
            text: "Mandatory in waves.",
            date: "2025-12-17",
            sources: ["AASB"],
            confidence: "high",
            not_settled: null,
          },
        ],
        material: [],
      },
    }),
    "standards.page": ({ id }: StandardId): StandardPage => withAdded(page(id)),
    "standards.evidence": evidence,
    "phrasing.add": ({ id, phrase }: PhrasingInput, { emit }): void => {
      added.set(id, [...(added.get(id) ?? []), phrase]);
      emit({ tags: ["chunks"] });
    },
    "phrasing.remove": ({ id, phrase }: PhrasingInput, { emit }): void => {
      added.set(
        id,
        (added.get(id) ?? []).filter((each) => each !== phrase),
      );
      emit({ tags: ["chunks"] });
    },
    "document.list": async (input: DocumentQuery, call): Promise<DocumentRow[]> => {
      if (input.corpus) return (await library["document.list"]?.(input, call)) as DocumentRow[];
      const others = (await library["document.list"]?.({ reports: input.reports }, call)) as DocumentRow[];
      return listedDocuments([...others, ...documents], input);
    },
    "review.list": ({ report_id }: { report_id: string | null }): Review[] => listed(report_id),
    "review.put": (review: Review, { emit }): Review => {
      const kept = { ...review, updated_at: new Date().toISOString() };
      reviews.set(`${review.report_id} ${review.paragraph_id}`, kept);
      emit({ tags: ["reviews"] });
      return kept;
    },
    "review.export": ({ report_id, format }: ReviewExportQuery): ReviewTable => {
      const found = listed(report_id).map((each) => ({
        report: each.report_id,
        report_title: documents.find((row) => row.report_id === each.report_id)?.title ?? "",
        paragraph: each.paragraph_id,
        label: at(each.paragraph_id).label,
        status: each.status,
        note: each.note,
      }));
      if (format === "json") return { text: JSON.stringify(found, null, 2), rows: found.length };
      const lines = found.map((each) => Object.values(each).map(cell).join(","));
      return {
        text: ["report,report_title,paragraph,label,status,note", ...lines, ""].join("\r\n"),
        rows: found.length,
      };
    },
  };
}

/** Handlers of the standards. */
export const handlers: FakeHandlers = standardsHandlers();
