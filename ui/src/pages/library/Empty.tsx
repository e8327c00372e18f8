import { IconBulb, IconFileImport, IconFolderOpen, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { may } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import { Button } from "@/kit/Button";
import { Name } from "@/kit/Name";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { Status, type StatusKind } from "@/kit/Status";
import { href, navigate } from "@/state/router";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { bytes, milliseconds, sentence, whole } from "@/text/format";
import css from "./empty.module.css";
import shared from "./shared.module.css";
import { shippedOffers } from "./shipped";

function Ready({ kind, title, detail, children }: ReadyProps) {
  return (
    <li className="row">
      <Status kind={kind}>
        <span className={css.ready}>{title}</span>
      </Status>
      <Name className="sm mut">{detail}</Name>
      <span className="push">{children}</span>
    </li>
  );
}

type ReadyProps = { kind: StatusKind; title: string; detail: string; children?: ReactNode };

/** What the program has to work with, and what could be added. */
function Readiness() {
  const info = useCommand("app.info", {});
  const models = useCommand("model.list", {});
  const keys = useCommand("secret.status", {});
  const test = useAction("model.test");
  const inside = models.data?.find((each) => each.space.tier === "embedded" && each.served);
  const key = keys.data?.find((each) => each.secret === "openrouter");
  const keyed = key !== undefined && key.source !== "none";
  const to = (...path: string[]) => navigate(href("settings", path));
  return (
    <ul className={`card ${css.readiness}`} aria-label={t("library.empty.ready")}>
      {may("app.info") && (
        <Ready
          kind={info.data ? "ok" : info.error ? "bad" : "off"}
          title={t("library.empty.folder")}
          detail={[
            info.data?.folder ?? sentence(info.error?.message ?? ""),
            ...(typeof info.data?.free_bytes === "number"
              ? [t("library.empty.free", { size: bytes(info.data.free_bytes) })]
              : []),
          ].join(" · ")}
        >
          <Button size="small" onClick={() => to("data")}>
            {t("library.empty.look")}
          </Button>
        </Ready>
      )}
      {models.data && (
        <Ready
          kind={inside ? "ok" : "warn"}
          title={t("library.empty.model")}
          detail={
            inside
              ? t("library.empty.model_detail", {
                  model: inside.space.model,
                  dimensions: String(inside.space.dimensions),
                })
              : t("library.empty.model_missing")
          }
        >
          {inside ? (
            <Button
              size="small"
              disabled={test.isPending}
              onClick={() =>
                test.mutate(
                  { space: inside.space_id },
                  {
                    onSuccess: ({ model, milliseconds: time }) =>
                      toast({
                        kind: "ok",
                        title: t("library.empty.tested", { model, time: milliseconds(time) }),
                        detail: t("library.empty.tested_detail"),
                      }),
                  },
                )
              }
            >
              {t("library.empty.test")}
            </Button>
          ) : (
            <Button size="small" onClick={() => to("models", "coverage")}>
              {t("library.empty.look")}
            </Button>
          )}
        </Ready>
      )}
      {models.error && !models.data && (
        <Ready kind="bad" title={t("library.empty.model")} detail={sentence(models.error.message)} />
      )}
      {keys.error && !keys.data && (
        <Ready kind="bad" title={t("library.empty.key_optional")} detail={sentence(keys.error.message)} />
      )}
      {key && (
        <Ready
          kind={keyed ? "ok" : "off"}
          title={t(keyed ? "library.empty.key" : "library.empty.key_optional")}
          detail={t("library.empty.key_detail")}
        >
          <Button size="small" onClick={() => to("models", "openrouter")}>
            {t(keyed ? "library.empty.look" : "library.empty.add_key")}
          </Button>
        </Ready>
      )}
    </ul>
  );
}

type EmptyProps = {
  onFiles: () => void;
  onFolder: () => void;
  /** Imports a group of shipped standards. */
  onShipped: (group: string) => void;
  /** Opens the workspace with the sample reports. */
  onSample: () => void;
};

/** A library with nothing in it: where to begin. */
export function Empty({ onFiles, onFolder, onShipped, onSample }: EmptyProps) {
  const settings = useCommand("settings.get", {});
  const limit = settings.data?.find(({ param }) => param.name === "max_file_size");
  return (
    <ScrollRegion className={css.empty}>
      <div className={css.welcome}>
        <div>
          <h2>{t("library.empty.title")}</h2>
          <p className="sec">{t("library.empty.detail")}</p>
        </div>
        <div className={css.zone}>
          <span className={css.zoneIcon}>
            <IconFileImport className="large" aria-hidden />
          </span>
          <div className="grow">
            <b>{t("library.add.drop")}</b>
            <div className="sm sec">
              {typeof limit?.value === "number"
                ? t("library.add.formats", { size: `${whole(limit.value)} ${limit.param.unit}` })
                : "\u00a0"}
            </div>
          </div>
          {may("shell.pick_folders") && (
            <Button icon={<IconFolderOpen className="small" aria-hidden />} onClick={onFolder}>
              {t("library.add.folder")}
            </Button>
          )}
          <Button tone="primary" icon={<IconPlus className="small" aria-hidden />} onClick={onFiles}>
            {t("library.add.files")}
          </Button>
        </div>
        <div className={css.cards}>
          {shippedOffers().map(({ group, Icon, title, detail, add }) => (
            <section key={group} className={`card ${shared.card}`} aria-labelledby={`empty-${group}`}>
              <span className="c-accent">
                <Icon aria-hidden />
              </span>
              <h3 id={`empty-${group}`}>{title}</h3>
              <p className="sm sec grow">{detail}</p>
              <div>
                <Button size="small" onClick={() => onShipped(group)}>
                  {add}
                </Button>
              </div>
            </section>
          ))}
          {may("sample.open") && (
            <section className={`card ${shared.card}`} aria-labelledby="empty-sample">
              <span className="c-accent">
                <IconBulb aria-hidden />
              </span>
              <h3 id="empty-sample">{t("library.empty.sample_title")}</h3>
              <p className="sm sec grow">{t("library.empty.sample")}</p>
              <div>
                <Button size="small" onClick={onSample}>
                  {t("library.add.sample")}
                </Button>
              </div>
            </section>
          )}
        </div>
        <Readiness />
      </div>
    </ScrollRegion>
  );
}
