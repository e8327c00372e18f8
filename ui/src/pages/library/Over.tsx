import { IconFileImport, IconFiles, IconFolder, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { type Command, subscribeDrag } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { CorpusOverview, Glance, ModelView } from "@/api/types";
import { classes } from "@/kit/class-names";
import { Kbd } from "@/kit/Kbd";
import { Name } from "@/kit/Name";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { NotLoaded } from "@/kit/states";
import { href, navigate, useRoute } from "@/state/router";
import { language, t } from "@/text";
import { bytes } from "@/text/format";
import { visible } from "@/text/visible";
import { Add } from "./Add";
import {
  askToAdd,
  BY_FILES,
  type Destination,
  fillable,
  folderName,
  kindName,
  kindsOf,
  useAdding,
} from "./adding";
import { shortModel } from "./corpus";
import css from "./over.module.css";
import shared from "./shared.module.css";

/** Screens that do something of their own with a file that is dropped on them. */
const ELSEWHERE = new Set(["chunk-lab"]);
/** Most places that are offered: one to a digit. */
const MOST = 9;
/** Files that are named among those to be skipped. */
const NAMED = 2;

type Target = {
  /** Tells it from the others: corpora may be called alike, or like the places that are no corpus yet. */
  id: string;
  place: Destination;
  icon: ReactNode;
  label: string;
  detail: string;
  /** Whether the texts of the place may be sent to a provider; nothing where that is open. */
  remote?: boolean;
};

/** What speaks for a corpus: similar files in it, else how many there are. */
function detailOf({ corpus, documents }: CorpusOverview, glance: Glance | undefined): string {
  const similar = glance?.similar[corpus.name] ?? 0;
  if (similar > 0) return t("library.drop.similar", { count: similar });
  return documents > 0 ? t("library.drop.documents", { count: documents }) : t("library.drop.empty");
}

/** Where dropped files may go: where they belong, a corpus that is there, or a new one. */
function targetsFor(
  paths: readonly string[],
  corpora: readonly CorpusOverview[],
  glance: Glance | undefined,
): Target[] {
  const name = folderName(paths);
  const own = fillable(corpora)
    .sort((a, b) => (b.last_ingested ?? "").localeCompare(a.last_ingested ?? ""))
    .slice(0, MOST - 2);
  return [
    {
      id: "files",
      place: BY_FILES,
      icon: <IconFiles className="small" aria-hidden />,
      label: t("library.add.by_files"),
      detail: t("library.drop.by_files"),
    },
    ...own.map(
      (each): Target => ({
        id: `corpus ${each.corpus.id}`,
        place: { kind: "corpus", name: each.corpus.name },
        icon: <IconFolder className="small" aria-hidden />,
        label: each.corpus.name,
        detail: detailOf(each, glance),
        remote: each.corpus.remote,
      }),
    ),
    {
      id: "new",
      place: { kind: "new", name },
      icon: <IconPlus className="small" aria-hidden />,
      label: t("library.add.new"),
      detail: name === "" ? "" : t("library.drop.named", { name }),
    },
  ];
}

/** The target below a point of the window. */
function targetAt(x: number, y: number): number | undefined {
  const found = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop]")?.dataset.drop;
  return found === undefined ? undefined : Number(found);
}

const listing = new Intl.ListFormat(language, { type: "conjunction" });

const filesOf = (glance: Glance) => glance.kinds.reduce((sum, [, count]) => sum + count, 0);

function titleOf(paths: readonly string[], glance: Glance | undefined): string {
  if (!glance) return t("library.drop.title", { count: paths.length });
  const count = filesOf(glance);
  if (glance.more) return count === 0 ? t("library.drop.title_far") : t("library.drop.title_more", { count });
  return count === 0 ? t("library.drop.title_none") : t("library.drop.title_files", { count });
}

/** Files by kind with their size; what the names of the paths say as long as nothing more is known. */
function kindsIn(paths: readonly string[], glance: Glance | undefined): string {
  if (!glance)
    return listing.format(
      kindsOf(paths).map(([ending, count]) =>
        ending === ""
          ? t("library.drop.folders", { count })
          : t("library.drop.kind", { count, kind: kindName(ending.toLowerCase()) }),
      ),
    );
  if (filesOf(glance) === 0) return "\u00a0";
  const counts = new Map<string, number>();
  for (const [ending, count] of glance.kinds)
    counts.set(kindName(ending), (counts.get(kindName(ending)) ?? 0) + count);
  const kinds = [...counts].map(([kind, count]) => t("library.drop.kind", { count, kind: visible(kind) }));
  return `${listing.format(kinds)} · ${bytes(glance.bytes)}`;
}

function Skipped({ skipped }: { skipped: Glance["skipped"] }) {
  const rest = skipped.length - NAMED;
  return (
    <span className={`sec ${css.dropSkipped}`}>
      {t("library.drop.skipped")}{" "}
      {skipped.slice(0, NAMED).map(({ path, message }, index) => (
        <span key={path}>
          {index > 0 && " · "}
          <b>
            <bdi>{visible(path)}</bdi>
          </b>{" "}
          {visible(message)}
        </span>
      ))}
      {rest > 0 && ` ${t("library.drop.skipped_more", { count: rest })}`}
    </span>
  );
}

