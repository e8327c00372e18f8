import { renderHook } from "@testing-library/react";
import { dismissToast, useToasts } from "@/state/toasts";

/** Takes all messages away: they outlive the screen of a test. */
export function clearToasts(): void {
  const { result, unmount } = renderHook(useToasts);
  const ids = result.current.map(({ id }) => id);
  unmount();
  for (const id of ids) dismissToast(id);
}
