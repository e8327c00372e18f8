import { IconCheck, IconCopy, IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { LogLine } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { CopyButton } from "@/kit/CopyButton";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { EmptyState, Loaded, SkeletonRows } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { VirtualList } from "@/kit/VirtualList";
import { refusal } from "@/state/copy";
import { usePreferences } from "@/state/preferences";
import { toast } from "@/state/toasts";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { clock, fieldsOf, LEVELS, type LevelFilter, lineText, newestFirst } from "./log";
import css from "./logs.module.css";

/** Most lines that are fetched. */
const MOST = 500;
/** The engine does not tell of new lines. */
const AGAIN = 4000;
/** Pixels of a line at ordinary text size. */
const LINE = 20;

const TONES: Record<string, string> = { error: "c-bad", warn: "c-warn" };

function Line({ line }: { line: LogLine }) {
  return (
    <div className={css.line}>
      <span className="mut">{clock(line.at)}</span>
      <span className={`${css.level} ${TONES[line.level] ?? "mut"}`}>{line.level}</span>
      <span className="ell" data-tip={visible(lineText(line))}>
        {visible(`${line.message} ${fieldsOf(line.fields)}`)}
      </span>
    </div>
  );
}

function Open({ line, onClose }: { line: LogLine; onClose: () => void }) {
  return (
    <ScrollRegion label={t("settings.log.line")} className={css.open}>
      <div className="row gap-6 xs mut">
        <span className="mono ell">
          {line.at} {line.target}
        </span>
        <span className="push" />
        <CopyButton label={t("settings.log.copy_line")} text={() => lineText(line)} />
        <IconButton size="small" label={t("settings.log.close")} onClick={onClose}>
          <IconX className="small" aria-hidden />
        </IconButton>
      </div>
      <pre>
        {visible(line.message)}
        {fieldsOf(line.fields) && `\n${visible(fieldsOf(line.fields))}`}
      </pre>
    </ScrollRegion>
  );
}

/** Puts a text that is still on its way on the clipboard: the press that asks for it would be forgotten by then. */
async function put(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem !== "function") return navigator.clipboard.writeText(await text);
  const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
  // A clipboard that refuses at once waits for no text, and nobody else would hear of one that never comes.
  blob.catch(() => undefined);
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

/** Puts what helps to find a fault on the clipboard. The engine gathers it, and leaves out what is nobody else's. */
function CopyDiagnostics() {
  const gather = useAction("library.diagnostics");
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(false);
    const gathered = gather.mutateAsync({}).then(({ text }) => text);
    try {
      await put(gathered);
      setCopied(true);
    } catch (thrown) {
      // What the engine refused is told already.
      const known = await gathered.then(Boolean, () => false);
      if (known) toast({ kind: "warn", title: t("settings.log.not_copied"), detail: refusal(thrown) });
    }
  };
  return (
    <>
      <Button
        icon={
          copied ? (
            <IconCheck className="small c-ok" aria-hidden />
          ) : (
            <IconCopy className="small" aria-hidden />
          )
        }
        aria-disabled={gather.isPending}
        onClick={() => !gather.isPending && void copy()}
      >
        {t(gather.isPending ? "settings.log.copying" : "settings.log.copy")}
      </Button>
      <span role="status" className="sr-only">
        {copied && t("settings.log.copied")}
      </span>
    </>
  );
}

/** The engine's log, the newest line first. */
export function Logs() {
  const [filter, setFilter] = useState<LevelFilter>("all");
  const [open, setOpen] = useState<string>();
  const all = useCommand("log.tail", { level: LEVELS.all, limit: MOST });
  const shown = useCommand("log.tail", { level: LEVELS[filter], limit: MOST }, { keep: true });
  const height = Math.round((LINE * Math.max(100, usePreferences().textSize)) / 100);
  const again = all.refetch;
  const shownAgain = shown.refetch;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      void again();
      if (filter !== "all") void shownAgain();
    }, AGAIN);
    return () => clearInterval(timer);
  }, [again, shownAgain, filter]);
  const counted = (level: string) => all.data?.lines.filter((line) => line.level === level).length ?? 0;
  const lines = newestFirst(shown.data?.lines ?? []);
  const at = open === undefined ? -1 : lines.findIndex((line) => lineText(line) === open);
  const chosen = lines[at];
  return (
    <section aria-label={t("settings.log.title")} className={css.logs} data-row="log">
      <div className={`heading ${css.logsHead}`}>
        <h2>{t("settings.log.title")}</h2>
        <span className="end">
          <SegmentedControl
            label={t("settings.log.level")}
            size="small"
            value={filter}
            onChange={setFilter}
            options={[
              { value: "all", label: t("settings.log.all") },
              { value: "warnings", label: t("settings.log.warnings", { count: counted("warn") }) },
              { value: "errors", label: t("settings.log.errors", { count: counted("error") }) },
            ]}
          />
        </span>
      </div>
      <Loaded query={shown} skeleton={<SkeletonRows bare rows={8} height={height} />}>
        {(tail) =>
          tail.lines.length === 0 ? (
            <EmptyState title={t("settings.log.empty")} />
          ) : (
            <VirtualList
              label={t("settings.log.list")}
              className={css.lines}
              count={lines.length}
              rowHeight={height}
              selected={at}
              onSelect={(index) => {
                const line = lines[index];
                if (line) setOpen(lineText(line));
              }}
              row={(index) => {
                const line = lines[index];
                return line && <Line line={line} />;
              }}
            />
          )
        }
      </Loaded>
      {chosen && <Open line={chosen} onClose={() => setOpen(undefined)} />}
      <div className={`row gap-6 ${css.logsFoot}`} data-keep-clear>
        <CopyDiagnostics />
        <span
          className="xs mut ell"
          {...tip(shown.data && t("settings.log.file", { path: shown.data.file }))}
        >
          {t("settings.log.copy_note")}
        </span>
      </div>
    </section>
  );
}
