import { may } from "@/api/client";
import { useAction } from "@/api/queries";
import type { CorpusOverview, HeldDocuments, HeldOutcome } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { NotLoaded } from "@/kit/states";
import { toast } from "@/state/toasts";
import { type TextKey, t } from "@/text";
import { moment } from "@/text/format";
import { named, useHeld } from "./gone";
import css from "./held-back.module.css";

/** What became of documents once somebody decided. */
function told({ deleted, marked, kept }: HeldOutcome): string {
  if (deleted > 0) return t("library.held.deleted", { count: deleted });
  if (marked > 0) return t("library.held.marked", { count: marked });
  return t("library.held.kept", { count: kept });
}

/** Documents of a corpus that lost a part, and those whose files are gone as long as somebody has to decide about them. */
export function HeldBack({ overview: { corpus, incomplete } }: { overview: CorpusOverview }) {
  const all = useHeld();
  const held = (all.data ?? []).filter((each) => each.corpus === corpus.name);
  return (
    <>
      <NotLoaded query={all} />
      {incomplete > 0 && <Note kind="warn">{t("library.held.incomplete", { count: incomplete })}</Note>}
      {held.map((each) => (
        <Question key={`${each.root} ${each.reason}`} held={each} />
      ))}
    </>
  );
}

function Question({ held }: { held: HeldDocuments }) {
  const decide = useAction("held.decide");
  const { root, corpus, reason, gone, files, until } = held;
  const marks = gone === "mark";
  const answer = (confirmed: boolean) =>
    decide.mutate(
      { root, corpus, reason, confirmed },
      { onSuccess: (outcome) => toast({ kind: "ok", title: told(outcome) }) },
    );
  const then: TextKey = marks ? "library.held.then_marked" : "library.held.then_deleted";
  return (
    <Note kind="warn">
      <b>
        {root === ""
          ? t(`library.held.${reason}_elsewhere`, { count: files.count })
          : t(`library.held.${reason}`, { count: files.count, folder: root })}
      </b>
      <p className="sm sec">{named(files)}</p>
      <p className="sm">{until === null ? t("library.held.nothing") : t(then, { at: moment(until) })}</p>
      {may("held.decide") && (
        <div className={css.answers}>
          <Button size="small" disabled={decide.isPending} onClick={() => answer(false)}>
            {t("library.held.keep", { count: files.count })}
          </Button>
          <Button size="small" tone="danger" disabled={decide.isPending} onClick={() => answer(true)}>
            {t(marks ? "library.held.mark" : "library.held.delete", { count: files.count })}
          </Button>
        </div>
      )}
    </Note>
  );
}
