import {
  Children,
  Fragment,
  isValidElement,
  type ReactElement,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import {
  Group,
  Panel,
  type PanelImperativeHandle,
  Separator,
  useDefaultLayout,
  usePanelRef,
} from "react-resizable-panels";
import { t } from "@/text";
import { classes } from "./class-names";
import css from "./panes.module.css";
import { useShortcut } from "./shortcuts";

type PaneProps = {
  /** Stable name within its {@link Panes}. */
  id: string;
  /** What it holds, for assistive technology and F6. Leave it out for a pane that holds other panes. */
  label?: string;
  /** Pixels at first; leave it out for the pane that takes what is left. */
  size?: number;
  /** Fewest pixels. */
  min?: number;
  /** Most pixels. */
  max?: number;
  /** The shortcut that folds it: `start` for Ctrl+B, `end` for Ctrl+I. */
  fold?: "start" | "end";
  /** Greyer than the work area, for panes at the side. */
  sunken?: boolean;
  children: ReactNode;
};

const FOLD = { start: "app.fold-start", end: "app.fold-end" };

const showing = new Map<string, () => void>();

/** Unfolds the pane `id` where it is folded, and moves the focus to it. */
export const showPane = (id: string): void => showing.get(id)?.();

/** A pane. Only inside {@link Panes}. */
export function Pane({ id, label, size, min, max, fold, sunken, children }: PaneProps) {
  const panel = usePanelRef();
  const section = useRef<HTMLElement>(null);
  const [folded, setFolded] = useState(false);
  useLayoutEffect(() => {
    const show = () => {
      panel.current?.expand();
      setFolded(false);
      // A pane that is folded takes no focus.
      requestAnimationFrame(() => section.current?.focus({ focusVisible: true }));
    };
    showing.set(id, show);
    return () => {
      if (showing.get(id) === show) showing.delete(id);
    };
  }, [id, panel]);
  useShortcut(FOLD[fold ?? "start"], () => toggle(panel.current), fold !== undefined);
  return (
    <Panel
      id={id}
      panelRef={panel}
      defaultSize={size === undefined ? undefined : `${size}px`}
      minSize={`${min ?? (size === undefined ? 420 : Math.min(size, 180))}px`}
      maxSize={max === undefined ? undefined : `${max}px`}
      collapsible={fold !== undefined}
      collapsedSize="0px"
      groupResizeBehavior={size === undefined ? "preserve-relative-size" : "preserve-pixel-size"}
      onResize={(now) => setFolded(fold !== undefined && now.inPixels < 1)}
      style={{ overflow: "hidden" }}
    >
      <section
        ref={section}
        className={classes(css.pane, sunken && css.sunken, fold === "end" && css.atEnd)}
        aria-label={label}
        data-pane={label ? id : undefined}
        tabIndex={label ? -1 : undefined}
        inert={folded}
      >
        {children}
      </section>
    </Panel>
  );
}

function toggle(panel: PanelImperativeHandle | null) {
  if (!panel) return;
  if (panel.isCollapsed()) panel.expand();
  else panel.collapse();
}

type PanesProps = {
  /** Stable name; the sizes are kept under it. */
  id: string;
  direction?: "row" | "column";
  /** {@link Pane}s; what is false is left out. */
  children: ReactNode;
};

/** Panes beside or above each other, parted by lines that drag. Sizes are kept between starts. */
export function Panes({ id, direction = "row", children }: PanesProps) {
  const panes = Children.toArray(children).filter((child): child is ReactElement<PaneProps> =>
    isValidElement(child),
  );
  const layout = useDefaultLayout({
    id: `panes.${id}`,
    panelIds: panes.map((pane) => pane.props.id),
    onlySaveAfterUserInteractions: true,
    storage: localStorage,
  });
  return (
    <Group
      id={id}
      orientation={direction === "row" ? "horizontal" : "vertical"}
      defaultLayout={layout.defaultLayout}
      onLayoutChanged={layout.onLayoutChanged}
    >
      {panes.map((pane, index) => (
        <Fragment key={pane.props.id}>
          {index > 0 && (
            <Separator className={classes(css.line, css[direction])} aria-label={t("kit.resize")} />
          )}
          {pane}
        </Fragment>
      ))}
    </Group>
  );
}

/** The 34 pixel head of a pane: title, detail, and what stands at the end. */
export function PaneHead({ title, detail, end }: { title: ReactNode; detail?: ReactNode; end?: ReactNode }) {
  return (
    <div className="heading">
      <h2 className="ell">{title}</h2>
      {detail !== undefined && (
        <span className={classes("sm mut ell", typeof detail === "string" ? css.detail : css.marks)}>
          {detail}
        </span>
      )}
      {end !== undefined && <span className="end">{end}</span>}
    </div>
  );
}
