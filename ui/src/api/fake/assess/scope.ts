// What an assessment would cover.

import type { ScopePreview, ScopeQuery } from "../../types";
import { REPORTS } from "./begun";

const INDUSTRIES = [
  { code: "EM-CM", name: "Construction Materials", metrics: 13 },
  { code: "IF-EU", name: "Electric Utilities & Power Generators", metrics: 19 },
  { code: "TR-MT", name: "Marine Transportation", metrics: 14 },
];
const REASONS = [
  ["northwind", "IF-EU", 5, 88],
  ["aurelia", "EM-CM", 13, 112],
  ["halden", "TR-MT", 0, null],
] as const;

export function scopeOf({ reports = [], scope }: Partial<ScopeQuery>): ScopePreview {
  if (!scope) throw { code: "invalid", message: "say what is assessed" };
  const s2 = scope.level === "item" ? 113 : 41;
  const chosen = INDUSTRIES.filter(({ code }) => scope.industries.some((each) => each.code === code));
  const metrics = chosen.reduce((sum, each) => sum + each.metrics, 0);
  const requirements =
    (scope.standards.includes("ifrs_s2") ? s2 : 0) +
    (scope.standards.includes("ifrs_s1") ? 108 : 0) +
    metrics;
  return {
    standards: [
      { source_type: "ifrs_s2", label: "IFRS S2", requirements: s2 },
      { source_type: "ifrs_s1", label: "IFRS S1", requirements: 108 },
    ],
    industries: INDUSTRIES,
    proposed: reports.map((report_id) => {
      const [, industry = null, codes = 0, page = null] =
        REASONS.find(([name]) => report_id.startsWith(name)) ?? [];
      const known = REPORTS.find((each) => each.issuer?.toLowerCase().startsWith(report_id.slice(0, 6)));
      const year = Number(/\d{4}$/.exec(report_id)?.[0] ?? Number.NaN) || null;
      return { report_id, issuer: known?.issuer ?? null, title: report_id, year, industry, codes, page };
    }),
    requirements,
    seconds: Math.ceil((requirements * reports.length) / 20),
  };
}
