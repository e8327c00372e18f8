// What stopped the work, and what can be done about it: the window shows it in a dialog.

import { createStore } from "@/kit/store";
import { explain } from "@/text/errors";
import { cureOf } from "./cure";
import { toast } from "./toasts";

/** A way out. The cost stands in `detail`. */
export type ErrorChoice = { label: string; detail?: string; action: string; run: () => void };

/** What the dialog says. */
export type Trouble = {
  title: string;
  /** What happened, and what is safe. */
  message: string;
  code: string;
  choices?: readonly ErrorChoice[];
  /** Technical lines. */
  details?: string;
  /** The button that leaves everything as it is. */
  leave?: string;
};

const trouble = createStore<Trouble | undefined>(undefined);

/** Opens the dialog. */
export const showTrouble = (next: Trouble): void => trouble.set(next);

/** Closes the dialog. */
export const closeTrouble = (): void => trouble.set(undefined);

/** What the dialog says; nothing while it is closed. */
export const useTrouble = trouble.use;

/** Tells of a failed call where no page has a better place for it: a dialog if work stopped, else a toast. */
export function reportError(
  error: { code: string; message: string },
  choices?: readonly ErrorChoice[],
): void {
  if (error.code === "cancelled") return;
  const explained = explain(error);
  const cure = cureOf(explained);
  const ways = choices ?? (cure ? [cure] : []);
  if (explained.prominence === "blocking") showTrouble({ ...explained, choices: ways });
  else {
    const first = ways[0];
    toast({
      kind: "bad",
      title: explained.title,
      detail: explained.message,
      action: first && { label: first.action, onClick: first.run },
    });
  }
}
