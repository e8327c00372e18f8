import { IconSettings } from "@tabler/icons-react";
import type { Page } from "@/app/page";

/** The screen as the window knows it. */
export const page: Page = {
  id: "settings",
  title: "pages.settings",
  icon: IconSettings,
  low: true,
  load: () => import("./index"),
};
