import { useCommand } from "@/api/queries";
import type { Overview } from "@/api/types";
import { PageHeader } from "@/app/page-header";
import { useQueryState } from "@/app/router";
import { useWorkspaces } from "@/app/workspace";
import { Pane, Panes } from "@/kit/Panes";
import { EmptyState, Loaded, SkeletonRows } from "@/kit/states";
import { t } from "@/text";
import { Corpora } from "./Corpora";
import { Inspector } from "./Inspector";
import css from "./library.module.css";
import { Totals } from "./Totals";

function Shelves({ overview }: { overview: Overview }) {
  const [wanted, setWanted] = useQueryState("corpus", "");
  const names = overview.corpora.map((each) => each.corpus.name);
  const selected = names.includes(wanted) ? wanted : (names[0] ?? null);
  return (
    <Panes id="library">
      <Pane id="corpora" label={t("library.corpora")}>
        <Totals overview={overview} />
        <Corpora corpora={overview.corpora} selected={selected} onSelect={setWanted} />
      </Pane>
      <Pane id="inspector" label={t("library.inspector.title")} size={316} min={260} fold="end" sunken>
        <Inspector name={selected} onDeleted={() => setWanted("")} />
      </Pane>
    </Panes>
  );
}

/** The screen. */
export default function LibraryPage() {
  const overview = useCommand("library.overview", {});
  const { current } = useWorkspaces();
  return (
    <div className={css.page}>
      <PageHeader context={[current, overview.data?.folder].filter(Boolean).join(" · ")} />
      <Loaded query={overview} skeleton={<SkeletonRows rows={9} />}>
        {(data) =>
          data.corpora.length === 0 ? (
            <EmptyState title={t("library.empty.title")} detail={t("library.empty.detail")} />
          ) : (
            <Shelves overview={data} />
          )
        }
      </Loaded>
    </div>
  );
}
