import { useState } from "react";
import type { EngineError } from "@/api/client";
import { useAction } from "@/api/queries";
import type { EvalRun, GoldSet } from "@/api/types";
import { FormDialog } from "@/kit/FormDialog";
import { TextField } from "@/kit/fields";
import { t } from "@/text";

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
  return (
    <FormDialog
      title={title}
      width={420}
      confirm={t("evaluate.rename.confirm")}
      ready={name.trim() !== "" && !pending}
      problem={error?.message}
      onConfirm={() => onRename(name.trim())}
      onClose={onClose}
    >
      <TextField
        label={t("evaluate.runs.name")}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}
