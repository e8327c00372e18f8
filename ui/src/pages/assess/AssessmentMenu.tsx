import {
  IconPencil,
  IconPlus,
  IconSelector,
  IconSettings,
  IconTrash,
  IconUser,
  IconUserPlus,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { may } from "@/api/client";
import { keyOf, useAction } from "@/api/queries";
import type { Assessment, AssessmentSummary } from "@/api/types";
import { Confirm } from "@/kit/Confirm";
import { FormDialog } from "@/kit/FormDialog";
import { TextField } from "@/kit/fields";
import { Menu } from "@/kit/Menu";
import { Name } from "@/kit/Name";
import { PageHeader } from "@/parts/PageHeader";
import { labelOf, standardOf } from "@/state/source-types";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./assess.module.css";
import { becomeReviewer, useReviewer } from "./reviewer";
import type { Assess } from "./state";
import { WhoDecides } from "./WhoDecides";

/** What an assessment holds, in one line. */
function aboutOf({ scope, reports }: Assessment, requirements: number): string {
  const edition = scope.edition && t(`assess.editions.${scope.edition}`);
  const nameOf = (standard: string) =>
    edition && standardOf(standard)?.editions
      ? t("assess.edited", { standard: labelOf(standard), edition })
      : labelOf(standard);
  const standards = scope.standards.map(nameOf).join(", ");
  const industries =
    scope.industries.length > 0 && t("assess.industries", { count: scope.industries.length });
  return t("assess.about", {
    scope:
      standards && industries
        ? t("assess.and", { first: standards, last: industries })
        : standards || industries || "",
    requirements: t("assess.requirements", { count: requirements }),
    reports: t("assess.reports", { count: reports.length }),
  });
}

type AssessmentMenuProps = {
  assessment: Assessment;
  list: readonly AssessmentSummary[];
  actions: React.ReactNode;
  onEnter: (id: number | undefined) => void;
  onChange: (part: Partial<Assess>) => void;
};

/** The assessments: which one is shown, new ones, and those that go. */
export function AssessmentMenu({ assessment, list, actions, onEnter, onChange }: AssessmentMenuProps) {
  const [asked, ask] = useState<"rename" | "delete" | "who">();
  const reviewer = useReviewer();
  const reviewers = [...new Set([...(reviewer === "" ? [] : [reviewer]), ...assessment.reviewers])];
  const { name } = assessment;
  const requirements = list.find(({ id }) => id === assessment.id)?.requirements ?? 0;
  return (
    <>
      <PageHeader
        context={
          <span className="row gap-10">
            <Menu
              label={t("assess.menu.label")}
              position="bottom-start"
              entries={[
                ...list.map(({ id, name, decided, cells }) => ({
                  label: t("assess.menu.decided", { name, decided, cells }),
                  checked: id === assessment.id,
                  onClick: () => onEnter(id),
                })),
                "line",
                ...reviewers.map((each) => ({
                  label: t("assess.menu.deciding_as", { name: visible(each) }),
                  icon: <IconUser className="small" aria-hidden />,
                  checked: each === reviewer,
                  onClick: () => becomeReviewer(each),
                })),
                {
                  label: t("assess.menu.somebody_else"),
                  icon: <IconUserPlus className="small" aria-hidden />,
                  onClick: () => ask("who"),
                },
                "line",
                may("assess.new") && {
                  label: t("assess.menu.new"),
                  icon: <IconPlus className="small" aria-hidden />,
                  onClick: () => onChange({ edit: "new" }),
                },
                may("assess.change") && {
                  label: t("assess.menu.change"),
                  icon: <IconSettings className="small" aria-hidden />,
                  onClick: () => onChange({ edit: "change" }),
                },
                may("assess.change") && {
                  label: t("assess.menu.rename"),
                  icon: <IconPencil className="small" aria-hidden />,
                  onClick: () => ask("rename"),
                },
                may("assess.delete") && {
                  label: t("assess.menu.delete"),
                  icon: <IconTrash className="small" aria-hidden />,
                  danger: true,
                  onClick: () => ask("delete"),
                },
              ]}
            >
              <button
                type="button"
                className={`btn quiet small ${css.menu}`}
                aria-label={t("assess.menu.choose", { name })}
              >
                <Name>{name}</Name>
                <IconSelector className="small" aria-hidden />
              </button>
            </Menu>
            <span className="ell">{aboutOf(assessment, requirements)}</span>
          </span>
        }
        actions={actions}
      />
      {asked === "who" && <WhoDecides onClose={() => ask(undefined)} />}
      {asked === "rename" && <Rename assessment={assessment} onClose={() => ask(undefined)} />}
      {asked === "delete" && (
        <Delete assessment={assessment} onClose={() => ask(undefined)} onGone={() => onEnter(undefined)} />
      )}
    </>
  );
}

type AskProps = { assessment: Assessment; onClose: () => void };

function Rename({ assessment, onClose }: AskProps) {
  const { id, reports, scope, reviewers } = assessment;
  const [name, setName] = useState(assessment.name);
  const change = useAction("assess.change");
  const save = () =>
    change.mutate({ id, name: name.trim(), reports, scope, reviewers }, { onSuccess: onClose });
  return (
    <FormDialog
      title={t("assess.menu.rename_title")}
      width={440}
      confirm={t("assess.menu.save")}
      ready={name.trim() !== "" && !change.isPending}
      problem={change.error?.message}
      onConfirm={save}
      onClose={onClose}
    >
      <TextField
        label={t("assess.menu.name")}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}

function Delete({ assessment, onClose, onGone }: AskProps & { onGone: () => void }) {
  const remove = useAction("assess.delete");
  const queries = useQueryClient();
  return (
    <Confirm
      title={t("assess.menu.delete_title", { name: visible(assessment.name) })}
      detail={t("assess.menu.delete_detail")}
      confirm={t("assess.menu.delete")}
      keep={t("assess.menu.keep")}
      danger
      pending={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { id: assessment.id },
          {
            onSuccess: () => {
              // It is not to be shown while the list comes again.
              queries.setQueryData<AssessmentSummary[]>(keyOf("assess.list", {}), (now) =>
                now?.filter(({ id }) => id !== assessment.id),
              );
              onClose();
              onGone();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
