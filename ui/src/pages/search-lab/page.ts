import { IconRadar2 } from "@tabler/icons-react";
import { createElement } from "react";
import { addressOf, filterNames } from "@/state/filters";
import type { Page } from "@/state/page";
import { href, navigate } from "@/state/router";
import { t } from "@/text";

/** All but what may send words to a provider: another model, a reranker, a comparison. */
const READS = [
  ["q", "mode", "least", "pin", "run", "chunk", "budget", "order", "out", "blind"],
  ["k", "fusion", "share", "rrf", "sw", "kw"],
  ["structured", "spelling", "thesaurus", "counterparts", "feedback", "dedupe"],
].flat();

const group = t("keys.group.search-lab");

/** The screen as the window knows it. */
export const page: Page = {
  id: "search-lab",
  title: "pages.search-lab",
  icon: IconRadar2,
  get reads() {
    return [...READS, ...filterNames().map(addressOf)];
  },
  shortcuts: [
    { id: "search-lab.next", keys: "j", label: t("search.keys.next"), group },
    { id: "search-lab.previous", keys: "k", label: t("search.keys.previous"), group },
    {
      id: "search-lab.across",
      keys: "arrowleft arrowright",
      label: t("search.keys.across"),
      group,
      listedOnly: true,
    },
    { id: "search-lab.explain", keys: "space", label: t("search.keys.explain"), group, listedOnly: true },
    { id: "search-lab.hybrid", keys: "alt+1", label: t("search.keys.hybrid"), group },
    { id: "search-lab.semantic", keys: "alt+2", label: t("search.keys.semantic"), group },
    { id: "search-lab.keyword", keys: "alt+3", label: t("search.keys.keyword"), group },
    { id: "search-lab.rerank", keys: "alt+r", label: t("search.keys.rerank"), group },
    { id: "search-lab.compare", keys: "mod+d", label: t("search.keys.compare"), group },
    { id: "search-lab.record", keys: "enter", label: t("search.keys.record"), group, listedOnly: true },
    { id: "search-lab.copy", keys: "mod+shift+c", label: t("search.keys.copy"), group },
    { id: "search-lab.why", keys: "w", label: t("search.keys.why"), group },
    { id: "search-lab.runs", keys: "h", label: t("search.keys.runs"), group },
    { id: "search-lab.stop", keys: "escape", label: t("search.keys.stop"), group },
  ],
  sources: [
    {
      kind: "commands",
      find: (query) =>
        query === ""
          ? []
          : [
              {
                key: "search-lab.search",
                label: t("search.palette", { query }),
                icon: createElement(IconRadar2, { className: "small", "aria-hidden": true }),
                run: () => navigate(href("search-lab", [], { q: query })),
              },
            ],
    },
  ],
  load: () => import("./index"),
};
