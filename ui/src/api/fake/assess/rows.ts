// The requirements of the assessment in memory.

import type { RequirementRow } from "../../types";

/** Two spaces a level: id, number and label of a requirement with the items of its checklist; `§` a heading. */
const OUTLINE = `
§ IFRS S2 · Climate-related Disclosures
  § Governance
    S2.6(a) 6(a) Climate oversight body or person identified
      S2.6(a)(i) (i) Climate duties in mandates and policies 3
      S2.6(a)(ii) (ii) Climate skills and competencies 2
      S2.6(a)(iii) (iii) How and how often oversight is informed 3
      S2.6(a)(iv) (iv) Climate in strategy, deals and risk 3
  § Strategy
    § Strategy and decision-making
      S2.14(a) 14(a) Responses and target-achievement plans
        S2.14(a)(i) (i) Business model and resource allocation changes 3
        S2.14(a)(ii) (ii) Direct mitigation and adaptation efforts 4
        S2.14(a)(iii) (iii) Indirect mitigation and adaptation efforts 3
        S2.14(a)(iv) (iv) Climate transition plan, assumptions, dependencies 3
        S2.14(a)(v) (v) How climate targets will be achieved 4
      S2.14(b) 14(b) Resourcing of climate activities 2
      S2.14(c) 14(c) Progress of previously disclosed plans 2
  § Metrics and targets
    S2.29(e) 29(e) Capital deployment 7
§ SASB · Electric utilities
  IF-EU-110a.1 IF-EU-110a.1 Gross global Scope 1 emissions 4
`;

function rowsOf(): RequirementRow[] {
  const rows: RequirementRow[] = [];
  for (const line of OUTLINE.split("\n").filter((each) => each.trim() !== "")) {
    const depth = (line.length - line.trimStart().length) / 2;
    const parent = rows.findLastIndex((each) => each.depth === depth - 1);
    const heading = line.trim().startsWith("§");
    const [, id = null, number = "", label = "", items] =
      /^(\S+) (\S+) (.*?)(?: (\d))?$/.exec(line.trim()) ?? [];
    rows.push({
      id: heading ? null : id,
      number: heading ? "" : number,
      label: heading ? line.trim().slice(2) : label,
      kind: heading ? "section" : items ? "item" : "paragraph",
      depth,
      parent: parent < 0 ? null : parent,
      requirement: items !== undefined,
      mandatory: id !== "S2.14(c)" && items !== undefined,
      items: Number(items ?? 0),
      source_type: line.includes("IF-EU") || line.includes("SASB") ? "sasb" : "ifrs_s2",
      reports: null,
    });
  }
  return rows;
}

/** Headings and requirements in reading order. */
export const ROWS = rowsOf();
