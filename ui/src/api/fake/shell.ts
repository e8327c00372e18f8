// The window's own questions.

import type { FakeHandlers } from "../transport/fake";

/** Handlers of the shell. */
export const handlers: FakeHandlers = {
  "library.status": () => ({
    online: true,
    model: "text-embedding-3-small",
    dimensions: 1536,
    chunks: 38_114,
    bytes: 231_000_000,
  }),
  "workspace.list": () => [{ name: "default" }, { name: "FY2025 assurance" }],
};
