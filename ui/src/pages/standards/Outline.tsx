import { IconFilter } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import type { ReviewStatus } from "@/api/types";
import { Button } from "@/kit/Button";
import { SearchField } from "@/kit/fields";
import { Id } from "@/kit/Id";
import { Kbd } from "@/kit/Kbd";
import { Menu } from "@/kit/Menu";
import { Meter } from "@/kit/Meter";
import { Pill } from "@/kit/Pill";
import { EmptyState } from "@/kit/states";
import { useStill } from "@/kit/still";
import { Tree } from "@/kit/Tree";
import { STATUSES, StatusShape } from "@/parts/StatusShape";
import { standardOf, standards } from "@/state/source-types";
import { t } from "@/text";
import { whole } from "@/text/format";
import {
  ancestors,
  filterWords,
  hasStatus,
  hasTopics,
  type Narrowing,
  type Node,
  narrow,
  type Outline,
  progress,
  type Statuses,
  scopeOf,
  within,
} from "./outline";
import css from "./outline.module.css";
import type { PlaceControl } from "./place";
import shared from "./shared.module.css";

/** Milliseconds that the address waits: web views limit how often it may change. */
const ADDRESS_PAUSE = 300;

/** Branches that were opened and closed by hand under a filter. */
type Turned = { asked: string; opened: ReadonlySet<string>; closed: ReadonlySet<string> };
const UNTURNED: Turned = { asked: "", opened: new Set(), closed: new Set() };

type OutlinePaneProps = PlaceControl & {
  outline: Outline;
  statuses: Statuses;
  /** Whether a report is there to be reviewed. */
  reviewing: boolean;
};

/** The words of the filter: followed at once, kept in the address once they are still. */
function useWords({ place, change }: PlaceControl): [string, (words: string) => void] {
  const [words, setWords] = useState(place.words);
  const still = useStill(words, ADDRESS_PAUSE);
  const written = useRef(place.words);
  useEffect(() => {
    if (still === written.current) return;
    written.current = still;
    change({ words: still });
  }, [still, change]);
  useEffect(() => {
    if (place.words === written.current) return;
    written.current = place.words;
    setWords(place.words);
  }, [place.words]);
  return [words, setWords];
}

