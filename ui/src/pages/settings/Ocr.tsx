import { useCommand } from "@/api/queries";
import type { SettingView } from "@/api/types";
import { SwitchRow } from "@/kit/fields";
import { NotLoaded } from "@/kit/states";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { Declared, Saved, useSaving } from "./Declared";
import type { Declarations } from "./Models";
import { Below, Row, Wrong } from "./Row";

const parted = (value: SettingView["value"]) => String(value).split("+").filter(Boolean);

/** A box for each language that Tesseract has data of, and for those that are chosen and not there. */
function Languages({ view, there }: { view: SettingView; there: readonly string[] }) {
  const saving = useSaving(view.param.name);
  const chosen = parted(view.value);
  const all = [...new Set([...there, ...chosen])].sort();
  const names = new Intl.DisplayNames(undefined, { type: "language" });
  const nameOf = (code: string) => {
    try {
      return `${names.of(code)} (${code})`;
    } catch {
      return code; // Such as `chi_sim`, which is no code of a language.
    }
  };
  return (
    <div>
      <div className="col gap-4">
        {all.map((code) => (
          <SwitchRow
            key={code}
            label={visible(nameOf(code))}
            checked={chosen.includes(code)}
            // Some language is needed.
            disabled={chosen.length === 1 && chosen[0] === code}
            onChange={(on) =>
              saving.save((on ? [...chosen, code] : chosen.filter((each) => each !== code)).join("+"))
            }
          />
        ))}
        <Saved shown={saving.saved} />
      </div>
      {saving.problem && <Wrong>{saving.problem}</Wrong>}
    </div>
  );
}

/** Whether scanned pages are read, and in which languages. */
export function Ocr({ settings }: { settings: Declarations }) {
  const ocr = settings.get("ocr");
  const languages = settings.get("ocr_languages");
  const known = useCommand("ocr.state", {});
  const state = known.data;
  return (
    <>
      {ocr && (
        <Row id="ocr" title={t("settings.row.ocr")}>
          <Declared view={ocr} label={t("settings.row.ocr")} />
          <Below>{ocr.param.description}</Below>
          {state && !state.installed && (
            <Below>{t("settings.ocr.missing", { install: state.install.replaceAll("`", "") })}</Below>
          )}
          <NotLoaded query={known} />
        </Row>
      )}
      {languages && state?.installed && (
        <Row id="ocr_languages" title={t("settings.row.ocr_languages")}>
          <Languages view={languages} there={state.languages} />
          <Below>{t("settings.ocr.languages")}</Below>
        </Row>
      )}
    </>
  );
}
