import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { call, EngineError } from "@/api/client";
import { saveText } from "@/api/shell";
import type { ExportFormat } from "@/api/types";
import { Button } from "@/kit/Button";
import { Menu } from "@/kit/Menu";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";

const FORMATS: Record<ExportFormat, string> = {
  jsonl: "jsonl",
  csv: "csv",
  markdown: "md",
  gold: "jsonl",
};
/** More than any log holds. */
const ALL = 1_000_000;

/** Writes the log, or what of it the words in the list's field leave, where the reader says. */
export function ExportLog({ search, total }: { search: string; total: number }) {
  const [busy, setBusy] = useState(false);
  const write = (format: ExportFormat) => {
    setBusy(true);
    call("answer.log.export", { format, query: { search, session: null, offset: 0, limit: ALL } })
      .then(({ text }) => saveText(`${t(`ask.export.name.${format}`)}.${FORMATS[format]}`, text))
      .then(
        (place) => place && toast({ kind: "ok", title: t("ask.export.done"), detail: place }),
        (thrown) => reportError(EngineError.from(thrown)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <Menu
      label={t("ask.export.title")}
      entries={(Object.keys(FORMATS) as ExportFormat[]).map((format) => ({
        label: t(`ask.export.${format}`),
        onClick: () => write(format),
      }))}
    >
      <Button icon={<IconDownload className="small" aria-hidden />} disabled={busy || total === 0}>
        {t("ask.export.title")}
      </Button>
    </Menu>
  );
}
