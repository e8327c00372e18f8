import { IconCut } from "@tabler/icons-react";
import type { Page } from "@/state/page";
import { t } from "@/text";

const group = t("keys.group.chunk-lab");

/** The screen as the window knows it. */
export const page: Page = {
  id: "chunk-lab",
  title: "pages.chunk-lab",
  icon: IconCut,
  parted: true,
  reads: "document text version chunk at mark side view a b order only show page blocks".split(" "),
  shortcuts: [
    { id: "chunk-lab.next", keys: "j", label: t("chunk-lab.keys.next"), group },
    { id: "chunk-lab.previous", keys: "k", label: t("chunk-lab.keys.previous"), group },
    { id: "chunk-lab.warning", keys: "w", label: t("chunk-lab.keys.warning"), group },
    { id: "chunk-lab.swap", keys: "x", label: t("chunk-lab.keys.swap"), group },
    { id: "chunk-lab.compare", keys: "mod+d", label: t("chunk-lab.keys.compare"), group },
    { id: "chunk-lab.overlap", keys: "o", label: t("chunk-lab.keys.overlap"), group },
    { id: "chunk-lab.less", keys: "[", label: t("chunk-lab.keys.less"), group },
    { id: "chunk-lab.more", keys: "]", label: t("chunk-lab.keys.more"), group },
    { id: "chunk-lab.send", keys: "s", label: t("chunk-lab.keys.send"), group },
    { id: "chunk-lab.apply", keys: "mod+shift+a", label: t("chunk-lab.keys.apply"), group },
    { id: "chunk-lab.blocks", keys: "b", label: t("chunk-lab.blocks.switch"), group },
    { id: "chunk-lab.zoom-in", keys: "+ =", label: t("chunk-lab.page.zoom_in"), group },
    { id: "chunk-lab.zoom-out", keys: "-", label: t("chunk-lab.page.zoom_out"), group },
    { id: "chunk-lab.zoom-fit", keys: "0", label: t("chunk-lab.page.fit"), group },
    { id: "chunk-lab.find", keys: "mod+f", label: t("chunk-lab.keys.find"), group },
  ],
  load: () => import("./index"),
};
