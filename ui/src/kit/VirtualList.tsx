import { type ReactNode, useEffect, useEffectEvent } from "react";
import { classes } from "./class-names";
import placed from "./placed-row.module.css";
import { ScrollRegion } from "./ScrollRegion";
import { useVirtualRows } from "./virtual-rows";

type VirtualListProps = {
  label: string;
  /** Rows in all; those not loaded yet count too. */
  count: number;
  /** Height of a row in pixels. */
  rowHeight: number;
  /** A row; called for rows in sight only. */
  row: (index: number) => ReactNode;
  rowKey?: (index: number) => string | number;
  selected?: number;
  onSelect?: (index: number) => void;
  onOpen?: (index: number) => void;
  /** Tells which rows are in sight, for loading pages of them. */
  onVisible?: (first: number, last: number) => void;
  className?: string;
};

/** A list of any length: only rows in sight exist. Arrows move and choose, Enter opens. */
export function VirtualList(props: VirtualListProps) {
  const {
    label,
    count,
    rowHeight,
    row,
    rowKey,
    selected = -1,
    onSelect,
    onOpen,
    onVisible,
    className,
  } = props;
  const { scroller, roving, virtual } = useVirtualRows({
    count,
    selected,
    onSelect,
    onOpen,
    rowHeight,
    itemKey: rowKey,
  });
  const reveal = useEffectEvent((index: number) => {
    roving.setActive(index);
    virtual.scrollToIndex(index);
  });
  useEffect(() => {
    if (selected >= 0) reveal(selected);
  }, [selected]);
  const first = virtual.range?.startIndex ?? 0;
  const last = virtual.range?.endIndex ?? 0;
  const tell = useEffectEvent(() => onVisible?.(first, last));
  // biome-ignore lint/correctness/useExhaustiveDependencies: told again whenever the range moves.
  useEffect(() => tell(), [first, last, count]);
  return (
    <ScrollRegion fill ref={scroller} className={className}>
      <div
        role="listbox"
        aria-label={label}
        onKeyDown={roving.onKeyDown}
        tabIndex={count === 0 ? 0 : undefined}
        style={{ height: virtual.getTotalSize(), position: "relative" }}
      >
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.key}
            role="option"
            data-index={item.index}
            aria-selected={item.index === selected}
            aria-posinset={item.index + 1}
            aria-setsize={count}
            tabIndex={item.index === roving.active ? 0 : -1}
            className={classes(placed.row, item.index === selected && placed.on)}
            style={{ height: item.size, transform: `translateY(${item.start}px)` }}
            onClick={() => {
              roving.setActive(item.index);
              onSelect?.(item.index);
            }}
            onDoubleClick={() => onOpen?.(item.index)}
          >
            {row(item.index)}
          </div>
        ))}
      </div>
    </ScrollRegion>
  );
}
