import { classes } from "@/kit/class-names";
import { Sparkline } from "@/kit/Sparkline";
import { SkeletonFigures } from "@/kit/states";
import { tip } from "@/kit/Tooltip";
import { measured, measureName, outcomeOf, signed } from "@/parts/measure";
import { t } from "@/text";
import css from "./tiles.module.css";

/** A measure of the run that is looked at. */
export type Tile = {
  measure: string;
  /** How the measure is defined. */
  definition?: string;
  value: number | null;
  /** Its value in the run that this one is held against; nothing where there is none. */
  before: number | null | undefined;
  /** Its value in every run of the set, the oldest first. */
  history: readonly (number | null)[];
  /** Places in `history` of the two runs. */
  at: number | undefined;
  base: number | undefined;
};

const COLOUR = { better: "c-ok", same: "mut", worse: "c-bad" };

type TilesProps = {
  tiles: readonly Tile[] | undefined;
  /** The measure that queries are listed by. */
  chosen: string;
  onChoose: (measure: string) => void;
};

/** The measures of a run, and how they went over the runs before it; pressing one lists the queries by it. */
export function Tiles({ tiles, chosen, onChoose }: TilesProps) {
  return (
    <div className={css.tiles} role="group" aria-label={t("evaluate.tiles.title")}>
      {tiles ? (
        tiles.map((tile) => (
          <button
            key={tile.measure}
            type="button"
            className={classes(css.tile, tile.measure === chosen && css.on)}
            aria-pressed={tile.measure === chosen}
            onClick={() => onChoose(tile.measure)}
            {...tip(tile.definition)}
          >
            <span className="lab">{measureName(tile.measure)}</span>
            <Sparkline values={tile.history} at={tile.at} base={tile.base} />
            <span className={css.value}>{measured(tile.measure, tile.value)}</span>
            <Change {...tile} />
          </button>
        ))
      ) : (
        <SkeletonFigures count={6} />
      )}
    </div>
  );
}

function Change({ measure, value, before }: Tile) {
  if (value === null || before === null || before === undefined)
    return <span className="xs mut">{t("evaluate.tiles.alone")}</span>;
  const change = value - before;
  return (
    <span className="xs mut ell">
      <span className={classes("sm number", css.change, COLOUR[outcomeOf(change, measure)])}>
        {signed(change)}
      </span>{" "}
      {t("evaluate.tiles.from", { value: measured(measure, before) })}
    </span>
  );
}
