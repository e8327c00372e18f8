// What stands where: the sections in order, and the rows that each holds. Address and palette lead to both.

import {
  IconAdjustmentsHorizontal,
  IconFileText,
  IconFolder,
  IconInfoCircle,
  IconKey,
  IconKeyboard,
  IconLanguage,
  IconListDetails,
  IconMessageQuestion,
  IconSun,
} from "@tabler/icons-react";
import { type Command, may } from "@/api/client";
import { RANKING } from "@/api/defaults";
import type { SettingView } from "@/api/types";

/** A section and its rows. */
export const SECTIONS = [
  {
    id: "models",
    icon: IconKey,
    rows: [
      "openrouter",
      "remote_embedding",
      "base_url",
      "embedding_model",
      "batch_pause",
      "price_per_million_tokens",
      "coverage",
    ],
  },
  {
    id: "retrieval",
    icon: IconAdjustmentsHorizontal,
    rows: ["usual", "rerank_base_url", "rerank_model", "rerank_top", "rerank_time_limit", "rerank"],
  },
  {
    id: "answers",
    icon: IconMessageQuestion,
    rows: [
      "answer_generator",
      "chat_base_url",
      "chat_model",
      "chat_first_token",
      "chat_silence",
      "answer_threshold",
      "answer_log_days",
    ],
  },
  {
    id: "data",
    icon: IconFolder,
    rows: [
      "folder",
      "max_file_size",
      "ocr",
      "ocr_languages",
      "server_address",
      "server_port",
      "back_up",
      "backups",
      "rescue",
      "check",
      "rebuild",
    ],
  },
  { id: "appearance", icon: IconSun, rows: ["theme", "density", "text", "motion"] },
  { id: "keyboard", icon: IconKeyboard, rows: ["shortcuts"] },
  { id: "language", icon: IconLanguage, rows: ["words", "labels", "format"] },
  { id: "advanced", icon: IconListDetails, rows: [] },
  { id: "logs", icon: IconFileText, rows: ["log"] },
  { id: "about", icon: IconInfoCircle, rows: ["version", "standards", "licences"] },
] as const;

/** What a row is there for, where not every door has it. */
const NEEDS: Readonly<Record<string, Command>> = {
  ...Object.fromEntries(
    SECTIONS.filter(({ id }) => ["models", "retrieval", "answers", "data", "logs"].includes(id))
      .flatMap(({ rows }): readonly string[] => rows)
      .filter((row) => row !== "coverage")
      .map((row) => [row, "settings.set"] as const),
  ),
  labels: "workspace.language",
  version: "app.info",
};

/** The rows of a section that there are here. */
export const rowsHere = ({ rows }: { rows: readonly string[] }): string[] =>
  rows.filter((row) => may(NEEDS[row] ?? "settings.get"));

/** The sections that there are here. */
export const sectionsHere = () =>
  SECTIONS.filter((section) =>
    section.id === "advanced" ? may("settings.set") : rowsHere(section).length > 0,
  );

/** Name of a section. */
export type SectionId = (typeof SECTIONS)[number]["id"];

/** Name of a row with words of its own. */
export type RowId = (typeof SECTIONS)[number]["rows"][number];

const PLACED: ReadonlySet<string> = new Set<string>([
  ...SECTIONS.flatMap((section) => section.rows),
  // It shares a row with the model that it belongs to.
  "embedding_dimensions",
  // They share the row of the backups.
  "backup_keep",
  "backup_hours",
  // They are one row, the default search.
  ...RANKING.map((name) => `search_${name}`),
]);

/** Settings that the engine declares and no section has a place for. */
export const unplaced = (settings: readonly SettingView[]): SettingView[] =>
  settings.filter((each) => !PLACED.has(each.param.name));

/** Words for the name of a setting that has none: `batch_pause` as `Batch pause`. */
export function spoken(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
