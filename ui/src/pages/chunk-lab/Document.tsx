import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { IconButton } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { useShortcut } from "@/kit/shortcuts";
import { t } from "@/text";
import css from "./chunk-lab.module.css";
import { firstWhere, type Range } from "./cut";
import { Find } from "./Find";
import { Source } from "./Source";
import type { Base, Cut } from "./use-cut";

type DocumentProps = {
  base: Base;
  cut: Cut;
  selected: number | undefined;
  onSelect: (chunk: number) => void;
  onStep: (by: number) => void;
  onPainted: (cut: Cut) => void;
  /** Chooses another document. */
  picker: ReactNode;
  /** What went wrong with the last change. */
  mistake: ReactNode;
};

/** The document with its name, its page, and words found in it. */
export function Document({ base, cut, picker, mistake, ...rest }: DocumentProps) {
  const [sight, setSight] = useState<Range>([0, 0]);
  const [found, setFound] = useState<Range>();
  const [finding, setFinding] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const find = () => setFinding(true);
  const close = () => {
    flushSync(() => setFinding(false));
    setFound(undefined);
    opener.current?.focus();
  };
  useShortcut("chunk-lab.find", find);
  useShortcut("app.search", find);
  const { pages, notices: all } = base.structure;
  const page = pages[firstWhere(pages, (each) => each.range[1] > sight[0])];
  const notices = all.filter((notice) => notice.severity !== "info");
  return (
    <>
      <div className="hd">
        {picker}
        {page && (
          <span className="sm mut n nw">
            {t("chunk-lab.source.page", { page: page.label ?? String(page.number), pages: pages.length })}
          </span>
        )}
        <span className="end">
          {finding ? (
            <Find text={base.text} from={sight[0]} onFound={setFound} onClose={close} />
          ) : (
            <IconButton ref={opener} size="small" label={t("chunk-lab.source.find")} keys="/" onClick={find}>
              <IconSearch className="s" aria-hidden />
            </IconButton>
          )}
        </span>
      </div>
      {mistake}
      {notices.length > 0 && (
        <div className={css.strap} role="status">
          <Note kind="warn">
            {notices[0]?.message}
            {notices.length > 1 && ` ${t("chunk-lab.source.more_notices", { count: notices.length - 1 })}`}
          </Note>
        </div>
      )}
      <Source
        base={base}
        cut={cut}
        found={found}
        label={t("chunk-lab.source.title")}
        onSight={setSight}
        {...rest}
      />
    </>
  );
}
