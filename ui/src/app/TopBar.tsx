import { IconFolder, IconSearch, IconSelector } from "@tabler/icons-react";
import { Kbd } from "@/kit/Kbd";
import { Name } from "@/kit/Name";
import { tip } from "@/kit/Tooltip";
import { useWorkspaces } from "@/state/workspace";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./top-bar.module.css";
import { WorkspaceMenu } from "./workspaces";

type TopBarProps = {
  title: string;
  onPalette: () => void;
  contextRef: (element: HTMLElement | null) => void;
  actionsRef: (element: HTMLElement | null) => void;
};

function Switcher() {
  const { current } = useWorkspaces();
  return (
    <WorkspaceMenu>
      <button
        type="button"
        className={`btn quiet small ${css.switcher}`}
        aria-label={`${t("app.workspace")}: ${current}`}
        {...tip(visible(current))}
      >
        <IconFolder className="small" aria-hidden />
        <Name className="hide-s">{current}</Name>
        <IconSelector className="small hide-s" aria-hidden />
      </button>
    </WorkspaceMenu>
  );
}

/** The top bar: title and context of the page, workspace and palette, the page's actions. */
export function TopBar({ title, onPalette, contextRef, actionsRef }: TopBarProps) {
  return (
    <header className={css.top} data-pane="top" tabIndex={-1}>
      <h1>{title}</h1>
      <span className={css.context} ref={contextRef} />
      <Switcher />
      <button
        type="button"
        className={css.find}
        onClick={onPalette}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
      >
        <IconSearch className="small" aria-hidden />
        <span>{t("app.find")}</span>
        <span className={css.end}>
          <Kbd keys="mod+k" />
        </span>
      </button>
      <span className={css.actions} ref={actionsRef} />
    </header>
  );
}
