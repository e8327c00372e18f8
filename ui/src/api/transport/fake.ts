// An engine of fixtures in memory: every page runs on it in a plain browser and in tests.

import type { DragEvent, EngineEvent, Envelope, Transport } from "../transport";
import type { Progress } from "../types";

/** What a handler may use beside its input. */
export type FakeCall = {
  /** Fires when the call is cancelled. */
  signal: AbortSignal;
  /** Workspace the window works in. */
  workspace: string;
  /** Tells the window that something happened. */
  emit: (event: EngineEvent) => void;
  /** Tells whoever follows the call how far it has come. */
  tell: (progress: Progress) => void;
  /** Waits, or rejects when the call is cancelled. */
  wait: (milliseconds: number) => Promise<void>;
};

/** Answers one command. Throws `{code, message}` to fail. */
// biome-ignore lint/suspicious/noExplicitAny: each handler names the wire type of its own command.
export type FakeHandler = (input: any, call: FakeCall) => unknown;

/** Handlers by command name, as a file of `api/fake/` exports them under the name `handlers`. */
export type FakeHandlers = Record<string, FakeHandler>;

/** A transport on handlers, with means to make things happen from outside. */
export type FakeTransport = Transport & {
  emit: (event: EngineEvent) => void;
  drag: (event: DragEvent) => void;
  /** Commands called so far, in order. */
  calls: { command: string; input: unknown; workspace: string }[];
};

const cancelled = { code: "cancelled", message: "cancelled" };

/** A transport that answers from `handlers`, each call after `latency` milliseconds. */
export function fakeTransport(handlers: FakeHandlers, latency = 0): FakeTransport {
  const events = new Set<(event: EngineEvent) => void>();
  const drags = new Set<(event: DragEvent) => void>();
  const running = new Map<string, AbortController>();
  const calls: FakeTransport["calls"] = [];
  const emit = (event: EngineEvent) => {
    for (const listener of [...events]) listener(event);
  };
  const run = async (command: string, input: unknown, { requestId, workspace, onProgress }: Envelope) => {
    calls.push({ command, input, workspace });
    const handler = handlers[command];
    if (!handler) throw { code: "unknown_command", message: `there is no command \`${command}\`` };
    const control = new AbortController();
    running.set(requestId, control);
    const wait = (milliseconds: number) =>
      new Promise<void>((resolve, reject) => {
        if (control.signal.aborted) return reject(cancelled);
        const stop = () => {
          clearTimeout(timer);
          reject(cancelled);
        };
        const timer = setTimeout(() => {
          control.signal.removeEventListener("abort", stop);
          resolve();
        }, milliseconds);
        control.signal.addEventListener("abort", stop);
      });
    try {
      if (latency > 0) await wait(latency);
      const answer = await handler(structuredClone(input), {
        signal: control.signal,
        workspace,
        emit,
        tell: (progress) => {
          if (!control.signal.aborted) onProgress?.(structuredClone(progress));
        },
        wait,
      });
      if (control.signal.aborted) throw cancelled;
      return structuredClone(answer);
    } finally {
      running.delete(requestId);
    }
  };
  return {
    call: run,
    cancel: (requestId) => running.get(requestId)?.abort(),
    onEvent: (listener) => {
      events.add(listener);
      return () => events.delete(listener);
    },
    onDrag: (listener) => {
      drags.add(listener);
      return () => drags.delete(listener);
    },
    emit,
    drag: (event) => {
      for (const listener of [...drags]) listener(event);
    },
    calls,
  };
}
