import { Modal } from "@mantine/core";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { t } from "@/text";
import { Button } from "./Button";
import css from "./dialog.module.css";

type DialogProps = {
  open: boolean;
  onClose: () => void;
  /** Its name, for assistive technology; the visible heading is part of the content. */
  label: string;
  width: number;
  /** Pixels from the top of the window. */
  top?: number;
  /** A question that must be answered. */
  alert?: boolean;
  /** It asks nothing: all that stands below it is a button that closes it. */
  closes?: boolean;
  children: ReactNode;
};

// Mantine gives every modal the role of a plain dialog.
const asAlert = (element: HTMLElement | null) => element?.setAttribute("role", "alertdialog");

/** Gives the focus back when an open dialog goes away as a whole rather than being closed. */
function useFocusBack(open: boolean): void {
  const [before] = useState(() => (open ? document.activeElement : null));
  const still = useRef(open);
  useEffect(() => {
    still.current = open;
  }, [open]);
  useEffect(
    () => () => {
      if (still.current && before instanceof HTMLElement && before.isConnected) before.focus();
    },
    [before],
  );
}

/** A dialog over the window. Escape closes it and the focus returns to where it was. */
export function Dialog({ open, onClose, label, width, top = 92, alert, closes, children }: DialogProps) {
  useFocusBack(open);
  return (
    <Modal.Root
      opened={open}
      onClose={onClose}
      size={width}
      yOffset={top}
      xOffset={16}
      padding={0}
      transitionProps={{ duration: 0 }}
      lockScroll={false}
      classNames={{ overlay: "k-modal-overlay", content: "k-modal", body: "k-modal-body" }}
    >
      <Modal.Overlay color="var(--scrim)" backgroundOpacity={1} />
      <Modal.Content aria-label={label} ref={alert ? asAlert : undefined}>
        <Modal.Body>
          {children}
          {closes && (
            <DialogFoot>
              <span className="grow" />
              <Button onClick={onClose} data-autofocus>
                {t("dialog.close")}
              </Button>
            </DialogFoot>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The row of buttons below a dialog. */
export function DialogFoot({ children }: { children: ReactNode }) {
  return <div className={css.foot}>{children}</div>;
}
