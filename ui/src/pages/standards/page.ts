import { IconListTree } from "@tabler/icons-react";
import type { Page } from "@/app/page";

/** The screen as the window knows it. */
export const page: Page = {
  id: "standards",
  title: "pages.standards",
  icon: IconListTree,
  load: () => import("./index"),
};
