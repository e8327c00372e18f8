// What the palette finds in the library: its documents and corpora, its workspaces, its jobs, and what looks after it.

import {
  IconDatabaseExport,
  IconFileText,
  IconFolder,
  IconHammer,
  IconPlayerPause,
  IconSquare,
  IconStethoscope,
  IconVectorTriangle,
} from "@tabler/icons-react";
import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type Command, call, EngineError, type Input } from "@/api/client";
import { queryOf, refresh, tagsOf } from "@/api/queries";
import { madeBy } from "@/parts/DocumentName";
import { embedRest } from "@/state/embed-rest";
import { useJobs } from "@/state/jobs";
import { addPaletteSource, matches, type PaletteItem, type PaletteSource } from "@/state/palette-sources";
import { href, navigate } from "@/state/router";
import { reportError } from "@/state/trouble";
import { useWorkspaces } from "@/state/workspace";
import { t } from "@/text";
import { showWorkspaces } from "./workspaces";

/** Most documents that are handed over. */
const MOST = 60;

/** The answer of a query command, from the cache where it is fresh. */
const ask = <C extends Command>(queries: QueryClient, command: C, input: Input<C>) =>
  queries.fetchQuery(queryOf(command, input));

/** Those that begin with the words first. */
const ranked = (items: PaletteItem[], query: string) =>
  items.sort(
    (a, b) =>
      Number(b.label.toLowerCase().startsWith(query.toLowerCase())) -
      Number(a.label.toLowerCase().startsWith(query.toLowerCase())),
  );

function documents(queries: QueryClient): PaletteSource {
  return {
    kind: "documents",
    find: async (query, _, alone) => {
      if (query === "" && !alone) return [];
      const [overview, rows] = await Promise.all([
        ask(queries, "library.overview", {}),
        ask(queries, "document.list", { words: query, limit: MOST }),
      ]);
      const names = new Map(overview.corpora.map(({ corpus }) => [corpus.id, corpus.name]));
      const corpora = overview.corpora
        .filter(({ corpus }) => matches(corpus.name, query))
        .map(
          (each): PaletteItem => ({
            key: `corpus ${each.corpus.id}`,
            label: each.corpus.name,
            end: t("palette.corpus", { count: each.documents }),
            icon: <IconFolder className="small" aria-hidden />,
            run: () => navigate(href("library", [], { corpus: each.corpus.name })),
          }),
        );
      const found = rows.map(
        (row): PaletteItem => ({
          key: `document ${row.id}`,
          label: row.title || row.path,
          about: madeBy(row),
          end: names.get(row.corpus_id),
          icon: <IconFileText className="small" aria-hidden />,
          run: () => navigate(href("chunk-lab", [], { document: String(row.id) })),
        }),
      );
      // A corpus is few words for many documents: it keeps a place among them.
      return ranked([...corpora.slice(0, 3), ...found], query);
    },
  };
}

function act<C extends Command>(queries: QueryClient, command: C, input: Input<C>): void {
  void call(command, input)
    .then(() => refresh(queries, tagsOf(command)))
    .catch((thrown) => reportError(EngineError.from(thrown)));
}

const settings = (row: string) => () => navigate(href("settings", ["data", row]));

/** Adds to the palette what stands in the library, while the window is open. */
export function usePaletteLibrary(): void {
  const queries = useQueryClient();
  const jobs = useJobs();
  const { current, names, enter } = useWorkspaces();
  useEffect(() => addPaletteSource(documents(queries)), [queries]);
  useEffect(() => {
    const active = [...jobs.values()].filter((job) => job.state === "running" || job.state === "queued");
    const commands: PaletteItem[] = [
      ...active.flatMap(({ job }) => [
        {
          key: `pause ${job}`,
          label: t("palette.pause", { job: String(job) }),
          keys: "mod+shift+p",
          icon: <IconPlayerPause className="small" aria-hidden />,
          run: () => act(queries, "job.pause", { id: job }),
        },
        {
          key: `cancel ${job}`,
          label: t("palette.cancel", { job: String(job) }),
          keys: "mod+.",
          icon: <IconSquare className="small" aria-hidden />,
          run: () => act(queries, "job.cancel", { id: job }),
        },
      ]),
      {
        key: "embed",
        label: t("palette.embed"),
        icon: <IconVectorTriangle className="small" aria-hidden />,
        run: () => void embedRest(queries),
      },
      ...names
        .filter((name) => name !== current)
        .map((name) => ({
          key: `workspace ${name}`,
          label: t("workspaces.switch", { name }),
          end: t("app.workspace"),
          icon: <IconFolder className="small" aria-hidden />,
          run: () => enter(name),
        })),
      {
        key: "workspaces",
        label: t("workspaces.manage"),
        icon: <IconFolder className="small" aria-hidden />,
        run: () => showWorkspaces(),
      },
      {
        key: "workspace new",
        label: t("workspaces.new_menu"),
        icon: <IconFolder className="small" aria-hidden />,
        run: () => showWorkspaces("new"),
      },
      {
        key: "check",
        label: t("menu.check"),
        icon: <IconStethoscope className="small" aria-hidden />,
        run: settings("check"),
      },
      {
        key: "rebuild",
        label: t("palette.rebuild"),
        icon: <IconHammer className="small" aria-hidden />,
        run: settings("rebuild"),
      },
      {
        key: "back up",
        label: t("menu.back_up"),
        icon: <IconDatabaseExport className="small" aria-hidden />,
        run: settings("back_up"),
      },
    ];
    return addPaletteSource({
      kind: "commands",
      find: (query) => commands.filter((item) => matches(item.label, query)),
    });
  }, [queries, jobs, current, names, enter]);
}
