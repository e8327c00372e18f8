import { IconBooks } from "@tabler/icons-react";
import type { Page } from "@/app/page";

/** The screen as the window knows it. */
export const page: Page = {
  id: "library",
  title: "pages.library",
  icon: IconBooks,
  load: () => import("./index"),
};
