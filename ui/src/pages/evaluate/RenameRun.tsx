import { useState } from "react";
import { useAction } from "@/api/queries";
import type { EvalRun } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { TextField } from "@/kit/fields";
import { t } from "@/text";

/** Another name for a run. */
export function RenameRun({ run, onClose }: { run: EvalRun; onClose: () => void }) {
  const rename = useAction("eval.run_rename", { inPlace: true });
  const [name, setName] = useState(run.name);
  const title = t("evaluate.runs.rename_title", { name: run.name });
  const keep = () => {
    if (name.trim() !== "" && !rename.isPending)
      rename.mutate({ id: run.id, name: name.trim() }, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} label={title} width={420}>
      <div className="ask">
        <h2>{title}</h2>
        <TextField
          label={t("evaluate.runs.name")}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && keep()}
          data-autofocus
        />
        {rename.error && (
          <p className="sm c-bad" role="alert">
            {rename.error.message}
          </p>
        )}
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose}>{t("evaluate.cancel")}</Button>
        <Button tone="primary" disabled={name.trim() === "" || rename.isPending} onClick={keep}>
          {t("evaluate.runs.rename_confirm")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
