// Paragraphs for the palette. It is asked from any screen, so it keeps a tree of its own until the standards change.

import { IconListTree } from "@tabler/icons-react";
import { createElement } from "react";
import { call, currentWorkspace, subscribe } from "@/api/client";
import { tagsOf } from "@/api/queries";
import type { TreeNode } from "@/api/types";
import type { PaletteItem } from "@/state/palette-sources";
import { href, navigate } from "@/state/router";

const MOST = 40;
/** The rank of what does not match. */
const NONE = 4;

type Entry = { id: string; label: string; where: string; plain: string; words: string };

let known: { workspace: string; entries: Promise<readonly Entry[]> } | undefined;
let following = false;

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

function toEntries(rows: readonly TreeNode[]): Entry[] {
  return rows.flatMap((row) => {
    if (row.id === null) return [];
    const parent = row.parent === null ? undefined : rows[row.parent];
    const where = parent?.label ?? "";
    return [
      {
        id: row.id,
        label: row.label,
        where,
        plain: plain(row.id),
        words: `${row.id} ${row.label}`.toLowerCase(),
      },
    ];
  });
}

function entries(): Promise<readonly Entry[]> {
  if (!following) {
    following = true;
    const shows = tagsOf("standards.tree");
    subscribe((event) => {
      if (event.tags?.some((tag) => tag === "*" || shows.includes(tag))) known = undefined;
    });
  }
  const workspace = currentWorkspace();
  if (known?.workspace !== workspace) {
    const asked = call("standards.tree", {}).then(toEntries);
    known = { workspace, entries: asked };
    // A failure is not kept: the next keystroke asks again.
    asked.catch(() => {
      if (known?.entries === asked) known = undefined;
    });
  }
  return known.entries;
}

/** Paragraphs, items, terms, topics and metrics by id or by words of their labels, the nearest ids first. */
export async function findParagraphs(query: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const all = await entries();
  if (signal.aborted) return [];
  const id = plain(query.replace(/^ifrs\s+/i, ""));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = (entry: Entry): number => {
    if (id !== "" && entry.plain === id) return 0;
    if (id.length > 1 && entry.plain.startsWith(id)) return 1;
    if (!words.every((word) => entry.words.includes(word))) return NONE;
    // Words that begin so mean more than letters inside of others.
    const label = ` ${entry.words}`;
    return words.every((word) => label.includes(` ${word}`)) ? 2 : 3;
  };
  return all
    .map((entry) => ({ entry, rank: rank(entry) }))
    .filter((each) => each.rank < NONE)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ entry }) => ({
      key: entry.id,
      id: entry.id,
      label: entry.label,
      end: entry.where,
      icon: createElement(IconListTree, { className: "small", "aria-hidden": true }),
      run: () => navigate(href("standards", [entry.id])),
    }));
}
