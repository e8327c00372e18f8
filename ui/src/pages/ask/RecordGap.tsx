import { useState } from "react";
import { NO_FILTERS } from "@/api/defaults";
import { useAction, useCommand } from "@/api/queries";
import { useReportDocuments } from "@/api/row-pages";
import { FormDialog } from "@/kit/FormDialog";
import { Select } from "@/kit/fields";
import { NotLoaded, SkeletonRows } from "@/kit/states";
import { standardId } from "@/parts/passage";
import { href, navigate } from "@/state/router";
import { sourceTypes } from "@/state/source-types";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { visible } from "@/text/visible";
import type { Shown } from "./shown";

/** Requirements that are offered. */
const MOST = 8;

/** The reports of the library, once each. */
function useReportChoices() {
  const { query, rows } = useReportDocuments();
  const known = new Map<string, string>();
  for (const { report_id, title } of rows)
    if (report_id !== null && !known.has(report_id)) known.set(report_id, visible(title));
  return {
    query,
    choices: [...known].map(([value, label]) => ({ value, label })),
    /** The report that a document belongs to. */
    ofDocument: (id: number) => rows.find((row) => row.id === id)?.report_id ?? undefined,
  };
}

/** The requirements that a question is about, nearest first. */
function useRequirementChoices(question: string) {
  const query = useCommand("search", {
    query: question,
    top_k: MOST * 2,
    filters: {
      ...NO_FILTERS,
      source_types: sourceTypes().flatMap(({ name, standard }) => (standard ? name : [])),
    },
  });
  const known = new Map<string, string>();
  for (const hit of query.data?.results ?? []) {
    const id = standardId(hit);
    const { label } = hit.metadata;
    if (id && !known.has(id)) known.set(id, typeof label === "string" ? `${id} ${visible(label)}` : id);
  }
  return { query, choices: [...known].slice(0, MOST).map(([value, label]) => ({ value, label })) };
}

type RecordGapProps = { shown: Shown; onClose: () => void };

/** Records that a report lacks what a requirement asks for: the finding that Standards and Assess show. */
export function RecordGap({ shown, onClose }: RecordGapProps) {
  const question = shown.searchedFor ?? shown.question;
  const reports = useReportChoices();
  const requirements = useRequirementChoices(question);
  const [nearest] = shown.passages.flatMap(({ document_id }) => reports.ofDocument(document_id) ?? []);
  const likely = shown.request.filters.reports[0] ?? nearest;
  const [ofReport, setReport] = useState<string>();
  const [ofRequirement, setRequirement] = useState<string>();
  const report = ofReport ?? likely ?? reports.choices[0]?.value;
  const requirement = ofRequirement ?? requirements.choices[0]?.value;
  const findings = useCommand("review.list", { report_id: report ?? "" }, { enabled: report !== undefined });
  const standing = findings.data?.find((each) => each.paragraph_id === requirement);
  const decided = standing && standing.status !== "open" ? standing.status : undefined;
  const put = useAction("review.put", { inPlace: true });
  const save = () => {
    if (!report || !requirement || !findings.data || decided) return;
    const told = t("ask.gap.note", { question });
    const note = standing?.note ? `${standing.note}\n${told}` : told;
    put.mutate(
      {
        report_id: report,
        paragraph_id: requirement,
        status: "gap",
        note,
        passages: standing?.passages ?? [],
        updated_at: "",
      },
      {
        onSuccess: () => {
          toast({
            kind: "ok",
            title: t("ask.gap.recorded", { requirement }),
            action: {
              label: t("ask.gap.show"),
              onClick: () => navigate(href("standards", [requirement], { report })),
            },
          });
          onClose();
        },
      },
    );
  };
  const title = t("ask.gap.title");
  const ready = reports.choices.length > 0 && requirements.choices.length > 0;
  return (
    <FormDialog
      title={title}
      width={460}
      confirm={t("ask.gap.record")}
      ready={report !== undefined && ready && findings.data !== undefined && !decided && !put.isPending}
      focusConfirm
      problem={put.error?.message}
      onConfirm={save}
      onClose={onClose}
    >
      <p className="sm sec">
        <bdi>{visible(question)}</bdi>
      </p>
      <NotLoaded query={requirements.query} />
      <NotLoaded query={reports.query} />
      {requirements.query.isPending && <SkeletonRows bare rows={2} height={28} />}
      {requirements.query.data && !ready && <p>{t("ask.gap.nothing")}</p>}
      {ready && (
        <>
          <Select
            label={t("ask.gap.requirement")}
            value={requirement ?? null}
            onChange={setRequirement}
            options={requirements.choices}
          />
          <Select
            label={t("ask.gap.report")}
            value={report ?? null}
            onChange={setReport}
            options={reports.choices}
            searchable
          />
        </>
      )}
      {decided && <p>{t("ask.gap.decided", { status: t(`assess.status.${decided}`) })}</p>}
    </FormDialog>
  );
}
