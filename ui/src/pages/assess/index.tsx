import { IconSelector } from "@tabler/icons-react";
import { may } from "@/api/client";
import { useCommand } from "@/api/queries";
import { Pane, Panes } from "@/kit/Panes";
import { EmptyState, ErrorState, SkeletonRows } from "@/kit/states";
import { PageHeader } from "@/parts/PageHeader";
import { useAddressState } from "@/state/address-state";
import { t } from "@/text";
import { AssessmentMenu } from "./AssessmentMenu";
import css from "./assess.module.css";
import { Board } from "./Board";
import { Changed } from "./changed/Changed";
import { ChangePlan, NewPlan } from "./Start";
import { type Assess, fromAddress, toAddress } from "./state";

/** The screen. */
export default function AssessPage() {
  const [state, setState] = useAddressState("assess", fromAddress, toAddress);
  const list = useCommand("assess.list", {}, { keep: true });
  const change = (part: Partial<Assess>) => setState((last) => ({ ...last, ...part }));
  const enter = (assessment: number | undefined) =>
    change({
      assessment,
      edit: undefined,
      requirement: "",
      report: "",
      words: "",
      only: [],
      from: "",
      to: "",
    });
  if (!list.data)
    return list.error ? (
      <>
        <PageHeader context={t("assess.context")} />
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      </>
    ) : (
      <ToCome />
    );
  const known = list.data;
  const named = known.find(({ id }) => id === state.assessment);
  // A new one is not in the list before that has come again.
  if (!named && state.assessment !== undefined && list.isFetching) return <ToCome />;
  const latest = [...known].sort((a, b) => b.updated_at.localeCompare(a.updated_at))[0];
  const here = named ?? latest;
  if (!here && !may("assess.new"))
    return (
      <>
        <PageHeader context={t("assess.context")} />
        <EmptyState title={t("assess.none")} />
      </>
    );
  if (!here || (state.edit === "new" && may("assess.new")))
    return (
      <>
        <PageHeader context={t("assess.context")} />
        <NewPlan
          onStarted={enter}
          onCancel={known.length > 0 ? () => change({ edit: undefined }) : undefined}
        />
      </>
    );
  return (
    <Shown
      key={here.id}
      id={here.id}
      {...{ state, change }}
      menu={(assessment, actions) => (
        <AssessmentMenu {...{ assessment, actions, list: known, onEnter: enter }} onChange={change} />
      )}
      name={here.name}
    />
  );
}

type ShownProps = {
  id: number;
  name: string;
  state: Assess;
  change: (part: Partial<Assess>) => void;
  menu: Parameters<typeof Board>[0]["menu"];
};

/** An assessment: its grid, or the sheet on which it is changed. */
function Shown({ id, name, state, change, menu }: ShownProps) {
  const grid = useCommand("assess.show", { id });
  if (!grid.data)
    return grid.error ? (
      <>
        <PageHeader context={name} />
        <ErrorState error={grid.error} onRetry={() => void grid.refetch()} />
      </>
    ) : (
      <>
        <PageHeader
          context={
            <span className={`row gap-4 ${css.menu}`}>
              {name} <IconSelector className="small" aria-hidden />
            </span>
          }
        />
        <ToCome />
      </>
    );
  if (state.edit === "change" && may("assess.change"))
    return (
      <>
        <PageHeader context={name} />
        <ChangePlan assessment={grid.data.assessment} onDone={() => change({ edit: undefined })} />
      </>
    );
  if (state.from !== "" && state.to !== "" && may("assess.compare"))
    return <Changed grid={grid.data} {...{ state, change }} />;
  return <Board stored={grid.data} {...{ state, change, menu }} />;
}

function ToCome() {
  return (
    <Panes id="assess">
      <Pane id="grid">
        <div className="heading" />
        <SkeletonRows rows={20} height={26} bare />
      </Pane>
      <Pane id="requirement" size={348} min={320}>
        <div className="heading" />
        <SkeletonRows rows={6} height={26} bare quiet />
      </Pane>
    </Panes>
  );
}
