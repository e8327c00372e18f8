import { IconChevronDown, IconChevronRight, IconTarget } from "@tabler/icons-react";
import { useId, useMemo, useState } from "react";
import { useAction, useCommand } from "@/api/queries";
import type { GoldPanel, LabelPlace, WhyNot } from "@/api/types";
import { Button } from "@/kit/Button";
import { SwitchRow } from "@/kit/fields";
import { Id } from "@/kit/Id";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { NotLoaded } from "@/kit/states";
import { createStore } from "@/kit/store";
import { GoldSetChoice } from "@/parts/GoldSetChoice";
import { WholeButton } from "@/parts/GradeSheet";
import { type Grade, Grades, GradeTag, useGradeKeys } from "@/parts/Grades";
import { targetName } from "@/parts/gold";
import { COUNTED, ownGrade, placesOf, useGold, useGrading } from "@/parts/gold-panel";
import { SaveInGoldSet } from "@/parts/SaveInGoldSet";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import css from "./gold.module.css";
import { fateOf, reasonOf } from "./reasons";
import shared from "./shared.module.css";
import { leavesComputer } from "./state";
import { type Found, type LabControl, useFound } from "./use-lab";

type GoldProps = Pick<LabControl, "change"> & {
  found: Found;
  selected: string | undefined;
  /** Path of the document of the selected passage, once it is known. */
  path: string | undefined;
  provisional: boolean;
  blind: boolean;
};

/** The gold query of the search: the judgment of the selected passage, and where every judged one stands. */
export function Gold({ found, selected, path, provisional, blind, change }: GoldProps) {
  const { query } = found.request;
  const { sets, panels, panel, grades } = useGold(query);
  const grade = useGrading(panel);
  const give = (chunk_id: string, next: Grade | undefined) => grade({ kind: "chunk", chunk_id }, next);
  const hits = found.response.results;
  useGradeKeys(
    (next) => selected !== undefined && give(selected, next),
    panel !== undefined && selected !== undefined,
  );
  const unjudged = hits.slice(0, COUNTED).filter((hit) => !grades.has(hit.chunk_id)).length;
  return (
    <section aria-label={t("search.gold.title")} className={css.gold}>
      <div className={`row between ${shared.sub}`}>
        <h3 className="h2">{t("search.gold.title")}</h3>
        {panel && (
          <button
            type="button"
            className={css.link}
            onClick={() => navigate(href("evaluate", [], { set: panel.set, query: panel.query.id }))}
          >
            {visible(panel.set)} · <Id link>{panel.query.id}</Id>
          </button>
        )}
      </div>
      <NotLoaded query={sets} />
      <NotLoaded query={panels} />
      {panel ? (
        <>
          <GoldSetChoice panels={panels.data} panel={panel} />
          {selected !== undefined && (
            <div className="row gap-10">
              <Grades
                label={t("search.gold.grade")}
                value={ownGrade(panel, selected, path)}
                onGrade={(next) => give(selected, next)}
              />
              <WholeButton key={selected} panel={panel} chunkId={selected} />
              <span className="xs mut">
                {unjudged > 0
                  ? t("search.gold.unjudged", { count: unjudged, of: Math.min(COUNTED, hits.length) })
                  : t("search.gold.all_judged")}
              </span>
            </div>
          )}
          {!blind && <Judged panel={panel} found={found} provisional={provisional} change={change} />}
        </>
      ) : (
        <Save query={query} />
      )}
      {(panel || blind) && (
        <SwitchRow
          label={t("search.blind.judge")}
          note={t("search.blind.note")}
          checked={blind}
          onChange={(next) => change({ blind: next })}
        />
      )}
    </section>
  );
}

/** Keeps the search as a query of a gold set. */
function Save({ query }: { query: string }) {
  const put = useAction("gold.put_query");
  const [saving, setSaving] = useState(false);
  return (
    <>
      <p className="xs mut">{t("search.gold.none")}</p>
      <div>
        <Button
          size="small"
          icon={<IconTarget className="small" aria-hidden />}
          disabled={put.isPending || query.trim() === ""}
          onClick={() => setSaving(true)}
        >
          {t("search.gold.save")}
        </Button>
      </div>
      {saving && (
        <SaveInGoldSet
          query={query.trim()}
          onSave={(set) => put.mutate({ set, query: query.trim() })}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  );
}

type JudgedProps = Pick<GoldProps, "found" | "provisional" | "change"> & { panel: GoldPanel };

/** Whether the judged passages are listed: whoever reads the passage may want the room. */
const listed = createStore(true);

/** The judged passages, or how many there are. */
function Judged(props: JudgedProps) {
  const open = listed.use();
  const id = useId();
  const places = useMemo(() => placesOf(props.panel), [props.panel]);
  if (places.length === 0) return <p className="xs mut">{t("search.gold.nothing")}</p>;
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <button
        type="button"
        className={css.toggle}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => listed.set(!open)}
      >
        <Chevron className="xs" aria-hidden />
        {t("search.gold.count", { count: places.length })}
      </button>
      <ScrollRegion id={id} className={css.list} hidden={!open}>
        {open && <Places {...props} places={places} />}
      </ScrollRegion>
    </>
  );
}

/** Every judged passage with its rank, or with what keeps it out. */
function Places({ places, found, provisional, change }: JudgedProps & { places: readonly LabelPlace[] }) {
  const models = useCommand("model.list", {});
  const { request, response } = found;
  const rankOf = (place: LabelPlace) =>
    response.results.find((hit) => place.chunks.includes(hit.chunk_id))?.rank;
  const missing = places
    .filter((place) => rankOf(place) === undefined)
    .flatMap((place) => place.chunks.slice(0, 1));
  // What is missing is asked about beside the search itself, as long as nothing leaves the computer for it.
  const local = models.data !== undefined && !leavesComputer(request, models.data);
  const asked = useFound({ ...request, pinned: missing }, local && !provisional && missing.length > 0, false);
  const fates = new Map<string, WhyNot>(
    (asked.data?.response.trace.pinned ?? []).map((each) => [each.chunk_id, each]),
  );
  return (
    <ul className={css.judged} aria-label={t("search.gold.judged")}>
      {places.map((place) => {
        const rank = rankOf(place);
        const [chunk] = place.chunks;
        const dropped = response.trace.dropped.find((each) => place.chunks.includes(each.chunk_id));
        const fate = chunk === undefined ? undefined : fates.get(chunk);
        const why =
          chunk === undefined
            ? t("search.gold.gone")
            : dropped
              ? reasonOf(dropped)
              : fate
                ? fateOf(fate)
                : t("search.gold.missing");
        const name = targetName(place.label.target);
        return (
          <li key={`${name}${place.label.at}`} className={css.place}>
            <GradeTag grade={place.label.grade} />
            <button
              type="button"
              className={css.name}
              disabled={chunk === undefined}
              data-tip={visible(name)}
              onClick={() =>
                change({
                  selected:
                    place.chunks.find((id) => response.results.some((hit) => hit.chunk_id === id)) ?? chunk,
                })
              }
            >
              <Id link={chunk !== undefined}>{visible(name)}</Id>
            </button>
            <span className="xs number mut nowrap">
              {rank === undefined ? t("search.gold.not_found") : t("hit.rank", { rank })}
            </span>
            {rank === undefined && <span className={`xs sec ${css.why}`}>{why}</span>}
          </li>
        );
      })}
    </ul>
  );
}
