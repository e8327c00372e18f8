// Links that lead into the window from outside: `sibyl://standards/S2.14(a)` is the place `#/standards/S2.14(a)`.

import { useEffect } from "react";
import { subscribe } from "@/api/client";
import { openedLink } from "@/api/shell";
import { t } from "@/text";
import type { Page } from "./page";
import { navigate, parseRoute } from "./router";
import { toast } from "./toasts";

const SCHEME = "sibyl://";

/** The link that leads to an address of the window. */
export const linkTo = (address: string): string => SCHEME + address.replace(/^#\/?/, "");

/** The address that a link leads to, or that the text itself is; nothing where it is neither. */
export function addressOf(text: string): string | undefined {
  const link = text.trim();
  if (link.startsWith("#/")) return link;
  return link.startsWith(SCHEME) ? `#/${link.slice(SCHEME.length)}` : undefined;
}

/** Follows links that the program is opened with, now and while it runs. */
export function useOpenedLinks(pages: readonly Page[]): void {
  useEffect(() => {
    const follow = async () => {
      const link = await openedLink().catch(() => undefined);
      if (!link) return;
      const address = addressOf(link);
      if (address && pages.some((page) => page.id === parseRoute(address).page)) navigate(address);
      else toast({ kind: "warn", title: t("links.nowhere"), detail: link });
    };
    void follow();
    return subscribe(({ tags }) => {
      if (tags?.includes("link")) void follow();
    });
  }, [pages]);
}
