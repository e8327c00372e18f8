import { useAction, useCommand } from "@/api/queries";
import type { Likeness } from "@/api/types";
import { Button } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { percent } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./alike.module.css";

/** Documents that a job made and that look like one whose file is gone: somebody says whether they are the same. */
export function Alike({ job }: { job: number }) {
  const alike = useCommand("document.alike", {});
  const asked = (alike.data ?? []).filter((each) => each.job === job);
  if (asked.length === 0) return null;
  return (
    <div className={css.alike}>
      <Note kind="info">
        <b>{t("library.job.alike.title", { count: asked.length })}</b>
        <ul className={css.list}>
          {asked.map((pair) => (
            <Pair key={`${pair.gone.id} ${pair.found.id}`} pair={pair} />
          ))}
        </ul>
        <span className="sec">{t("library.job.alike.why")}</span>
      </Note>
    </div>
  );
}

function Pair({ pair: { gone, found, share } }: { pair: Likeness }) {
  const same = useAction("document.same");
  const names = { found: visible(found.path), gone: visible(gone.path) };
  const answer = (joined: boolean) =>
    same.mutate(
      { former: gone.id, found: found.id, same: joined },
      { onSuccess: () => joined && toast({ kind: "ok", title: t("library.job.alike.joined", names) }) },
    );
  return (
    <li className="row gap-6 wrap">
      <span className="grow">{t("library.job.alike.pair", { ...names, share: percent(share) })}</span>
      <Button
        size="tiny"
        disabled={same.isPending}
        aria-label={t("library.job.alike.same_of", names)}
        onClick={() => answer(true)}
      >
        {t("library.job.alike.same")}
      </Button>
      <Button
        size="tiny"
        tone="quiet"
        disabled={same.isPending}
        aria-label={t("library.job.alike.two_of", names)}
        onClick={() => answer(false)}
      >
        {t("library.job.alike.two")}
      </Button>
    </li>
  );
}
