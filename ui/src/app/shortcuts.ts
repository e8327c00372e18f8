// Shortcuts of the whole window. Pages declare theirs in `page.ts`.

import { may } from "@/api/client";
import { defineShortcuts, type ShortcutDefinition } from "@/kit/shortcuts";
import type { Page } from "@/state/page";
import { t } from "@/text";

const anywhere = t("keys.group.anywhere");
// On macOS Alt with an arrow moves by words in a field.
const [BACK, FORWARD] = /mac/i.test(navigator.platform)
  ? ["mod+[", "mod+]"]
  : ["alt+arrowleft", "alt+arrowright"];
const lists = t("keys.group.lists");
const jobs = t("keys.group.jobs");

const SHELL: readonly ShortcutDefinition[] = [
  { id: "app.palette", keys: "mod+k", label: t("keys.palette"), group: anywhere },
  { id: "app.search", keys: "/", label: t("keys.search"), group: anywhere },
  { id: "app.back", keys: BACK, label: t("keys.back"), group: anywhere },
  { id: "app.forward", keys: FORWARD, label: t("keys.forward"), group: anywhere },
  { id: "app.panes", keys: "f6", label: t("keys.panes"), group: anywhere },
  { id: "app.panes-back", keys: "shift+f6", label: t("keys.panes_back"), group: anywhere },
  { id: "app.fold-start", keys: "mod+b", label: t("keys.fold_start"), group: anywhere },
  { id: "app.fold-end", keys: "mod+i", label: t("keys.fold_end"), group: anywhere },
  { id: "app.chart-table", keys: "mod+shift+t", label: t("keys.chart_table"), group: anywhere },
  { id: "app.settings", keys: "mod+,", label: t("keys.settings"), group: anywhere },
  { id: "app.quit", keys: "mod+q", label: t("menu.quit"), group: anywhere },
  { id: "app.map", keys: "?", label: t("keys.map"), group: anywhere },
  { id: "list.move", keys: "arrowup arrowdown", label: t("keys.move"), group: lists, listedOnly: true },
  {
    id: "list.branch",
    keys: "arrowright arrowleft",
    label: t("keys.branch"),
    group: lists,
    listedOnly: true,
  },
  { id: "list.open", keys: "enter", label: t("keys.open"), group: lists, listedOnly: true },
  { id: "list.ends", keys: "home end", label: t("keys.ends"), group: lists, listedOnly: true },
];

const JOBS: readonly ShortcutDefinition[] = [
  { id: "job.add", keys: "mod+o", label: t("keys.add"), group: jobs },
  { id: "job.target", keys: "1…9", label: t("keys.drop_target"), group: jobs, listedOnly: true },
  { id: "job.pause", keys: "mod+shift+p", label: t("keys.job_pause"), group: jobs },
  { id: "job.cancel", keys: "mod+.", label: t("keys.job_cancel"), group: jobs },
  { id: "job.retry", keys: "mod+shift+f", label: t("keys.job_retry"), group: jobs },
  { id: "job.open", keys: "mod+j", label: t("keys.job_open"), group: jobs },
  { id: "app.toast", keys: "escape", label: t("keys.toast"), group: jobs },
];

/** Keys that a web view would act on by itself; none of them means anything here. */
const BLOCKED = new Set([
  "mod+r",
  "mod+shift+r",
  "f5",
  "mod+f",
  "mod+g",
  "mod+d",
  "mod+j",
  "mod+p",
  "mod+s",
  "mod+u",
  "f7",
]);

/** Whether the web view must not act on a combination. A browser keeps its own keys. */
export const isBlocked = (combination: string): boolean => may("shell.quit") && BLOCKED.has(combination);

/** Puts the shortcuts of the window and of its pages into the registry. */
export function defineAll(pages: readonly Page[]): void {
  defineShortcuts(SHELL.filter(({ id }) => id !== "app.quit" || may("shell.quit")));
  const last = Math.min(9, pages.length);
  defineShortcuts([
    {
      id: "app.screens",
      keys: `mod+1…${last}`,
      label: t("keys.screens", { last }),
      group: anywhere,
      listedOnly: true,
    },
  ]);
  defineShortcuts(
    pages.slice(0, 9).map((page, index) => ({
      id: `app.screen.${page.id}`,
      keys: `mod+${index + 1}`,
      label: t("keys.screen", { page: t(page.title) }),
      group: anywhere,
      unlisted: true,
    })),
  );
  for (const page of pages) defineShortcuts(page.shortcuts ?? []);
  defineShortcuts(JOBS);
}
