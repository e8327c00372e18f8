import { IconFileImport, IconFolderOpen, IconPlus } from "@tabler/icons-react";
import { Button } from "@/kit/Button";
import { t } from "@/text";
import css from "./library.module.css";

type EmptyProps = {
  onFiles: () => void;
  onFolder: () => void;
  /** Imports shipped standards: `ifrs` or `sasb`. */
  onShipped: (corpus: "ifrs" | "sasb") => void;
};

/** A library with nothing in it: where to begin. */
export function Empty({ onFiles, onFolder, onShipped }: EmptyProps) {
  return (
    <div className={css.empty}>
      <div className={css.welcome}>
        <h2>{t("library.empty.title")}</h2>
        <p className="sec">{t("library.empty.detail")}</p>
        <div className={css.zone}>
          <span className="c-a">
            <IconFileImport aria-hidden />
          </span>
          <div className="grow">
            <b>{t("library.add.drop")}</b>
            <div className="sm sec">{t("library.add.formats")}</div>
          </div>
          <Button icon={<IconFolderOpen className="s" aria-hidden />} onClick={onFolder}>
            {t("library.add.folder")}
          </Button>
          <Button icon={<IconPlus className="s" aria-hidden />} onClick={onFiles}>
            {t("library.add.files")}
          </Button>
        </div>
        <div className={css.cards}>
          {(["ifrs", "sasb"] as const).map((corpus) => (
            <section key={corpus} className={`card ${css.card}`}>
              <p className="sm sec">{t(`library.empty.${corpus}`)}</p>
              <div>
                <Button size="small" onClick={() => onShipped(corpus)}>
                  {t(`library.add.${corpus}`)}
                </Button>
              </div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}
