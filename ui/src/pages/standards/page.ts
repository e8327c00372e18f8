import { IconListTree } from "@tabler/icons-react";
import type { Page } from "@/state/page";
import { t } from "@/text";

const group = t("keys.group.standards");

/** The screen as the window knows it. */
export const page: Page = {
  id: "standards",
  title: "pages.standards",
  icon: IconListTree,
  reads: [
    "item",
    "edition",
    "q",
    "in",
    "status",
    "mode",
    "below",
    "issuers",
    "reports",
    "years",
    "report",
    "passage",
  ],
  shortcuts: [
    { id: "standards.next-open", keys: "n", label: t("standards.keys.next_open"), group },
    { id: "standards.previous-open", keys: "shift+n", label: t("standards.keys.previous_open"), group },
    { id: "standards.status", keys: "1…5", label: t("standards.keys.status"), group, listedOnly: true },
    ...[1, 2, 3, 4, 5].map((digit) => ({
      id: `standards.status-${digit}`,
      keys: String(digit),
      label: t("standards.keys.status_at", { digit }),
      group,
      unlisted: true,
    })),
    { id: "standards.note", keys: "m", label: t("standards.keys.note"), group },
    { id: "standards.pin", keys: "p", label: t("standards.keys.pin"), group },
    { id: "standards.counterpart", keys: "c", label: t("standards.keys.counterpart"), group },
    { id: "standards.next", keys: "j", label: t("standards.next"), group },
    { id: "standards.previous", keys: "k", label: t("standards.previous"), group },
    { id: "standards.next-passage", keys: "shift+j", label: t("standards.keys.next_passage"), group },
    { id: "standards.previous-passage", keys: "shift+k", label: t("standards.keys.previous_passage"), group },
    { id: "standards.evidence", keys: "mod+e", label: t("standards.keys.evidence"), group },
    { id: "standards.save-next", keys: "mod+enter", label: t("standards.keys.save_next"), group },
    { id: "standards.copy", keys: "mod+shift+r", label: t("standards.copy.citation"), group },
  ],
  sources: [
    {
      kind: "paragraphs",
      find: async (query, signal) =>
        query === "" ? [] : (await import("./palette")).findParagraphs(query, signal),
    },
  ],
  load: () => import("./index"),
};
