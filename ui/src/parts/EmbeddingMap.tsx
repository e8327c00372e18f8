import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import type { MapPoint, EmbeddingMap as MapView } from "@/api/types";
import { ChartTable } from "@/kit/ChartTable";
import { useChartTables } from "@/kit/chart-tables";
import { classes } from "@/kit/class-names";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { useSize } from "@/kit/size";
import { labelOf, valueLabel } from "@/state/source-types";
import { t } from "@/text";
import { decimal, percent, whole } from "@/text/format";
import {
  fitted,
  groupsOf,
  type Look,
  namePlaces,
  nearestSpot,
  pathOf,
  type Spot,
  spotTowards,
} from "./embedding-map";
import css from "./embedding-map.module.css";

/** Points above which they are painted rather than drawn as paths. */
export const MOST_DRAWN = 5_000;
/** Rows of the table; more would take long to lay out. */
const MOST_ROWS = 1_000;
/** Points from which a group has its name on the drawing; all have it below. */
const NAMED = 3;
/** Points up to which each may carry its mark: more would write over each other. */
export const MOST_MARKED = 60;
const REACH = 14;
const RING = 5.5;

/** Name of a group: a pillar, else a source type. */
export const groupName = (group: string): string => valueLabel("pillars", group) ?? labelOf(group);

/** What a map is a projection of. */
export function mapCaption(
  { model, points, total, variance, query, nearest }: MapView,
  asked: boolean,
): string {
  const share = percent(variance[0] + variance[1]);
  return [
    points.length < total
      ? t("embedding_map.sampled", { model, count: whole(points.length), all: whole(total), share })
      : t("embedding_map.caption", { model, count: points.length, share }),
    asked && query === null && t("embedding_map.no_query"),
    query !== null && nearest.length > 0 && t("embedding_map.rings", { count: nearest.length }),
  ]
    .filter(Boolean)
    .join(" ");
}

type EmbeddingMapProps = {
  map: MapView;
  /** Says in a sentence what it shows. */
  label: string;
  /** Chunk id that is ringed. */
  selected?: string;
  onSelect?: (point: MapPoint) => void;
  /** Names a point beside its group. */
  name: (point: MapPoint) => string;
  /** A few signs beside a point, where there is room for them. */
  mark?: (point: MapPoint) => string;
  /** The query was asked for: its absence is told. */
  asked?: boolean;
  /** Words stand beside the drawing rather than below: for a low pane. */
  beside?: boolean;
};

/** Chunks by meaning, each group with a shape of its own; the query as a cross, rings around the nearest to it. */
export function EmbeddingMap(props: EmbeddingMapProps) {
  const table = useChartTables();
  return table ? <Table {...props} /> : <Drawing {...props} />;
}

function Table({ map, label, name, asked = false }: EmbeddingMapProps) {
  const some = map.nearest.length > 0;
  const near = new Map(map.nearest.map((id, index) => [id, index + 1]));
  const rows = [...map.points].sort(
    (a, b) => (near.get(a.chunk_id) ?? Infinity) - (near.get(b.chunk_id) ?? Infinity) || 0,
  );
  return (
    <ScrollRegion className={css.table}>
      <ChartTable
        label={label}
        heads={[
          ...(some ? [t("embedding_map.near")] : []),
          t("embedding_map.chunk"),
          t("embedding_map.group"),
          "x",
          "y",
        ]}
        rows={rows
          .slice(0, MOST_ROWS)
          .map((point) => [
            ...(some ? [near.get(point.chunk_id) ?? ""] : []),
            name(point),
            groupName(point.group),
            decimal(point.x, 3),
            decimal(point.y, 3),
          ])}
      />
      {rows.length > MOST_ROWS && (
        <span className="xs mut">{t("embedding_map.more", { count: rows.length - MOST_ROWS })}</span>
      )}
      <p className="xs mut">{mapCaption(map, asked)}</p>
    </ScrollRegion>
  );
}

