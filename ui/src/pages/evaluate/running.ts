// What is at work: a run, a collection, or the cells of a matrix. They live outside the screen: leaving it does not give them up.

import type { QueryClient } from "@tanstack/react-query";
import { call, currentWorkspace, EngineError, type Input, type Output } from "@/api/client";
import { refresh, tagsOf, useWorkspace } from "@/api/queries";
import type { EvaluateProgress } from "@/api/types";
import { createStore } from "@/kit/store";

type Long = "eval.run" | "eval.beir" | "eval.matrix_run";

/** Work that was asked for last in this window, and how far it is. */
export type Running<C extends Long = Long> = {
  workspace: string;
  input: Input<C>;
  progress?: EvaluateProgress;
  error?: EngineError;
};

/** A command that runs long: one at a time, followed from any screen. */
function work<C extends Long>(command: C) {
  const running = createStore<Running<C> | undefined>(undefined);
  let control: AbortController | undefined;
  const forget = () => {
    control = undefined;
    running.set(undefined);
  };
  return {
    /** What is at work in this workspace, or failed there; nothing where none is. */
    use: (): Running<C> | undefined => {
      const now = running.use();
      return now?.workspace === useWorkspace() ? now : undefined;
    },
    /** Gives it up; what was finished of it stays. */
    stop: (): void => control?.abort(),
    /** Takes away what is said of a failure. */
    forget,
    /** Starts it. Gives its answer; nothing where it failed or was given up. */
    start: async (input: Input<C>, queries: QueryClient): Promise<Output<C> | undefined> => {
      control?.abort();
      const own = new AbortController();
      control = own;
      const workspace = currentWorkspace();
      running.set({ workspace, input });
      try {
        const answer = await call(command, input, {
          signal: own.signal,
          workspace,
          onProgress: (told) => {
            if (control === own && told.kind === "evaluating")
              running.set({ workspace, input, progress: told });
          },
        });
        if (control === own) forget();
        return answer;
      } catch (thrown) {
        const error = EngineError.from(thrown);
        if (control === own) running.set(error.cancelled ? undefined : { workspace, input, error });
        return undefined;
      } finally {
        void refresh(queries, tagsOf(command));
      }
    },
  };
}

/** The run at work. */
export const runWork = work("eval.run");

/** The collection at work. */
export const collectionWork = work("eval.beir");

/** The cells of a matrix at work. */
export const matrixWork = work("eval.matrix_run");
