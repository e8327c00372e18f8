// The page that is shown of a document, with the ways to turn it.

import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { IconButton } from "@/kit/Button";
import { NumberField } from "@/kit/fields";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./page-field.module.css";

/** Milliseconds that the number of a page must stand before its picture is asked for. */
const PAUSE = 300;

/** The page on screen, and what turns it. */
export type Turning = {
  page: number;
  /** Label printed on the page. */
  label: string | null;
  pages: number;
  onPage: (page: number) => void;
};

/** Turns the pages by Page Up and Page Down. */
export const turning =
  ({ page, pages, onPage }: Omit<Turning, "label">) =>
  (event: KeyboardEvent) => {
    const by = { PageUp: -1, PageDown: 1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    if (page + by >= 1 && page + by <= pages) onPage(page + by);
  };

/** Turns the pages. */
export function PageField(props: Turning) {
  const { page, label, pages, onPage } = props;
  const printed = label !== null && label !== String(page) ? visible(label) : undefined;
  return (
    <span
      role="group"
      aria-label={t("chunk-lab.page.turn")}
      className={`row gap-4 ${css.field}`}
      onKeyDown={turning(props)}
    >
      <IconButton
        size="small"
        label={t("chunk-lab.page.previous")}
        keys="pageup"
        aria-disabled={page <= 1}
        onClick={() => page > 1 && onPage(page - 1)}
      >
        <IconChevronLeft className="small" aria-hidden />
      </IconButton>
      <NumberField
        label={t("chunk-lab.page.number")}
        value={page}
        onChange={onPage}
        pause={PAUSE}
        min={1}
        max={pages}
        width={44}
        size="small"
      />
      <span className="sm mut number nowrap">
        {printed !== undefined && <bdi>({printed}) </bdi>}
        {t("chunk-lab.page.of", { pages })}
      </span>
      <IconButton
        size="small"
        label={t("chunk-lab.page.next")}
        keys="pagedown"
        aria-disabled={page >= pages}
        onClick={() => page < pages && onPage(page + 1)}
      >
        <IconChevronRight className="small" aria-hidden />
      </IconButton>
    </span>
  );
}
