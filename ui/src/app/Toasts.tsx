// Short messages at the end of the window, gone after six seconds unless they ask for something.

import { IconX } from "@tabler/icons-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { Button, IconButton } from "@/kit/Button";
import { StatusIcon } from "@/kit/Status";
import { useShortcut } from "@/kit/shortcuts";
import { dismissToast, type ShownToast, useToasts } from "@/state/toasts";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./toasts.module.css";

const LIFETIME = 6000;
/** Pixels around the messages. */
const MARGIN = 16;

function Item({ item }: { item: ShownToast }) {
  const stays = item.action !== undefined;
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => dismissToast(item.id), LIFETIME);
    return () => clearTimeout(timer);
  }, [item.id, stays]);
  return (
    <li className={css.toast}>
      <span className={`status-mark ${item.kind}`}>
        <StatusIcon kind={item.kind} />
      </span>
      <div className="grow">
        <b>{visible(item.title)}</b>
        {item.detail && (
          <div className={`sm sec ${css.detail}`}>
            {typeof item.detail === "string" ? visible(item.detail) : item.detail}
          </div>
        )}
      </div>
      {item.action && (
        <Button
          size="tiny"
          onClick={() => {
            item.action?.onClick();
            dismissToast(item.id);
          }}
        >
          {item.action.label}
        </Button>
      )}
      <IconButton label={t("toasts.dismiss")} size="small" onClick={() => dismissToast(item.id)}>
        <IconX className="small" aria-hidden />
      </IconButton>
    </li>
  );
}

/** The messages on screen. */
export function Toasts() {
  const list = useToasts();
  const room = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const height = list.length > 0 ? (room.current?.offsetHeight ?? 0) + MARGIN : 0;
    document.documentElement.style.setProperty("--toasts", `${height}px`);
  }, [list]);
  const last = list.at(-1);
  useShortcut("app.toast", () => last && dismissToast(last.id), last !== undefined);
  return (
    <ol ref={room} className={css.toasts} aria-label={t("toasts.label")} aria-live="polite">
      {list.map((item) => (
        <Item key={item.id} item={item} />
      ))}
    </ol>
  );
}
