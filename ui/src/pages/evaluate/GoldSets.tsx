import {
  IconChevronDown,
  IconFileImport,
  IconFolder,
  IconHistory,
  IconPencil,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { EngineError, may } from "@/api/client";
import { useAction } from "@/api/queries";
import { pickFiles, pickFolders } from "@/api/shell";
import type { GoldImported, GoldSet } from "@/api/types";
import { Button } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { Id } from "@/kit/Id";
import { Name } from "@/kit/Name";
import { KeyValues, Note } from "@/kit/Note";
import { Popover } from "@/kit/Popover";
import { VirtualList } from "@/kit/VirtualList";
import { targetName } from "@/parts/gold";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { moment, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import { Export } from "./ExportSet";
import css from "./gold-sets.module.css";
import { History } from "./History";
import { NewSet } from "./NewSet";
import { RenameSet } from "./Rename";
import { collectionWork } from "./running";

const ROW = 46;

/** Takes a gold set in from a file or a folder that the reader chooses. */
export function useImport(onTaken: (set: GoldSet) => void) {
  const take = useAction("gold.import");
  const [taken, setTaken] = useState<GoldImported>();
  const from = (pick: () => Promise<string[]>) =>
    void pick().then(
      (paths) => {
        // Qrels of TREC keep the words of their queries in a file of their own, which may be chosen with them.
        const queries = paths.find((path) => paths.length > 1 && path.endsWith("queries.tsv"));
        const path = paths.find((each) => each !== queries);
        if (path === undefined) return;
        take.mutate(
          { path, queries },
          {
            onSuccess: (result) => {
              setTaken(result);
              onTaken(result.set);
            },
          },
        );
      },
      (thrown) => reportError(EngineError.from(thrown)),
    );
  return {
    fromFile: () => from(pickFiles),
    fromFolder: () => from(pickFolders),
    pending: take.isPending,
    /** Says what was taken in, until it is closed. */
    report: taken && <Imported taken={taken} onClose={() => setTaken(undefined)} />,
  };
}

/** What was taken in, and what nothing in the library answers to. */
function Imported({ taken, onClose }: { taken: GoldImported; onClose: () => void }) {
  const { set, unmatched, collection, notes } = taken;
  const cache = useQueryClient();
  const measure = (folder: string) => {
    onClose();
    void collectionWork.start({ folder, save: set.name }, cache);
  };
  const title = t("evaluate.sets.imported", { name: set.name });
  return (
    <Dialog open onClose={onClose} label={title} width={560}>
      <div className="ask">
        <h2>{title}</h2>
        <KeyValues
          rows={[
            [t("evaluate.sets.queries"), String(set.queries)],
            [t("evaluate.sets.labels"), String(set.labels)],
            ...(set.unlabelled > 0
              ? [[t("evaluate.sets.unlabelled"), String(set.unlabelled)] as [string, string]]
              : []),
            [t("evaluate.sets.unmatched"), String(unmatched.length)],
          ]}
        />
        {notes.map(({ kind, message }) => (
          <Note key={message} kind="warn">
            <b>{t(`evaluate.note.${kind}`)}</b> {visible(sentence(message))}
          </Note>
        ))}
        {collection !== null && <p className="sm sec">{t("evaluate.sets.collection")}</p>}
        {collection === null && unmatched.length > 0 && (
          <>
            <p className="sm sec">{t("evaluate.sets.unmatched_detail")}</p>
            <div className={css.unmatched}>
              <VirtualList
                label={t("evaluate.sets.unmatched")}
                count={unmatched.length}
                rowHeight={44}
                row={(index) => {
                  const each = unmatched[index];
                  return (
                    each && (
                      <div className={css.miss}>
                        <span className="row gap-6">
                          <Id className="mut">{each.query}</Id>
                          <Name>{targetName(each.target)}</Name>
                        </span>
                        <span className="xs mut ell">{each.why}</span>
                      </div>
                    )
                  );
                }}
              />
            </div>
          </>
        )}
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose} data-autofocus>
          {t("evaluate.close")}
        </Button>
        {collection !== null && (
          <Button tone="primary" onClick={() => measure(collection)}>
            {t("evaluate.sets.measure")}
          </Button>
        )}
      </DialogFoot>
    </Dialog>
  );
}

type GoldSetsProps = {
  sets: readonly GoldSet[];
  current: GoldSet;
  onChoose: (name: string) => void;
  importing: ReturnType<typeof useImport>;
};

/** The gold sets of the workspace: one is chosen, taken in, given out, renamed or deleted. */
export function GoldSets({ sets, current, onChoose, importing }: GoldSetsProps) {
  const [doomed, setDoomed] = useState<GoldSet>();
  const [renamed, setRenamed] = useState<GoldSet>();
  const [making, setMaking] = useState(false);
  const [looked, setLooked] = useState<GoldSet>();
  const instead = (close: () => void, open: (set: GoldSet) => void) => () => {
    close();
    open(current);
  };
  return (
    <>
      <Popover
        label={t("evaluate.sets.title")}
        width={520}
        button={(open, toggle) => (
          <button
            type="button"
            className={css.chooser}
            aria-expanded={open}
            aria-haspopup="dialog"
            onClick={toggle}
          >
            <h2 className="ell">{t("evaluate.sets.current", { name: current.name })}</h2>
            <IconChevronDown className="xs" aria-hidden />
          </button>
        )}
      >
        {(close) => (
          <>
            <div className={css.list} style={{ height: Math.min(300, sets.length * ROW) }}>
              <VirtualList
                label={t("evaluate.sets.title")}
                count={sets.length}
                rowHeight={ROW}
                selected={sets.findIndex((set) => set.name === current.name)}
                rowKey={(index) => sets[index]?.name ?? index}
                onSelect={(index) => {
                  const set = sets[index];
                  if (set) onChoose(set.name);
                }}
                onOpen={close}
                row={(index) => {
                  const set = sets[index];
                  return set && <SetRow set={set} />;
                }}
              />
            </div>
            <div className={css.foot}>
              <Arriving
                importing={importing}
                onMake={() => {
                  close();
                  setMaking(true);
                }}
              />
              <span className="grow" />
              <Export set={current} />
              <SetButton
                icon={<IconHistory className="small" aria-hidden />}
                name={t("evaluate.history.named", { name: current.name })}
                label={t("evaluate.history.open")}
                onClick={instead(close, setLooked)}
              />
              <SetButton
                icon={<IconPencil className="small" aria-hidden />}
                name={t("evaluate.rename.named", { name: current.name })}
                label={t("evaluate.rename.open")}
                onClick={instead(close, setRenamed)}
              />
              <SetButton
                danger
                icon={<IconTrash className="small" aria-hidden />}
                name={t("evaluate.sets.delete_named", { name: current.name })}
                label={t("evaluate.sets.delete")}
                onClick={instead(close, setDoomed)}
              />
            </div>
          </>
        )}
      </Popover>
      {making && <NewSet sets={sets} onMade={onChoose} onClose={() => setMaking(false)} />}
      {looked && <History set={looked} onClose={() => setLooked(undefined)} />}
      {renamed && <RenameSet set={renamed} onRenamed={onChoose} onClose={() => setRenamed(undefined)} />}
      {doomed && <Delete set={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  );
}

type ArrivingProps = Pick<GoldSetsProps, "importing"> & { onMake: () => void };

/** How another gold set comes: made anew, or taken in. */
function Arriving({ importing, onMake }: ArrivingProps) {
  return (
    <>
      <Button size="small" icon={<IconPlus className="small" aria-hidden />} onClick={onMake}>
        {t("evaluate.sets.new")}
      </Button>
      <Button
        size="small"
        icon={<IconFileImport className="small" aria-hidden />}
        disabled={importing.pending}
        onClick={importing.fromFile}
      >
        {t("evaluate.sets.import")}
      </Button>
      {may("shell.pick_folders") && (
        <Button
          size="small"
          tone="quiet"
          icon={<IconFolder className="small" aria-hidden />}
          disabled={importing.pending}
          onClick={importing.fromFolder}
        >
          {t("evaluate.sets.import_folder")}
        </Button>
      )}
    </>
  );
}

/** Asks before a gold set is deleted. */
function Delete({ set, onClose }: { set: GoldSet; onClose: () => void }) {
  const remove = useAction("gold.delete");
  return (
    <Confirm
      danger
      title={t("evaluate.sets.delete_title", { name: set.name })}
      detail={t("evaluate.sets.delete_detail", { count: set.queries })}
      confirm={t("evaluate.sets.delete_confirm")}
      keep={t("evaluate.keep")}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ set: set.name }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

type SetButtonProps = {
  icon: ReactNode;
  label: string;
  /** The label with the set that it is about. */
  name: string;
  danger?: boolean;
  onClick: () => void;
};

const SetButton = ({ label, name, danger, ...button }: SetButtonProps) => (
  <Button size="small" tone={danger ? "danger" : "quiet"} aria-label={name} {...button}>
    {label}
  </Button>
);

function SetRow({ set }: { set: GoldSet }) {
  return (
    <div className={css.set}>
      <div className="row between">
        <Name>{set.name}</Name>
        <span className="xs mut nowrap">{moment(set.updated_at)}</span>
      </div>
      <div className="row between xs mut">
        <span>{t("evaluate.sets.size", { queries: set.queries, labels: set.labels })}</span>
        <span className="nowrap">{t("evaluate.sets.version", { version: set.version })}</span>
      </div>
    </div>
  );
}
