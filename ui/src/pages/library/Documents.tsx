import { IconPencil, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { may } from "@/api/client";
import { useAction } from "@/api/queries";
import { usePages } from "@/api/row-pages";
import type { DocumentRow } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { type Column, DataTable } from "@/kit/DataTable";
import { Tag } from "@/kit/Pill";
import { EmptyState, Loaded } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { DocumentName } from "@/parts/DocumentName";
import { OcrTag } from "@/parts/OcrTag";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { moment, whole } from "@/text/format";
import css from "./documents.module.css";
import { EditDetails } from "./EditDetails";

/** Where a document is read. */
const openIn = (row: DocumentRow) => href("chunk-lab", [], { document: String(row.id) });

/** Two lines of a title, and one of issuer and year. */
const ROW = 58;

const idOf = ({ id }: DocumentRow) => id;

const nameOf = (row: DocumentRow) => row.title || row.path;

/** What the name of a document leaves out: where it lies, whose it is and of which year. */
const about = ({ path, issuer, year }: DocumentRow) =>
  [path, [issuer, year].filter((each) => each !== null).join(" · "), t("library.inspector.open_document")]
    .filter((line) => line !== "")
    .join("\n");

type DocumentsProps = {
  /** Name of the corpus. */
  corpus: string;
  /** Documents in it. */
  total: number;
  /** Hears of a job that reads one again. */
  onStarted: (job: number) => void;
};

/** The documents of a corpus; each can be corrected, can be read again, and can go. */
export function Documents({ corpus, total, onStarted }: DocumentsProps) {
  const { query, rows, more } = usePages("document.list", { corpus }, { keyOf: idOf });
  const remove = useAction("document.delete");
  const again = useAction("ingest.start");
  const [leaving, setLeaving] = useState<DocumentRow>();
  const [editing, setEditing] = useState<DocumentRow>();
  const [reading, setReading] = useState<DocumentRow>();
  const columns = useMemo(
    () => columnsOf({ onEdit: setEditing, onReadAgain: setReading, onDelete: setLeaving }),
    [],
  );
  const name = leaving ? nameOf(leaving) : "";
  return (
    <>
      <Loaded query={query}>
        {() =>
          rows.length === 0 ? (
            <EmptyState title={t("library.inspector.no_documents")} />
          ) : (
            <DataTable
              label={t("library.columns.documents")}
              columns={columns}
              rows={rows}
              rowKey={(row) => String(row.id)}
              total={total}
              onMore={more}
              rowHeight={ROW}
              onOpen={(row) => navigate(openIn(row))}
            />
          )
        }
      </Loaded>
      {editing && <EditDetails row={editing} onClose={() => setEditing(undefined)} />}
      {reading && (
        <Confirm
          title={t("library.again.document", { name: nameOf(reading) })}
          detail={t("library.again.document_detail")}
          confirm={t("library.again.confirm")}
          keep={t("dialog.cancel")}
          pending={again.isPending}
          onClose={() => setReading(undefined)}
          onConfirm={() =>
            again.mutate(
              { sources: [{ kind: "document", id: reading.id }], force: true, embed: "instant" },
              { onSuccess: ({ id }) => onStarted(id), onSettled: () => setReading(undefined) },
            )
          }
        />
      )}
      {leaving && (
        <Confirm
          title={t("library.delete.document", { name })}
          detail={t("library.delete.document_detail", { count: leaving.chunks })}
          confirm={t("library.delete.confirm")}
          keep={t("library.delete.keep")}
          danger
          pending={remove.isPending}
          onClose={() => setLeaving(undefined)}
          onConfirm={() =>
            remove.mutate(
              { ids: [leaving.id] },
              {
                onSuccess: () => toast({ kind: "ok", title: t("library.delete.done", { name }) }),
                onSettled: () => setLeaving(undefined),
              },
            )
          }
        />
      )}
    </>
  );
}

type Of = (row: DocumentRow) => void;

/** The columns of the list, the last with what can be done with a document. */
const columnsOf = ({
  onEdit,
  onReadAgain,
  onDelete,
}: Record<"onEdit" | "onReadAgain" | "onDelete", Of>): Column<DocumentRow>[] => [
  {
    id: "title",
    header: t("library.columns.title"),
    width: "minmax(120px, 1fr)",
    sort: (row) => row.title,
    cell: (row, active) => (
      <a className={css.document} tabIndex={active ? 0 : -1} href={openIn(row)}>
        <DocumentName title={nameOf(row)} document={row} tip={about(row)} />
        <OcrTag confidence={row.ocr?.confidence} />
        {row.missing_since !== null && (
          <span {...tip(t("library.watch.missing_since", { at: moment(row.missing_since) }))}>
            <Tag>{t("library.watch.missing")}</Tag>
          </span>
        )}
      </a>
    ),
  },
  {
    id: "chunks",
    header: t("library.columns.chunks"),
    width: "64px",
    numeric: true,
    sort: (row) => row.chunks,
    cell: (row) => whole(row.chunks),
  },
  {
    id: "delete",
    header: <span className="sr-only">{t("library.delete.confirm")}</span>,
    width: "88px",
    cell: (row, active) => (
      <span className="row gap-2">
        {may("document.correct") && (
          <IconButton
            size="small"
            tabIndex={active ? 0 : -1}
            label={t("library.details.open", { name: nameOf(row) })}
            onClick={() => onEdit(row)}
          >
            <IconPencil className="small" aria-hidden />
          </IconButton>
        )}
        <IconButton
          size="small"
          tabIndex={active ? 0 : -1}
          label={t("library.again.document_open", { name: nameOf(row) })}
          onClick={() => onReadAgain(row)}
        >
          <IconRefresh className="small" aria-hidden />
        </IconButton>
        <IconButton
          size="small"
          tabIndex={active ? 0 : -1}
          label={t("library.delete.document_open", { name: nameOf(row) })}
          onClick={() => onDelete(row)}
        >
          <IconTrash className="small" aria-hidden />
        </IconButton>
      </span>
    ),
  },
];
