import { IconArrowsDiff, IconBolt, IconLoader2 } from "@tabler/icons-react";
import type { ChunkingDifference } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Note } from "@/kit/Note";
import { PaneHead } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useDelayed } from "@/kit/states";
import type { Side } from "@/parts/Letter";
import { t } from "@/text";
import { milliseconds, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import css from "./configuration.module.css";
import { differenceLine } from "./Difference";
import { Chips, Form, FormButton } from "./Form";
import shared from "./shared.module.css";
import type { Cut } from "./use-chunking";
import type { ConfigControl } from "./use-config";

/** A cut that is on screen, and how long that took from the change on. */
export type Painted = { cut: Cut; milliseconds: number };

type RebuiltProps = {
  cut: Cut;
  pending: boolean;
  painted: Painted | undefined;
  /** There is room for the time alone. */
  short?: boolean;
};

/** How long the last change took until its boundaries were on screen. */
function Rebuilt({ cut, pending, painted, short }: RebuiltProps) {
  const late = useDelayed(pending, 150);
  const took = painted?.cut === cut && cut.asked > 0 ? painted.milliseconds : undefined;
  const words = late
    ? t("chunk-lab.form.rebuilding")
    : took === undefined
      ? t("chunk-lab.form.cut_in", { time: milliseconds(cut.view.chunking_ms) })
      : t("chunk-lab.form.rebuilt", {
          time: milliseconds(took),
          cutting: milliseconds(cut.view.chunking_ms),
        });
  return (
    <span
      className={classes("row gap-6 xs mut nowrap", short && css.took)}
      data-tip={words}
      data-testid="chunk-lab-rebuilt"
      data-painted={took}
      data-chunking={cut.view.chunking_ms}
      data-pending={pending}
    >
      {late ? <IconLoader2 className="small spin" aria-hidden /> : <IconBolt className="small" aria-hidden />}
      <span className="ell number">{short ? milliseconds(took ?? cut.view.chunking_ms) : words}</span>
    </span>
  );
}

function SideSwitch({ side, onChange }: { side: Side; onChange: (side: Side) => void }) {
  return (
    <SegmentedControl
      label={t("chunk-lab.form.side")}
      size="small"
      value={side}
      onChange={onChange}
      options={[
        { value: "a", label: "A" },
        { value: "b", label: "B" },
      ]}
    />
  );
}

type MistakeProps = { error: { code: string; message: string } | undefined; onRetry: () => void };

/** Why the last change could not be cut; the former cut stays. */
export function Mistake({ error, onRetry }: MistakeProps) {
  if (!error) return null;
  return (
    <div className={shared.strap} role="alert">
      <Note kind="bad">
        {visible(sentence(error.message))}{" "}
        {error.code !== "setting" && (
          <Button size="tiny" onClick={onRetry}>
            {t("errors.cure.retry")}
          </Button>
        )}
      </Note>
    </div>
  );
}

type ConfigurationProps = {
  side: Side;
  onSide: (side: Side) => void;
  control: ConfigControl;
  cut: Cut;
  /** The cut that the figures show; a frame behind while something changes. */
  later: Cut;
  pending: boolean;
  painted: Painted | undefined;
  mistake: MistakeProps;
  /** How the cut differs from what is stored, where it is. */
  difference: ChunkingDifference | undefined;
  onDiffer: () => void;
  /** Nothing where there is no corpus to apply it to. */
  onApply: (() => void) | undefined;
  /** What applying would embed, in words. */
  price: string | undefined;
};

/** Strategy and parameters in a pane of their own. */
export function Configuration(props: ConfigurationProps) {
  const { side, onSide, control, cut, later, pending, painted, mistake, difference, onApply, price } = props;
  return (
    <>
      <PaneHead title={t("chunk-lab.form.title")} end={<SideSwitch side={side} onChange={onSide} />} />
      <ScrollRegion fill ways="down">
        <Mistake {...mistake} />
        <Form side={side} control={control} cut={later} />
      </ScrollRegion>
      <div className={css.foot}>
        <Rebuilt cut={cut} pending={pending} painted={painted} />
        {difference && (
          <span className={css.differs1}>
            <span className="xs mut ell" data-testid="chunk-lab-difference">
              {differenceLine(difference)}
            </span>
            <Button size="tiny" tone="quiet" onClick={props.onDiffer}>
              {t("chunk-lab.difference.open")}
            </Button>
          </span>
        )}
        {onApply ? (
          <>
            <Button tone="primary" className={css.apply} onClick={onApply}>
              {t("chunk-lab.form.apply")}
            </Button>
            <span className={`xs mut ${css.price}`}>{price ?? " "}</span>
          </>
        ) : (
          <span className="xs mut">{t("chunk-lab.form.not_stored")}</span>
        )}
      </div>
    </>
  );
}

/** The same in one line, where the window is narrow. */
export function ConfigurationStrip(props: ConfigurationProps) {
  const { side, onSide, control, cut, pending, painted, difference, onApply } = props;
  return (
    <section
      className={css.strip}
      aria-label={t("chunk-lab.form.title")}
      data-pane="configuration"
      tabIndex={-1}
    >
      <SideSwitch side={side} onChange={onSide} />
      <FormButton words side={side} control={control} cut={cut} />
      <Chips control={control} />
      <span className="grow" />
      <Rebuilt short cut={cut} pending={pending} painted={painted} />
      {difference && (
        <IconButton size="small" label={differenceLine(difference)} onClick={props.onDiffer}>
          <IconArrowsDiff className="small" aria-hidden />
        </IconButton>
      )}
      {onApply && (
        <Button size="small" tone="primary" onClick={onApply}>
          {t("chunk-lab.form.apply_short")}
        </Button>
      )}
    </section>
  );
}
