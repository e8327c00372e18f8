import {
  IconDatabaseExport,
  IconFolderOpen,
  IconFolderShare,
  IconHammer,
  IconStethoscope,
} from "@tabler/icons-react";
import { useState } from "react";
import { call, EngineError } from "@/api/client";
import { useAction, useCommand } from "@/api/queries";
import { pickFolders, pickPlace, quit, showFolder } from "@/api/shell";
import type { Finding, HealthReport, Rebuilt } from "@/api/types";
import { Button } from "@/kit/Button";
import { Confirm } from "@/kit/Confirm";
import { CopyButton } from "@/kit/CopyButton";
import { KeyValues, Note } from "@/kit/Note";
import { Status, type StatusKind } from "@/kit/Status";
import { NotLoaded } from "@/kit/states";
import { reportError } from "@/state/trouble";
import { t } from "@/text";
import { bytes, milliseconds, sentence, whole } from "@/text/format";
import { visible } from "@/text/visible";
import { Backups, Rescue } from "./Backups";
import { Declared } from "./Declared";
import css from "./data.module.css";
import type { Declarations } from "./Models";
import { Ocr } from "./Ocr";
import { Below, Row, Wrong } from "./Row";
import shared from "./shared.module.css";

function Folder() {
  const info = useCommand("app.info", {});
  const folder = info.data?.folder ?? "";
  const move = useAction("library.move", { inPlace: true });
  const moved = info.data?.moved_to;
  const [doubted, doubt] = useState<{ path: string; warning: string }>();
  const start = async () => {
    try {
      const [path] = await pickFolders();
      if (path === undefined) return;
      const { warning } = await call("library.check_place", { path });
      if (warning === null) move.mutate({ path });
      else doubt({ path, warning });
    } catch (thrown) {
      reportError(EngineError.from(thrown));
    }
  };
  return (
    <Row id="folder" title={t("settings.row.folder")} note={t("settings.data.folder_note")}>
      <div className="row gap-6">
        <bdi dir="ltr" className={`mono sm ${css.path}`}>
          {folder || "—"}
        </bdi>
        {folder && <CopyButton label={t("settings.data.copy")} text={folder} />}
        {folder && (
          <Button
            size="small"
            icon={<IconFolderOpen className="small" aria-hidden />}
            onClick={() => showFolder().catch((thrown: unknown) => reportError(EngineError.from(thrown)))}
          >
            {t("settings.data.show")}
          </Button>
        )}
        {info.data?.movable && (
          <Button
            size="small"
            icon={<IconFolderShare className="small" aria-hidden />}
            aria-disabled={move.isPending}
            onClick={() => !move.isPending && void start()}
          >
            {t("settings.data.move")}
          </Button>
        )}
        {info.data && <span className="sm sec number nowrap">{bytes(info.data.disk_bytes)}</span>}
      </div>
      <NotLoaded query={info} />
      {info.data?.movable === false && <Below>{t("settings.data.not_movable")}</Below>}
      <div role="status" className={shared.below}>
        {move.isPending && <Status kind="run">{t("settings.data.moving")}</Status>}
        {moved && <MovedNote to={moved} from={folder} />}
      </div>
      {move.error && <Wrong>{visible(sentence(move.error.message))}</Wrong>}
      {doubted && (
        <Confirm
          title={t("settings.data.doubt")}
          detail={visible(sentence(doubted.warning))}
          confirm={t("settings.data.move_anyway")}
          keep={t("settings.data.choose_other")}
          danger
          onConfirm={() => {
            move.mutate({ path: doubted.path });
            doubt(undefined);
          }}
          onClose={() => doubt(undefined)}
        />
      )}
    </Row>
  );
}

/** Says where the library lies next, and what stays behind. */
function MovedNote({ to, from }: { to: string; from: string }) {
  return (
    <Note kind="warn">
      <b>{t("settings.data.moved", { folder: to })}</b> {t("settings.data.moved_note", { former: from })}
      <div className={shared.below}>
        <Button size="tiny" onClick={() => quit().catch((thrown) => reportError(EngineError.from(thrown)))}>
          {t("settings.data.quit")}
        </Button>
      </div>
    </Note>
  );
}

/** A name that sorts by its day. */
const nameOf = (day: Date) => `sibyl-${day.toISOString().slice(0, 10)}.db`;

function BackUp() {
  const write = useAction("library.back_up", { inPlace: true });
  const [path, setPath] = useState("");
  const start = async () => {
    try {
      const chosen = await pickPlace(nameOf(new Date()));
      if (chosen === undefined) return;
      setPath(chosen);
      write.mutate({ path: chosen });
    } catch (thrown) {
      reportError(EngineError.from(thrown));
    }
  };
  return (
    <Row id="back_up" title={t("settings.row.back_up")} note={t("settings.data.back_up_note")}>
      <div className="row gap-6">
        <Button
          icon={<IconDatabaseExport className="small" aria-hidden />}
          aria-disabled={write.isPending}
          onClick={() => !write.isPending && void start()}
        >
          {t("settings.data.back_up")}
        </Button>
        <span role="status" className={shared.outcome}>
          {write.isPending && <Status kind="run">{t("settings.data.backing_up")}</Status>}
          {write.data && (
            <Status kind="ok">{t("settings.data.backed_up", { size: bytes(write.data.bytes), path })}</Status>
          )}
        </span>
      </div>
      {write.error && <Wrong>{visible(sentence(write.error.message))}</Wrong>}
    </Row>
  );
}

