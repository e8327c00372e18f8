// The question that is being answered. It lives outside the screen: leaving it does not give the answer up.

import type { QueryClient } from "@tanstack/react-query";
import { call, currentWorkspace, EngineError } from "@/api/client";
import { refresh, tagsOf } from "@/api/queries";
import type { AskRequest } from "@/api/types";
import { createStore } from "@/kit/store";
import { begun, fromAnswer, type Shown, told } from "./shown";

/** The question that was asked last in this window, with what there is of its answer. */
export type Asking = { workspace: string; shown: Shown; error?: EngineError };

const asking = createStore<Asking | undefined>(undefined);
let control: AbortController | undefined;

/** The question that was asked last; nothing where none is. */
export const useAsking = asking.use;

/** Gives up what is on its way; what has arrived stays on screen. */
export const stopAsking = (): void => control?.abort();

/** Takes the question that was asked last away, and gives up what is on its way of it. */
export function forgetAsking(): void {
  control?.abort();
  control = undefined;
  asking.set(undefined);
}

/** Asks. Gives the id of the answer in the log once it is there; nothing where it is not kept. */
export async function ask(request: AskRequest, queries: QueryClient): Promise<number | undefined> {
  forgetAsking();
  const own = new AbortController();
  control = own;
  const workspace = currentWorkspace();
  const put = (change: (shown: Shown) => Shown, error?: EngineError) => {
    const now = asking.get();
    if (control === own && now) asking.set({ workspace, shown: change(now.shown), error });
  };
  asking.set({ workspace, shown: begun(request) });
  try {
    const answer = await call("answer.ask", request, {
      signal: own.signal,
      workspace,
      onProgress: (progress) => {
        if (progress.kind === "answering") put((shown) => told(shown, progress));
      },
    });
    put(() => fromAnswer(answer, request));
    return control === own ? (answer.id ?? undefined) : undefined;
  } catch (thrown) {
    const error = EngineError.from(thrown);
    put((shown) => ({ ...shown, standing: error.cancelled ? "stopped" : "failed" }), error);
    return undefined;
  } finally {
    void refresh(queries, tagsOf("answer.ask"));
  }
}
