import { IconTrash } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { DocumentRow } from "@/api/types";
import { toast } from "@/app/toasts";
import { IconButton } from "@/kit/Button";
import { type Column, DataTable } from "@/kit/DataTable";
import { EmptyState, Loaded } from "@/kit/states";
import { t } from "@/text";
import { whole } from "@/text/format";
import { Confirm } from "./Confirm";

/** The documents of a corpus, each with its way out. */
export function Documents({ corpus }: { corpus: string }) {
  const list = useCommand("document.list", { corpus });
  const remove = useAction("document.delete");
  const [leaving, setLeaving] = useState<DocumentRow>();
  const columns = useMemo(
    (): Column<DocumentRow>[] => [
      {
        id: "title",
        header: t("library.columns.title"),
        width: "minmax(120px, 1fr)",
        sort: (row) => row.title,
        cell: (row) => <span title={row.path}>{row.title || row.path}</span>,
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
        width: "42px",
        cell: (row) => (
          <IconButton
            size="small"
            label={t("library.delete.document_open", { name: row.title || row.path })}
            onClick={() => setLeaving(row)}
          >
            <IconTrash className="s" aria-hidden />
          </IconButton>
        ),
      },
    ],
    [],
  );
  const name = leaving ? leaving.title || leaving.path : "";
  return (
    <>
      <Loaded query={list}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t("library.inspector.no_documents")} />
          ) : (
            <DataTable
              label={t("library.columns.documents")}
              columns={columns}
              rows={rows}
              rowKey={(row) => String(row.id)}
              rowHeight={28}
            />
          )
        }
      </Loaded>
      {leaving && (
        <Confirm
          title={t("library.delete.document", { name })}
          detail={t("library.delete.document_detail", { count: leaving.chunks })}
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
