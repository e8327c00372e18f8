// Every shortcut under its heading. Single letters can be given another key, or none.

import { type KeyboardEvent, useState } from "react";
import { classes } from "@/kit/class-names";
import { Kbd } from "@/kit/Kbd";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { combination, isSingleKey, keysOf, type ShortcutDefinition, useShortcutList } from "@/kit/shortcuts";
import { matches } from "@/state/palette-sources";
import { preferences, setPreferences, usePreferences } from "@/state/preferences";
import { t } from "@/text";
import css from "./key-table.module.css";

function remap(id: string, key: string | undefined) {
  const { [id]: _, ...rest } = preferences().shortcuts;
  setPreferences({ shortcuts: key === undefined ? rest : { ...rest, [id]: key } });
}

function Row({
  item,
  custom,
  all,
}: {
  item: ShortcutDefinition;
  custom: boolean;
  all: readonly ShortcutDefinition[];
}) {
  const [problem, setProblem] = useState("");
  const keys = keysOf(item.id);
  const press = (event: KeyboardEvent) => {
    if (event.key === "Tab" || event.key === "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    const key = event.key === "Backspace" || event.key === "Delete" ? "" : combination(event.nativeEvent);
    if (key.length > 1) return;
    const taken = all.find(
      (each) => each !== item && each.group === item.group && key !== "" && keysOf(each.id) === key,
    );
    setProblem(taken ? t("keys.taken", { key: key.toUpperCase(), label: taken.label }) : "");
    if (!taken) remap(item.id, key === item.keys ? undefined : key);
  };
  return (
    <div className={css.row}>
      <span>
        {item.label}
        {problem && <span className="c-bad xs"> {problem}</span>}
      </span>
      {custom && !item.listedOnly && isSingleKey(item.keys) ? (
        <button type="button" className={css.edit} onKeyDown={press}>
          {/* Read as content: axe takes a digit out of a label and misses it there. */}
          <span className="sr-only">{`${item.label}: ${t("keys.press")}`}</span>
          {keys ? <Kbd keys={keys} /> : <span className="kbd">—</span>}
        </button>
      ) : (
        keys && <Kbd keys={keys} />
      )}
    </div>
  );
}

type KeyTableProps = {
  /** Words that narrow it. */
  query: string;
  /** Whether single letters can be given another key. */
  custom: boolean;
  /** Part of a longer page: as high as it is, in as many columns as fit. */
  flat?: boolean;
};

/** Every shortcut under its heading. */
export function KeyTable({ query, custom, flat }: KeyTableProps) {
  const all = useShortcutList();
  // A new key shows at once.
  usePreferences();
  const found = all.filter((item) => matches(`${item.label} ${item.group}`, query));
  const groups = [...new Set(found.map((item) => item.group))];
  if (found.length === 0) return <div className={`sec ${css.empty}`}>{t("keys.none", { query })}</div>;
  return (
    <ScrollRegion className={classes(css.region, flat && css.flat)} label={t("keys.list")}>
      <div className={css.columns}>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3 className="h2">{group}</h3>
            {found
              .filter((item) => item.group === group)
              .map((item) => (
                <Row key={item.id} item={item} custom={custom} all={all} />
              ))}
          </section>
        ))}
      </div>
    </ScrollRegion>
  );
}
