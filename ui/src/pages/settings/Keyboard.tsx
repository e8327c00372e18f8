import { useState } from "react";
import { Button } from "@/kit/Button";
import { SearchField } from "@/kit/fields";
import { tip } from "@/kit/Tooltip";
import { KeyTable } from "@/parts/KeyTable";
import { setPreferences, usePreferences } from "@/state/preferences";
import { t } from "@/text";
import css from "./keyboard.module.css";

/** Every shortcut; single letters can be changed. */
export function Keyboard() {
  const [query, setQuery] = useState("");
  const remapped = Object.keys(usePreferences().shortcuts).length > 0;
  return (
    <div data-row="shortcuts" role="group" aria-label={t("settings.row.shortcuts")}>
      <div className={`row gap-6 wrap ${css.keysHead}`}>
        <span className={`xs mut ${css.keysNote}`}>{t("settings.keyboard.note")}</span>
        <SearchField
          label={t("keys.find")}
          placeholder={t("keys.find")}
          size="small"
          soft
          value={query}
          onChange={setQuery}
          style={{ width: 180 }}
        />
        <Button
          size="small"
          disabled={!remapped}
          {...tip(remapped ? undefined : t("settings.keyboard.default"))}
          onClick={() => setPreferences({ shortcuts: {} })}
        >
          {t("settings.keyboard.reset")}
        </Button>
      </div>
      <KeyTable query={query} custom flat />
    </div>
  );
}
