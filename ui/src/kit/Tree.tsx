import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import { classes } from "./class-names";
import { useRowHeight } from "./density";
import placed from "./placed-row.module.css";
import { ScrollRegion } from "./ScrollRegion";
import { hasShortcut } from "./shortcuts";
import css from "./tree.module.css";
import { useVirtualRows } from "./virtual-rows";

/** A node of a {@link Tree}. Its children may be a thousand: only open branches are walked. */
export type TreeNode = { id: string; children?: readonly TreeNode[] };

type TreeProps<N extends TreeNode> = {
  label: string;
  roots: readonly N[];
  /** Ids of open branches. */
  open: ReadonlySet<string>;
  onOpenChange: (open: ReadonlySet<string>) => void;
  selected?: string | null;
  onSelect?: (node: N) => void;
  /** Enter on a node. */
  onActivate?: (node: N) => void;
  /** What stands in the row, after the arrow. */
  row: (node: N, depth: number) => ReactNode;
  /** Words of a node, to jump to it by typing. */
  words?: (node: N) => string;
  /** Height of a row in pixels at standard density. */
  rowHeight?: number;
  /** Pixels each level is moved in. */
  indent?: number;
  /** Name of the arrow of a branch. */
  arrowLabel: (node: N, open: boolean) => string;
};

type Flat<N> = { node: N; depth: number; position: number; siblings: number; parent: number };

/** The rows of the open branches, in reading order. */
export function flatten<N extends TreeNode>(roots: readonly N[], open: ReadonlySet<string>): Flat<N>[] {
  const rows: Flat<N>[] = [];
  const walk = (nodes: readonly N[], depth: number, parent: number) => {
    for (const [index, node] of nodes.entries()) {
      const at = rows.length;
      rows.push({ node, depth, position: index + 1, siblings: nodes.length, parent });
      if (node.children?.length && open.has(node.id)) walk(node.children as readonly N[], depth + 1, at);
    }
  };
  walk(roots, 0, -1);
  return rows;
}

/** Milliseconds after which a letter begins another word. */
const WORD = 700;

/** Typing that jumps: gives the row whose words begin with what was typed, `false` where the key is no letter of it. */
function useTyped<N extends TreeNode>(rows: readonly Flat<N>[], words: ((node: N) => string) | undefined) {
  const typed = useRef({ text: "", at: 0 });
  return (event: KeyboardEvent, index: number): number | undefined | false => {
    if (!words || event.key.length !== 1) return false;
    const begun = event.timeStamp - typed.current.at < WORD ? typed.current.text : "";
    // A key that is a shortcut begins no word; within one it is a letter.
    if (begun === "" && hasShortcut(event.nativeEvent)) return false;
    const text = begun + event.key.toLowerCase();
    typed.current = { text, at: event.timeStamp };
    const from = text.length > 1 ? index : index + 1;
    const order = [...rows.keys()].map((step) => (from + step) % rows.length);
    return order.find((at) => {
      const node = rows[at]?.node;
      return node !== undefined && words(node).toLowerCase().startsWith(text);
    });
  };
}

/** Whether a row stands in the view, with two more below it: what is loaded later may take the last rows' place. */
function isInSight(scroller: HTMLElement | null, row: number, height: number): boolean {
  if (!scroller) return false;
  const top = row * height;
  const { scrollTop, clientHeight } = scroller;
  return top >= scrollTop && top + 3 * height <= scrollTop + clientHeight;
}

/** What the keys of a tree do beyond going up and down. */
function useBranching<N extends TreeNode>(
  { open, onOpenChange, onSelect, words }: TreeProps<N>,
  rows: readonly Flat<N>[],
) {
  const typedTo = useTyped(rows, words);
  const toggle = (node: N) => {
    const next = new Set(open);
    if (!next.delete(node.id)) next.add(node.id);
    onOpenChange(next);
  };
  /** Gives whether the key was used; `go` moves the focus to a row. */
  const onKey = (
    event: KeyboardEvent<HTMLElement>,
    index: number,
    go: (index: number, root: HTMLElement) => void,
  ): boolean => {
    const here = rows[index];
    if (!here) return false;
    const root = event.currentTarget;
    const children = here.node.children?.length ?? 0;
    const isOpen = open.has(here.node.id);
    if (event.key === "ArrowRight") {
      if (children && !isOpen) toggle(here.node);
      else if (children) go(index + 1, root);
    } else if (event.key === "ArrowLeft") {
      if (children && isOpen) toggle(here.node);
      else if (here.parent >= 0) go(here.parent, root);
    } else if (event.key === "*") {
      const siblings = rows.filter((each) => each.parent === here.parent && each.node.children?.length);
      onOpenChange(new Set([...open, ...siblings.map((each) => each.node.id)]));
    } else if (event.key === " ") {
      onSelect?.(here.node);
    } else {
      const to = typedTo(event, index);
      if (to === false) return false;
      if (to !== undefined) go(to, root);
    }
    return true;
  };
  return { toggle, onKey };
}

