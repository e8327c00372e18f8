import { IconFileCheck } from "@tabler/icons-react";
import type { ComponentProps, ReactNode } from "react";
import { useCommand } from "@/api/queries";
import type { GoldPanel } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { Popover } from "@/kit/Popover";
import { Loaded, SkeletonRows } from "@/kit/states";
import { pagesOf } from "@/parts/cited";
import { FoundBy } from "@/parts/FoundBy";
import { type Grade, Grades, GradeTag, useGradeKeys } from "@/parts/Grades";
import { ownGrade, useGrading, wholeGrade } from "@/parts/gold-panel";
import { t } from "@/text";
import css from "./grade-sheet.module.css";

type JudgedProps = {
  /** The gold query that it is judged for. */
  panel: GoldPanel;
  /** A chunk that the workspace has. */
  chunkId: string;
};

type TagButtonProps = JudgedProps & {
  /** What is judged, in words. */
  name: string;
  /** The grade that counts. */
  grade: Grade | undefined;
};

/** The grade of a passage on a button, which opens what judges the passage, its pages and its document. */
export function GradeButton({ name, grade, ...judged }: TagButtonProps) {
  const words = grade === undefined ? t("judge.unjudged") : `${grade}, ${t(`judge.grades.${grade}`)}`;
  return (
    <Sheet
      {...judged}
      label={t("judge.sheet", { name })}
      passage
      button={(open, toggle) => (
        <button
          type="button"
          className={css.button}
          aria-label={t("judge.graded", { name, grade: words })}
          aria-expanded={open}
          aria-haspopup="dialog"
          onClick={toggle}
        >
          <GradeTag grade={grade} />
        </button>
      )}
    />
  );
}

/** Opens what judges the pages and the document of a passage that is judged beside it. */
export function WholeButton(judged: JudgedProps) {
  const label = t("judge.more");
  return (
    <Sheet
      {...judged}
      label={label}
      button={(open, toggle) => (
        <IconButton size="small" label={label} aria-expanded={open} aria-haspopup="dialog" onClick={toggle}>
          <IconFileCheck className="small" aria-hidden />
        </IconButton>
      )}
    />
  );
}

type SheetProps = JudgedProps & {
  label: string;
  /** The passage is judged here too. */
  passage?: boolean;
  button: ComponentProps<typeof Popover>["button"];
};

const Sheet = ({ label, button, ...judging }: SheetProps) => (
  <Popover label={label} width={310} position="bottom-start" button={button}>
    {() => <Judging {...judging} />}
  </Popover>
);

function Judging({ panel, chunkId, passage }: Omit<SheetProps, "label" | "button">) {
  const stored = useCommand("chunk.get", { chunk_id: chunkId });
  const grade = useGrading(panel);
  const give = (next: Grade | undefined) => grade({ kind: "chunk", chunk_id: chunkId }, next);
  useGradeKeys(give, passage);
  return (
    <div className={css.sheet}>
      <Loaded query={stored} skeleton={<SkeletonRows bare rows={2} height={26} />}>
        {({ row: { document_id, path, pages, page_labels }, found_by }) => {
          const [first, last] = pages ?? [1, 0];
          return (
            <>
              {passage && (
                <Line label={t("judge.this_passage")}>
                  <Grades
                    label={t("judge.this_passage")}
                    value={ownGrade(panel, chunkId, path)}
                    onGrade={give}
                  />
                </Line>
              )}
              {Array.from({ length: last - first + 1 }, (_, at) => {
                const page = first + at;
                const printed =
                  page === first ? page_labels?.[0] : page === last ? page_labels?.[1] : undefined;
                const labels = printed === undefined ? null : ([printed, printed] as const);
                const label = t("judge.whole_page", {
                  page: pagesOf({ pages: [page, page], page_labels: labels }) ?? "",
                });
                return (
                  <Line key={page} label={label}>
                    <Grades
                      label={label}
                      value={wholeGrade(panel, path, page)}
                      onGrade={(next) => grade({ kind: "document", document_id, page }, next)}
                    />
                  </Line>
                );
              })}
              <Line label={t("judge.whole_document")}>
                <Grades
                  label={t("judge.whole_document")}
                  value={wholeGrade(panel, path)}
                  onGrade={(next) => grade({ kind: "document", document_id, page: null }, next)}
                />
              </Line>
              {passage && <FoundBy phrases={found_by} />}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="row between gap-10 sm">
    <span className="sec">{label}</span>
    {children}
  </div>
);
