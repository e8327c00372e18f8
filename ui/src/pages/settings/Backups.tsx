// Backups of the library, and the rescue of a damaged one.

import { IconDatabaseExport, IconHistory, IconLifebuoy } from "@tabler/icons-react";
import { useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { Backup, Condition, Rescued } from "@/api/types";
import { Button } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { Status } from "@/kit/Status";
import { NotLoaded } from "@/kit/states";
import { t } from "@/text";
import { bytes, moment, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { Declared } from "./Declared";
import css from "./data.module.css";
import type { Declarations } from "./Models";
import { Below, Row, Wrong } from "./Row";
import shared from "./shared.module.css";

function Kept({ backups, onRestore }: { backups: readonly Backup[]; onRestore: (backup: Backup) => void }) {
  return (
    <ul className={`${css.findings} ${css.kept}`} aria-label={t("settings.backups.list")}>
      {backups.map((backup) => (
        <li key={backup.name} className={`row gap-6 ${css.finding}`}>
          <span className="grow sm">{moment(backup.made_at)}</span>
          <span className="number sm sec">{bytes(backup.bytes)}</span>
          <Button
            size="tiny"
            icon={<IconHistory className="small" aria-hidden />}
            onClick={() => onRestore(backup)}
          >
            {t("settings.backups.restore")}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Makes a backup now. */
function Make({ make }: { make: ReturnType<typeof useAction<"backup.make">> }) {
  return (
    <>
      <Button
        icon={<IconDatabaseExport className="small" aria-hidden />}
        aria-disabled={make.isPending}
        onClick={() => !make.isPending && make.mutate({})}
      >
        {t("settings.backups.make")}
      </Button>
      <span role="status" className={shared.outcome}>
        {make.isPending && <Status kind="run">{t("settings.backups.making")}</Status>}
        {make.data && (
          <Status kind="ok">{t("settings.backups.made", { size: bytes(make.data.bytes) })}</Status>
        )}
      </span>
    </>
  );
}

/** The backups that Sibyl makes by itself. */
export function Backups({ settings }: { settings: Declarations }) {
  const condition = useCommand("library.condition", {});
  const make = useAction("backup.make", { inPlace: true });
  const restore = useAction("backup.restore", { inPlace: true });
  const [asked, ask] = useState<Backup>();
  const backups = condition.data?.backups ?? [];
  const size = backups.reduce((sum, backup) => sum + backup.bytes, 0);
  const failed = make.error ?? restore.error;
  const restored = backups.find(({ name }) => name === restore.data?.name);
  return (
    <Row id="backups" title={t("settings.row.backups")} note={t("settings.backups.note")}>
      <div className="row gap-6 wrap">
        {(condition.data?.state ?? "sound") === "sound" && <Make make={make} />}
        {backups.length > 0 && (
          <span className="sm sec number nowrap push">
            {t("settings.backups.total", { count: backups.length, size: bytes(size) })}
          </span>
        )}
      </div>
      <NotLoaded query={condition} />
      {condition.data && backups.length === 0 && (
        <Below>{t(condition.data.no_backup ? "settings.backups.none" : "settings.backups.none_yet")}</Below>
      )}
      <Kept backups={backups} onRestore={ask} />
      {condition.data?.no_backup && (
        <Below>{t("settings.backups.not_made", { why: condition.data.no_backup })}</Below>
      )}
      <div role="status" className={shared.below}>
        {restored && (
          <Status kind="ok">{t("settings.backups.restored", { when: moment(restored.made_at) })}</Status>
        )}
      </div>
      {failed && <Wrong>{visible(sentence(failed.message))}</Wrong>}
      {(["backup_keep", "backup_hours"] as const).map((id) => {
        const view = settings.get(id);
        return (
          view && (
            <div key={id} className={shared.below}>
              <Declared view={view} label={t(`settings.row.${id}`)} unit={view.param.unit} />
              <Below>{view.param.description}</Below>
            </div>
          )
        );
      })}
      {asked && (
        <Confirm
          title={t("settings.backups.ask", { when: moment(asked.made_at) })}
          detail={t("settings.backups.ask_note")}
          confirm={t("settings.backups.restore")}
          keep={t("settings.backups.keep")}
          danger
          pending={restore.isPending}
          onConfirm={() => restore.mutate({ name: asked.name }, { onSettled: () => ask(undefined) })}
          onClose={() => ask(undefined)}
        />
      )}
    </Row>
  );
}

function Saved({ rescued }: { rescued: Rescued }) {
  const lost = rescued.tables.filter((table) => table.lost > 0);
  return (
    <div className={`card ${css.report}`}>
      <Status kind={lost.length > 0 ? "warn" : "ok"}>
        {t("settings.rescue.saved", {
          rows: whole(rescued.tables.reduce((sum, table) => sum + table.saved, 0)),
          lost: whole(lost.reduce((sum, table) => sum + table.lost, 0)),
        })}
      </Status>
      {lost.map((table) => (
        <p key={table.name} className="xs sec">
          {t("settings.rescue.table", {
            table: table.name,
            lost: whole(table.lost),
            saved: whole(table.saved),
          })}
        </p>
      ))}
      {rescued.incomplete.length > 0 && (
        <p className="xs sec">
          {t("settings.rescue.incomplete", { documents: rescued.incomplete.join(", ") })}
        </p>
      )}
      <Below>{t("settings.rescue.next")}</Below>
    </div>
  );
}

const mends = (condition: Condition | undefined) => condition?.state === "damaged";

/** Saves what can be read of a damaged library. */
export function Rescue() {
  const condition = useCommand("library.condition", {});
  const rescue = useAction("library.rescue", { inPlace: true });
  return (
    <Row id="rescue" title={t("settings.row.rescue")} note={t("settings.rescue.note")}>
      <div className="row gap-6">
        <Button
          icon={<IconLifebuoy className="small" aria-hidden />}
          tone={mends(condition.data) ? "primary" : undefined}
          aria-disabled={rescue.isPending}
          onClick={() => !rescue.isPending && rescue.mutate({})}
        >
          {t("settings.rescue.start")}
        </Button>
        <span role="status">
          {rescue.isPending && <Status kind="run">{t("settings.rescue.running")}</Status>}
        </span>
      </div>
      {rescue.data && <Saved rescued={rescue.data} />}
      {rescue.error && <Wrong>{visible(sentence(rescue.error.message))}</Wrong>}
    </Row>
  );
}

const NONE: Declarations = new Map();

/** What mends a library that does not open: its settings are not known. */
export function Mending() {
  return (
    <>
      <p className={`sm sec ${css.lead}`}>{t("settings.data.unread")}</p>
      <Rescue />
      <Backups settings={NONE} />
    </>
  );
}
