import { IconCheck, IconPlus } from "@tabler/icons-react";
import { Fragment, type ReactNode, useState } from "react";
import { classes } from "@/kit/class-names";
import { SearchField } from "@/kit/fields";
import { Name } from "@/kit/Name";
import { Pill } from "@/kit/Pill";
import { Popover } from "@/kit/Popover";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./filter.module.css";

/** Most values that are listed. */
const MOST = 200;

/** A value that a filter can take. */
export type FilterChoice = {
  value: string;
  label: string;
  detail?: string;
  /** Heading over it and those of the same group beside it. */
  group?: string;
};

type FilterSheetProps = {
  /** Name of the filter. */
  label: string;
  choices: readonly FilterChoice[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Whether a value that is not among the choices may be entered. */
  free?: boolean;
  /** Stands between the search field and the values. */
  children?: ReactNode;
};

/** The values of a filter: choose of those that exist, or enter one. */
export function FilterSheet({ label, choices, values, onChange, free, children }: FilterSheetProps) {
  const [words, setWords] = useState("");
  const typed = words.trim();
  const shown = choices.filter((choice) =>
    `${choice.label} ${choice.value}`.toLowerCase().includes(typed.toLowerCase()),
  );
  const toggle = (value: string) =>
    onChange(values.includes(value) ? values.filter((each) => each !== value) : [...values, value]);
  const take = (value: string) => {
    toggle(value);
    setWords("");
  };
  const fresh = free && typed !== "" && !choices.some((choice) => choice.value === typed);
  return (
    <div className={css.sheet}>
      <SearchField
        label={t("search.filter.find", { filter: label })}
        placeholder={t(free && choices.length === 0 ? "search.filter.enter" : "search.filter.find_short")}
        size="small"
        value={words}
        onChange={setWords}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || typed === "") return;
          const only = shown.length === 1 ? shown[0]?.value : undefined;
          const value = only ?? (free ? typed : undefined);
          if (value !== undefined) take(value);
        }}
      />
      {children}
      <ScrollRegion className={css.choices} role="group" aria-label={label}>
        {shown.slice(0, MOST).map((choice, at) => (
          <Fragment key={choice.value}>
            {choice.group && choice.group !== shown[at - 1]?.group && (
              <span className="xs mut">{choice.group}</span>
            )}
            <button
              type="button"
              role="checkbox"
              aria-checked={values.includes(choice.value)}
              className="k-option"
              onClick={() => toggle(choice.value)}
            >
              <span className={classes(css.box, values.includes(choice.value) && css.on)}>
                <IconCheck className="xs" aria-hidden />
              </span>
              <bdi className={`grow ${css.name}`}>{visible(choice.label)}</bdi>
              {choice.detail && <bdi className="xs mut number">{visible(choice.detail)}</bdi>}
            </button>
          </Fragment>
        ))}
        {fresh && (
          <button type="button" className="k-option" onClick={() => take(typed)}>
            <IconPlus className="small" aria-hidden />
            <span className="ell">{t("search.filter.take", { value: typed })}</span>
          </button>
        )}
        {shown.length === 0 && !fresh && (
          <span className="sm mut">{t(free ? "search.filter.enter" : "search.filter.nothing")}</span>
        )}
      </ScrollRegion>
    </div>
  );
}

type FilterPillProps = {
  /** Name of the filter. */
  label: string;
  values: readonly string[];
  /** A value as the reader knows it. */
  nameOf: (value: string) => string;
  /** How many values there are, where that is said of several chosen. */
  total?: number;
  onClear: () => void;
  width?: number;
  position?: "bottom-start" | "bottom-end";
  className?: string;
  /** The sheet that opens; drawn while it is open only. */
  children: () => ReactNode;
};

/** A filter in one line: what it lets through, its sheet when pressed, and a cross that clears it. */
export function FilterPill(props: FilterPillProps) {
  const { label, values, nameOf, total = 0, onClear, width = 264, position, className, children } = props;
  const first = values[0];
  const value =
    first === undefined ? (
      t("search.filter.any")
    ) : values.length === 1 ? (
      <Name className={css.value}>{nameOf(first)}</Name>
    ) : total > 0 ? (
      t("search.filter.of", { count: values.length, total })
    ) : (
      values.length
    );
  return (
    <Popover
      label={label}
      width={width}
      position={position}
      button={(open, toggle) => (
        <Pill
          label={label}
          value={value}
          menu
          active={values.length > 0}
          aria-expanded={open}
          aria-haspopup="dialog"
          className={className}
          onClick={toggle}
          onRemove={values.length > 0 ? onClear : undefined}
          removeLabel={t("search.filter.clear", { filter: label })}
        />
      )}
    >
      {children}
    </Popover>
  );
}
