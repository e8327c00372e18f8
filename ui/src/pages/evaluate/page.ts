import { IconTarget } from "@tabler/icons-react";
import type { Page } from "@/state/page";
import { t } from "@/text";

const group = t("keys.group.evaluate");
const judging = t("keys.group.judging");

/** The screen as the window knows it. */
export const page: Page = {
  id: "evaluate",
  title: "pages.evaluate",
  icon: IconTarget,
  reads: ["set", "run", "against", "measure", "view", "fared", "find", "query"],
  shortcuts: [
    { id: "evaluate.next", keys: "j", label: t("evaluate.keys.next"), group },
    { id: "evaluate.previous", keys: "k", label: t("evaluate.keys.previous"), group },
    { id: "evaluate.expand", keys: "enter", label: t("evaluate.keys.expand"), group, listedOnly: true },
    { id: "evaluate.run", keys: "mod+enter", label: t("evaluate.keys.run"), group },
    { id: "evaluate.stop", keys: "escape", label: t("evaluate.keys.stop"), group },
    { id: "evaluate.swap", keys: "x", label: t("evaluate.keys.swap"), group },
    { id: "evaluate.accept", keys: "a", label: t("evaluate.keys.accept"), group },
    { id: "evaluate.discard", keys: "delete", label: t("evaluate.keys.discard"), group },
    { id: "judge.grade", keys: "0…3", label: t("judge.keys.grade"), group: judging, listedOnly: true },
    { id: "judge.0", keys: "0", label: t("judge.grades.0"), group: judging, unlisted: true },
    { id: "judge.1", keys: "1", label: t("judge.grades.1"), group: judging, unlisted: true },
    { id: "judge.2", keys: "2", label: t("judge.grades.2"), group: judging, unlisted: true },
    { id: "judge.3", keys: "3", label: t("judge.grades.3"), group: judging, unlisted: true },
    { id: "judge.remove", keys: "backspace", label: t("judge.keys.remove"), group: judging },
  ],
  load: () => import("./index"),
};