const GRAVE: Record<Finding["severity"], StatusKind> = { info: "off", warning: "warn", error: "bad" };

/** What mends a cause here. The engine speaks of the command line, also of causes that this screen does not know. */
const MENDED_BY = {
  chunk_key: "rebuild",
  chunk_field: "rebuild",
  keyword_missing: "rebuild",
  keyword_extra: "rebuild",
  codes: "rebuild",
  source_changed: "read_again",
  chunk_hash: "read_again",
  chunk_text: "read_again",
  chunk_id: "read_again",
  chunk_owner: "read_again",
} as const satisfies Record<string, string>;

const cureOf = ({ code, cure }: Finding): string =>
  Object.hasOwn(MENDED_BY, code)
    ? t(`settings.data.cures.${MENDED_BY[code as keyof typeof MENDED_BY]}`)
    : cure;

function Found({ finding }: { finding: Finding }) {
  return (
    <li className={css.finding}>
      <div className="row gap-6">
        <Status kind={GRAVE[finding.severity]}>{t(`settings.data.severity.${finding.severity}`)}</Status>
        <span className="mono xs mut push">{finding.code}</span>
      </div>
      <p className="sm">{visible(sentence(finding.message))}</p>
      <p className="xs mut">{visible(sentence(cureOf(finding)))}</p>
    </li>
  );
}

function Health({ report }: { report: HealthReport }) {
  return (
    <div className={`card ${css.report}`}>
      <Status kind={report.healthy ? "ok" : "warn"}>
        {report.healthy
          ? t("settings.data.healthy")
          : t("settings.data.findings", { count: report.findings.length })}
      </Status>
      {report.findings.length > 0 && (
        <ul className={css.findings}>
          {report.findings.map((finding) => (
            <Found key={`${finding.code}${visible(sentence(finding.message))}`} finding={finding} />
          ))}
        </ul>
      )}
      <Below>{t("settings.data.checked", { what: report.checked.join(" · ") })}</Below>
    </div>
  );
}

function Check() {
  const doctor = useAction("library.doctor", { inPlace: true });
  return (
    <Row id="check" title={t("settings.row.check")} note={t("settings.data.check_note")}>
      <div className="row gap-6">
        <Button
          icon={<IconStethoscope className="small" aria-hidden />}
          // A button that is disabled would lose the focus.
          aria-disabled={doctor.isPending}
          onClick={() => !doctor.isPending && doctor.mutate({})}
        >
          {t("settings.data.check")}
        </Button>
        <span role="status">
          {doctor.isPending && <Status kind="run">{t("settings.data.checking")}</Status>}
        </span>
      </div>
      {doctor.data && <Health report={doctor.data} />}
      {doctor.error && <Wrong>{visible(sentence(doctor.error.message))}</Wrong>}
    </Row>
  );
}

function Made({ rebuilt }: { rebuilt: Rebuilt }) {
  return (
    <div className={`card ${css.report}`}>
      <Status kind="ok">{t("settings.data.rebuilt", { time: milliseconds(rebuilt.seconds * 1000) })}</Status>
      <KeyValues
        rows={(["keyword_rows", "keys", "fields", "code_files"] as const).map((part) => [
          t(`settings.data.${part}`),
          whole(rebuilt[part]),
        ])}
      />
    </div>
  );
}

function Rebuild() {
  const rebuild = useAction("library.rebuild", { inPlace: true });
  return (
    <Row id="rebuild" title={t("settings.row.rebuild")} note={t("settings.data.rebuild_note")}>
      <div className="row gap-6">
        <Button
          icon={<IconHammer className="small" aria-hidden />}
          aria-disabled={rebuild.isPending}
          onClick={() => !rebuild.isPending && rebuild.mutate({})}
        >
          {t("settings.data.rebuild")}
        </Button>
        <span role="status">
          {rebuild.isPending && <Status kind="run">{t("settings.data.rebuilding")}</Status>}
        </span>
      </div>
      {rebuild.data && <Made rebuilt={rebuild.data} />}
      {rebuild.error && <Wrong>{visible(sentence(rebuild.error.message))}</Wrong>}
    </Row>
  );
}

/** Where the library lies, and how it is looked after. */
export function Data({ settings }: { settings: Declarations }) {
  const largest = settings.get("max_file_size");
  const served = (["server_address", "server_port"] as const).map((id) => [id, settings.get(id)] as const);
  return (
    <>
      <Folder />
      {largest && (
        <Row id="max_file_size" title={t("settings.row.max_file_size")}>
          <Declared view={largest} label={t("settings.row.max_file_size")} unit={largest.param.unit} />
          <Below>{largest.param.description}</Below>
        </Row>
      )}
      <Ocr settings={settings} />
      {served.map(
        ([id, view]) =>
          view && (
            <Row key={id} id={id} title={t(`settings.row.${id}`)}>
              <Declared view={view} label={t(`settings.row.${id}`)} />
              <Below>{view.param.description}</Below>
            </Row>
          ),
      )}
      <BackUp />
      <Backups settings={settings} />
      <Rescue />
      <Check />
      <Rebuild />
    </>
  );
}
