// Which workspace the window works in; kept between starts.

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { currentWorkspace, enterWorkspace } from "@/api/client";
import { useCommand } from "@/api/queries";
import { enterJobs } from "./jobs";

/** The workspace that always is there. */
export const DEFAULT_WORKSPACE = "default";

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
  enterJobs();
  for (const watcher of watchers) watcher();
}

/** The workspaces there are, the present one, and the way to another. */
export function useWorkspaces() {
  const queries = useQueryClient();
  const current = useSyncExternalStore((watcher) => {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  }, currentWorkspace);
  const query = useCommand("workspace.list", {});
  const names = (query.data ?? []).map((each) => each.name);
  return {
    current,
    query,
    names: names.includes(current) ? names : [current, ...names],
    enter: (name: string) => switchWorkspace(name, queries),
  };
}

/** Leaves a workspace that another window or program has deleted. */
export function useLostWorkspace(onLost: (name: string) => void): void {
  const queries = useQueryClient();
  const { data } = useCommand("workspace.list", {});
  useEffect(() => {
    const current = currentWorkspace();
    if (!data || current === DEFAULT_WORKSPACE || data.some((each) => each.name === current)) return;
    switchWorkspace(DEFAULT_WORKSPACE, queries);
    onLost(current);
  }, [data, queries, onLost]);
}
