import { IconFileImport, IconLock } from "@tabler/icons-react";
import { useState } from "react";
import { EngineError } from "@/api/client";
import { pickFiles } from "@/api/shell";
import type { IngestRequest } from "@/api/types";
import { Button } from "@/kit/Button";
import { Id } from "@/kit/Id";
import { Name } from "@/kit/Name";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { licensedCopies, standards } from "@/state/source-types";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { Choice, ImportDialog } from "./Import";

/** Name of the corpus that a licensed copy becomes; the command line gives it the same. */
const corpusOf = (standard: string) => `${licensedCopies()?.corpus ?? ""}-${standard.toLowerCase()}`;

/** The import of a licensed copy: private to this workspace, and never sent anywhere. */
const requestOf = (standard: string, path: string): Partial<IngestRequest> => ({
  sources: [{ kind: "path", path }],
  corpus: corpusOf(standard),
  source_type: licensedCopies()?.name ?? null,
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
  const copied = standards().filter(({ copies }) => copies);
  const [standard, setStandard] = useState(copied.at(-1)?.short ?? "");
  const body = copied.find(({ short }) => short === standard)?.body ?? standard;
  const [path, setPath] = useState("");
  const request = requestOf(standard, path);
  const choose = () =>
    void pickFiles().then(
      ([first]) => first !== undefined && setPath(first),
      (thrown) => reportError(EngineError.from(thrown)),
    );
  return (
    <ImportDialog
      title={t("library.licensed.title")}
      about={<p className="sm sec">{t("library.licensed.about")}</p>}
      look={path === "" ? undefined : request}
      request={request}
      start={() => t("library.licensed.start", { standard: body })}
      testId="licensed-start"
      onClose={onClose}
      onStarted={onStarted}
      note={
        <div className="note">
          <IconLock className="small" aria-hidden />
          <span>{t("library.licensed.private")}</span>
        </div>
      }
    >
      <Choice label={t("library.licensed.standard")}>
        <span>
          <SegmentedControl
            label={t("library.licensed.standard")}
            value={standard}
            onChange={setStandard}
            options={copied.map(({ short, body }) => ({ value: short, label: body }))}
          />
        </span>
      </Choice>
      <Choice label={t("library.licensed.file")}>
        <span className="row gap-6">
          <Button
            icon={<IconFileImport className="small" aria-hidden />}
            data-autofocus
            onClick={choose}
            aria-describedby="licensed-file"
          >
            {t("library.licensed.choose")}
          </Button>
          <span id="licensed-file" className="row sm sec">
            {path === "" ? t("library.licensed.none") : <Name>{path}</Name>}
          </span>
        </span>
      </Choice>
      <Choice label={t("library.licensed.corpus")}>
        <span>
          <Id>{corpusOf(standard)}</Id>
        </span>
      </Choice>
    </ImportDialog>
  );
}
