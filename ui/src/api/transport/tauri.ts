// The desktop window's door. No other file knows that there is a desktop.

import { Channel, invoke } from "@tauri-apps/api/core";
import { listen, type UnlistenFn } from "@tauri-apps/api/event";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import type { DragEvent, EngineEvent, Stop, Transport } from "../transport";
import type { Progress } from "../types";

/** Whether this page runs in the desktop window. */
export const inDesktop = () => "__TAURI_INTERNALS__" in window;

/** A listener that may be stopped before it has started. */
function stoppable(started: Promise<UnlistenFn>): Stop {
  return () => {
    void started.then((stop) => stop());
  };
}

function dragOf(payload: {
  type: string;
  paths?: string[];
  position?: { x: number; y: number };
}): DragEvent | undefined {
  // Only WebView2 gives device pixels, whatever the type says: GTK and AppKit give those of the page.
  const scale = /^win/i.test(navigator.platform) ? window.devicePixelRatio || 1 : 1;
  const x = (payload.position?.x ?? 0) / scale;
  const y = (payload.position?.y ?? 0) / scale;
  switch (payload.type) {
    case "enter":
      return { kind: "enter", paths: payload.paths ?? [], x, y };
    case "over":
      return { kind: "over", x, y };
    case "drop":
      return { kind: "drop", paths: payload.paths ?? [], x, y };
    case "leave":
      return { kind: "leave" };
    default:
      return undefined;
  }
}

/** The desktop transport. */
export function tauriTransport(): Transport {
  return {
    call: (command, input, { requestId, workspace, onProgress }) =>
      invoke("rpc", {
        command,
        input,
        requestId,
        workspace,
        progress: onProgress && new Channel<Progress>(onProgress),
      }),
    cancel: (requestId) => {
      // A call that has already ended cannot be cancelled, and nobody waits for the answer.
      void invoke("rpc_cancel", { requestId }).catch(() => undefined);
    },
    onEvent: (listener) =>
      stoppable(listen<EngineEvent>("sibyl://event", (event) => listener(event.payload))),
    onDrag: (listener) =>
      stoppable(
        getCurrentWebview().onDragDropEvent((event) => {
          const drag = dragOf(event.payload);
          if (drag) listener(drag);
        }),
      ),
  };
}
