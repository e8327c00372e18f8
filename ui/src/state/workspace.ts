// Which workspace the window works in; kept between starts.

import { useEffect } from "react";
import { currentWorkspace, enterWorkspace, may } from "@/api/client";
import { useCommand, useWorkspace } from "@/api/queries";
import { enterJobs } from "./jobs";

/** The workspace that always is there. */
export const DEFAULT_WORKSPACE = "default";

const KEY = "sibyl.workspace";

/** Goes back to the workspace of the last start. */
export function restoreWorkspace(): void {
  const kept = localStorage.getItem(KEY);
  if (kept) enterWorkspace(kept);
}

/** Works in another workspace from now on: nothing of the former one stays on screen. */
export function switchWorkspace(name: string): void {
  localStorage.setItem(KEY, name);
  enterWorkspace(name);
  enterJobs();
}

/** The workspaces there are, the present one, and the way to another. */
export function useWorkspaces() {
  const current = useWorkspace();
  const query = useCommand("workspace.list", {});
  const names = (query.data ?? []).map((each) => each.name);
  return {
    current,
    query,
    // A server serves one of them.
    names: !may("workspace.create") ? [current] : names.includes(current) ? names : [current, ...names],
    enter: switchWorkspace,
  };
}

/** Leaves a workspace that another window or program has deleted. */
export function useLostWorkspace(onLost: (name: string) => void): void {
  const { data } = useCommand("workspace.list", {});
  useEffect(() => {
    const current = currentWorkspace();
    if (!data || current === DEFAULT_WORKSPACE || data.some((each) => each.name === current)) return;
    switchWorkspace(DEFAULT_WORKSPACE);
    onLost(current);
  }, [data, onLost]);
}
