import { IconFileImport, IconFolder, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { may } from "@/api/client";
import { useAction } from "@/api/queries";
import { Button } from "@/kit/Button";
import { TextField } from "@/kit/fields";
import { EmptyState } from "@/kit/states";
import { t } from "@/text";
import type { useImport } from "./GoldSets";
import css from "./start.module.css";

type StartProps = {
  importing: ReturnType<typeof useImport>;
  /** Hears of the set that was made. */
  onMade: (name: string) => void;
};

/** A workspace without a gold set. */
export function Start({ importing, onMade }: StartProps) {
  const make = useAction("gold.put_query");
  const [query, setQuery] = useState("");
  const start = () => {
    const words = query.trim();
    if (words === "") return;
    const name = t("evaluate.start.name");
    make.mutate({ set: name, query: words }, { onSuccess: () => onMade(name) });
  };
  return (
    <EmptyState
      title={t("evaluate.start.title")}
      detail={t("evaluate.start.detail")}
      action={
        <div className={css.ways}>
          <span className="row gap-6">
            <Button
              tone="primary"
              icon={<IconFileImport className="small" aria-hidden />}
              disabled={importing.pending}
              onClick={importing.fromFile}
            >
              {t("evaluate.sets.import")}
            </Button>
            {may("shell.pick_folders") && (
              <Button
                icon={<IconFolder className="small" aria-hidden />}
                disabled={importing.pending}
                onClick={importing.fromFolder}
              >
                {t("evaluate.sets.import_folder")}
              </Button>
            )}
          </span>
          <span className="row gap-6">
            <TextField
              label={t("evaluate.start.first")}
              placeholder={t("evaluate.start.first")}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
              onKeyDown={(event) => event.key === "Enter" && start()}
              className={css.first}
            />
            <Button
              icon={<IconPlus className="small" aria-hidden />}
              disabled={make.isPending || query.trim() === ""}
              onClick={start}
            >
              {t("evaluate.start.make")}
            </Button>
          </span>
        </div>
      }
    />
  );
}
