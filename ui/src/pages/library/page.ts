import { IconBooks, IconBulb, IconFileImport, IconFolderOpen, IconLicense } from "@tabler/icons-react";
import { createElement } from "react";
import { may } from "@/api/client";
import type { Page } from "@/state/page";
import { matches, type PaletteItem } from "@/state/palette-sources";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { shippedOffers } from "./shipped";

type Needed = Parameters<typeof may>[0];

const command = (
  add: string,
  label: string,
  icon: typeof IconBooks,
  needs: Needed = "ingest.start",
  keys?: string,
  asks: Needed = needs,
): PaletteItem & { needs: Needed[] } => ({
  needs: [needs, asks],
  key: `library.${add}`,
  label,
  keys,
  icon: createElement(icon, { className: "small", "aria-hidden": true }),
  run: () => navigate(href("library", [], { add })),
});

const commands = (): PaletteItem[] =>
  [
    command("files", t("menu.add"), IconFileImport, "ingest.start", "mod+o"),
    command("folder", t("menu.folder"), IconFolderOpen, "ingest.start", undefined, "shell.pick_folders"),
    command("licensed", t("menu.licensed"), IconLicense),
    ...shippedOffers().map(({ group, add }) => command(group, add, IconBooks)),
    command("sample", t("library.add.sample"), IconBulb, "sample.open"),
  ].filter(({ needs }) => needs.every((each) => may(each)));

/** The screen as the window knows it. */
export const page: Page = {
  id: "library",
  title: "pages.library",
  icon: IconBooks,
  reads: ["corpus", "job", "closed"],
  sources: [{ kind: "commands", find: (query) => commands().filter((item) => matches(item.label, query)) }],
  over: () => import("./Over"),
  load: () => import("./index"),
};
