import type { ReactNode } from "react";
import { t } from "@/text";
import { sentence } from "@/text/format";
import { visible } from "@/text/visible";
import { Button } from "./Button";
import { Dialog, DialogFoot } from "./Dialog";

type FormDialogProps = {
  title: string;
  width: number;
  /** Pixels from the top of the window. */
  top?: number;
  /** Word for doing it. */
  confirm: string;
  /** Whether what is filled in can be sent; nothing is sent otherwise. */
  ready: boolean;
  /** Whether the button that sends it has the focus, as where nothing need be filled in. */
  focusConfirm?: boolean;
  /** Why it cannot be done. */
  problem?: string | null;
  onConfirm: () => void;
  onClose: () => void;
  /** What is asked and filled in. */
  children: ReactNode;
};

/** A dialog with something to fill in: Enter sends it, Escape leaves everything as it is. */
export function FormDialog(props: FormDialogProps) {
  const { title, width, top, confirm, ready, focusConfirm, problem, onConfirm, onClose } = props;
  return (
    <Dialog open onClose={onClose} label={title} width={width} top={top}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) onConfirm();
        }}
      >
        <div className="ask">
          <h2>{title}</h2>
          {props.children}
          {problem && (
            <p className="sm c-bad" role="alert">
              {visible(sentence(problem))}
            </p>
          )}
        </div>
        <DialogFoot>
          <span className="grow" />
          <Button onClick={onClose}>{t("dialog.cancel")}</Button>
          <Button tone="primary" type="submit" disabled={!ready} data-autofocus={focusConfirm || undefined}>
            {confirm}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
