import { useEffect, useState } from "react";
import { useAction } from "@/api/queries";
import type { Rating as Rated, Verdict } from "@/api/types";
import { Button } from "@/kit/Button";
import { TextField } from "@/kit/fields";
import { t } from "@/text";
import css from "./rating.module.css";

const VERDICTS: readonly Verdict[] = ["right", "wrong", "incomplete", "wrong_source"];

/** What the reader thinks of an answer of the log, and why. Pressing the verdict again takes it back. */
export function Rating({ id, rating }: { id: number; rating: Rated | null }) {
  const rate = useAction("answer.log.rate");
  const kept = rating?.reason ?? "";
  const [reason, setReason] = useState(kept);
  useEffect(() => setReason(kept), [kept]);
  const take = (verdict: Verdict) =>
    rate.mutate({ id, rating: rating?.verdict === verdict ? null : { verdict, reason: reason.trim() } });
  const keep = () => {
    if (rating && reason.trim() !== kept)
      rate.mutate({ id, rating: { verdict: rating.verdict, reason: reason.trim() } });
  };
  return (
    <div className={css.rating} role="group" aria-label={t("ask.rating.title")}>
      <span className="sm mut nowrap">{t("ask.rating.title")}</span>
      {VERDICTS.map((verdict) => (
        <Button
          key={verdict}
          size="tiny"
          className={rating?.verdict === verdict ? css.on : undefined}
          aria-pressed={rating?.verdict === verdict}
          disabled={rate.isPending}
          onClick={() => take(verdict)}
        >
          {t(`ask.rating.${verdict}`)}
        </Button>
      ))}
      {rating && (
        <TextField
          label={t("ask.rating.reason")}
          placeholder={t("ask.rating.reason")}
          size="small"
          soft
          className={css.reason}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.key === "Enter") keep();
          }}
        />
      )}
    </div>
  );
}