/** A tree of any size. Right opens, Left closes, typing jumps; shortcuts of one key keep their keys. */
export function Tree<N extends TreeNode>(props: TreeProps<N>) {
  const { label, roots, open, selected, onSelect, onActivate, row, arrowLabel, indent = 13 } = props;
  const rowHeight = useRowHeight(props.rowHeight ?? 25);
  const rows = useMemo(() => flatten(roots, open), [roots, open]);
  const chosen = selected == null ? -1 : rows.findIndex((each) => each.node.id === selected);
  // What was chosen, or a tree with other rows, brings the chosen row into sight; opening and closing does not.
  const hidden = useRef(true);
  const onOpenChange = (next: ReadonlySet<string>) => {
    hidden.current = false;
    props.onOpenChange(next);
  };
  const { toggle, onKey } = useBranching({ ...props, onOpenChange }, rows);
  const { scroller, roving, virtual } = useVirtualRows({
    count: rows.length,
    rowHeight,
    overscan: 10,
    selected: chosen,
    onSelect: (index) => {
      const node = rows[index]?.node;
      if (node) onSelect?.(node);
    },
    onOpen: (index) => {
      const node = rows[index]?.node;
      if (node) (onActivate ?? onSelect)?.(node);
    },
    extra: (event, index) => onKey(event as KeyboardEvent<HTMLElement>, index, roving.go),
  });
  const reveal = useEffectEvent(() => {
    if (chosen < 0) return;
    roving.setActive(chosen);
    if (!hidden.current) return;
    hidden.current = false;
    if (!isInSight(scroller.current, chosen, rowHeight)) virtual.scrollToIndex(chosen, { align: "center" });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them may put the chosen row out of sight.
  useLayoutEffect(() => {
    hidden.current = true;
  }, [selected, roots]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row is chosen, or the chosen one stands elsewhere.
  useEffect(() => reveal(), [chosen, selected, roots]);
  return (
    <ScrollRegion fill ref={scroller}>
      <div
        role="tree"
        aria-label={label}
        onKeyDown={roving.onKeyDown}
        tabIndex={rows.length === 0 ? 0 : undefined}
        style={{ height: virtual.getTotalSize(), position: "relative" }}
      >
        {virtual.getVirtualItems().map(({ index, size, start }) => {
          const flat = rows[index];
          if (!flat) return null;
          const { node, depth } = flat;
          return (
            <Row
              key={node.id}
              {...{ flat, index, arrowLabel }}
              isOpen={open.has(node.id)}
              chosen={index === chosen}
              active={index === roving.active}
              place={{
                height: size,
                transform: `translateY(${start}px)`,
                paddingInlineStart: 8 + depth * indent,
              }}
              onPress={() => {
                roving.setActive(index);
                onSelect?.(node);
              }}
              onToggle={() => toggle(node)}
            >
              {row(node, depth)}
            </Row>
          );
        })}
      </div>
    </ScrollRegion>
  );
}

type RowProps<N extends TreeNode> = Pick<TreeProps<N>, "arrowLabel"> & {
  flat: Flat<N>;
  index: number;
  isOpen: boolean;
  chosen: boolean;
  /** The arrow keys stand on it. */
  active: boolean;
  place: CSSProperties;
  onPress: () => void;
  onToggle: () => void;
  children: ReactNode;
};

/** A row of a tree: the arrow of its branch, and what stands after it. */
function Row<N extends TreeNode>(props: RowProps<N>) {
  const { flat, index, isOpen, chosen, active, place, arrowLabel, onPress, onToggle, children } = props;
  const { node } = flat;
  const branch = (node.children?.length ?? 0) > 0;
  const Arrow = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div
      role="treeitem"
      data-index={index}
      aria-level={flat.depth + 1}
      aria-posinset={flat.position}
      aria-setsize={flat.siblings}
      aria-expanded={branch ? isOpen : undefined}
      aria-selected={chosen}
      tabIndex={active ? 0 : -1}
      className={classes(placed.row, css.row, chosen && css.on)}
      style={place}
      onClick={onPress}
      onDoubleClick={() => branch && onToggle()}
    >
      {branch ? (
        <button
          type="button"
          className={css.arrow}
          tabIndex={-1}
          aria-label={arrowLabel(node, isOpen)}
          onClick={(event) => {
            event.stopPropagation();
            onToggle();
          }}
        >
          <Arrow className="xs" aria-hidden />
        </button>
      ) : (
        <span className={css.arrow} />
      )}
      {children}
    </div>
  );
}
