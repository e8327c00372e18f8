// The menu of the program, on its mark: the window has no other.

import {
  IconCommand,
  IconDatabaseExport,
  IconFileImport,
  IconFolder,
  IconFolderOpen,
  IconInfoCircle,
  IconKeyboard,
  IconLicense,
  IconPower,
  IconSettings,
  IconStethoscope,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { may } from "@/api/client";
import { quit, signOut } from "@/api/shell";
import { Menu, type MenuEntry } from "@/kit/Menu";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { Logo } from "./Logo";
import css from "./menu.module.css";
import { showWorkspaces } from "./workspaces";

type AppMenuProps = { onPalette: () => void; onKeyboard: () => void };

/** The mark and the menu on it. */
export function AppMenu({ onPalette, onKeyboard }: AppMenuProps) {
  const entry = (
    label: string,
    Icon: ComponentType<{ className?: string; "aria-hidden"?: boolean }>,
    onClick: () => void,
    keys?: string,
  ): MenuEntry => ({ label, icon: <Icon className="small" aria-hidden />, onClick, keys });
  const go =
    (page: string, path: string[] = [], query = {}) =>
    () =>
      navigate(href(page, path, query));
  return (
    <Menu
      label={t("app.menu")}
      position="bottom-start"
      entries={[
        may("ingest.start") &&
          entry(t("menu.add"), IconFileImport, go("library", [], { add: "files" }), "mod+o"),
        may("ingest.start") &&
          may("shell.pick_folders") &&
          entry(t("menu.folder"), IconFolderOpen, go("library", [], { add: "folder" })),
        may("ingest.start") && entry(t("menu.licensed"), IconLicense, go("library", [], { add: "licensed" })),
        "line",
        entry(t("menu.palette"), IconCommand, onPalette, "mod+k"),
        may("workspace.create") && entry(t("menu.workspaces"), IconFolder, () => showWorkspaces()),
        entry(t("menu.keyboard"), IconKeyboard, onKeyboard, "?"),
        "line",
        may("library.doctor") && entry(t("menu.check"), IconStethoscope, go("settings", ["data", "check"])),
        may("library.back_up") &&
          entry(t("menu.back_up"), IconDatabaseExport, go("settings", ["data", "back_up"])),
        "line",
        entry(t("menu.settings"), IconSettings, go("settings"), "mod+,"),
        entry(t("menu.about"), IconInfoCircle, go("settings", ["about"])),
        "line",
        may("shell.quit")
          ? entry(t("menu.quit"), IconPower, () => void quit(), "mod+q")
          : entry(t("menu.sign_out"), IconPower, () => void signOut()),
      ]}
    >
      <button type="button" className={css.logo} aria-label={t("app.menu")} data-tip={t("app.menu")}>
        <Logo />
      </button>
    </Menu>
  );
}
