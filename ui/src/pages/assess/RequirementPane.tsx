import { IconArrowDown, IconArrowUp, IconLayoutSidebarRightExpand, IconListTree } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { may } from "@/api/client";
import type { ReviewStatus } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { Id } from "@/kit/Id";
import { Kbd } from "@/kit/Kbd";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { EmptyState, ErrorState, SkeletonText } from "@/kit/states";
import { Tabs } from "@/kit/Tabs";
import { Formulas } from "@/parts/Formulas";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { Asks } from "./Asks";
import { DecisionBlock, StatusControl } from "./DecisionBlock";
import type { CellId, Deciding } from "./deciding";
import { EvidenceList } from "./EvidenceList";
import { IndexClaims } from "./IndexClaims";
import type { Model, Row } from "./model";
import { ProgramFrame } from "./ProgramFrame";
import { ProposalFrame } from "./ProposalFrame";
import css from "./pane.module.css";
import { Earlier, Figures, NotCounted, Pinned } from "./Rest";
import type { Cell } from "./use-cell";
import type { Evidence } from "./use-evidence";
import type { Leaf } from "./use-place";
import type { Programs } from "./use-programs";
import type { Walk } from "./use-walk";
import { reportName } from "./words";

export type PaneProps = {
  model: Model;
  walk: Walk;
  /** The cell in use; nothing where it is none of a requirement. */
  here: CellId | undefined;
  cell: Cell;
  evidence: Evidence;
  leaf: Leaf;
  deciding: Deciding;
  /** Settles what programs propose. */
  programs: Programs;
  decideOn: (status: ReviewStatus) => void;
  /** Confirms what was decided on the report before. */
  onConfirm: (cell: CellId) => void;
  narrow: boolean;
  tab: "evidence" | "page";
  page: ReactNode;
  onTab: (tab: "evidence" | "page") => void;
  /** Shows the page again, where it is hidden. */
  onPage: (() => void) | undefined;
  /** Goes to the next requirement, or the one before. */
  onStep: (step: 1 | -1) => void;
  /** Saves and goes to the next open item. */
  onNext: () => void;
};

/** The requirement of the cell in use, its evidence, and the decision. */
export function RequirementPane(props: PaneProps) {
  const { model, walk, here, evidence, leaf, narrow, tab, page, onTab } = props;
  const row = model.rows[walk.at.row];
  if (!row) return <EmptyState title={t("assess.pane.none")} />;
  const number = leaf.place?.page;
  const body = here ? (
    <ScrollRegion fill label={t("assess.pane.label")} ways="down" className={css.body}>
      <Contents {...props} />
    </ScrollRegion>
  ) : row.requirement ? (
    <NotAsked {...props} row={row} />
  ) : (
    <Parent {...props} row={row} />
  );
  return (
    <>
      <Head {...props} row={row} />
      {narrow && here ? (
        <Tabs
          label={t("assess.pane.tabs")}
          value={tab}
          onChange={onTab}
          tabs={[
            {
              value: "evidence",
              label: (
                <>
                  {t("assess.pane.evidence_tab")}{" "}
                  <span className="mut number">{evidence.passages.length}</span>
                </>
              ),
              panel: body,
            },
            {
              value: "page",
              label: (
                <span className="row gap-6">
                  {number === undefined
                    ? t("assess.page.label")
                    : t("assess.page.title", { page: String(number) })}
                  <Kbd keys="space" />
                </span>
              ),
              panel: page,
            },
          ]}
        />
      ) : (
        body
      )}
      {here && may("assess.decide") && (
        <DecisionBlock key={`${here.requirement}\n${here.report_id}`} {...props} here={here} row={row} />
      )}
    </>
  );
}

function Head({ row, onStep, onPage }: PaneProps & { row: Row }) {
  const { id, name, mandatory, requirement } = row;
  return (
    <div className="heading">
      <h2 className="ell">{id ? <Id className={css.id}>{id}</Id> : visible(name)}</h2>
      {requirement && mandatory && <Tag>{t("assess.pane.mandatory")}</Tag>}
      <span className="end">
        {onPage && (
          <IconButton size="small" label={t("assess.page.show")} keys="space" onClick={onPage}>
            <IconLayoutSidebarRightExpand className="small" aria-hidden />
          </IconButton>
        )}
        <IconButton size="small" label={t("assess.pane.previous")} onClick={() => onStep(-1)}>
          <IconArrowUp className="small" aria-hidden />
        </IconButton>
        <IconButton size="small" label={t("assess.pane.next")} onClick={() => onStep(1)}>
          <IconArrowDown className="small" aria-hidden />
        </IconButton>
        {id !== null && (
          <IconButton
            size="small"
            label={t("assess.pane.standards")}
            onClick={() => navigate(href("standards", [id]))}
          >
            <IconListTree className="small" aria-hidden />
          </IconButton>
        )}
      </span>
    </div>
  );
}

/** A requirement that is not asked of the report: there is nothing to decide. */
function NotAsked({ model, walk, row }: PaneProps & { row: Row }) {
  const column = model.columns[walk.at.column];
  if (!column) return null;
  return (
    <div className={css.parent}>
      <b>{visible(row.label)}</b>
      <span className="sec sm">{t("assess.pane.not_asked", { report: reportName(column) })}</span>
    </div>
  );
}

/** What a parent leaves to decide. */
function Parent({ model, walk, row, decideOn }: PaneProps & { row: Row }) {
  const column = model.columns[walk.at.column];
  if (!column) return null;
  const { open } = model.tally(row.index, walk.at.column);
  const report = reportName(column);
  return (
    <div className={css.parent}>
      <b>{visible(row.label)}</b>
      <span className="sec sm">
        {open > 0
          ? t("assess.pane.parent", { count: open, report })
          : t("assess.pane.parent_none", { report })}
      </span>
      {open > 0 && may("assess.decide") && <StatusControl value="open" onChange={decideOn} />}
    </div>
  );
}

function Contents({ cell, evidence, leaf, programs, here, model, walk }: PaneProps) {
  const { query, view, proposal, showNew } = cell;
  if (query.error && !view) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!view || !here) return <SkeletonText lines={[2, 3, 3, 3]} />;
  return (
    <>
      <div className={css.requirement}>
        <b className={css.label}>{visible(view.label)}</b>
        <p>
          <Formulas text={view.prose} words={visible} />
        </p>
        {view.metric && <Asks metric={view.metric} />}
        {view.in_review && (
          <p className="mut sm">
            <b>{t("assess.pane.in_review")}</b> {visible(view.in_review)}
          </p>
        )}
      </div>
      <ProposalFrame
        {...{ proposal, evidence, showNew }}
        outdated={model.cell(walk.at.row, walk.at.column)?.outdated ?? false}
      />
      {view.programs.map((each) => (
        <ProgramFrame key={each.id} proposal={each} review={view.review} programs={programs} />
      ))}
      {proposal && (
        <>
          <EvidenceList evidence={evidence} />
          <Figures figures={proposal.figures} evidence={evidence} />
          <NotCounted passages={proposal.not_counted} evidence={evidence} />
        </>
      )}
      <IndexClaims
        claims={view.claims}
        evidence={proposal && proposal.made_at === view.proposal?.made_at ? evidence : undefined}
      />
      <Pinned {...{ evidence, leaf }} />
      {view.earlier && <Earlier earlier={view.earlier} />}
    </>
  );
}
