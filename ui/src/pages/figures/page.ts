import { IconListNumbers } from "@tabler/icons-react";
import type { Page } from "@/state/page";
import { t } from "@/text";

const group = t("keys.group.figures");

/** The screen as the window knows it. */
export const page: Page = {
  id: "figures",
  title: "pages.figures",
  icon: IconListNumbers,
  reads: ["q", "reports", "years", "measure", "status", "only", "units", "from", "figure"],
  shortcuts: [
    { id: "figures.conflict", keys: "x", label: t("figures.keys.conflict"), group },
    { id: "figures.units", keys: "u", label: t("figures.keys.units"), group },
    { id: "figures.export", keys: "mod+shift+e", label: t("figures.keys.export"), group },
    { id: "figures.given", keys: "mod+arrowright", label: t("figures.keys.given"), group, listedOnly: true },
    {
      id: "figures.range",
      keys: "shift+arrowright",
      label: t("figures.keys.range"),
      group,
      listedOnly: true,
    },
    { id: "figures.copy", keys: "mod+c", label: t("figures.keys.copy"), group, listedOnly: true },
  ],
  load: () => import("./index"),
};
