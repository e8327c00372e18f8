import type { GoneReport, HeldDocuments } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { useQueryState } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { named, useHeld } from "./gone";
import css from "./held-back.module.css";
import dock from "./job-dock.module.css";

const KINDS = ["deleted", "marked", "held", "away"] as const;

/** The corpora in which somebody has to decide still about documents that are kept for now. */
function waitingIn({ held, away }: GoneReport, questions: readonly HeldDocuments[]): string[] {
  const kept = new Set([...held.documents, ...away.documents].map(({ id }) => id));
  const waiting = questions.filter(({ files }) => files.documents.some(({ id }) => kept.has(id)));
  return [...new Set(waiting.map(({ corpus }) => corpus))];
}

/** What a job did with documents whose files were gone, and where that waits for a decision. */
export function JobGone({ gone }: { gone: GoneReport }) {
  const [, setCorpus] = useQueryState("corpus", "");
  const [, openBin] = useQueryState("bin", "");
  const told = KINDS.filter((kind) => gone[kind].count > 0);
  const kept = told.includes("held") || told.includes("away");
  const questions = useHeld();
  if (told.length === 0) return null;
  const waiting = waitingIn(gone, questions.data ?? []);
  return (
    <div className={dock.jobError}>
      <Note kind={kept ? "warn" : "plain"}>
        {told.map((kind) => (
          <div key={kind}>
            {t(`library.job.gone.${kind}`, { count: gone[kind].count, documents: named(gone[kind]) })}
          </div>
        ))}
        <div className={css.answers}>
          {waiting.map((corpus) => (
            <Button key={corpus} size="tiny" onClick={() => setCorpus(corpus)}>
              {t("library.job.gone.decide", { corpus: visible(corpus) })}
            </Button>
          ))}
          {told.includes("deleted") && (
            <Button size="tiny" onClick={() => openBin("open")}>
              {t("library.bin.open")}
            </Button>
          )}
        </div>
      </Note>
    </div>
  );
}
