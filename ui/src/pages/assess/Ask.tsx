import { useId, useState } from "react";
import type { ReviewStatus } from "@/api/types";
import { FormDialog } from "@/kit/FormDialog";
import { t } from "@/text";
import css from "./assess.module.css";
import type { CellId } from "./deciding";

/** A decision on several cells that is asked about first. */
export type Asked = {
  cells: readonly CellId[];
  status: ReviewStatus;
  /** Whether it leaves out what is decided already. */
  open: boolean;
};

type AskProps = { asked: Asked; onDecide: (note: string | undefined) => void; onClose: () => void };

/** Asks before several cells are decided at once. What is not applicable needs its reason. */
export function Ask({ asked: { cells, status, open }, onDecide, onClose }: AskProps) {
  const [reason, setReason] = useState("");
  const id = useId();
  const needed = status === "not_applicable";
  const title = t(open ? "assess.ask.title_open" : "assess.ask.title", {
    count: cells.length,
    status: t(`assess.status.${status}`),
  });
  const note = reason.trim();
  return (
    <FormDialog
      title={title}
      width={440}
      confirm={t("assess.ask.mark")}
      ready={!needed || note !== ""}
      focusConfirm={!needed}
      onConfirm={() => onDecide(needed ? note : undefined)}
      onClose={onClose}
    >
      {needed ? (
        <>
          <label className="lab" htmlFor={id}>
            {t("assess.ask.reason")}
          </label>
          <textarea
            id={id}
            className={css.note}
            rows={3}
            required
            aria-describedby={`${id}-note`}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            data-autofocus
          />
          <div className="sec sm" id={`${id}-note`}>
            {t("assess.ask.reason_needed")}
          </div>
        </>
      ) : (
        <div className="sec">{t("assess.ask.detail")}</div>
      )}
    </FormDialog>
  );
}
