import { IconClipboardCheck } from "@tabler/icons-react";
import type { Page } from "@/state/page";
import { t } from "@/text";

const group = t("keys.group.assess");

/** The screen as the window knows it. */
export const page: Page = {
  id: "assess",
  title: "pages.assess",
  icon: IconClipboardCheck,
  reads: ["id", "edit", "q", "only", "at", "report", "page", "from", "to"],
  shortcuts: [
    { id: "assess.next-open", keys: "n", label: t("assess.keys.next_open"), group },
    { id: "assess.previous-open", keys: "shift+n", label: t("assess.keys.previous_open"), group },
    { id: "assess.status", keys: "1…5", label: t("assess.keys.status"), group, listedOnly: true },
    ...[1, 2, 3, 4, 5].map((digit) => ({
      id: `assess.status-${digit}`,
      keys: String(digit),
      label: t("assess.keys.status_at", { digit }),
      group,
      unlisted: true,
    })),
    { id: "assess.evidence", keys: "e", label: t("assess.keys.evidence"), group },
    { id: "assess.next-evidence", keys: "j", label: t("assess.keys.next_evidence"), group },
    { id: "assess.previous-evidence", keys: "k", label: t("assess.keys.previous_evidence"), group },
    { id: "assess.pin", keys: "p", label: t("assess.keys.pin"), group },
    { id: "assess.previous-page", keys: ",", label: t("assess.keys.previous_page"), group },
    { id: "assess.next-page", keys: ".", label: t("assess.keys.next_page"), group },
    { id: "assess.zoom-in", keys: "+ =", label: t("chunk-lab.page.zoom_in"), group },
    { id: "assess.zoom-out", keys: "-", label: t("chunk-lab.page.zoom_out"), group },
    { id: "assess.zoom-fit", keys: "0", label: t("chunk-lab.page.fit"), group },
    { id: "assess.note", keys: "m", label: t("assess.keys.note"), group },
    { id: "assess.differs", keys: "d", label: t("assess.keys.differs"), group },
    { id: "assess.confirm", keys: "enter", label: t("assess.keys.confirm"), group, listedOnly: true },
    {
      id: "assess.confirm-same",
      keys: "shift+enter",
      label: t("assess.keys.confirm_same"),
      group,
      listedOnly: true,
    },
    { id: "assess.compare", keys: "c", label: t("assess.keys.compare"), group },
    { id: "assess.page", keys: "space", label: t("assess.keys.page"), group, listedOnly: true },
    { id: "assess.branch", keys: "enter", label: t("assess.keys.branch"), group, listedOnly: true },
    { id: "assess.range", keys: "shift+arrowdown", label: t("assess.keys.range"), group, listedOnly: true },
    { id: "assess.add", keys: "mod+space", label: t("assess.keys.add"), group, listedOnly: true },
    { id: "assess.undo", keys: "mod+z", label: t("assess.keys.undo"), group, listedOnly: true },
    { id: "assess.export", keys: "mod+shift+e", label: t("assess.keys.export"), group },
    { id: "assess.start", keys: "mod+enter", label: t("assess.keys.start"), group },
  ],
  load: () => import("./index"),
};
