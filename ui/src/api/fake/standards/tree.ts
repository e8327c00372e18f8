// The tree of the standards in memory: a part of them, written by rule.

import type { TreeNode } from "../../types";
import { listsOf } from "../requirement";

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

export const SECTORS: Record<string, [code: string, industry: string][]> = {
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

export const kindOf = (id: string) =>
  id.startsWith("S1.") ? "ifrs_s1" : id.startsWith("S2.") ? "ifrs_s2" : "sasb";

/** The tree of the fixtures. */
export const tree: readonly TreeNode[] = rows();
export const places = new Map(tree.map((node, at) => [node.id, at] as const));
export const at = (id: string): TreeNode => tree[places.get(id) ?? -1] as TreeNode;
