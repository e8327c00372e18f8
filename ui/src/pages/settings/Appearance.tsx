import { NumberField, Switch } from "@/kit/fields";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { setPreferences, usePreferences } from "@/state/preferences";
import { t } from "@/text";
import css from "./appearance.module.css";
import { Row } from "./Row";

const THEMES = ["system", "light", "dark"] as const;
const DENSITIES = ["compact", "standard", "comfortable"] as const;
const SMALLEST = 80;
const LARGEST = 150;
const STEP = 10;

const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** How the window looks. Kept by the window itself. */
export function Appearance() {
  const { theme, density, textSize, reduceMotion } = usePreferences();
  return (
    <>
      <Row id="look" title={t("settings.row.look")}>
        <div className="row gap-12 wrap">
          <span data-row="theme">
            <SegmentedControl
              label={t("settings.row.theme")}
              value={theme}
              onChange={(next) => setPreferences({ theme: next })}
              options={THEMES.map((each) => ({
                value: each,
                label: t(`settings.appearance.themes.${each}`),
              }))}
            />
          </span>
          <span data-row="density">
            <SegmentedControl
              label={t("settings.row.density")}
              value={density}
              onChange={(next) => setPreferences({ density: next })}
              options={DENSITIES.map((each) => ({
                value: each,
                label: t(`settings.appearance.densities.${each}`),
              }))}
            />
          </span>
          <span data-row="text" className="row gap-4 sm sec">
            {t("settings.appearance.text")}
            <NumberField
              label={t("settings.row.text")}
              value={textSize}
              onChange={(next) => setPreferences({ textSize: next })}
              min={SMALLEST}
              max={LARGEST}
              step={STEP}
              suffix="%"
              size="small"
              width={56}
            />
          </span>
        </div>
      </Row>
      <Row id="motion" title={t("settings.row.motion")}>
        <div className={`row gap-6 sm sec ${css.switch}`}>
          <Switch
            label={t("settings.appearance.reduce")}
            checked={reduceMotion}
            onChange={(next) => setPreferences({ reduceMotion: next })}
          />
          {t("settings.appearance.reduce")}
          <span className="xs mut">
            {t(still() ? "settings.appearance.system_on" : "settings.appearance.system_off")}
          </span>
        </div>
      </Row>
    </>
  );
}
