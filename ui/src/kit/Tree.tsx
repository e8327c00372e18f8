import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import {
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

/** A tree of any size. Right opens, Left closes, typing jumps; shortcuts of one key keep their keys. */
export function Tree<N extends TreeNode>(props: TreeProps<N>) {
  const { label, roots, open, onOpenChange, selected, onSelect, onActivate, row, words, arrowLabel } = props;
  const { indent = 13 } = props;
  const rowHeight = useRowHeight(props.rowHeight ?? 25);
  const typed = useRef({ text: "", at: 0 });
  const rows = useMemo(() => flatten(roots, open), [roots, open]);
  const chosen = selected == null ? -1 : rows.findIndex((each) => each.node.id === selected);
  // What was chosen, or a tree with other rows, brings the chosen row into sight; opening and closing does not.
  const hidden = useRef(true);
  const toggle = (node: N) => {
    hidden.current = false;
    const next = new Set(open);
    if (!next.delete(node.id)) next.add(node.id);
    onOpenChange(next);
  };
  const branch = (event: KeyboardEvent<HTMLElement>, index: number): boolean => {
    const here = rows[index];
    if (!here) return false;
    const root = event.currentTarget;
    const children = here.node.children?.length ?? 0;
    const isOpen = open.has(here.node.id);
    if (event.key === "ArrowRight") {
      if (children && !isOpen) toggle(here.node);
      else if (children) roving.go(index + 1, root);
    } else if (event.key === "ArrowLeft") {
      if (children && isOpen) toggle(here.node);
      else if (here.parent >= 0) roving.go(here.parent, root);
    } else if (event.key === "*") {
      const siblings = rows.filter((each) => each.parent === here.parent && each.node.children?.length);
      hidden.current = false;
      onOpenChange(new Set([...open, ...siblings.map((each) => each.node.id)]));
    } else if (event.key === " ") {
      onSelect?.(here.node);
    } else if (words && event.key.length === 1) {
      const now = event.timeStamp;
      const begun = now - typed.current.at < 700 ? typed.current.text : "";
      // A key that is a shortcut begins no word; within one it is a letter.
      if (begun === "" && hasShortcut(event.nativeEvent)) return false;
      typed.current = { text: begun + event.key.toLowerCase(), at: now };
      const from = typed.current.text.length > 1 ? index : index + 1;
      const order = [...rows.keys()].map((step) => (from + step) % rows.length);
      const hit = order.find((at) => {
        const node = rows[at]?.node;
        return node !== undefined && words(node).toLowerCase().startsWith(typed.current.text);
      });
      if (hit !== undefined) roving.go(hit, root);
    } else return false;
    return true;
  };
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
    extra: (event, index) => branch(event as KeyboardEvent<HTMLElement>, index),
  });
  const reveal = useEffectEvent(() => {
    if (chosen < 0) return;
    roving.setActive(chosen);
    if (!hidden.current) return;
    hidden.current = false;
    const element = scroller.current;
    const top = chosen * rowHeight;
    // What is loaded later below the tree may take the last rows' place.
    const foot = 3 * rowHeight;
    const inSight =
      element && top >= element.scrollTop && top + foot <= element.scrollTop + element.clientHeight;
    if (!inSight) virtual.scrollToIndex(chosen, { align: "center" });
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
        {virtual.getVirtualItems().map((item) => {
          const flat = rows[item.index];
          if (!flat) return null;
          const { node, depth } = flat;
          const children = node.children?.length ?? 0;
          const isOpen = open.has(node.id);
          const Arrow = isOpen ? IconChevronDown : IconChevronRight;
          return (
            <div
              key={node.id}
              role="treeitem"
              data-index={item.index}
              aria-level={depth + 1}
              aria-posinset={flat.position}
              aria-setsize={flat.siblings}
              aria-expanded={children ? isOpen : undefined}
              aria-selected={item.index === chosen}
              tabIndex={item.index === roving.active ? 0 : -1}
              className={classes(placed.row, css.row, item.index === chosen && css.on)}
              style={{
                height: item.size,
                transform: `translateY(${item.start}px)`,
                paddingInlineStart: 8 + depth * indent,
              }}
              onClick={() => {
                roving.setActive(item.index);
                onSelect?.(node);
              }}
              onDoubleClick={() => children > 0 && toggle(node)}
            >
              {children > 0 ? (
                <button
                  type="button"
                  className={css.arrow}
                  tabIndex={-1}
                  aria-label={arrowLabel(node, isOpen)}
                  onClick={(event) => {
                    event.stopPropagation();
                    toggle(node);
                  }}
                >
                  <Arrow className="xs" aria-hidden />
                </button>
              ) : (
                <span className={css.arrow} />
              )}
              {row(node, depth)}
            </div>
          );
        })}
      </div>
    </ScrollRegion>
  );
}
