// Short messages at the end of the window: three at most; the window draws them.

import type { ReactNode } from "react";
import type { StatusKind } from "@/kit/Status";
import { createStore } from "@/kit/store";

/** A message. */
export type Toast = {
  kind: StatusKind;
  title: string;
  detail?: ReactNode;
  /** A button; a toast that has one stays until it is dismissed. */
  action?: { label: string; onClick: () => void };
};

/** A message on screen. */
export type ShownToast = Toast & { id: number };

const MOST = 3;

const shown = createStore<readonly ShownToast[]>([]);
let next = 0;

/** Shows a message. The oldest makes room. Gives what takes it away again. */
export function toast(message: Toast): () => void {
  next += 1;
  const id = next;
  shown.set([...shown.get(), { ...message, id }].slice(-MOST));
  return () => dismissToast(id);
}

/** Takes a message away. */
export const dismissToast = (id: number): void => shown.set(shown.get().filter((each) => each.id !== id));

/** The messages on screen, the oldest first. */
export const useToasts = shown.use;
