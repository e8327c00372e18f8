// Links that the program is opened with from outside: what only shows something is followed, all else is asked about.

import { useEffect } from "react";
import { subscribe } from "@/api/client";
import { openedLink } from "@/api/shell";
import { Confirm } from "@/kit/Confirm";
import { createStore } from "@/kit/store";
import { addressOf } from "@/state/links";
import type { Page } from "@/state/page";
import { navigate, parseRoute } from "@/state/router";
import { sourceTypesTold } from "@/state/source-types";
import { toast } from "@/state/toasts";
import { t, text } from "@/text";
import css from "./opened-links.module.css";

/** A link that waits for an answer: where it leads, and what it wants there. */
type Asked = { address: string; wants: readonly string[] };

const asked = createStore<Asked | undefined>(undefined);

/** What an address wants of a screen beyond showing something, in words. */
function wantsOf(page: Page, query: URLSearchParams): string[] {
  return [...query]
    .filter(([name]) => !page.reads?.includes(name))
    .map(
      ([name, value]) =>
        text(`links.wants.${page.id}_${name}`, { value }) ?? t("links.sets", { name, value: value || "“”" }),
    );
}

/** Goes where an address leads. What it would do beyond showing something waits for a yes. */
export function followLink(pages: readonly Page[], address: string): boolean {
  const { page: id, query } = parseRoute(address);
  const page = pages.find((each) => each.id === id);
  if (!page) return false;
  const wants = wantsOf(page, query);
  if (wants.length > 0) asked.set({ address, wants });
  else navigate(address);
  return true;
}

/** Follows links that the program is opened with, now and while it runs. */
export function useOpenedLinks(pages: readonly Page[]): void {
  useEffect(() => {
    const follow = async () => {
      const link = await openedLink().catch(() => undefined);
      if (!link) return;
      // A screen may read names that the kinds bring along: nobody is asked about these.
      await sourceTypesTold();
      const address = addressOf(link);
      if (!address || !followLink(pages, address))
        toast({ kind: "warn", title: t("links.nowhere"), detail: link });
    };
    void follow();
    return subscribe(({ tags }) => {
      if (tags?.includes("link")) void follow();
    });
  }, [pages]);
}

/** The question about a link, while there is one. */
export function LinkQuestion() {
  const link = asked.use();
  if (!link) return null;
  const close = () => asked.set(undefined);
  return (
    <Confirm
      title={t("links.ask")}
      detail={
        <>
          {t("links.asks")}
          {link.wants.map((want) => (
            <span key={want} className={css.want}>
              {want}
            </span>
          ))}
        </>
      }
      confirm={t("links.follow")}
      keep={t("dialog.cancel")}
      onClose={close}
      onConfirm={() => {
        close();
        navigate(link.address);
      }}
    />
  );
}
