// Typed calls over the chosen transport. Every failure is an `EngineError` with a code and a message.

import { createStore } from "@/kit/store";
import type { DragEvent, EngineEvent, Envelope, Stop, Transport } from "./transport";
import type { Commands, Progress } from "./types";

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
const workspace = createStore("default");

/** Name of the workspace that a call works in unless it names another. */
export const currentWorkspace = (): string => workspace.get();

/** Makes later calls work in another workspace. Calls that have started stay in theirs. */
export function enterWorkspace(name: string): void {
  workspace.set(name);
}

/** Calls `watcher` whenever another workspace is entered, until stopped. */
export const watchWorkspace = (watcher: () => void): Stop => workspace.watch(watcher);

/** Chooses the door; once, before the first call. */
export function chooseTransport(chosen: Transport): void {
  transport = chosen;
}

function door(): Transport {
  if (!transport) throw new EngineError("transport", "no transport was chosen before the first call");
  return transport;
}

/** What the window itself does for a page. */
export type ShellCommand =
  | "shell.pick_files"
  | "shell.pick_folders"
  | "shell.save_file"
  | "shell.show_folder"
  | "shell.sign_out"
  | "shell.quit";

/** Whether a command can be called here: a browser is served less than the window, and a token may not do everything. */
export const may = (command: Command | ShellCommand): boolean => transport?.may?.(command) ?? true;

/** Options of {@link call}. */
export type CallOptions = {
  /** Cancels the call. */
  signal?: AbortSignal;
  /** Workspace that the call works in; by default the one that is current when the call is made. */
  workspace?: string;
  /** Hears how far a stream has come, until the call ends. */
  onProgress?: (told: Progress) => void;
};

async function run<T>(
  { signal, workspace: within = workspace.get(), onProgress }: CallOptions,
  start: (door: Transport, envelope: Envelope) => Promise<unknown>,
): Promise<T> {
  const through = door();
  nextRequest += 1;
  const requestId = `ui-${nextRequest}`;
  if (signal?.aborted) throw new EngineError("cancelled", "cancelled");
  const abort = () => through.cancel(requestId);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return (await start(through, { requestId, workspace: within, onProgress })) as T;
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
  options: CallOptions = {},
): Promise<Output<C>> {
  return run(options, (door, envelope) => door.call(command, input, envelope));
}

/** Listens to what happens in the engine. */
export const subscribe = (listener: (event: EngineEvent) => void): Stop => door().onEvent(listener);

/** Listens to files dragged over the window. */
export const subscribeDrag = (listener: (event: DragEvent) => void): Stop => door().onDrag(listener);
