import { IconArrowsDiff, IconSearch, IconX } from "@tabler/icons-react";
import { memo, type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import type { Mode } from "@/api/types";
import { IconButton } from "@/kit/Button";
import { TextField } from "@/kit/fields";
import { Kbd } from "@/kit/Kbd";
import { LegBadge } from "@/kit/legs";
import { Menu, type MenuEntry } from "@/kit/Menu";
import { showPane } from "@/kit/Panes";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useComposer, useShortcut } from "@/kit/shortcuts";
import { t } from "@/text";
import css from "./query-bar.module.css";
import type { LabControl } from "./use-lab";

const CHARACTERS_PER_TOKEN = 4;

type QueryBarProps = LabControl & {
  onRecord: () => void;
  compare: readonly MenuEntry[];
  /** Enter asks a provider beyond this computer. */
  provider: boolean;
  children: ReactNode;
};

/** The query, its mode, and what to compare with; below it filters and parsing. */
export function QueryBar({ lab, ask, onRecord, compare, provider, children }: QueryBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useShortcut("app.search", () => field.current?.select());
  useComposer(() => field.current?.focus());
  // The screen opens ready to type, unless it opens on an answer.
  const ready = useEffectEvent(() => lab.request.query === "" && field.current?.focus());
  useEffect(() => void ready(), []);
  const { query, mode } = lab.request;
  const tokens = Math.ceil([...query].length / CHARACTERS_PER_TOKEN);
  return (
    <section className={css.bar} aria-label={t("search.query")} data-pane="query" data-composer tabIndex={-1}>
      <div className="row">
        <TextField
          ref={field}
          role="searchbox"
          label={t("search.query")}
          placeholder={t("search.placeholder")}
          className={css.query}
          icon={<IconSearch aria-hidden />}
          value={query}
          onChange={(event) => ask({ query: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing) onRecord();
            // The letters are keys among the results.
            if (event.key === "Escape" && !event.nativeEvent.isComposing)
              showPane(lab.against ? "lists" : "results");
          }}
          end={
            query !== "" && (
              <>
                <span className="xs number nowrap">
                  {provider && <span className="c-accent">{t("search.provider_enter")} · </span>}
                  {t("search.tokens", { count: tokens })}
                </span>
                <Kbd keys="enter" />
                <Clear ask={ask} />
              </>
            )
          }
        />
        <Modes mode={mode} ask={ask} compare={compare} />
      </div>
      {children}
    </section>
  );
}

type ModesProps = Pick<QueryBarProps, "ask" | "compare"> & { mode: Mode };

const Modes = memo(function Modes({ mode, ask, compare }: ModesProps) {
  return (
    <>
      <SegmentedControl<Mode>
        label={t("search.mode")}
        value={mode}
        onChange={(next) => ask({ mode: next })}
        options={[
          { value: "hybrid", label: t("search.modes.hybrid") },
          {
            value: "semantic",
            label: (
              <>
                <LegBadge leg="semantic" />
                {t("search.modes.semantic")}
              </>
            ),
          },
          {
            value: "keyword",
            label: (
              <>
                <LegBadge leg="keyword" />
                {t("search.modes.keyword")}
              </>
            ),
          },
        ]}
      />
      <Menu label={t("search.compare.with")} entries={compare}>
        <button
          type="button"
          className="btn"
          aria-label={t("search.compare.start")}
          disabled={compare.length === 0}
        >
          <IconArrowsDiff className="small" aria-hidden />
          <span className="hide-s">{t("search.compare.start")}</span>
        </button>
      </Menu>
    </>
  );
});

const Clear = memo(function Clear({ ask }: Pick<QueryBarProps, "ask">) {
  return (
    <IconButton
      size="small"
      label={t("search.clear_query")}
      className="hide-s"
      onClick={() => ask({ query: "" })}
    >
      <IconX className="small" aria-hidden />
    </IconButton>
  );
});
