import { IconAlertTriangle, IconQuote } from "@tabler/icons-react";
import { useState } from "react";
import type { ProposedIndustry } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Select, Switch } from "@/kit/fields";
import { Id } from "@/kit/Id";
import { Name } from "@/kit/Name";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { ErrorState, SkeletonRows } from "@/kit/states";
import { EDITIONS } from "@/parts/edition";
import { standardOf } from "@/state/source-types";
import { t } from "@/text";
import { whole } from "@/text/format";
import { visible } from "@/text/visible";
import type { Plan } from "./plan";
import css from "./start.module.css";
import { Tick } from "./Tick";
import { reportName } from "./words";

/** The choice of no edition. */
const MEANT_TODAY = "today";
/** Ids of what is left out that are named before they are counted. */
const NAMED = 3;

/** The requirements: standards, the industry of each report, and what is left out. */
export function StartRequirements({ plan }: { plan: Plan }) {
  const { preview, plan: planned, change, changes } = plan;
  const { data } = preview;
  if (!data)
    return preview.error ? (
      <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
    ) : (
      <SkeletonRows rows={4} height={37} bare />
    );
  const { standards } = planned.scope;
  const turn = (source: string, on: boolean) =>
    change({ standards: on ? [...standards, source] : standards.filter((each) => each !== source) });
  return (
    <div className={css.table}>
      {data.standards.map(({ source_type, label, requirements }, at) => {
        const on = standards.includes(source_type);
        return (
          <div key={source_type} className={css.requirement}>
            <Tick label={label} checked={on} onChange={(next) => turn(source_type, next)}>
              <b>{visible(label)}</b>
            </Tick>
            <span className="grow" />
            {standardOf(source_type)?.editions && on && (
              <Select
                label={t("standards.edition")}
                size="small"
                width={210}
                value={changes.edition ?? MEANT_TODAY}
                onChange={(edition) => change({ edition: EDITIONS.find((each) => each === edition) })}
                options={[
                  { value: MEANT_TODAY, label: t("assess.start.edition_today") },
                  ...EDITIONS.map((value) => ({ value, label: t(`standards.editions.${value}`) })),
                ]}
              />
            )}
            {at === 0 && (
              <>
                <SegmentedControl
                  label={t("assess.start.level")}
                  size="small"
                  value={changes.level}
                  onChange={(level) => change({ level })}
                  options={[
                    { value: "paragraph", label: t("assess.start.paragraph") },
                    { value: "item", label: t("assess.start.item") },
                  ]}
                />
                <span className="row gap-6 sm">
                  <Switch
                    label={t("assess.start.mandatory")}
                    checked={changes.mandatory}
                    onChange={(mandatory) => change({ mandatory })}
                  />
                  <span aria-hidden>{t("assess.start.mandatory")}</span>
                </span>
              </>
            )}
            <span className={classes("number align-end", css.sum, !on && "mut")}>{whole(requirements)}</span>
          </div>
        );
      })}
      <Industries plan={plan} />
      <LeftOut plan={plan} />
    </div>
  );
}

/** The industries of SASB, by what each report seems to be of. */
function Industries({ plan }: { plan: Plan }) {
  const { preview, plan: planned, proposed, industryOf, change, changes } = plan;
  const { industries = [] } = preview.data ?? {};
  const chosen = planned.scope.industries;
  if (industries.length === 0 || proposed.length === 0) return null;
  const metrics = industries
    .filter(({ code }) => chosen.some((each) => each.code === code))
    .reduce((sum, each) => sum + each.metrics, 0);
  const set = (report: string, industry: string | null) =>
    change({ industries: new Map(changes.industries).set(report, industry) });
  const all = (on: boolean) =>
    change({
      industries: new Map(on ? [] : proposed.map(({ report_id }) => [report_id, null])),
    });
  return (
    <>
      <div className={css.requirement}>
        <Tick label={t("assess.start.sasb")} checked={chosen.length > 0} onChange={all}>
          <b>{t("assess.start.sasb")}</b>
          <span className="sec">{t("assess.start.sasb_detail")}</span>
        </Tick>
        <span className="grow" />
        <span className={classes("number align-end", css.sum, chosen.length === 0 && "mut")}>
          {whole(metrics)}
        </span>
      </div>
      {proposed.map((each) => (
        <Industry
          key={each.report_id}
          proposed={each}
          industries={industries}
          industry={industryOf(each.report_id)}
          onChange={(industry) => set(each.report_id, industry)}
        />
      ))}
    </>
  );
}

