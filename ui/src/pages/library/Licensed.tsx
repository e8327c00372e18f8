import { IconFileImport, IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { EngineError } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import { pickFiles } from "@/api/shell";
import type { IngestRequest } from "@/api/types";
import { reportError } from "@/app/error-dialog";
import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { Id } from "@/kit/Id";
import { Note } from "@/kit/Note";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { Loaded, SkeletonRows } from "@/kit/states";
import { t } from "@/text";
import { PreflightCard } from "./Add";
import css from "./library.module.css";

const STANDARDS = ["S1", "S2"] as const;

type Standard = (typeof STANDARDS)[number];

/** Name of the corpus that a licensed copy becomes; the command line gives it the same. */
const corpusOf = (standard: Standard) => `licensed-${standard.toLowerCase()}`;

/** The import of a licensed copy: private to this workspace, and never sent anywhere. */
const requestOf = (standard: Standard, path: string): Partial<IngestRequest> => ({
  sources: [{ kind: "path", path }],
  corpus: corpusOf(standard),
  source_type: "licensed",
  licensed_standard: standard,
  shared: false,
  remote: false,
  embed: "instant",
});

type LicensedProps = {
  onClose: () => void;
  /** Hears of the job. */
  onStarted: (job: number) => void;
};

/** Imports the reader's own licensed copy of a standard. */
export function Licensed({ onClose, onStarted }: LicensedProps) {
  const [standard, setStandard] = useState<Standard>("S2");
  const [path, setPath] = useState("");
  const start = useAction("ingest.start", { inPlace: true });
  const request = requestOf(standard, path);
  const preflight = useCommand("ingest.preflight", request, { enabled: path !== "", keep: true });
  const file = preflight.data?.files[0];
  const ready =
    path !== "" && file !== undefined && file.failure === null && !preflight.isFetching && !start.isPending;
  const choose = () =>
    void pickFiles().then(
      ([first]) => first !== undefined && setPath(first),
      (thrown) => reportError(EngineError.from(thrown)),
    );
  const title = t("library.licensed.title");
  return (
    <Dialog open onClose={onClose} label={title} width={520}>
      <div className="ask">
        <h2>{title}</h2>
        <p className="sm sec">{t("library.licensed.about")}</p>
        <div className={css.choice}>
          <span className="sec">{t("library.licensed.standard")}</span>
          <span>
            <SegmentedControl
              label={t("library.licensed.standard")}
              value={standard}
              onChange={setStandard}
              options={STANDARDS.map((each) => ({ value: each, label: t(`library.licensed.names.${each}`) }))}
            />
          </span>
          <span className="sec">{t("library.licensed.file")}</span>
          <span className="row g6">
            <Button
              icon={<IconFileImport className="s" aria-hidden />}
              data-autofocus
              onClick={choose}
              aria-describedby="licensed-file"
            >
              {t("library.licensed.choose")}
            </Button>
            <span id="licensed-file" className="sm sec ell" title={path || undefined}>
              {path === "" ? t("library.licensed.none") : <bdi dir="ltr">{path}</bdi>}
            </span>
          </span>
          <span className="sec">{t("library.licensed.corpus")}</span>
          <span>
            <Id>{corpusOf(standard)}</Id>
          </span>
        </div>
        <div className="note">
          <IconLock className="s" aria-hidden />
          <span>{t("library.licensed.private")}</span>
        </div>
        {path !== "" && (
          <Loaded
            query={preflight}
            skeleton={<SkeletonRows rows={4} height={24} label={t("library.add.looking")} />}
          >
            {(data) => <PreflightCard preflight={data} />}
          </Loaded>
        )}
        {start.error && <Note kind="bad">{start.error.message}</Note>}
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose}>{t("library.add.cancel")}</Button>
        <Button
          tone="primary"
          disabled={!ready}
          data-testid="licensed-start"
          onClick={() =>
            start.mutate(request, {
              onSuccess: ({ id }) => {
                onStarted(id);
                onClose();
              },
            })
          }
        >
          {t("library.licensed.start", { standard: t(`library.licensed.names.${standard}`) })}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
