// What an assessment is started with.

import { useMemo, useState } from "react";
import { useCommand } from "@/api/queries";
import { useReportDocuments } from "@/api/row-pages";
import type {
  AssessedIndustry,
  AssessmentLevel,
  AssessmentPlan,
  AssessmentScope,
  Edition,
  ScopePreview,
} from "@/api/types";
import { sourceTypes } from "@/state/source-types";
import { t } from "@/text";
import { ownName } from "./reviewer";

/** A report to choose. */
export type ReportChoice = {
  id: string;
  title: string;
  issuer: string | null;
  year: number | null;
  pages: number | null;
};

/** Most reports that are all chosen at first. */
const FEW = 12;

/** The reports of the library, by issuer, the latest first. */
export function useReportChoices() {
  const { query, rows, complete } = useReportDocuments();
  const reports = useMemo(() => {
    const known = new Map<string, ReportChoice>();
    for (const { report_id: id, title, issuer, year, pages } of rows) {
      if (id === null) continue;
      const other = known.get(id);
      if (other) other.pages = pages === null ? other.pages : (other.pages ?? 0) + pages;
      else known.set(id, { id, title, issuer, year, pages });
    }
    return [...known.values()].sort(
      (a, b) => (a.issuer ?? "").localeCompare(b.issuer ?? "") || (b.year ?? 0) - (a.year ?? 0),
    );
  }, [rows]);
  return { query, reports, complete };
}

/** What was changed on the sheet; what was not is proposed. */
type Changes = {
  reports?: readonly string[];
  standards?: readonly string[];
  /** Industry of a report; none where it is left out. */
  industries: ReadonlyMap<string, string | null>;
  level: AssessmentLevel;
  mandatory: boolean;
  /** The edition of IFRS S2; none for the one that is meant on the day. */
  edition?: Edition;
  name?: string;
  reviewers: readonly string[];
};

const unchanged = (plan: AssessmentPlan | undefined): Changes => {
  const own = ownName();
  return {
    reports: plan?.reports,
    standards: plan?.scope.standards,
    industries: new Map(),
    level: plan?.scope.level ?? "item",
    mandatory: plan?.scope.mandatory ?? true,
    edition: plan?.scope.edition ?? undefined,
    name: plan?.name,
    reviewers: plan?.reviewers ?? (own === "" ? [] : [own]),
  };
};

/** `name`, or with the next number where there is one of it. */
function freeName(name: string, names: readonly string[]): string {
  if (!names.includes(name)) return name;
  let number = 2;
  while (names.includes(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

/** Requirements times reports, the metrics of an industry counted for its reports alone. */
function decisionsOf(preview: ScopePreview | undefined, scope: AssessmentScope, reports: number): number {
  if (!preview) return 0;
  const industries = scope.industries.map(({ code, reports: of }) => ({
    metrics: preview.industries.find((each) => each.code === code)?.metrics ?? 0,
    reports: of.length === 0 ? reports : of.length,
  }));
  const metrics = industries.reduce((sum, each) => sum + each.metrics, 0);
  return industries.reduce(
    (sum, each) => sum + each.metrics * each.reports,
    Math.max(0, preview.requirements - metrics) * reports,
  );
}

/** The standard that is proposed: one that has editions, or else the first of all. */
const firstStandards = (): string[] => {
  const all = sourceTypes().filter(({ standard }) => standard?.outline === "paragraphs");
  const first = all.find(({ standard }) => standard?.editions) ?? all[0];
  return first ? [first.name] : [];
};

/** The sheet: what is proposed, what was changed, and what comes of both. */
export function usePlan(given?: AssessmentPlan) {
  const [changes, set] = useState(() => unchanged(given));
  const { query, reports, complete } = useReportChoices();
  const chosen = changes.reports ?? (complete && reports.length <= FEW ? reports.map(({ id }) => id) : []);
  const base: AssessmentScope = {
    standards: [...(changes.standards ?? firstStandards())],
    industries: [],
    level: changes.level,
    mandatory: changes.mandatory,
    edition: changes.edition ?? null,
    left_out: given?.scope.left_out ?? [],
  };
  // Which industry a report is of depends on no requirement that is chosen.
  const first = useCommand("assess.scope", { reports: [...chosen], scope: base }, { keep: true });
  const proposed = first.data?.proposed ?? [];
  const industryOf = (report: string): string | null => {
    const changed = changes.industries.get(report);
    if (changed !== undefined) return changed;
    // What was chosen for a report before stays, also that it is of none.
    if (given?.reports.includes(report)) {
      const of = ({ reports }: AssessedIndustry) => reports.length === 0 || reports.includes(report);
      return given.scope.industries.find(of)?.code ?? null;
    }
    return proposed.find(({ report_id }) => report_id === report)?.industry ?? null;
  };
  const codes = [...new Set(chosen.flatMap((report) => industryOf(report) ?? []))].sort();
  const industries = codes.map((code) => ({
    code,
    reports: chosen.filter((report) => industryOf(report) === code),
  }));
  const scope = { ...base, industries };
  const preview = useCommand("assess.scope", { reports: [...chosen], scope }, { keep: true });
  const known = useCommand("assess.list", {});
  const names = (known.data ?? []).map((each) => each.name).filter((each) => each !== given?.name);
  const year = Math.max(0, ...reports.filter(({ id }) => chosen.includes(id)).map((each) => each.year ?? 0));
  const name =
    changes.name ?? (year > 0 ? freeName(t("assess.start.default_name", { year: String(year) }), names) : "");
  const plan: AssessmentPlan = {
    name: name.trim(),
    reports: [...chosen],
    scope,
    reviewers: [...changes.reviewers],
  };
  const requirements = preview.data?.requirements ?? 0;
  const taken = names.includes(plan.name);
  const reviews = useCommand("review.list", {});
  return {
    reports: { query, all: reports, chosen, complete },
    preview,
    proposed,
    industryOf,
    /** Whether another assessment has this name. */
    taken,
    /** Decisions in all: those of an industry are asked of its reports alone. */
    decisions: decisionsOf(preview.data, scope, chosen.length),
    /** Decisions on these reports that were taken before, in whichever assessment. */
    decided: (reviews.data ?? []).filter(
      ({ report_id, status }) => status !== "open" && chosen.includes(report_id),
    ).length,
    plan,
    name,
    changes,
    change: (part: Partial<Changes>) => set((last) => ({ ...last, ...part })),
    /** Whether the requirements of what was chosen last are still being counted. */
    counting: preview.isPending || preview.isPlaceholderData,
    /** Why it cannot start yet. */
    missing:
      chosen.length === 0
        ? t("assess.start.need_report")
        : preview.isPending
          ? t("assess.start.counting")
          : requirements === 0
            ? t("assess.start.need_requirement")
            : plan.name === ""
              ? t("assess.start.need_name")
              : taken
                ? t("assess.start.name_taken", { name: plan.name })
                : preview.isPlaceholderData
                  ? t("assess.start.counting")
                  : undefined,
  };
}

export type Plan = ReturnType<typeof usePlan>;
