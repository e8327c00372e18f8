import { useState } from "react";
import { useCommand } from "@/api/queries";
import type { IngestRequest } from "@/api/types";
import { Select, SwitchRow, TextField } from "@/kit/fields";
import { Note } from "@/kit/Note";
import { NotLoaded } from "@/kit/states";
import { strategyName } from "@/parts/strategy";
import { t } from "@/text";
import { type Adding, fillable, folderName } from "./adding";
import { Choice, ImportDialog } from "./Import";

const BY_FILES = "auto";
const NEW = "new";
/** Sign before the name of a corpus or strategy, so that no name can mean one of the others. */
const NAMED = "=";

const valueFor = ({ place }: Adding) =>
  place.kind === "files" ? BY_FILES : place.kind === "new" ? NEW : NAMED + place.name;

type AddProps = {
  adding: Adding;
  onClose: () => void;
  /** Hears of the job. */
  onStarted: (job: number) => void;
};

/** Where the files go and how they are cut; what that will be, before it begins. */
export function Add({ adding, onClose, onStarted }: AddProps) {
  const { paths } = adding;
  const [place, setPlace] = useState(() => valueFor(adding));
  const [name, setName] = useState(() =>
    adding.place.kind === "new" ? adding.place.name : folderName(paths),
  );
  const [strategy, setStrategy] = useState(BY_FILES);
  const [remote, setRemote] = useState(false);
  const overview = useCommand("library.overview", {});
  const corpora = overview.data?.corpora ?? [];
  const strategies = useCommand("strategy.list", {});
  const models = useCommand("model.list", {});
  const provider = models.data?.find(({ served, space }) => served && space.tier === "remote")?.space.model;
  const fresh = place === NEW;
  const taken = fresh && corpora.some(({ corpus }) => corpus.name === name.trim());
  // The name of a corpus that is not there yet changes nothing of what its files would be.
  const look: Partial<IngestRequest> = {
    sources: paths.map((path) => ({ kind: "path", path })),
    corpus: place.startsWith(NAMED) ? place.slice(NAMED.length) : null,
    strategy: strategy === BY_FILES ? null : strategy.slice(NAMED.length),
    embed: "instant",
    ...(fresh && provider !== undefined ? { remote } : {}),
  };
  return (
    <ImportDialog
      title={t("library.add.title")}
      about={paths.length === 1 ? (paths[0] ?? "") : t("library.add.sources", { count: paths.length })}
      look={look}
      request={fresh ? { ...look, corpus: name.trim() } : look}
      incomplete={fresh && (name.trim() === "" || taken)}
      start={(count) => t("library.add.start", { count })}
      testId="add-start"
      note={
        <>
          <NotLoaded query={overview} />
          <NotLoaded query={strategies} />
          {fresh && <NotLoaded query={models} />}
          {taken && (
            <div role="alert">
              <Note kind="warn">{t("library.add.taken", { name: name.trim() })}</Note>
            </div>
          )}
          {fresh && provider !== undefined && (
            <SwitchRow
              label={t("library.inspector.remote")}
              checked={remote}
              onChange={setRemote}
              note={t(remote ? "library.add.remote_on" : "library.add.remote_off", { model: provider })}
            />
          )}
        </>
      }
      onClose={onClose}
      onStarted={onStarted}
    >
      <Choice label={t("library.add.corpus")}>
        <Select
          label={t("library.add.corpus")}
          value={place}
          onChange={setPlace}
          options={[
            { value: BY_FILES, label: t("library.add.by_files") },
            ...fillable(corpora).map(({ corpus }) => ({ value: NAMED + corpus.name, label: corpus.name })),
            { value: NEW, label: t("library.add.new") },
          ]}
        />
      </Choice>
      {fresh && (
        <Choice label={t("library.add.name")}>
          <TextField
            label={t("library.add.name")}
            value={name}
            error={taken}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Choice>
      )}
      <Choice label={t("library.add.strategy")}>
        <Select
          label={t("library.add.strategy")}
          value={strategy}
          onChange={setStrategy}
          options={[
            { value: BY_FILES, label: t("library.add.by_files") },
            ...(strategies.data ?? []).map((each) => ({
              value: NAMED + each.name,
              label: strategyName(each.name),
            })),
          ]}
        />
      </Choice>
    </ImportDialog>
  );
}
