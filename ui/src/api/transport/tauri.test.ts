import { afterEach, describe, expect, it, vi } from "vitest";
import type { DragEvent } from "../transport";
import { tauriTransport } from "./tauri";

type Listener = (event: { payload: unknown }) => void;
const listeners = vi.hoisted(() => [] as Listener[]);
vi.mock("@tauri-apps/api/webview", () => ({
  getCurrentWebview: () => ({
    onDragDropEvent: (listener: Listener) => {
      listeners.push(listener);
      return Promise.resolve(() => undefined);
    },
  }),
}));

afterEach(() => {
  vi.unstubAllGlobals();
  listeners.length = 0;
});

describe("files over a window of two device pixels a point", () => {
  it.each([
    ["Linux x86_64", 300],
    ["MacIntel", 300],
    ["Win32", 150],
  ])("hang where the pointer is on %s", (platform, x) => {
    vi.stubGlobal("navigator", { platform });
    vi.stubGlobal("devicePixelRatio", 2);
    const seen: DragEvent[] = [];
    tauriTransport().onDrag((event) => seen.push(event));
    for (const listener of listeners)
      listener({ payload: { type: "drop", paths: ["a.pdf"], position: { x: 300, y: 300 } } });
    expect(seen).toEqual([{ kind: "drop", paths: ["a.pdf"], x, y: x }]);
  });
});
