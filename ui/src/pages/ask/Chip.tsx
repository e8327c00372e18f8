import { IconPlus, IconX } from "@tabler/icons-react";
import type { Constraint } from "@/api/types";
import { classes } from "@/kit/class-names";
import { tip } from "@/kit/Tooltip";
import { t } from "@/text";
import { ChipField } from "./ChipField";
import { inWords, plain } from "./chips";
import css from "./understood.module.css";

/** What a button among chips has as one of the stops of arrow keys. */
export type Stop = {
  "data-chip": number;
  tabIndex: 0 | -1;
  "aria-disabled": true | undefined;
  onFocus: () => void;
};

type EditProps = {
  /** Its words are being typed. */
  open: boolean;
  onOpen: () => void;
  onClose: () => void;
  onWords: (words: string) => void;
};

type ChipProps = EditProps & {
  each: Constraint;
  /** Nothing where it stands in no row. */
  stop: Stop | undefined;
  /** It was taken over from the question before. */
  inherited: boolean;
  onRemove: () => void;
};

/** Something that a question sets. A press on its words changes it. */
export function Chip({ each, stop, inherited, open, onOpen, onClose, onWords, onRemove }: ChipProps) {
  const words = inWords(each);
  const changing = t("ask.understood.changing", { what: words });
  if (open)
    return (
      <li className={css.field}>
        <ChipField label={changing} value={plain(each)} onWords={onWords} onClose={onClose} />
      </li>
    );
  const named = inherited ? t("ask.understood.inherited", { what: words }) : words;
  const tone = each.kind === "unknown_issuer" ? css.unknown : !inherited && "on";
  return (
    <li
      className={classes("chip", css.chip, tone, inherited && css.inherited, !stop && css.folded)}
      data-constraint={each.kind}
    >
      <button
        type="button"
        {...stop}
        className={css.words}
        aria-label={t("ask.understood.change", { what: named })}
        {...tip(changing)}
        onClick={onOpen}
      >
        <bdi className="ell">{words}</bdi>
      </button>
      <button
        type="button"
        className={css.remove}
        tabIndex={-1}
        aria-disabled={stop?.["aria-disabled"]}
        aria-label={t("ask.understood.remove", { what: words })}
        {...tip(t("ask.understood.without", { what: words }))}
        onFocus={stop?.onFocus}
        onClick={onRemove}
      >
        <IconX className="xs" aria-hidden />
      </button>
    </li>
  );
}

type LeftOutProps = Pick<ChipProps, "each" | "stop"> & { onRestore: () => void };

/** Something that is left out of the question. A press puts it back. */
export function LeftOut({ each, stop, onRestore }: LeftOutProps) {
  const words = inWords(each);
  return (
    <li className={classes(css.chip, !stop && css.folded)} data-ignored={each.kind}>
      <button
        type="button"
        {...stop}
        className={classes("chip", css.out)}
        aria-label={t("ask.understood.restore", { what: words })}
        {...tip(t("ask.understood.with", { what: words }))}
        onClick={onRestore}
      >
        <IconPlus className="xs" aria-hidden />
        <s className="ell">{words}</s>
      </button>
    </li>
  );
}

/** Stands for chips that are in no row. */
export function More({ count, stop, onPress }: { count: number; stop: Stop; onPress: () => void }) {
  return (
    <li className={css.chip}>
      <button
        type="button"
        {...stop}
        className={classes("chip number", css.more)}
        aria-label={t("ask.understood.more", { count })}
        {...tip(t("ask.understood.more_tip"))}
        onClick={onPress}
      >
        {t("ask.understood.rest", { count })}
      </button>
    </li>
  );
}

/** Adds to what the question sets. */
export function Adding({ stop, open, onOpen, onClose, onWords }: EditProps & { stop: Stop }) {
  const label = t("ask.understood.add");
  return open ? (
    <li className={css.field}>
      <ChipField label={label} value="" onWords={onWords} onClose={onClose} />
    </li>
  ) : (
    <li className={css.chip}>
      <button type="button" {...stop} className={css.add} aria-label={label} {...tip(label)} onClick={onOpen}>
        <IconPlus className="xs" aria-hidden />
      </button>
    </li>
  );
}
