// What the status bar tells of the engine.

import { useQuery } from "@tanstack/react-query";
import { type Command, call, type EngineError, type Input } from "@/api/client";

/** The engine at a glance. A part that is missing is not shown. */
export type Status = {
  /** Whether a provider beyond this computer is configured and answered last. */
  online: boolean;
  model: string;
  dimensions: number;
  chunks: number;
  /** Size of the library on disk. */
  bytes: number;
};

const COMMAND = "library.status" as Command;

/** The engine at a glance, asked again when chunks, models or settings change. */
export const useStatus = () =>
  useQuery<Partial<Status>, EngineError>({
    queryKey: [COMMAND, {}],
    queryFn: ({ signal }) => call(COMMAND, {} as Input<Command>, { signal }) as Promise<Partial<Status>>,
  });
