// For errors that stopped the work: what happened, what is safe, what can be done, and the details.

import { IconAlertTriangle, IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import { Button } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { classes } from "@/kit/class-names";
import { Dialog, DialogFoot } from "@/kit/Dialog";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { closeTrouble, type Trouble, useTrouble } from "@/state/trouble";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./error-dialog.module.css";

function Body({ trouble }: { trouble: Trouble }) {
  const [chosen, setChosen] = useState(0);
  const [open, setOpen] = useState(false);
  const details = useId();
  const choices = trouble.choices ?? [];
  const choice = choices[chosen];
  const run = () => {
    closeTrouble();
    choice?.run();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: digits choose wherever the focus is in the dialog, arrows among the choices.
    <div
      onKeyDown={(event) => {
        const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
        const radio = (event.target as Element).closest("[role=radio]");
        const index =
          step && radio ? (chosen + step + choices.length) % choices.length : Number(event.key) - 1;
        if (!choices[index]) return;
        setChosen(index);
        if (!radio) return;
        event.preventDefault();
        radio.parentElement?.querySelectorAll<HTMLElement>("[role=radio]")[index]?.focus();
      }}
    >
      <div className={css.trouble}>
        <div className="row align-top gap-12">
          <span className={css.icon}>
            <IconAlertTriangle aria-hidden />
          </span>
          <div>
            <div className={css.title}>{visible(trouble.title)}</div>
            <p className={`sec ${css.text}`}>{visible(trouble.message)}</p>
          </div>
        </div>
        {choices.length > 0 && (
          <div className="col gap-6" role="radiogroup" aria-label={t("dialog.choices")}>
            {choices.map((each, index) => (
              <button
                key={each.label}
                type="button"
                role="radio"
                aria-checked={index === chosen}
                tabIndex={index === chosen ? 0 : -1}
                className={classes("choice", index === chosen && "on")}
                onClick={() => setChosen(index)}
                onDoubleClick={run}
              >
                <span className="dot" />
                <span className="grow">
                  <b>{each.label}</b>
                  {each.detail && <span className={`sm sec ${css.detail}`}>{each.detail}</span>}
                </span>
                <kbd className="kbd">{index + 1}</kbd>
              </button>
            ))}
          </div>
        )}
        <div className="card sunken">
          <button
            type="button"
            className={`row sm sec ${css.details}`}
            aria-expanded={open}
            aria-controls={details}
            onClick={() => setOpen(!open)}
          >
            {open ? (
              <IconChevronDown className="small" aria-hidden />
            ) : (
              <IconChevronRight className="small" aria-hidden />
            )}
            {t("dialog.details")}
            <span className={`mono xs mut ${css.code}`}>{trouble.code}</span>
          </button>
          <ScrollRegion as="pre" label={t("dialog.details")} id={details} hidden={!open}>
            {visible(trouble.details ?? trouble.message)}
          </ScrollRegion>
        </div>
      </div>
      <DialogFoot>
        <CopyButton
          words
          size="default"
          label={t("dialog.copy")}
          text={`${trouble.code}\n${trouble.title}\n${trouble.message}\n${trouble.details ?? ""}`}
        />
        <span className="grow" />
        <Button data-autofocus={choice ? undefined : true} onClick={closeTrouble}>
          {trouble.leave ?? t("dialog.close")}
        </Button>
        {choice && (
          <Button tone="primary" data-autofocus onClick={run}>
            {choice.action}
          </Button>
        )}
      </DialogFoot>
    </div>
  );
}

/** The dialog, when there is something to say. */
export function ErrorDialog() {
  const now = useTrouble();
  return (
    <Dialog
      open={now !== undefined}
      onClose={closeTrouble}
      label={now?.title ?? ""}
      width={560}
      top={150}
      alert
    >
      {now && <Body trouble={now} />}
    </Dialog>
  );
}
