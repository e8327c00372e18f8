import { may } from "@/api/client";
import { useCommand } from "@/api/queries";
import { CopyButton } from "@/kit/CopyButton";
import { Loaded, SkeletonRows } from "@/kit/states";
import type { TextKey } from "@/text";
import { t } from "@/text";
import css from "./about.module.css";
import { Licences } from "./Licences";
import { Below, Row } from "./Row";

const LICENCES: readonly (readonly [part: TextKey, licence: TextKey])[] = [
  ["settings.about.parts.sibyl", "settings.about.licences.apache"],
  ["settings.about.parts.texts", "settings.about.licences.cc"],
  ["settings.about.parts.minilm", "settings.about.licences.apache"],
  ["settings.about.parts.potion", "settings.about.licences.mit"],
  ["settings.about.parts.sqlite", "settings.about.licences.public"],
];

/** What this is, what its texts are not, and whose work it stands on. */
export function About() {
  const info = useCommand("app.info", {});
  return (
    <>
      {may("app.info") && (
        <Row id="version" title={t("settings.row.version")}>
          <Loaded query={info} skeleton={<SkeletonRows bare rows={1} height={22} />}>
            {(app) => {
              const version = t("settings.about.program", { version: app.version });
              return (
                <div className="row gap-6">
                  <b>{version}</b>
                  <CopyButton label={t("settings.about.copy")} text={version} />
                </div>
              );
            }}
          </Loaded>
          <Below>{t("settings.about.engine")}</Below>
        </Row>
      )}
      <Row id="standards" title={t("settings.row.standards")}>
        <p className={`sm ${css.prose}`}>{t("settings.about.standards")}</p>
        <p className={`sm ${css.prose}`}>{t("settings.about.trademarks")}</p>
      </Row>
      <Row id="licences" title={t("settings.row.licences")}>
        <table className={`compact ${css.own}`}>
          <thead>
            <tr>
              <th scope="col">{t("settings.about.what")}</th>
              <th scope="col">{t("settings.about.licence")}</th>
            </tr>
          </thead>
          <tbody>
            {LICENCES.map(([part, licence]) => (
              <tr key={part}>
                <td>{t(part)}</td>
                <td className="nowrap">{t(licence)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <Licences />
      </Row>
    </>
  );
}
