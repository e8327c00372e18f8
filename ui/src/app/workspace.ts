// Which workspace the window works in; kept between starts.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { currentWorkspace, enterWorkspace } from "@/api/client";
import { useCommand } from "@/api/queries";

const KEY = "sibyl.workspace";
const watchers = new Set<() => void>();

/** Goes back to the workspace of the last start. */
export function restoreWorkspace(): void {
  const kept = localStorage.getItem(KEY);
  if (kept) enterWorkspace(kept);
}

/** Works in another workspace from now on: nothing of the former one stays on screen. */
export function switchWorkspace(name: string, queries: QueryClient): void {
  enterWorkspace(name);
  localStorage.setItem(KEY, name);
  void queries.resetQueries();
  for (const watcher of watchers) watcher();
}

/** The workspaces there are, the present one, and the way to another. */
export function useWorkspaces() {
  const queries = useQueryClient();
  const current = useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, currentWorkspace);
  const list = useCommand("workspace.list", {});
  const names = (list.data ?? []).map((each) => each.name);
  return {
    current,
    names: names.includes(current) ? names : [current, ...names],
    enter: (name: string) => switchWorkspace(name, queries),
  };
}
