import { IconFolderOpen, IconLock } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { EngineError } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import { showFolder } from "@/api/shell";
import type { Storage as Disk, SettingView } from "@/api/types";
import { Button } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { PaneHead } from "@/kit/Panes";
import { Status } from "@/kit/Status";
import { Loaded, NotLoaded, SkeletonRows } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { href, navigate } from "@/state/router";
import { reportError } from "@/state/trouble";
import { t, text } from "@/text";
import { bytes, sentence } from "@/text/format";
import { visible } from "@/text/visible";
import { type Provider, providersOf } from "./providers";
import { Wrong } from "./Row";
import shared from "./shared.module.css";
import css from "./storage.module.css";

const COLOURS = 6;

const nameOf = (part: string) => text(`settings.storage.parts.${part}`) ?? part;

function Parts({ disk }: { disk: Disk }) {
  const parts = [...disk.parts].filter((part) => part.bytes > 0).sort((a, b) => b.bytes - a.bytes);
  const total = parts.reduce((sum, part) => sum + part.bytes, 0);
  if (total === 0) return <p className="sm sec">{t("settings.storage.empty")}</p>;
  const colour = (index: number) => {
    const full = `var(--s-${(index % COLOURS) + 1})`;
    return index < COLOURS ? full : `color-mix(in srgb, ${full} 50%, var(--bg))`;
  };
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
            <span className="number">{bytes(part.bytes)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the library's file and folder can be asked to do. */
function Care() {
  const compact = useAction("library.compact", { inPlace: true });
  const info = useCommand("app.info", {});
  const freed = compact.data?.freed ?? 0;
  return (
    <>
      <div className="row gap-6 wrap">
        <Button
          size="small"
          icon={<IconFolderOpen className="small" aria-hidden />}
          onClick={() => showFolder().catch((thrown: unknown) => reportError(EngineError.from(thrown)))}
        >
          {t("settings.data.show")}
        </Button>
        {info.data?.movable && (
          <Button size="small" onClick={() => navigate(href("settings", ["data", "folder"]))}>
            {t("settings.data.move")}
          </Button>
        )}
        <Button
          size="small"
          aria-disabled={compact.isPending}
          {...tip(t("settings.storage.compact_note"))}
          onClick={() => !compact.isPending && compact.mutate({})}
        >
          {t("settings.storage.compact")}
        </Button>
        <Button size="small" onClick={() => navigate(href("settings", ["data", "back_up"]))}>
          {t("settings.data.back_up")}
        </Button>
      </div>
      <div role="status" className={shared.outcome}>
        {compact.isPending && <Status kind="run">{t("settings.storage.compacting")}</Status>}
        {compact.data && (
          <Status kind="ok">
            {freed > 0
              ? t("settings.storage.freed", { size: bytes(freed) })
              : t("settings.storage.nothing_free")}
          </Status>
        )}
      </div>
      {compact.error && <Wrong>{visible(sentence(compact.error.message))}</Wrong>}
      <NotLoaded query={info} />
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

/** Disk use by part. A backup or a rescued library changes it, and only the library's state tells of them. */
function useStorage() {
  const storage = useCommand("library.storage", {});
  const condition = useCommand("library.condition", {}).data;
  const before = useRef(condition);
  const { refetch } = storage;
  useEffect(() => {
    if (before.current !== undefined && before.current !== condition) void refetch();
    before.current = condition;
  }, [condition, refetch]);
  return storage;
}

/** Disk use by part, and what leaves the machine. */
export function Storage({ settings }: { settings: ReadonlyMap<string, SettingView> }) {
  const storage = useStorage();
  const total = storage.data?.parts.reduce((sum, part) => sum + part.bytes, 0);
  const keys = useCommand("secret.status", {});
  const { embedding, rerank } = providersOf(settings, keys.data);
  return (
    <section aria-label={t("settings.storage.title")} className={css.storage}>
      <PaneHead
        title={t("settings.storage.title")}
        end={total !== undefined && <span className="mut sm number">{bytes(total)}</span>}
      />
      <div className={css.storageBody}>
        <Loaded query={storage} skeleton={<SkeletonRows bare rows={5} height={22} />}>
          {(disk) => (
            <>
              <div className="row gap-6">
                <bdi dir="ltr" className="mono xs sec ell" data-tip={disk.folder}>
                  {disk.folder}
                </bdi>
                <CopyButton label={t("settings.data.copy")} text={disk.folder} />
              </div>
              <Parts disk={disk} />
            </>
          )}
        </Loaded>
        <Care />
        <NotLoaded query={keys} />
        {settings.size > 0 && (
          <div className="note">
            <IconLock className="small" aria-hidden />
            <span>{leaving(embedding, rerank)}</span>
          </div>
        )}
      </div>
    </section>
  );
}
