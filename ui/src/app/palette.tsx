// Find or run anything: one field, results by kind, all by keyboard.

import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { classes } from "@/kit/class-names";
import { Dialog } from "@/kit/Dialog";
import { Highlight } from "@/kit/Highlight";
import { Id } from "@/kit/Id";
import { Kbd } from "@/kit/Kbd";
import { ScrollRegion } from "@/kit/ScrollRegion";
import {
  addedSources,
  type PaletteItem,
  type PaletteKind,
  type PaletteSource,
  PREFIXES,
  parseQuery,
} from "@/state/palette-sources";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./palette.module.css";

const KINDS: readonly PaletteKind[] = ["paragraphs", "documents", "commands", "settings"];
/** Results of each kind, by how many kinds there are: all of them are to be in sight. */
const MOST = [0, 12, 6, 3, 3];
const MOST_ALONE = 40;

type Found = Partial<Record<PaletteKind, readonly PaletteItem[]>>;

function useFound(sources: readonly PaletteSource[], text: string): { found: Found; busy: boolean } {
  const [found, setFound] = useState<Found>({});
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const control = new AbortController();
    const { kind, query } = parseQuery(text);
    const asked = [...sources, ...addedSources()].filter((source) => !kind || source.kind === kind);
    setBusy(true);
    const answers: PaletteItem[][] = asked.map(() => []);
    const show = () => {
      if (control.signal.aborted) return;
      const next: Found = {};
      for (const [index, source] of asked.entries()) {
        const items = answers[index] ?? [];
        if (items.length > 0) next[source.kind] = [...(next[source.kind] ?? []), ...items];
      }
      setFound(next);
    };
    void Promise.all(
      asked.map(async (source, index) => {
        try {
          answers[index] = [...(await source.find(query, control.signal, kind !== undefined))];
        } catch {
          // One kind that fails leaves the others; its page says why when it is opened.
          answers[index] = [];
        }
        show();
      }),
    ).then(() => {
      if (!control.signal.aborted) setBusy(false);
    });
    return () => control.abort();
  }, [sources, text]);
  return { found, busy };
}

/** Results by kind, as many of each as all kinds leave room for. */
function useGroups(sources: readonly PaletteSource[], text: string) {
  const { found, busy } = useFound(sources, text);
  const { kind } = parseQuery(text);
  const groups = useMemo(() => {
    const kinds = KINDS.filter((each) => (found[each] ?? []).length > 0);
    const most = kind ? MOST_ALONE : MOST[kinds.length];
    let from = 0;
    return kinds.map((each) => {
      const items = (found[each] ?? []).slice(0, most);
      const group = { kind: each, from, items };
      from += items.length;
      return group;
    });
  }, [found, kind]);
  return { groups, busy };
}

/** The text with the sign of the next place to look in, or of the one before. */
function elsewhere(text: string, by: 1 | -1): string {
  const { kind, query } = parseQuery(text);
  const signs = ["", ...Object.keys(PREFIXES)];
  const now = kind ? signs.indexOf(text.charAt(0)) : 0;
  return (signs[(now + by + signs.length) % signs.length] ?? "") + query;
}

type BodyProps = { sources: readonly PaletteSource[]; onClose: () => void; initial: string };

function Body({ sources, onClose, initial }: BodyProps) {
  const [text, setText] = useState(initial);
  const [active, setActive] = useState(0);
  const { groups, busy } = useGroups(sources, text);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const { kind, query } = parseQuery(text);
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(active, items.length - 1);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const look = (next: string) => {
    setText(next);
    setActive(0);
  };
  const run = (item: PaletteItem | undefined) => {
    if (!item) return;
    onClose();
    item.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (items.length > 0) setActive((at + step + items.length) % items.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(items[at]);
    } else if (event.key === "Tab") {
      // Tab walks the places to look in.
      event.preventDefault();
      look(elsewhere(text, event.shiftKey ? -1 : 1));
    }
  };
  return (
    <div className={css.palette}>
      <div className={css.field}>
        <IconSearch aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={items.length > 0 ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          aria-label={t("palette.input")}
          placeholder={t("palette.input")}
          spellCheck={false}
          value={text}
          onChange={(event) => look(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <span className="row gap-6">
          <span className="chip">{kind ? t(`palette.${kind}`) : t("palette.everywhere")}</span>
          <Kbd keys="tab" />
        </span>
      </div>
      <ScrollRegion
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label={t("palette.label")}
        className={css.list}
      >
        {groups.map((group) => (
          <div key={group.kind} role="group" aria-labelledby={`${id}-${group.kind}`}>
            <div className={css.group} id={`${id}-${group.kind}`}>
              {t(`palette.${group.kind}`)}
            </div>
            {group.items.map((item, place) => {
              const index = group.from + place;
              return (
                <Result
                  key={item.key}
                  item={item}
                  id={`${id}-${index}`}
                  at={index}
                  on={index === at}
                  query={query}
                  onPoint={() => setActive(index)}
                  onRun={() => run(item)}
                />
              );
            })}
          </div>
        ))}
      </ScrollRegion>
      {items.length === 0 && <Nothing {...{ busy, query }} />}
      <Keys />
    </div>
  );
}

/** Why there are no results. */
function Nothing({ busy, query }: { busy: boolean; query: string }) {
  return (
    <div className={`sec ${css.empty}`} role="status">
      {busy ? t("palette.searching") : query === "" ? t("palette.start") : t("palette.nothing", { query })}
    </div>
  );
}

type ResultProps = {
  item: PaletteItem;
  id: string;
  /** Its place among all results. */
  at: number;
  on: boolean;
  /** The words that it is found by. */
  query: string;
  onPoint: () => void;
  onRun: () => void;
};

/** One result, with the words that found it marked. */
function Result({ item, id, at, on, query, onPoint, onRun }: ResultProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus.
    <div
      id={id}
      role="option"
      data-at={at}
      aria-selected={on}
      className={classes(css.item, on && css.on)}
      onMouseMove={onPoint}
      onClick={onRun}
    >
      {item.icon}
      {item.id && <Id>{item.id}</Id>}
      <span className={item.about === undefined ? "ell" : css.name} data-tip={visible(item.label)}>
        <bdi>
          <Highlight text={visible(item.label)} query={query} />
        </bdi>
        {item.about && <bdi className="xs mut">{visible(item.about)}</bdi>}
      </span>
      <span className={css.end}>{item.keys ? <Kbd keys={item.keys} /> : item.end}</span>
    </div>
  );
}

/** The keys of the palette, and the signs that look in one place alone. */
function Keys() {
  return (
    <div className={`row gap-16 xs mut ${css.foot}`}>
      <span className="row gap-4">
        <Kbd keys="arrowup arrowdown" /> {t("palette.move")}
      </span>
      <span className="row gap-4">
        <Kbd keys="enter" /> {t("palette.open")}
      </span>
      <span className="row gap-4 push">
        {t("palette.type")} <kbd className="kbd">&gt;</kbd> {t("palette.hint_commands")}{" "}
        <kbd className="kbd">#</kbd> {t("palette.hint_ids")} <kbd className="kbd">@</kbd>{" "}
        {t("palette.hint_documents")}
      </span>
    </div>
  );
}

type PaletteProps = {
  open: boolean;
  onClose: () => void;
  sources: readonly PaletteSource[];
  initial?: string;
};

/** The command palette. */
export function Palette({ open, onClose, sources, initial = "" }: PaletteProps) {
  return (
    <Dialog open={open} onClose={onClose} label={t("palette.label")} width={660}>
      {open && <Body sources={sources} onClose={onClose} initial={initial} />}
    </Dialog>
  );
}