type Size = { width: number; height: number };
type GroupOf = ReturnType<typeof groupsOf>[number];

/** Where everything of a map stands in a drawing of this size. */
function drawnAs(
  { points, query }: Pick<EmbeddingMapProps["map"], "points" | "query">,
  groups: readonly GroupOf[],
  { width, height }: Size,
) {
  const put = fitted(query ? [...points, query] : points, width, height);
  const spots = points.map(put);
  // Thousands of shapes are written down once, not with every move of the pointer.
  const byGroup = groups.map((group) => {
    const own = spots.filter((_, index) => points[index]?.group === group.name);
    return { ...group, spots: own, outline: pathOf(own, group.look.shape, sizeOf(group.look)) };
  });
  const named = byGroup
    .filter((group) => groups.length > 1 && group.count >= NAMED)
    .map((group) => ({ name: groupName(group.name), spots: group.spots }));
  return { cross: query && put(query), spots, byGroup, named, places: namePlaces(named, width, height) };
}

function Drawing(props: EmbeddingMapProps) {
  const { map, label, selected, onSelect, name, mark, asked = false, beside } = props;
  const { root, size } = useSize();
  const [hovered, setHovered] = useState<number>();
  const { points, query } = map;
  const groups = useMemo(() => groupsOf(points), [points]);
  const drawn = useMemo(
    () => (size ? drawnAs({ points, query }, groups, size) : undefined),
    [size, points, query, groups],
  );
  const at = points.findIndex((point) => point.chunk_id === selected);
  const point = (event: MouseEvent) => {
    const box = root.current?.getBoundingClientRect();
    return box && drawn
      ? nearestSpot(drawn.spots, { x: event.clientX - box.left, y: event.clientY - box.top }, REACH)
      : undefined;
  };
  const choose = (index: number | undefined) => {
    const found = index === undefined ? undefined : points[index];
    if (found) onSelect?.(found);
  };
  const walk = (event: KeyboardEvent) => {
    if (!drawn || !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    choose(at < 0 ? 0 : spotTowards(drawn.spots, at, event.key));
  };
  const told = points[hovered ?? at];
  const painted = points.length > MOST_DRAWN;
  const heard = {
    onMouseMove: (event: MouseEvent) => setHovered(point(event)),
    onMouseLeave: () => setHovered(undefined),
  };
  const acts = onSelect
    ? {
        role: "application",
        "aria-label": `${label}. ${t("embedding_map.keys")}`,
        tabIndex: 0,
        onKeyDown: walk,
        onClick: (event: MouseEvent) => choose(point(event)),
      }
    : { role: "img", "aria-label": label };
  return (
    <div className={classes(css.map, beside && css.beside)}>
      <div ref={root} className={css.plot} {...heard} {...acts}>
        {painted && drawn && size && <Canvas groups={drawn.byGroup} {...size} />}
        {drawn && size && <Overlay {...{ map, drawn, size, selected, mark, painted }} />}
      </div>
      <ScrollRegion ways="down" className={css.foot}>
        <Groups groups={groups} />
        <div className={`xs ell ${css.told}`} role="status">
          {told ? `${name(told)} · ${groupName(told.group)}` : ""}
        </div>
        <p className="xs mut">{mapCaption(map, asked)}</p>
      </ScrollRegion>
    </div>
  );
}

type OverlayProps = Pick<EmbeddingMapProps, "map" | "selected" | "mark"> & {
  drawn: ReturnType<typeof drawnAs>;
  size: Size;
  /** The points are on a canvas below. */
  painted: boolean;
};

/** What stands over the points: names of groups, marks, the selected one, and the query with its nearest. */
function Overlay({ map, drawn, size, selected, mark, painted }: OverlayProps) {
  const { points } = map;
  const { cross, spots, byGroup, named, places } = drawn;
  const spotOf = (id: string | undefined) => spots[points.findIndex((point) => point.chunk_id === id)];
  const chosen = spotOf(selected ?? undefined);
  return (
    <svg className={css.overlay} width={size.width} height={size.height} aria-hidden="true">
      {!painted &&
        byGroup.map((group) => (
          <path
            key={group.name}
            data-group={group.name}
            d={group.outline}
            {...inkOf(group.look)}
            opacity={0.72}
          />
        ))}
      {named.map((group, index) => (
        <text key={group.name} {...spotAt(places[index])} className={css.name} textAnchor="middle">
          {group.name}
        </text>
      ))}
      {mark &&
        points.length <= MOST_MARKED &&
        spots.map((spot, index) => (
          <text key={points[index]?.chunk_id} x={spot.x + 8} y={spot.y + 4} className={css.mark} data-marked>
            {points[index] && mark(points[index])}
          </text>
        ))}
      {chosen && <circle cx={chosen.x} cy={chosen.y} r={8} className={css.chosen} data-selected={selected} />}
      {cross &&
        map.nearest.map((id) => {
          const spot = spotOf(id);
          return (
            spot && (
              <g key={id} data-nearest={id}>
                <line x1={cross.x} y1={cross.y} x2={spot.x} y2={spot.y} className={css.spoke} />
                <circle cx={spot.x} cy={spot.y} r={RING} className={css.ring} />
              </g>
            )
          );
        })}
      {cross && (
        <g data-query>
          <path d={`M${cross.x - 7} ${cross.y}h14M${cross.x} ${cross.y - 7}v14`} className={css.cross} />
          <text x={cross.x + 9} y={cross.y - 8} className={css.query}>
            {t("embedding_map.query")}
          </text>
        </g>
      )}
    </svg>
  );
}

/** The groups with their shapes and how many points each has. */
function Groups({ groups }: { groups: readonly GroupOf[] }) {
  return (
    <ul className={css.groups} aria-label={t("embedding_map.groups")}>
      {groups.map((group) => (
        <li key={group.name} className="row gap-4">
          <svg width="10" height="10" aria-hidden="true">
            <path
              d={pathOf([{ x: 5, y: 5 }], group.look.shape, sizeOf(group.look) + 1)}
              {...inkOf(group.look)}
            />
          </svg>
          {groupName(group.name)} <span className="number mut">{whole(group.count)}</span>
        </li>
      ))}
    </ul>
  );
}

const inkOf = ({ hollow, colour }: Look) => ({
  fill: hollow ? "none" : `var(${colour})`,
  stroke: hollow ? `var(${colour})` : "none",
});
const spotAt = (spot: Spot | undefined) => ({ x: spot?.x, y: spot?.y });
const sizeOf = ({ shape }: Look) => (shape === "square" ? 5 : 6);

type CanvasProps = {
  groups: readonly { look: Look; outline: string }[];
  width: number;
  height: number;
};

/** The same points painted: a path of many thousand shapes is slow to change. */
function Canvas({ groups, width, height }: CanvasProps) {
  const root = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = root.current;
    const paint = element?.getContext("2d");
    if (!element || !paint) return;
    const dense = window.devicePixelRatio;
    element.width = width * dense;
    element.height = height * dense;
    const draw = () => {
      const colours = getComputedStyle(element);
      paint.setTransform(dense, 0, 0, dense, 0, 0);
      paint.clearRect(0, 0, width, height);
      paint.globalAlpha = 0.72;
      for (const { look, outline } of groups) {
        const path = new Path2D(outline);
        paint.fillStyle = paint.strokeStyle = colours.getPropertyValue(look.colour);
        if (look.hollow) paint.stroke(path);
        else paint.fill(path);
      }
    };
    draw();
    // Colours of a canvas do not follow the theme by themselves.
    const watch = new MutationObserver(draw);
    watch.observe(element.ownerDocument.documentElement, { attributes: true });
    return () => watch.disconnect();
  }, [groups, width, height]);
  return <canvas ref={root} className={css.canvas} />;
}
