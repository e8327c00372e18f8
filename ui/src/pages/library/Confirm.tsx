import { Button } from "@/kit/Button";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { t } from "@/text";
import css from "./library.module.css";

type ConfirmProps = {
  /** The question. */
  title: string;
  /** What goes and what stays. */
  detail: string;
  /** The deletion is on its way. */
  pending: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something is deleted. */
export function Confirm({ title, detail, pending, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog open onClose={onClose} label={title} width={440} alert>
      <div className={css.dialog}>
        <h2 className={css.title}>{title}</h2>
        <p className="sec">{detail}</p>
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose} data-autofocus>
          {t("library.delete.keep")}
        </Button>
        <Button tone="danger" disabled={pending} onClick={onConfirm} data-testid="confirm-delete">
          {t("library.delete.confirm")}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