/** The branches that are open: those that were opened by hand, or those that lead to what a filter leaves. */
function useBranches(
  { outline, place, change }: OutlinePaneProps,
  words: string,
  narrowed: ReturnType<typeof narrow> | undefined,
) {
  const { body, status } = place;
  const filtering = words.trim() !== "" || status !== "any";
  const node = outline.byTarget.get(place.id);
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set([...outline.roots, ...ancestors(node)].map((each) => each.id)),
  );
  // A filter opens its matches; what is turned by hand stays so while the same is looked for.
  const asked = JSON.stringify([words.trim(), body, status]);
  const [turned, setTurned] = useState<Turned>(UNTURNED);
  const byHand = turned.asked === asked ? turned : UNTURNED;
  const leads = node?.body;
  const followed = useRef(place.id);
  const follow = useEffectEvent(() => {
    if (followed.current === place.id) return;
    followed.current = place.id;
    const around = ancestors(node).map((each) => each.id);
    setOpen((now) => new Set([...now, ...around]));
    setTurned({ ...byHand, asked, opened: new Set([...byHand.opened, ...around]) });
    if (leads && body !== "all" && body !== leads) change({ body: "all" });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another paragraph is another place in the tree.
  useEffect(() => follow(), [place.id]);
  const shown = useMemo(
    () =>
      narrowed && filtering
        ? new Set([...narrowed.open, ...byHand.opened].filter((id) => !byHand.closed.has(id)))
        : open,
    [narrowed, filtering, byHand, open],
  );
  const turn = (next: ReadonlySet<string>) =>
    narrowed && filtering
      ? setTurned({
          asked,
          opened: new Set([...next].filter((id) => !narrowed.open.has(id))),
          closed: new Set([...narrowed.open].filter((id) => !next.has(id))),
        })
      : setOpen(next);
  const toggle = (each: Node) => {
    const next = new Set(shown);
    if (!next.delete(each.id)) next.add(each.id);
    turn(next);
  };
  return { node, filtering, shown, turn, toggle };
}

/** The tree of the standards with its filter, and how far the review has come. */
export function OutlinePane(props: OutlinePaneProps) {
  const { outline, statuses, reviewing, place, change, open: openPlace } = props;
  const [words, setWords] = useWords(props);
  const { body, status } = place;
  const narrowed = useMemo(
    () =>
      words.trim() === "" && body === "all" && status === "any"
        ? undefined
        : narrow(outline, { words, body, status }, statuses),
    [outline, words, body, status, statuses],
  );
  const { node, filtering, shown, turn, toggle } = useBranches(props, words, narrowed);
  const holder = useRef<HTMLDivElement>(null);
  const select = (each: Node) => each.target !== undefined && openPlace(each.target);
  const roots = narrowed?.roots ?? outline.roots;
  const first = useMemo(() => roots.flatMap(within).find((each) => matching(each, words)), [roots, words]);
  const leave = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      holder.current?.querySelector<HTMLElement>("[role=treeitem][tabindex='0']")?.focus();
    } else if (event.key === "Enter" && first?.target !== undefined && words.trim() !== "")
      openPlace(first.target);
    else if (event.key === "Escape" && words !== "") {
      event.stopPropagation();
      setWords("");
    }
  };
  const marked = filterWords(words);
  const sizes = useMemo(
    () => new Map(outline.roots.map((root) => [root.id, within(root).filter((each) => each.target).length])),
    [outline],
  );
  return (
    <>
      <div className={css.filter}>
        <SearchField
          label={t("standards.filter.label")}
          placeholder={t("standards.filter.placeholder")}
          icon={<IconFilter className="small" aria-hidden />}
          value={words}
          onChange={setWords}
          onKeyDown={leave}
          end={words !== "" && <Matches count={narrowed?.matches ?? 0} />}
        />
        <div className="row gap-4">
          <Bodies body={body} onChange={(next) => change({ body: next })} />
          {(reviewing || status !== "any") && (
            <StatusFilter {...{ outline, statuses, status }} onChange={(next) => change({ status: next })} />
          )}
        </div>
      </div>
      {roots.length === 0 ? (
        <NothingLeft
          words={words}
          status={status}
          onClear={() => {
            setWords("");
            change({ words: "", body: "all", status: "any" });
          }}
        />
      ) : (
        <div className={css.tree} ref={holder}>
          <Tree
            label={t("standards.tree")}
            roots={roots}
            open={shown}
            onOpenChange={turn}
            selected={node?.id ?? null}
            onSelect={select}
            onActivate={(each) => (each.target === undefined ? toggle(each) : select(each))}
            words={(each) => each.number || each.label}
            arrowLabel={(each, isOpen) =>
              t(isOpen ? "standards.close_branch" : "standards.open_branch", { name: each.label })
            }
            row={(each) => (
              <TreeLine
                node={each}
                marked={marked}
                count={filtering ? narrowed?.counts.get(each.id) : undefined}
                size={each.parent ? undefined : sizes.get(each.id)}
                industries={hasTopics(each) && !each.parent ? industries(outline, each) : undefined}
                expanded={shown.has(each.id)}
                status={reviewing ? statuses.get(each.target ?? "") : undefined}
                ring={reviewing && each.requirement}
                onToggle={() => toggle(each)}
              />
            )}
          />
        </div>
      )}
      {reviewing && node && <ProgressFoot node={node} statuses={statuses} />}
    </>
  );
}

type BodiesProps = { body: string; onChange: (body: string) => void };

/** The standard that the tree is narrowed to, or all of them. */
function Bodies({ body, onChange }: BodiesProps) {
  return ["all", ...standards().map(({ short }) => short)].map((each) => (
    <Pill
      key={each}
      label={each === "all" ? t("standards.filter.all") : each}
      active={body === each}
      onClick={() => onChange(each)}
    />
  ));
}

/** How many requirements hold the words of the filter, and the key that empties it. */
function Matches({ count }: { count: number }) {
  return (
    <>
      <span className="xs number" role="status" aria-label={t("standards.filter.matches", { count })}>
        {whole(count)}
      </span>
      <Kbd keys="escape" />
    </>
  );
}

type NothingLeftProps = { words: string; status: Narrowing["status"]; onClear: () => void };

/** The filter leaves nothing: it is said of what, and cleared. */
function NothingLeft({ words, status, onClear }: NothingLeftProps) {
  return (
    <EmptyState
      title={
        status === "any"
          ? t("standards.filter.nothing", { words: words.trim() })
          : t("standards.filter.none_of_status", { status: t(`standards.status.${status}`) })
      }
      action={
        <Button size="small" onClick={onClear}>
          {t("standards.filter.clear")}
        </Button>
      }
    />
  );
}

type StatusFilterProps = {
  outline: Outline;
  statuses: Statuses;
  status: Narrowing["status"];
  onChange: (status: Narrowing["status"]) => void;
};