/** What leaves the computer where the files go to a place. */
function leaving({ remote }: Target, models: readonly ModelView[] | undefined): string {
  // As long as nobody knows the models, one of them may be a provider’s.
  if (!models) return t(remote === false ? "library.drop.stays_corpus" : "library.drop.until");
  const provider = models.find(({ served, space }) => served && space.tier === "remote")?.space.model;
  if (provider === undefined) return t("library.drop.stays");
  if (remote === undefined) return t("library.drop.until");
  return remote ? t("library.drop.leaves", { model: shortModel(provider) }) : t("library.drop.stays_corpus");
}

type Query = Parameters<typeof NotLoaded>[0]["query"];

type HangingProps = {
  paths: readonly string[];
  glance: Glance | undefined;
  targets: readonly Target[];
  chosen: number;
  /** What the places and files are known from. */
  sources: readonly Query[];
};

/** Files that hang over the window: what they are, and where they may go. */
function Hanging({ paths, glance, targets, chosen, sources }: HangingProps) {
  const models = useCommand("model.list", {});
  const failed = [...sources, models].find(({ data, error }) => data === undefined && error);
  const target = targets[chosen];
  return (
    <ScrollRegion className={css.drop} role="status">
      <div className={css.dropSheet}>
        <span className={css.dropIcon}>
          <IconFileImport className="large" aria-hidden />
        </span>
        <b className={css.dropTitle}>{titleOf(paths, glance)}</b>
        <span className="sec">{kindsIn(paths, glance)}</span>
        {glance?.more && <span className="sec">{t("library.drop.more")}</span>}
        {glance && glance.skipped.length > 0 && <Skipped skipped={glance.skipped} />}
        {failed && <NotLoaded query={failed} inert />}
        <ol className={css.targets}>
          {targets.map(({ id, icon, label, detail }, index) => (
            <li
              key={id}
              data-drop={index}
              className={classes("card row", css.target, index === chosen && css.on)}
            >
              {icon}
              <Name className={shared.name}>{label}</Name>
              <span className={`mut sm ell ${css.targetDetail}`}>{detail}</span>
              <span className="push">
                {index === chosen ? (
                  <span className="c-accent sm nowrap">{t("library.drop.release")}</span>
                ) : (
                  <Kbd keys={String(index + 1)} />
                )}
              </span>
            </li>
          ))}
        </ol>
        <span className="mut sm row gap-6">
          {target && leaving(target, models.data)} <Kbd keys="escape" /> {t("library.drop.cancels")}
        </span>
      </div>
    </ScrollRegion>
  );
}

function Dropping() {
  const overview = useCommand("library.overview", {});
  const [paths, setPaths] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState(0);
  const refused = useRef(false);
  const { page } = useRoute();
  const queries = useQueryClient();
  const over = paths.length > 0;
  const look = useCommand("ingest.glance", { paths: [...paths] }, { enabled: over });
  const glance = look.data;
  const targets = targetsFor(paths, overview.data?.corpora ?? [], over ? glance : undefined);
  const hear = useEffectEvent((event: Parameters<Parameters<typeof subscribeDrag>[0]>[0]) => {
    if (ELSEWHERE.has(page)) return;
    if (event.kind === "enter") {
      refused.current = false;
      // Files change where no engine hears of it: what they were before says nothing.
      queries.removeQueries({ queryKey: ["ingest.glance" satisfies Command] });
      setChosen(0);
      setPaths(event.paths);
    } else if (event.kind === "over") {
      const index = targetAt(event.x, event.y);
      if (index !== undefined) setChosen(index);
    } else {
      setPaths([]);
      const dropped = event.kind === "drop" && !refused.current;
      refused.current = false;
      if (!dropped || event.paths.length === 0) return;
      const at = targetAt(event.x, event.y) ?? chosen;
      // The drop may come without anything before it.
      const place = paths.length > 0 ? targets[at]?.place : BY_FILES;
      askToAdd(event.paths, place);
    }
  });
  const press = useEffectEvent((event: KeyboardEvent) => {
    const index = Number(event.key) - 1;
    if (event.key === "Escape") {
      refused.current = true;
      setPaths([]);
    } else if (targets[index]) setChosen(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => subscribeDrag((event) => hear(event)), []);
  useEffect(() => {
    if (!over) return;
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, [over]);
  return (
    over && (
      <Hanging paths={paths} glance={glance} targets={targets} chosen={chosen} sources={[overview, look]} />
    )
  );
}

/** What lies over every screen: files that hang over the window, and the question about those to add. */
export default function Over() {
  const adding = useAdding();
  return (
    <>
      <Dropping />
      {adding && (
        <Add
          key={adding.paths.join("\n")}
          adding={adding}
          onClose={() => askToAdd([])}
          onStarted={(job) => navigate(href("library", [], { job: String(job) }))}
        />
      )}
    </>
  );
}
