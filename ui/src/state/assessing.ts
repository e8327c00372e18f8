// The proposals at work: they live outside the screen, so that leaving it does not give them up.

import type { QueryClient } from "@tanstack/react-query";
import { call, currentWorkspace, EngineError } from "@/api/client";
import { refresh, tagsOf, useWorkspace } from "@/api/queries";
import type { AssessmentProgress, AssessmentRun } from "@/api/types";
import { createStore } from "@/kit/store";

/** Milliseconds between two looks at the grid while proposals are made. */
const LOOK = 1000;

type Running = {
  workspace: string;
  assessment: number;
  progress?: AssessmentProgress;
  error?: EngineError;
};

const running = createStore<Running | undefined>(undefined);
let control: AbortController | undefined;

/** The run that is at work in this workspace, or its failure; nothing where there is none. */
export function useRun(): Running | undefined {
  const now = running.use();
  const workspace = useWorkspace();
  return now?.workspace === workspace ? now : undefined;
}

/** Stops the run; the proposals that are made stay. */
export const pauseRun = (): void => control?.abort();

/** Makes the proposals that are missing or out of date. Gives what came of it; nothing where it failed or was stopped. */
export async function startRun(assessment: number, queries: QueryClient): Promise<AssessmentRun | undefined> {
  control?.abort();
  const own = new AbortController();
  control = own;
  const workspace = currentWorkspace();
  let looked = Date.now();
  running.set({ workspace, assessment });
  try {
    const made = await call(
      "assess.run",
      { id: assessment },
      {
        signal: own.signal,
        workspace,
        onProgress: (told) => {
          if (control !== own || told.kind !== "assessing") return;
          running.set({ workspace, assessment, progress: told });
          if (Date.now() - looked < LOOK) return;
          looked = Date.now();
          void refresh(queries, tagsOf("assess.run"));
        },
      },
    );
    if (control === own) running.set(undefined);
    return made;
  } catch (thrown) {
    const error = EngineError.from(thrown);
    if (control === own) running.set(error.cancelled ? undefined : { workspace, assessment, error });
    return undefined;
  } finally {
    void refresh(queries, tagsOf("assess.run"));
  }
}
