import { IconRadar2 } from "@tabler/icons-react";
import type { Page } from "@/app/page";

/** The screen as the window knows it. */
export const page: Page = {
  id: "search-lab",
  title: "pages.search-lab",
  icon: IconRadar2,
  load: () => import("./index"),
};
