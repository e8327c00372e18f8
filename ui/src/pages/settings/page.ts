import { IconSettings } from "@tabler/icons-react";
import { createElement } from "react";
import { call, may } from "@/api/client";
import type { Page } from "@/state/page";
import { matches, type PaletteItem } from "@/state/palette-sources";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { rowsHere, sectionsHere, spoken, unplaced } from "./sections";

function item(section: string, row: string, label: string, end: string): PaletteItem {
  return {
    key: `${section}.${row}`,
    label,
    end,
    icon: createElement(IconSettings, { className: "small", "aria-hidden": true }),
    run: () => navigate(href("settings", row === "" ? [section] : [section, row])),
  };
}

const placed = (): PaletteItem[] =>
  sectionsHere()
    .filter((section) => section.rows.length > 0)
    .flatMap((section) => {
      const title = t(`settings.section.${section.id}`);
      return [
        item(section.id, "", title, t("pages.settings")),
        ...section.rows
          .filter((row) => rowsHere(section).includes(row) && t(`settings.row.${row}`) !== title)
          .map((row) => item(section.id, row, t(`settings.row.${row}`), title)),
      ];
    });

async function advanced(signal: AbortSignal): Promise<PaletteItem[]> {
  const settings = await call("settings.get", {}, { signal });
  const end = t("settings.section.advanced");
  return unplaced(settings).map(({ param }) => item("advanced", param.name, spoken(param.name), end));
}

const among = (items: readonly PaletteItem[], query: string) =>
  items.filter((each) => matches(`${each.label} ${String(each.end)}`, query));

/** The screen as the window knows it. */
export const page: Page = {
  id: "settings",
  title: "pages.settings",
  icon: IconSettings,
  low: true,
  sources: [
    { kind: "settings", find: (query) => among(placed(), query) },
    {
      kind: "settings",
      find: async (query, signal) =>
        query === "" || !may("settings.set") ? [] : among(await advanced(signal), query),
    },
  ],
  load: () => import("./index"),
};
