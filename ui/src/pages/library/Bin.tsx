import { IconArrowBackUp, IconTrash } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { may } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import type { BinnedDocument } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { type Column, DataTable } from "@/kit/DataTable";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { Name } from "@/kit/Name";
import { Note } from "@/kit/Note";
import { EmptyState, Loaded } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { DocumentName } from "@/parts/DocumentName";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { moment } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./bin.module.css";

/** Two lines of a title and one of its file, in pixels. */
const ROW = 58;
/** A deleted document tells neither its issuer nor its year. */
const UNKNOWN = { issuer: null, year: null };
const nameOf = ({ title, path }: BinnedDocument) => title || path;

/** Documents that were deleted: each can be restored, or deleted for good. */
export function Bin({ onClose }: { onClose: () => void }) {
  const binned = useCommand("bin.list", {});
  const restore = useAction("bin.restore");
  const remove = useAction("bin.delete");
  const [leaving, setLeaving] = useState<BinnedDocument>();
  const [refused, setRefused] = useState<readonly { path: string; message: string }[]>([]);
  const put = restore.mutate;
  const columns = useMemo(() => {
    const back = ({ id }: BinnedDocument) =>
      put(
        { ids: [id] },
        {
          onSuccess: (done) => {
            setRefused(done.refused);
            const count = done.restored.length;
            if (count > 0) toast({ kind: "ok", title: t("library.bin.restored", { count }) });
          },
        },
      );
    return columnsOf(back, setLeaving);
  }, [put]);
  return (
    <Dialog open onClose={onClose} label={t("library.bin.title")} width={760}>
      <div className="ask">
        <h2>{t("library.bin.title")}</h2>
        <p className="sec">{t("library.bin.about")}</p>
        {refused.map(({ path, message }) => (
          <Note key={path} kind="warn">
            <b>
              <bdi>{visible(path)}</bdi>
            </b>{" "}
            {visible(message)}
          </Note>
        ))}
      </div>
      <div className={css.list}>
        <Loaded query={binned}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState title={t("library.bin.none")} />
            ) : (
              <DataTable
                label={t("library.bin.title")}
                columns={columns}
                rows={rows}
                rowKey={(row) => String(row.id)}
                rowHeight={ROW}
              />
            )
          }
        </Loaded>
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose} data-autofocus>
          {t("dialog.close")}
        </Button>
      </DialogFoot>
      {leaving && (
        <Confirm
          title={t("library.bin.delete_title", { name: nameOf(leaving) })}
          detail={t("library.bin.delete_detail")}
          confirm={t("library.bin.delete")}
          keep={t("library.bin.keep")}
          danger
          pending={remove.isPending}
          onClose={() => setLeaving(undefined)}
          onConfirm={() => remove.mutate({ ids: [leaving.id] }, { onSettled: () => setLeaving(undefined) })}
        />
      )}
    </Dialog>
  );
}

type Of = (row: BinnedDocument) => void;

/** The columns of the list, the last with what can be done with a document. */
const columnsOf = (onRestore: Of, onDelete: Of): Column<BinnedDocument>[] => [
  {
    id: "title",
    header: t("library.columns.title"),
    width: "minmax(140px, 1fr)",
    sort: nameOf,
    cell: (row) => (
      <DocumentName
        title={nameOf(row)}
        document={UNKNOWN}
        also={[row.path]}
        tip={`${row.path}\n${row.origin}`}
      />
    ),
  },
  {
    id: "corpus",
    header: t("library.columns.corpus"),
    width: "140px",
    sort: (row) => row.corpus,
    cell: (row) => <Name>{row.corpus}</Name>,
  },
  {
    id: "deleted",
    header: t("library.bin.deleted"),
    width: "128px",
    sort: (row) => row.deleted_at,
    cell: (row) => <span {...tip(t(`library.bin.reasons.${row.reason}`))}>{moment(row.deleted_at)}</span>,
  },
  {
    id: "until",
    header: t("library.bin.until"),
    width: "128px",
    sort: (row) => row.kept_until,
    cell: (row) => moment(row.kept_until),
  },
  {
    id: "actions",
    header: <span className="sr-only">{t("library.bin.restore")}</span>,
    width: "64px",
    cell: (row, active) =>
      may("bin.restore") && (
        <span className="row gap-2">
          <IconButton
            size="small"
            tabIndex={active ? 0 : -1}
            label={t("library.bin.restore_of", { name: nameOf(row) })}
            onClick={() => onRestore(row)}
          >
            <IconArrowBackUp className="small" aria-hidden />
          </IconButton>
          <IconButton
            size="small"
            tabIndex={active ? 0 : -1}
            label={t("library.bin.delete_of", { name: nameOf(row) })}
            onClick={() => onDelete(row)}
          >
            <IconTrash className="small" aria-hidden />
          </IconButton>
        </span>
      ),
  },
];
