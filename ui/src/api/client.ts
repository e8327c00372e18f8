// Typed calls over the chosen transport. Every failure is an `EngineError` with a code and a message.

import type { DragEvent, EngineEvent, Envelope, Stop, Transport } from "./transport";
import type { Commands } from "./types";

/** Name of a command. */
export type Command = keyof Commands;
/** What a command takes. */
export type Input<C extends Command> = Commands[C] extends { input: infer I } ? I : never;
/** What a command gives. */
export type Output<C extends Command> = Commands[C] extends { output: infer O } ? O : never;

/** A failed call. */
export class EngineError extends Error {
  /** Stable code of the cause, such as `not_found`. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "EngineError";
    this.code = code;
  }
  /** Whatever was thrown, as an engine error. */
  static from(thrown: unknown): EngineError {
    if (thrown instanceof EngineError) return thrown;
    if (thrown && typeof thrown === "object" && "code" in thrown && "message" in thrown)
      return new EngineError(String(thrown.code), String(thrown.message));
    return new EngineError("transport", thrown instanceof Error ? thrown.message : String(thrown));
  }
  /** Whether the caller itself gave up. */
  get cancelled() {
    return this.code === "cancelled";
  }
}

let transport: Transport | undefined;
let nextRequest = 0;
let workspace = "default";

/** Name of the workspace that calls work in. */
export const currentWorkspace = (): string => workspace;

/** Makes later calls work in another workspace. What is cached belongs to the former one. */
export function enterWorkspace(name: string): void {
  workspace = name;
}

/** Chooses the door; once, before the first call. */
export function chooseTransport(chosen: Transport): void {
  transport = chosen;
}

function door(): Transport {
  if (!transport) throw new EngineError("transport", "no transport was chosen before the first call");
  return transport;
}

async function run<T>(
  signal: AbortSignal | undefined,
  start: (door: Transport, envelope: Envelope) => Promise<unknown>,
): Promise<T> {
  const through = door();
  nextRequest += 1;
  const requestId = `ui-${nextRequest}`;
  if (signal?.aborted) throw new EngineError("cancelled", "cancelled");
  const abort = () => through.cancel(requestId);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return (await start(through, { requestId, workspace })) as T;
  } catch (thrown) {
    throw EngineError.from(thrown);
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

/** Runs a command. */
export function call<C extends Command>(
  command: C,
  input: Input<C>,
  options?: { signal?: AbortSignal },
): Promise<Output<C>> {
  return run(options?.signal, (door, envelope) => door.call(command, input, envelope));
}

/** Listens to what happens in the engine. */
export const subscribe = (listener: (event: EngineEvent) => void): Stop => door().onEvent(listener);

/** Listens to files dragged over the window. */
export const subscribeDrag = (listener: (event: DragEvent) => void): Stop => door().onDrag(listener);
