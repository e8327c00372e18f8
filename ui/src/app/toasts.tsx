// Short messages at the end of the window: three at most, gone after six seconds unless they ask for something.

import { IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { Button, IconButton } from "@/kit/Button";
import { StatusIcon, type StatusKind } from "@/kit/Status";
import { useShortcut } from "@/kit/shortcuts";
import { t } from "@/text";
import { visible } from "@/text/visible";

/** A message. */
export type Toast = {
  kind: StatusKind;
  title: string;
  detail?: ReactNode;
  /** A button; a toast that has one stays until it is dismissed. */
  action?: { label: string; onClick: () => void };
};

type Shown = Toast & { id: number };

const MOST = 3;
const LIFETIME = 6000;
/** Pixels around the messages. */
const MARGIN = 16;

let shown: readonly Shown[] = [];
let next = 0;
const watchers = new Set<() => void>();

function set(list: readonly Shown[]) {
  shown = list;
  for (const watcher of watchers) watcher();
}

/** Shows a message. The oldest makes room. Gives what takes it away again. */
export function toast(message: Toast): () => void {
  next += 1;
  const id = next;
  set([...shown, { ...message, id }].slice(-MOST));
  return () => dismiss(id);
}

/** Takes all messages away. */
export const clearToasts = () => set([]);

function dismiss(id: number) {
  set(shown.filter((each) => each.id !== id));
}

function Item({ item }: { item: Shown }) {
  const stays = item.action !== undefined;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => dismiss(item.id), LIFETIME);
    return () => clearTimeout(timer);
  }, [item.id, stays]);
  return (
    <li className="toast">
      <span className={`st ${item.kind}`}>
        <StatusIcon kind={item.kind} />
      </span>
      <div className="grow">
        <b>{visible(item.title)}</b>
        {item.detail && (
          <div className="sm sec toast-detail">
            {typeof item.detail === "string" ? visible(item.detail) : item.detail}
          </div>
        )}
      </div>
      {item.action && (
        <Button
          size="tiny"
          onClick={() => {
            item.action?.onClick();
            dismiss(item.id);
          }}
        >
          {item.action.label}
        </Button>
      )}
      <IconButton label={t("toasts.dismiss")} size="small" onClick={() => dismiss(item.id)}>
        <IconX className="s" aria-hidden />
      </IconButton>
    </li>
  );
}

/** The messages on screen. */
export function Toasts() {
  const list = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => shown,
  );
  const room = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const height = list.length > 0 ? (room.current?.offsetHeight ?? 0) + MARGIN : 0;
    document.documentElement.style.setProperty("--toasts", `${height}px`);
  }, [list]);
  const last = list.at(-1);
  useShortcut("app.toast", () => last && dismiss(last.id), last !== undefined);
  return (
    <ol ref={room} className="toasts" aria-label={t("toasts.label")} aria-live="polite">
      {list.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </ol>
  );
}
