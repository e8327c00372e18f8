import { IconFileImport, IconFiles, IconFolder, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { subscribeDrag } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { CorpusOverview } from "@/api/types";
import { href, navigate, useRoute } from "@/app/router";
import { classes } from "@/kit/class-names";
import { Kbd } from "@/kit/Kbd";
import { Name } from "@/kit/Name";
import { t } from "@/text";
import { Add } from "./Add";
import { askToAdd, BY_FILES, fillable, folderName, kindsOf, type Place, useAdding } from "./adding";
import css from "./library.module.css";

/** Screens that do something of their own with a file that is dropped on them. */
const ELSEWHERE = new Set(["chunk-lab"]);
/** Most places that are offered: one to a digit. */
const MOST = 9;

type Target = { place: Place; icon: ReactNode; label: string; detail: string };

/** Where dropped files may go: where they belong, a corpus that is there, or a new one. */
function targetsFor(paths: readonly string[], corpora: readonly CorpusOverview[]): Target[] {
  const name = folderName(paths);
  const own = fillable(corpora)
    .sort((a, b) => (b.last_ingested ?? "").localeCompare(a.last_ingested ?? ""))
    .slice(0, MOST - 2);
  return [
    {
      place: BY_FILES,
      icon: <IconFiles className="s" aria-hidden />,
      label: t("library.add.by_files"),
      detail: t("library.drop.by_files"),
    },
    ...own.map(
      ({ corpus, documents }): Target => ({
        place: { kind: "corpus", name: corpus.name },
        icon: <IconFolder className="s" aria-hidden />,
        label: corpus.name,
        detail: documents > 0 ? t("library.drop.documents", { count: documents }) : t("library.drop.empty"),
      }),
    ),
    {
      place: { kind: "new", name },
      icon: <IconPlus className="s" aria-hidden />,
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

/** Files that hang over the window: what they are, and where they may go. */
function Hanging({
  paths,
  targets,
  chosen,
}: {
  paths: readonly string[];
  targets: Target[];
  chosen: number;
}) {
  return (
    <div className={css.drop} role="status">
      <div className={css.dropSheet}>
        <span className={css.dropIcon}>
          <IconFileImport className="l" aria-hidden />
        </span>
        <b className={css.dropTitle}>{t("library.drop.title", { count: paths.length })}</b>
        <span className="sec">
          {kindsOf(paths)
            .map(([ending, count]) =>
              ending === "" ? t("library.drop.folders", { count }) : `${count} ${ending}`,
            )
            .join(", ")}
        </span>
        <ol className={css.targets}>
          {targets.map(({ icon, label, detail }, index) => (
            <li
              key={label}
              data-drop={index}
              className={classes("card row", css.target, index === chosen && css.on)}
            >
              {icon}
              <Name className={css.name}>{label}</Name>
              <span className={`mut sm ell ${css.targetDetail}`}>{detail}</span>
              <span className="push">
                {index === chosen ? (
                  <span className="c-a sm nw">{t("library.drop.release")}</span>
                ) : (
                  <Kbd keys={String(index + 1)} />
                )}
              </span>
            </li>
          ))}
        </ol>
        <span className="mut sm row g6">
          {t("library.drop.sure")} <Kbd keys="escape" /> {t("library.drop.cancels")}
        </span>
      </div>
    </div>
  );
}

function Dropping({ corpora }: { corpora: readonly CorpusOverview[] }) {
  const [paths, setPaths] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState(0);
  const refused = useRef(false);
  const { page } = useRoute();
  const targets = targetsFor(paths, corpora);
  const hear = useEffectEvent((event: Parameters<Parameters<typeof subscribeDrag>[0]>[0]) => {
    if (ELSEWHERE.has(page)) return;
    if (event.kind === "enter") {
      refused.current = false;
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
  const over = paths.length > 0;
  useEffect(() => {
    if (!over) return;
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener("keydown", listen, true);
    return () => window.removeEventListener("keydown", listen, true);
  }, [over]);
  return over && <Hanging paths={paths} targets={targets} chosen={chosen} />;
}

/** What lies over every screen: files that hang over the window, and the question about those to add. */
export default function Over() {
  const corpora = useCommand("library.overview", {}).data?.corpora ?? [];
  const adding = useAdding();
  return (
    <>
      <Dropping corpora={corpora} />
      {adding && (
        <Add
          key={adding.paths.join("\n")}
          adding={adding}
          corpora={corpora}
          onClose={() => askToAdd([])}
          onStarted={(job) => navigate(href("library", [], { job: String(job) }))}
        />
      )}
    </>
  );
}
