import {
  IconDots,
  IconEye,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from "@tabler/icons-react";
import { EngineError } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import { pickFolders } from "@/api/shell";
import type { Gone, WatchedFolder } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Select } from "@/kit/fields";
import { Menu } from "@/kit/Menu";
import { Name } from "@/kit/Name";
import { Note } from "@/kit/Note";
import { Status } from "@/kit/Status";
import { NotLoaded } from "@/kit/states";
import { useQueryState } from "@/state/router";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { moment, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import { doneBy } from "./gone";
import css from "./watched.module.css";

const GONE: readonly Gone[] = ["keep", "mark", "delete"];
/** What the address says where the bin is open. */
const OPEN = "open";
/** Milliseconds after which states are asked for again: what the program itself notes of a folder is no command. */
const AGAIN = 5_000;

const KINDS = { watching: "ok", paused: "pause", waiting: "off", trouble: "warn" } as const;

type WatchedProps = {
  corpus: string;
  /** Hears of a job that takes a folder in. */
  onStarted: (job: number) => void;
};

/** The folders whose changes go into a corpus, and how each stands. */
export function Watched({ corpus, onStarted }: WatchedProps) {
  const all = useCommand("watch.list", {}, { again: AGAIN });
  const add = useAction("watch.add");
  const folders = (all.data ?? []).filter((folder) => folder.corpus === corpus);
  const choose = () =>
    void pickFolders().then(
      ([path]) => path !== undefined && add.mutate({ path, corpus }),
      (thrown: unknown) => reportError(EngineError.from(thrown)),
    );
  return (
    <section>
      <div className="row between">
        <h3 className="h2">{t("library.watch.title")}</h3>
        <Button
          size="small"
          tone="quiet"
          icon={<IconEye className="small" aria-hidden />}
          disabled={add.isPending}
          onClick={choose}
        >
          {t("library.watch.add")}
        </Button>
      </div>
      <NotLoaded query={all} />
      {all.data !== undefined && folders.length === 0 && <p className="sm sec">{t("library.watch.none")}</p>}
      {folders.map((folder) => (
        <Folder key={folder.id} folder={folder} onStarted={onStarted} />
      ))}
    </section>
  );
}

function Folder({ folder, onStarted }: { folder: WatchedFolder; onStarted: (job: number) => void }) {
  const change = useAction("watch.change");
  const look = useAction("watch.run");
  const remove = useAction("watch.remove");
  const { id, path, gone, state, looked_at, message, settled } = folder;
  const [, openBin] = useQueryState("bin", "");
  const name = visible(path.split(/[/\\]/).at(-1) ?? path);
  const paused = state === "paused";
  const Pause = paused ? IconPlayerPlay : IconPlayerPause;
  return (
    <div className={css.folder}>
      <div className="row gap-6">
        <Name className="mono xs grow">{path}</Name>
        <Menu
          label={t("library.watch.menu", { name })}
          entries={[
            {
              label: t("library.watch.look"),
              icon: <IconRefresh className="small" aria-hidden />,
              disabled: look.isPending,
              onClick: () => look.mutate({ id }, { onSuccess: ({ id: job }) => onStarted(job) }),
            },
            {
              label: t(paused ? "library.watch.resume" : "library.watch.pause"),
              icon: <Pause className="small" aria-hidden />,
              onClick: () => change.mutate({ id, paused: !paused }),
            },
            "line",
            {
              label: t("library.watch.remove"),
              icon: <IconTrash className="small" aria-hidden />,
              onClick: () => remove.mutate({ id }),
            },
          ]}
        >
          <IconButton label={t("library.watch.menu", { name })} size="small">
            <IconDots className="small" aria-hidden />
          </IconButton>
        </Menu>
      </div>
      <div className="row gap-6 sm">
        <Status kind={KINDS[state]}>{t(`library.watch.states.${state}`)}</Status>
        {looked_at !== null && (
          <span className="xs mut grow">{t("library.watch.looked", { at: moment(looked_at) })}</span>
        )}
      </div>
      <div className="row between sm sec">
        <span>{t("library.watch.gone")}</span>
        <Select
          label={t("library.watch.gone_of", { name })}
          width={160}
          value={gone}
          onChange={(next) => change.mutate({ id, gone: GONE.find((each) => each === next) ?? gone })}
          options={GONE.map((value) => ({ value, label: t(`library.watch.gones.${value}`) }))}
        />
      </div>
      {doneBy(settled).map(({ what, words }) => (
        <Note key={what}>
          {words}{" "}
          {what === "deleted" && (
            <Button size="small" tone="quiet" onClick={() => openBin(OPEN)}>
              {t("library.bin.open")}
            </Button>
          )}
        </Note>
      ))}
      {message !== null && <Note kind="warn">{visible(sentence(message))}</Note>}
    </div>
  );
}
