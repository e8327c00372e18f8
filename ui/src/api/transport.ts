// What the UI needs of its engine, whatever lies between them.

import type { EngineEventPayload, Progress } from "./types";

/** Something that happened in the engine: what changed, and how a job stands. */
export type EngineEvent = Partial<EngineEventPayload>;

/** A native drag over the window. Positions are CSS pixels. */
export type DragEvent =
  | { kind: "enter"; paths: string[]; x: number; y: number }
  | { kind: "over"; x: number; y: number }
  | { kind: "drop"; paths: string[]; x: number; y: number }
  | { kind: "leave" };

/** Stops listening. */
export type Stop = () => void;

/** What goes with every call beside its input. */
export type Envelope = {
  /** Names the call so that it can be cancelled. */
  requestId: string;
  /** Name of the workspace the window works in. */
  workspace: string;
  /** Hears how far a stream has come. */
  onProgress?: (told: Progress) => void;
};

/** A door to the engine. */
export interface Transport {
  call(command: string, input: unknown, envelope: Envelope): Promise<unknown>;
  cancel(requestId: string): void;
  onEvent(listener: (event: EngineEvent) => void): Stop;
  onDrag(listener: (event: DragEvent) => void): Stop;
  /** Whether a command can be called at all; each can where nothing is said. */
  may?(command: string): boolean;
  /** The one workspace that there is through this door, where it is one. */
  workspace?: string;
}
