// A long report with headings, tables and the page that the design shows.

import type { PageView, SectionView, StructureView } from "../../types";

const HEADINGS = [
  "Board oversight of climate matters",
  "Quarterly review and pay link",
  "Late network, milestones",
  "Physical damage at coastal sites",
  "Scenario inputs",
  "Assumptions by region",
  "Capital allocation",
  "Internal carbon price",
  "Just transition",
  "Supplier engagement",
  "Scope 3 emissions",
  "Water and waste heat",
];
const SENTENCES = [
  "The committee reviews progress against the plan each quarter and reports its view to the full board.",
  "Sites with a grid connection before 2028 move to electric drive first.",
  "We report emissions on a location basis and on a market basis.",
  "Two contracts were renegotiated so that curtailment is shared with the buyer.",
  "The carbon price used in decisions rises from €80 to €140 a tonne by 2035.",
  "An independent body assured the figures for scope 1 and scope 2.",
  "Suppliers that stand for two thirds of purchased emissions have set targets of their own.",
  "Flooding closed one depot for nine days, and the cost was below the threshold for disclosure.",
  "The plan depends on permits that have been applied for and not yet granted.",
  "Heat recovered from compressors warms two neighbouring schools.",
  "Capital is released in stages once each milestone has been met.",
  "No credit is taken for avoided emissions in any target.",
];

const PAGE_34 = `Each quarter the board’s sustainability committee reviews progress against the plan and reports its view to the full board. Pay for executive directors has been tied to gross scope 1 intensity since 2022. The weighting rose from 10% to 20% of the annual award in the reporting year, and the same measure now applies to forty senior managers.

## 3.2 Transition plan

Our transition plan covers operated assets to 2035 and rests on three premises: grid connection dates hold, the carbon price stays above €80 a tonne, and hydrogen-ready turbines reach the market by 2029. If any one slips by more than two years, the 2035 milestone moves to 2038. We have set aside €1.9 billion through 2030, about a third of planned growth capital, to retire or convert 2.4 GW of gas capacity. Two of the five sites depend on a regional hydrogen network that has planning consent but no final investment decision.

Where the network is late we would run the converted units on a 30% blend, which keeps 640 jobs on site but adds roughly 0.4 Mt of CO₂e a year. Suppliers of turbines and switchgear were asked for lead times in March; eleven of fourteen replied.

| Milestone | 2027 | 2030 | 2035 |
|---|---|---|---|
| Gas converted, GW | 0.3 | 1.1 | 2.4 |
| Scope 1, Mt CO₂e | 9.8 | 6.1 | 1.7 |

### Joint ventures

Figures exclude joint ventures we do not operate; see note 14.

## 3.3 Resilience of the strategy

We tested the portfolio against a 1.5 °C pathway and a delayed-action pathway. Under the first, coal-to-gas spreads close by 2031 and impairments of €0.7–1.1 billion would follow. Under the second, physical damage at two coastal sites dominates, and insurance cover falls away for one of them after 2034.`;

function random(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % most;
  };
}

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

function section(number: string, next: (most: number) => number): string {
  const parts = [`## ${number} ${pick(HEADINGS, next(HEADINGS.length))}`];
  for (let paragraph = 2 + next(3); paragraph > 0; paragraph -= 1)
    parts.push(Array.from({ length: 3 + next(6) }, () => pick(SENTENCES, next(SENTENCES.length))).join(" "));
  if (next(6) === 0) {
    const rows = Array.from(
      { length: 4 + next(40) },
      (_, row) => `| Site ${row + 1} | ${next(90)} | ${next(90)} | ${next(90)} |`,
    );
    parts.push(["| Site | 2023 | 2024 | 2030 |", "|---|---|---|---|", ...rows].join("\n"));
  }
  return parts.join("\n\n");
}

/** A document with its structure. */
export type Text = { text: string; structure: StructureView };

/** Headings and pages of a text. */
export function structureOf(text: string, pages: number): StructureView {
  const sections: SectionView[] = [];
  const open: number[] = [];
  for (const match of text.matchAll(/^(#{1,6}) (.*)$/gm)) {
    const level = (match[1] ?? "").length;
    while (open.length > 0 && (sections[open.at(-1) ?? 0]?.level ?? 0) >= level) {
      const closed = sections[open.pop() ?? 0];
      if (closed) closed.range[1] = match.index;
    }
    sections.push({
      level,
      title: match[2] ?? "",
      range: [match.index, text.length],
      parent: open.at(-1) ?? null,
    });
    open.push(sections.length - 1);
  }
  const list: PageView[] = Array.from({ length: pages }, (_, index) => ({
    number: index + 1,
    label: null,
    range: [Math.floor((text.length * index) / pages), Math.floor((text.length * (index + 1)) / pages)],
  }));
  return { sections, pages: list, about_pages: false, ocr: null, notices: [] };
}

function reportText(chapters: number): string {
  const next = random(7);
  const parts = ["# Northwind Energy plc climate report 2024"];
  for (let chapter = 1; chapter <= chapters; chapter += 1) {
    parts.push(
      `# ${chapter} ${pick(["Strategy", "Governance", "Risk management", "Metrics and targets"], chapter)}`,
    );
    for (let each = 1; each <= 12; each += 1) {
      if (chapter === 3 && each === 2) parts.push(PAGE_34);
      else if (!(chapter === 3 && each === 3)) parts.push(section(`${chapter}.${each}`, next));
    }
  }
  return parts.join("\n\n");
}

const reports = new Map<number, Text>();

/** The report of `chapters` chapters, made once. */
export function northwind(chapters: number): Text {
  let report = reports.get(chapters);
  if (!report) {
    const text = reportText(chapters);
    report = { text, structure: structureOf(text, chapters * 11 - 6) };
    reports.set(chapters, report);
  }
  return report;
}
