import { IconMessageQuestion } from "@tabler/icons-react";
import { createElement } from "react";
import type { Page } from "@/state/page";
import { askAbout } from "@/state/selection";
import { t } from "@/text";

const group = t("keys.group.ask");

/** The screen as the window knows it. */
export const page: Page = {
  id: "ask",
  title: "pages.ask",
  icon: IconMessageQuestion,
  // Nothing is asked by an address; what may send words to a provider is asked about.
  reads: ["q", "answer", "cite", "session", "follow", "corpus", "report", "from"],
  shortcuts: [
    { id: "ask.ask", keys: "enter", label: t("ask.keys.ask"), group, listedOnly: true },
    { id: "ask.stop", keys: "escape", label: t("ask.keys.stop"), group },
    { id: "ask.next", keys: "j", label: t("ask.keys.next"), group },
    { id: "ask.previous", keys: "k", label: t("ask.keys.previous"), group },
    { id: "ask.open", keys: "o", label: t("ask.keys.open"), group },
    { id: "ask.new", keys: "n", label: t("ask.keys.new"), group },
    { id: "ask.chips", keys: "arrowleft arrowright", label: t("ask.keys.chips"), group, listedOnly: true },
    { id: "ask.chip-edit", keys: "enter", label: t("ask.keys.chip_edit"), group, listedOnly: true },
    { id: "ask.chip-remove", keys: "delete", label: t("ask.keys.chip_remove"), group, listedOnly: true },
    { id: "ask.chip-add", keys: "+", label: t("ask.keys.chip_add"), group, listedOnly: true },
    { id: "ask.figure", keys: "alt+1", label: t("ask.keys.figure"), group },
    { id: "ask.source", keys: "alt+2", label: t("ask.keys.source"), group },
    { id: "ask.copy", keys: "mod+shift+c", label: t("ask.keys.copy"), group },
    { id: "ask.history", keys: "h", label: t("ask.keys.history"), group },
    { id: "ask.selection", keys: "mod+shift+e", label: t("ask.keys.selection"), group },
  ],
  sources: [
    {
      kind: "commands",
      find: (query) =>
        query === ""
          ? []
          : [
              {
                key: "ask.question",
                label: t("ask.palette", { query }),
                icon: createElement(IconMessageQuestion, { className: "small", "aria-hidden": true }),
                run: () => askAbout(query),
              },
            ],
    },
  ],
  over: () => import("./Over"),
  load: () => import("./index"),
};
