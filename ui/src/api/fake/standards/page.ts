// The pages of the standards in memory. S2.14 is told in full; what lies around it is written by rule.

import type { Counterpart, StandardLink, StandardPage, StandardTerm, TreeNode } from "../../types";
import { listsOf } from "../requirement";
import { at, kindOf, places, SECTORS, tree } from "./tree";

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

export const chunkId = (id: string, part: number) =>
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
