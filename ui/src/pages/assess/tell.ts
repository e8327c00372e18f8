// What a key did, or why it did nothing: one short message at a time.

import { toast } from "@/state/toasts";

let dismiss: (() => void) | undefined;

/** Says `words` in place of what was said before. */
export function tell(words: string): void {
  dismiss?.();
  dismiss = toast({ kind: "off", title: words });
}
