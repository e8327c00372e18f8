import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { call, EngineError, may } from "@/api/client";
import { pickFolders, saveText } from "@/api/shell";
import type { GoldFormat, GoldSet } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Menu } from "@/kit/Menu";
import { toast } from "@/state/toasts";
import { reportError } from "@/state/trouble";
import { t } from "@/text";

const FORMATS: readonly GoldFormat[] = ["jsonl", "beir", "trec"];

/** Writes a set where the reader says: one file, or a folder where the format has several. */
async function write(set: string, format: GoldFormat, version: number | undefined): Promise<void> {
  if (format === "jsonl") {
    const [file] = await call("gold.export", { set, format, version });
    const place = file && (await saveText(file.name, file.text));
    if (place) toast({ kind: "ok", title: t("evaluate.sets.exported"), detail: place });
    return;
  }
  const [folder] = await pickFolders();
  if (folder === undefined) return;
  await call("gold.export", { set, format, version, folder });
  toast({ kind: "ok", title: t("evaluate.sets.exported"), detail: folder });
}

/** Gives a gold set out, as it is or as it was at a former version. */
export function Export({ set, version }: { set: GoldSet; version?: number | undefined }) {
  const [busy, setBusy] = useState(false);
  const label =
    version === undefined
      ? t("evaluate.sets.export")
      : t("evaluate.history.export", { version: String(version) });
  return (
    <Menu
      label={label}
      position="top-end"
      // The others have several files, which go to a folder: a browser writes none.
      entries={FORMATS.filter((format) => format === "jsonl" || may("shell.save_file")).map((format) => ({
        label: t(`evaluate.sets.formats.${format}`),
        onClick: () => {
          setBusy(true);
          write(set.name, format, version)
            .catch((thrown) => reportError(EngineError.from(thrown)))
            .finally(() => setBusy(false));
        },
      }))}
    >
      <Button
        size="small"
        tone="quiet"
        aria-label={label}
        icon={<IconDownload className="small" aria-hidden />}
        className={classes(busy && "mut")}
        disabled={busy}
      >
        {t("evaluate.sets.export")}
      </Button>
    </Menu>
  );
}
