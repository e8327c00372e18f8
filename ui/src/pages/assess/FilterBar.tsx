import { IconArrowForwardUp, IconEqualNot, IconPlug, IconQuestionMark, IconUsers } from "@tabler/icons-react";
import { type RefObject, useMemo } from "react";
import { SearchField } from "@/kit/fields";
import { Pill } from "@/kit/Pill";
import { t } from "@/text";
import { whole } from "@/text/format";
import css from "./assess.module.css";
import { countsOf, type Model } from "./model";
import { type Assess, ONLY } from "./state";

const ICONS = {
  proposed: IconPlug,
  differs: IconEqualNot,
  disputed: IconUsers,
  moved: IconArrowForwardUp,
  carried: IconQuestionMark,
};

type FilterBarProps = {
  state: Assess;
  change: (part: Partial<Assess>) => void;
  model: Model;
  /** The reviewer at this window. */
  me: string;
  field: RefObject<HTMLInputElement | null>;
  /** Gives the focus to the cell in use of those that `words` leave. */
  onLeave: (words: string) => void;
};

/** What the grid is narrowed to. */
export function FilterBar({ state, change, model, me, field, onLeave }: FilterBarProps) {
  const counts = useMemo(() => countsOf(model, ONLY, me), [model, me]);
  return (
    <div role="search" aria-label={t("assess.filter.label")} className={css.filters}>
      <SearchField
        ref={field}
        size="small"
        label={t("assess.filter.label")}
        placeholder={t("assess.filter.placeholder")}
        className={css.words}
        value={state.words}
        onChange={(words) => change({ words })}
        onKeyDown={(event) => {
          if (!["Escape", "Enter", "ArrowDown"].includes(event.key)) return;
          event.preventDefault();
          event.stopPropagation();
          const words = event.key === "Escape" ? "" : event.currentTarget.value;
          change({ words });
          onLeave(words);
        }}
      />
      {ONLY.map((only) => {
        const active = state.only.includes(only);
        // Where no program proposes, nothing is said of programs.
        if (only === "proposed" && !active && !counts.get(only)) return null;
        const Icon = only in ICONS ? ICONS[only as keyof typeof ICONS] : undefined;
        return (
          <Pill
            key={only}
            icon={Icon && <Icon className="xs" aria-hidden />}
            label={t(`assess.filter.${only}`)}
            value={whole(counts.get(only) ?? 0)}
            active={active}
            onClick={() =>
              change({ only: ONLY.filter((each) => (each === only ? !active : state.only.includes(each))) })
            }
          />
        );
      })}
    </div>
  );
}
