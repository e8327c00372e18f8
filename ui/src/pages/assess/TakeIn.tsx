import { IconFileImport } from "@tabler/icons-react";
import { useRef } from "react";
import { useAction } from "@/api/queries";
import type { PackImport } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { ErrorState } from "@/kit/states";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./export.module.css";

/** Differences that are listed. */
const MOST = 8;

type TakeInProps = {
  /** Said before. */
  about?: string;
  /** Called with the assessment where all was taken in. */
  onTaken?: (assessment: number) => void;
};

/** Takes the decisions of a pack in JSON into the library, and says which differ from those that stand here. */
export function TakeIn({ about, onTaken }: TakeInProps) {
  const file = useRef<HTMLInputElement>(null);
  const action = useAction("assess.import", { inPlace: true });
  const { data: done, error, isPending: taking } = action;
  const take = async (chosen: File) => {
    const pack = await chosen.text();
    action.mutate(
      { pack },
      {
        onSuccess: (done) => {
          if (differs(done) || !onTaken) return;
          toast({ kind: "ok", title: takenWords(done) });
          onTaken(done.assessment);
        },
      },
    );
  };
  return (
    <div className={css.check}>
      {about !== undefined && <span className="sec sm">{about}</span>}
      <input
        ref={file}
        type="file"
        accept=".json"
        hidden
        data-testid="taken-pack"
        onChange={(event) => {
          const [chosen] = event.currentTarget.files ?? [];
          if (chosen) void take(chosen);
          event.currentTarget.value = "";
        }}
      />
      <Button
        size="small"
        icon={<IconFileImport className="small" aria-hidden />}
        disabled={taking}
        onClick={() => file.current?.click()}
      >
        {t(taking ? "assess.export.taking" : "assess.export.take")}
      </Button>
      <div role="status">
        {done && (
          <Note kind={differs(done) ? "warn" : "info"}>
            {takenWords(done)}
            {differs(done) && (
              <ul className={css.faults}>
                {done.missing.map((report) => (
                  <li key={report}>{t("assess.export.no_report", { report: visible(report) })}</li>
                ))}
                {done.conflicts.slice(0, MOST).map((one) => (
                  <li key={`${one.requirement} ${one.report_id}`}>
                    {t("assess.export.conflict", {
                      requirement: one.requirement,
                      report: one.report_id,
                      here: t(`assess.status.${one.here}`),
                      there: t(`assess.status.${one.there}`),
                    })}
                  </li>
                ))}
                {done.conflicts.length > MOST && (
                  <li>{t("assess.export.further", { count: done.conflicts.length - MOST })}</li>
                )}
              </ul>
            )}
          </Note>
        )}
      </div>
      {error && <ErrorState error={error} />}
    </div>
  );
}

const takenWords = ({ taken, same }: PackImport): string =>
  [t("assess.export.taken", { count: taken }), same > 0 && t("assess.export.same", { count: same })]
    .filter(Boolean)
    .join(" ");

const differs = ({ conflicts, missing }: PackImport) => conflicts.length > 0 || missing.length > 0;
