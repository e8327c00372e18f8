import type { ReactNode } from "react";
import { Button } from "./Button";
import { Dialog, DialogFoot } from "./Dialog";

type ConfirmProps = {
  /** The question. */
  title: string;
  /** What goes and what stays. */
  detail: ReactNode;
  /** Word for doing it. */
  confirm: string;
  /** Word for leaving everything as it is; it has the focus. */
  keep: string;
  /** Something is lost by it. */
  danger?: boolean;
  /** It is on its way. */
  pending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something is done that is not easily undone. */
export function Confirm(props: ConfirmProps) {
  const { title, detail, confirm, keep, danger, pending, onConfirm, onClose } = props;
  return (
    <Dialog open onClose={onClose} label={title} width={440} alert>
      <div className="ask">
        <h2>{title}</h2>
        {/* A paragraph may hold no list of figures. */}
        <div className="sec">{detail}</div>
      </div>
      <DialogFoot>
        <span className="grow" />
        <Button onClick={onClose} data-autofocus>
          {keep}
        </Button>
        <Button
          tone={danger ? "danger" : "primary"}
          disabled={pending}
          onClick={onConfirm}
          data-testid="confirm"
        >
          {confirm}
        </Button>
      </DialogFoot>
    </Dialog>
  );
}
