import { useState } from "react";
import { call, EngineError } from "@/api/client";
import { saveFile } from "@/api/shell";
import type { Assessment, PackFormat } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { ErrorState } from "@/kit/states";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { Check } from "./Check";
import css from "./export.module.css";
import { TakeIn } from "./TakeIn";

const FORMATS: readonly PackFormat[] = ["xlsx", "docx", "pdf", "html", "json"];

type ExportProps = { assessment: Assessment; onClose: () => void };

/** Writes the evidence pack, checks one that was written, and takes in the decisions of one. */
export function Export({ assessment, onClose }: ExportProps) {
  const [format, setFormat] = useState<PackFormat>("xlsx");
  const [writing, setWriting] = useState<AbortController>();
  const [error, setError] = useState<EngineError>();
  const write = async () => {
    const control = new AbortController();
    setWriting(control);
    setError(undefined);
    try {
      const pack = await call("assess.export", { id: assessment.id, format }, control);
      const place = await saveFile(pack.name, pack.content, pack.media_type);
      if (place === undefined) return;
      toast({ kind: "ok", title: t("assess.export.done"), detail: place });
      onClose();
    } catch (thrown) {
      const failed = EngineError.from(thrown);
      if (!failed.cancelled) setError(failed);
    } finally {
      setWriting(undefined);
    }
  };
  return (
    <Dialog open onClose={onClose} label={t("assess.export.heading")} width={520}>
      <div className="ask">
        <h2>{t("assess.export.heading")}</h2>
        <div className={css.choices}>
          <SegmentedControl
            label={t("assess.export.format")}
            value={format}
            onChange={setFormat}
            options={FORMATS.map((value) => ({ value, label: t(`assess.export.formats.${value}`) }))}
          />
          <span className="sec sm">{t(`assess.export.about.${format}`)}</span>
        </div>
        {error && <ErrorState error={error} onRetry={() => void write()} />}
        <Check />
        <TakeIn />
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={writing ? () => writing.abort() : onClose}>{t("dialog.cancel")}</Button>
        <Button tone="primary" disabled={writing !== undefined} onClick={() => void write()} data-autofocus>
          {t(writing ? "assess.export.writing" : "assess.export.write")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
