import { IconCut } from "@tabler/icons-react";
import type { Page } from "@/app/page";

/** The screen as the window knows it. */
export const page: Page = {
  id: "chunk-lab",
  title: "pages.chunk-lab",
  icon: IconCut,
  load: () => import("./index"),
};