type IndustryProps = {
  proposed: ProposedIndustry;
  industries: NonNullable<Plan["preview"]["data"]>["industries"];
  industry: string | null;
  onChange: (industry: string | null) => void;
};

function Industry({ proposed, industries, industry, onChange }: IndustryProps) {
  const [changing, setChanging] = useState(false);
  const shown = industry ?? proposed.industry;
  const known = industries.find(({ code }) => code === shown);
  const own = shown === proposed.industry;
  const name = reportName(proposed);
  return (
    <div className={css.industry}>
      <span className="ell sec" data-tip={visible(proposed.title)}>
        {reportName(proposed)}
      </span>
      {changing ? (
        <Select
          label={t("assess.start.industry_of", { name })}
          size="small"
          searchable
          value={industry}
          onChange={(code) => {
            onChange(code);
            setChanging(false);
          }}
          options={industries.map((each) => ({ value: each.code, label: `${each.code} ${each.name}` }))}
          nothingFound={t("assess.start.find")}
        />
      ) : known ? (
        <Tick
          label={`${reportName(proposed)}: ${known.name}`}
          checked={industry !== null}
          onChange={(on) => onChange(on ? known.code : null)}
        >
          <Id>{known.code}</Id>
          <Name>{known.name}</Name>
        </Tick>
      ) : (
        <span className="mut">{t("assess.start.no_industry")}</span>
      )}
      <span className="number mut nowrap">
        {known ? t("assess.start.metrics", { count: known.metrics }) : ""}
      </span>
      <Reason proposed={proposed} shown={own && !changing} />
      <Button
        size="tiny"
        aria-label={changing ? undefined : t("assess.start.change_of", { name })}
        onClick={() => setChanging(!changing)}
      >
        {t(changing ? "dialog.cancel" : "assess.start.change")}
      </Button>
    </div>
  );
}

/** Why the industry is proposed. A reason that is weak says so. */
function Reason({
  proposed: { industry, codes, page },
  shown,
}: {
  proposed: ProposedIndustry;
  shown: boolean;
}) {
  if (!shown || industry === null) return <span />;
  const weak = codes === 0;
  const Icon = weak ? IconAlertTriangle : IconQuote;
  const words = weak
    ? t("assess.start.check")
    : page === null
      ? t("assess.start.codes", { count: codes })
      : t("assess.start.codes_page", { count: codes, page: String(page) });
  return (
    <span className={classes("row gap-6 sm", weak ? "c-warn" : "mut")}>
      <Icon className="small" aria-hidden />
      <span className="ell" data-tip={words}>
        {words}
      </span>
    </span>
  );
}

/** What is not asked for, and why. */
function LeftOut({ plan: { plan } }: { plan: Plan }) {
  const [shown, show] = useState(false);
  const left = plan.scope.left_out;
  if (left.length === 0) return null;
  const ids = left
    .slice(0, NAMED)
    .map(({ id }) => id)
    .join(", ");
  const named = left.length > NAMED ? t("assess.start.left_more", { ids, count: left.length - NAMED }) : ids;
  return (
    <>
      <div className={`${css.requirement} ${css.left}`}>
        <span className="mut sm ell">{t("assess.start.left_out", { ids: named })}</span>
        <span className="push">
          <Button size="tiny" aria-expanded={shown} onClick={() => show(!shown)}>
            {shown ? t("assess.start.hide_left") : t("assess.start.show_left", { count: left.length })}
          </Button>
        </span>
      </div>
      {shown && (
        <ul className={css.reasons}>
          {left.map(({ id, reason }) => (
            <li key={id}>
              <Id>{id}</Id> <span className="sec">{visible(reason)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