/** Narrows the tree to paragraphs, metrics and items of one status. */
function StatusFilter({ outline, statuses, status, onChange }: StatusFilterProps) {
  const label = t("standards.filter.status");
  const named = (each: ReviewStatus) =>
    t("standards.filter.status_count", {
      status: t(`standards.status.${each}`),
      count: whole(outline.order.filter((node) => hasStatus(node, each, statuses)).length),
    });
  return (
    <Menu
      label={label}
      entries={[
        {
          label: t("standards.filter.any_status"),
          checked: status === "any",
          onClick: () => onChange("any"),
        },
        ...STATUSES.map((each) => ({
          label: named(each),
          checked: each === status,
          onClick: () => onChange(each),
        })),
      ]}
    >
      <Pill
        className={shared.push}
        label={status === "any" ? label : named(status)}
        active={status !== "any"}
        menu
      />
    </Menu>
  );
}

const industries = ({ order }: Outline, root: Node) =>
  order.filter((each) => each.kind === "industry" && each.sourceType === root.sourceType).length;

const matching = (node: Node, words: string) =>
  node.target !== undefined &&
  filterWords(words).every((word) => `${node.target} ${node.label}`.toLowerCase().includes(word));

type TreeLineProps = {
  node: Node;
  marked: readonly string[];
  /** Matches in and below it. */
  count: number | undefined;
  /** What a standard holds in all. */
  size: number | undefined;
  industries: number | undefined;
  expanded: boolean;
  status: Parameters<typeof StatusShape>[0]["status"] | undefined;
  ring: boolean;
  onToggle: () => void;
};

function TreeLine(props: TreeLineProps) {
  const { node, marked, count, size, expanded, status, ring, onToggle } = props;
  const leads = node.target !== undefined;
  const label = node.parent
    ? node.label
    : props.industries !== undefined
      ? t("standards.body.industries", { body: node.label, count: props.industries })
      : t("standards.body.titled", {
          body: standardOf(node.sourceType)?.body ?? node.body,
          title: node.label,
        });
  const counted =
    count === undefined
      ? size === undefined
        ? undefined
        : whole(size)
      : size === undefined
        ? expanded || leads
          ? undefined
          : whole(count)
        : t("standards.filter.of", { count, all: size });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the row itself takes the keys; a click anywhere on a heading turns it.
    <span
      className={css.line}
      onClick={leads ? undefined : onToggle}
      onDoubleClick={leads ? undefined : (event) => event.stopPropagation()}
    >
      {leads && node.number !== "" && <Id>{node.number}</Id>}
      <span className={node.parent ? css.words : `${css.words} ${css.standard}`} data-tip={label}>
        <Marked text={label} words={marked} />
      </span>
      {counted !== undefined && <span className={css.count}>{counted}</span>}
      {(ring || (status && status !== "open")) && <StatusShape status={status ?? "open"} />}
    </span>
  );
}

/** A text with every one of some words marked. */
export function Marked({ text, words }: { text: string; words: readonly string[] }) {
  const lower = text.toLowerCase();
  if (words.length === 0 || lower.length !== text.length) return text;
  const covered = new Array<boolean>(text.length).fill(false);
  for (const word of words)
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1))
      covered.fill(true, at, at + word.length);
  const parts = [];
  for (let start = 0; start < text.length; ) {
    let end = start;
    while (end < text.length && covered[end] === covered[start]) end += 1;
    const part = text.slice(start, end);
    parts.push(
      covered[start] ? (
        <mark key={start} className="query">
          {part}
        </mark>
      ) : (
        part
      ),
    );
    start = end;
  }
  return parts;
}

function ProgressFoot({ node, statuses }: { node: Node; statuses: Statuses }) {
  const scope = scopeOf(node);
  const counted = useMemo(() => progress(scope, statuses), [scope, statuses]);
  if (counted.all === 0) return null;
  const name = scope.target ?? scope.body;
  const share = (part: number) => part / counted.all;
  const text = t("standards.filter.of", { count: counted.done, all: counted.all });
  return (
    <div className={css.progress}>
      <div className="row between sm">
        <span className="sec ell">{t("standards.reviewed", { name })}</span>
        <span className="number nowrap">{text}</span>
      </div>
      <Meter
        label={t("standards.reviewed", { name })}
        text={text}
        value={[
          { share: share(counted.met), tone: "ok", label: t("standards.status.met") },
          { share: share(counted.partly), tone: "warn", label: t("standards.status.partly") },
          { share: share(counted.gap), tone: "bad", label: t("standards.status.gap") },
          { share: share(counted.not_applicable), tone: "base", label: t("standards.status.not_applicable") },
        ]}
      />
      <div className={`row xs mut wrap ${css.legend}`}>
        {(["met", "partly", "gap", "not_applicable"] as const)
          .filter((status) => status !== "not_applicable" || counted.not_applicable > 0)
          .map((status) => (
            <span key={status} className="row gap-4 nowrap number">
              <StatusShape status={status} quiet />
              {t(`standards.counted.${status}`, { count: counted[status] })}
            </span>
          ))}
      </div>
    </div>
  );
}
