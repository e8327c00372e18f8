import { IconClipboard, IconDownload, IconFileCode, IconFiles, IconFileText } from "@tabler/icons-react";
import { call, EngineError } from "@/api/client";
import { saveText } from "@/api/shell";
import type { ReviewFormat } from "@/api/types";
import { Button } from "@/kit/Button";
import { Menu } from "@/kit/Menu";
import { tip } from "@/kit/Tooltip";
import { saveCsv } from "@/parts/csv";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import type { Report } from "./reviews";

const today = () => new Date().toISOString().slice(0, 10);
const fileName = (report: string | null, format: ReviewFormat) =>
  `review-${(report ?? "all").replace(/[^\p{L}\p{N}.-]+/gu, "-")}-${today()}.${format}`;

/** Writes the findings on `report`, or on all, as a file or to the clipboard. */
async function exported(
  report: string | null,
  to: "file" | "clipboard",
  format: ReviewFormat = "csv",
): Promise<void> {
  try {
    const table = await call("review.export", { report_id: report, format });
    if (to === "clipboard") {
      await navigator.clipboard.writeText(table.text);
      toast({ kind: "ok", title: t("standards.export.copied", { count: table.rows }) });
      return;
    }
    const save = format === "csv" ? saveCsv : saveText;
    const place = await save(fileName(report, format), table.text);
    if (place === undefined) return;
    toast({
      kind: "ok",
      title: t("standards.export.saved", { count: table.rows }),
      detail: place,
      action: { label: t("standards.export.copy_short"), onClick: () => void exported(report, "clipboard") },
    });
  } catch (thrown) {
    reportError(EngineError.from(thrown));
  }
}

/** Findings as a table for other programs. */
export function ExportReview({ report, any }: { report: Report | undefined; any: boolean }) {
  const icon = <IconDownload className="small" aria-hidden />;
  if (!report || !any)
    return (
      <Button icon={icon} disabled {...tip(t("standards.export.nothing"))}>
        {t("standards.export.title")}
      </Button>
    );
  return (
    <Menu
      label={t("standards.export.title")}
      entries={[
        {
          label: t("standards.export.report", { report: report.title }),
          icon: <IconFileText className="small" aria-hidden />,
          onClick: () => void exported(report.id, "file"),
        },
        {
          label: t("standards.export.all"),
          icon: <IconFiles className="small" aria-hidden />,
          onClick: () => void exported(null, "file"),
        },
        {
          label: t("standards.export.report_json", { report: report.title }),
          icon: <IconFileCode className="small" aria-hidden />,
          onClick: () => void exported(report.id, "file", "json"),
        },
        {
          label: t("standards.export.all_json"),
          icon: <IconFileCode className="small" aria-hidden />,
          onClick: () => void exported(null, "file", "json"),
        },
        "line",
        {
          label: t("standards.export.copy"),
          icon: <IconClipboard className="small" aria-hidden />,
          onClick: () => void exported(report.id, "clipboard"),
        },
      ]}
    >
      <Button icon={icon}>{t("standards.export.title")}</Button>
    </Menu>
  );
}
