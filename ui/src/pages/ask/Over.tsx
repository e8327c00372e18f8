// What can be done with a text that is selected, beside it, on every screen.

import { IconCopy, IconMessageQuestion, IconRadar2 } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Button } from "@/kit/Button";
import { keysOf, useShortcut } from "@/kit/shortcuts";
import { tip } from "@/kit/Tooltip";
import { citedPage } from "@/parts/cited";
import { copyText } from "@/state/copy";
import { href, navigate, useRoute } from "@/state/router";
import { askFrom, type Selected, selectionNow } from "@/state/selection";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import css from "./over.module.css";

type Bar = { selected: Selected; page: string; left: number; top: number };

/** Pixels between the selection and the buttons, and between the buttons and the edge of the window. */
const GAP = 8;
const WIDTH = 330;
const HEIGHT = 32;
/** Fewest signs of a selection that somebody means to do something with. */
const LEAST = 3;
/** Signs of a text that are searched for. */
const QUERY = 300;

function barNow(page: string): Bar | undefined {
  const now = selectionNow();
  if (!now || now.selected.text.length < LEAST) return undefined;
  const { box } = now;
  const below = box.bottom + GAP;
  return {
    selected: now.selected,
    page,
    left: Math.max(GAP, Math.min(window.innerWidth - WIDTH - GAP, box.left)),
    top: below + HEIGHT < window.innerHeight ? below : Math.max(GAP, box.top - HEIGHT - GAP),
  };
}

const reference = ({ text, document, section, page, page_label }: Selected): string => {
  const where = [
    document,
    section,
    page === null ? "" : t("ask.selection.page", { page: citedPage(page, page_label) }),
  ];
  return [`“${text}”`, where.filter(Boolean).join(", ")].filter(Boolean).join("\n");
};

/** Buttons beside the text that the reader has selected. */
export default function Over() {
  const [bar, setBar] = useState<Bar>();
  const { page } = useRoute();
  useEffect(() => {
    const look = () => setBar(barNow(page));
    // While the pointer is down the selection still grows.
    const released = () => requestAnimationFrame(look);
    const changed = () => {
      if (!selectionNow()) setBar(undefined);
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.key === "Escape") setBar(undefined);
      else if (event.shiftKey) released();
    };
    const hide = () => setBar(undefined);
    document.addEventListener("pointerup", released);
    document.addEventListener("selectionchange", changed);
    document.addEventListener("keyup", pressed);
    document.addEventListener("scroll", hide, true);
    return () => {
      document.removeEventListener("pointerup", released);
      document.removeEventListener("selectionchange", changed);
      document.removeEventListener("keyup", pressed);
      document.removeEventListener("scroll", hide, true);
    };
  }, [page]);
  const take = (selected: Selected) => {
    setBar(undefined);
    window.getSelection()?.removeAllRanges();
    askFrom(selected);
  };
  useShortcut("ask.selection", () => {
    const now = selectionNow();
    if (now) take(now.selected);
    else toast({ kind: "warn", title: t("ask.refused.nothing_selected") });
  });
  // What was selected on another screen is gone with it.
  if (bar?.page !== page) return null;
  const { selected } = bar;
  return (
    <div
      className={css.bar}
      role="toolbar"
      aria-label={t("ask.over.title")}
      style={{ left: bar.left, top: bar.top }}
      // A press on a button would take the selection away before the button hears of it.
      onMouseDown={(event) => event.preventDefault()}
    >
      <Button
        size="tiny"
        tone="primary"
        icon={<IconMessageQuestion className="xs" aria-hidden />}
        onClick={() => take(selected)}
        {...tip(t("ask.over.only_note"))}
        data-tip-keys={keysOf("ask.selection")}
      >
        {t("ask.over.only")}
      </Button>
      <Button
        size="tiny"
        tone="quiet"
        icon={<IconRadar2 className="xs" aria-hidden />}
        onClick={() => {
          setBar(undefined);
          navigate(href("search-lab", [], { q: selected.text.slice(0, QUERY), mode: "semantic" }));
        }}
      >
        {t("ask.over.similar")}
      </Button>
      <Button
        size="tiny"
        tone="quiet"
        icon={<IconCopy className="xs" aria-hidden />}
        onClick={() => {
          setBar(undefined);
          void copyText(reference(selected), t("ask.over.copied"));
        }}
      >
        {t("ask.over.copy")}
      </Button>
    </div>
  );
}
