// Links that the program is opened with from outside.

import { useEffect } from "react";
import { subscribe } from "@/api/client";
import { openedLink } from "@/api/shell";
import { addressOf } from "@/state/links";
import type { Page } from "@/state/page";
import { navigate, parseRoute } from "@/state/router";
import { toast } from "@/state/toasts";
import { t } from "@/text";

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
