import { IconDatabaseExport, IconLock, IconStethoscope } from "@tabler/icons-react";
import { useCommand } from "@/api/queries";
import type { Storage as Disk, SettingView } from "@/api/types";
import { href, navigate } from "@/app/router";
import { Button } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { PaneHead } from "@/kit/Panes";
import { Loaded, SkeletonRows } from "@/kit/states";
import { t, text } from "@/text";
import { bytes } from "@/text/format";
import { type Provider, providersOf } from "./providers";
import css from "./settings.module.css";

const COLOURS = 6;

const nameOf = (part: string) => text(`settings.storage.parts.${part}`) ?? part;

function Parts({ disk }: { disk: Disk }) {
  const parts = [...disk.parts].filter((part) => part.bytes > 0).sort((a, b) => b.bytes - a.bytes);
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (total === 0) return <p className="sm sec">{t("settings.storage.empty")}</p>;
  const colour = (index: number) => `var(--s-${(index % COLOURS) + 1})`;
  return (
    <>
      <div
        className={`bar ${css.parts}`}
        role="img"
        aria-label={`${t("settings.storage.label")}: ${parts
          .map((part) => `${nameOf(part.name)} ${bytes(part.bytes)}`)
          .join(", ")}`}
      >
        {parts.map((part, index) => (
          <i key={part.name} style={{ width: `${(part.bytes / total) * 100}%`, background: colour(index) }} />
        ))}
      </div>
      <ul className={css.legend}>
        {parts.map((part, index) => (
          <li key={part.name} className="row sm">
            <i className={css.swatch} style={{ background: colour(index) }} />
            <span className="grow ell">{nameOf(part.name)}</span>
            <span className="n">{bytes(part.bytes)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What providers are sent that are not on this computer. */
function leaving(embedding: Provider, rerank: Provider): string {
  const hosts = { embedding: embedding.host, rerank: rerank.host };
  if (embedding.reach === "remote")
    return t(`settings.storage.leaves.${rerank.reach === "remote" ? "both" : "embedding"}`, hosts);
  if (rerank.reach === "remote") return t("settings.storage.leaves.rerank", hosts);
  const reaches = [embedding.reach, rerank.reach];
  if (reaches.includes("keyless")) return t("settings.storage.leaves.keyless");
  return t(`settings.storage.leaves.${reaches.includes("local") ? "local" : "nothing"}`);
}

/** Disk use by part, and what leaves the machine. */
export function Storage({ settings }: { settings: ReadonlyMap<string, SettingView> }) {
  const storage = useCommand("library.storage", {});
  const total = storage.data?.parts.reduce((sum, part) => sum + part.bytes, 0);
  const keys = useCommand("secret.status", {});
  const { embedding, rerank } = providersOf(settings, keys.data);
  const go = (row: string) => navigate(href("settings", ["data", row]));
  return (
    <section aria-label={t("settings.storage.title")} className={css.storage}>
      <PaneHead
        title={t("settings.storage.title")}
        end={total !== undefined && <span className="mut sm n">{bytes(total)}</span>}
      />
      <div className={css.storageBody}>
        <Loaded query={storage} skeleton={<SkeletonRows bare rows={5} height={22} />}>
          {(disk) => (
            <>
              <div className="row g6">
                <bdi dir="ltr" className="m xs sec ell" title={disk.folder}>
                  {disk.folder}
                </bdi>
                <CopyButton label={t("settings.data.copy")} text={disk.folder} />
              </div>
              <Parts disk={disk} />
            </>
          )}
        </Loaded>
        <div className="row g6 wrap">
          <Button
            size="small"
            icon={<IconStethoscope className="s" aria-hidden />}
            onClick={() => go("check")}
          >
            {t("settings.row.check")}
          </Button>
          <Button
            size="small"
            icon={<IconDatabaseExport className="s" aria-hidden />}
            onClick={() => go("back_up")}
          >
            {t("settings.data.back_up")}
          </Button>
        </div>
        {settings.size > 0 && (
          <div className="note">
            <IconLock className="s" aria-hidden />
            <span>{leaving(embedding, rerank)}</span>
          </div>
        )}
      </div>
    </section>
  );
}
