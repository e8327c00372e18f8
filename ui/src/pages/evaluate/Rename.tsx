import { useState } from "react";
import type { EngineError } from "@/api/client";
import { useAction } from "@/api/queries";
import type { EvalRun, GoldSet } from "@/api/types";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { TextField } from "@/kit/fields";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";

/** Another name for a run. */
export function RenameRun({ run, onClose }: { run: EvalRun; onClose: () => void }) {
  const rename = useAction("eval.run_rename", { inPlace: true });
  return (
    <Rename
      old={run.name}
      pending={rename.isPending}
      error={rename.error}
      onRename={(name) => rename.mutate({ id: run.id, name }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

type RenameSetProps = { set: GoldSet; onRenamed: (name: string) => void; onClose: () => void };

/** Another name for a gold set; its runs follow. */
export function RenameSet({ set, onRenamed, onClose }: RenameSetProps) {
  const rename = useAction("gold.rename", { inPlace: true });
  return (
    <Rename
      old={set.name}
      pending={rename.isPending}
      error={rename.error}
      onRename={(name) =>
        rename.mutate(
          { set: set.name, name },
          {
            onSuccess: () => {
              onRenamed(name);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}

type RenameProps = {
  old: string;
  pending: boolean;
  error: EngineError | null;
  onRename: (name: string) => void;
  onClose: () => void;
};

function Rename({ old, pending, error, onRename, onClose }: RenameProps) {
  const [name, setName] = useState(old);
  const title = t("evaluate.rename.title", { name: old });
  const keep = () => {
    if (name.trim() !== "" && !pending) onRename(name.trim());
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
        {error && (
          <p className="sm c-bad" role="alert">
            {visible(sentence(error.message))}
          </p>
        )}
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose}>{t("evaluate.cancel")}</Button>
        <Button tone="primary" disabled={name.trim() === "" || pending} onClick={keep}>
          {t("evaluate.rename.confirm")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
