import { IconFileCertificate } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ReviewStatus, StandardItem, StandardMetric, StandardPage } from "@/api/types";
import { classes } from "@/kit/class-names";
import { Id } from "@/kit/Id";
import { Meter } from "@/kit/Meter";
import { Name } from "@/kit/Name";
import { Note } from "@/kit/Note";
import { Tag } from "@/kit/Pill";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { tip } from "@/kit/Tooltip";
import { FoundBy } from "@/parts/FoundBy";
import { readable } from "@/parts/passage";
import { StatusShape } from "@/parts/StatusShape";
import { href } from "@/state/router";
import { standardOf, valueLabel } from "@/state/source-types";
import { t, text } from "@/text";
import { whole } from "@/text/format";
import { inert, visible } from "@/text/visible";
import { Advice } from "./Advice";
import css from "./article.module.css";
import { coverageOf, coverageParts, coverageText } from "./coverage";
import { Chunks, Citations, Counterparts, Open, Part, SasbTopics, Terms } from "./Links";
import type { Statuses } from "./outline";
import { Prose, type ProseProps } from "./Prose";
import type { PlaceControl } from "./place";
import { Requirement } from "./Requirement";
import type { Findings, Report } from "./reviews";
import shared from "./shared.module.css";
import { Versions } from "./Versions";

type ArticleProps = Pick<PlaceControl, "open"> & {
  page: StandardPage;
  known: (id: string) => boolean;
  statuses: Statuses;
  reviewing: boolean;
  /** The report under review, and what was found in all of them, where both are known. */
  report: Report | undefined;
  findings: Findings | undefined;
  /** Item whose evidence is shown alone. */
  item: string;
  onItem: (id: string) => void;
  /** Passages by the id that found them, of those in sight; nothing while they are looked for. */
  counts: ReadonlyMap<string, number> | undefined;
  /** How many passages were asked for, where there are more. */
  first: number | undefined;
  /** Show the reader's own copy beside the explanation. */
  beside: boolean;
  onBeside: (beside: boolean) => void;
};

/** A paragraph, item, term, topic or metric with everything that is linked to it. */
export function Article(props: ArticleProps) {
  const { page, open, beside, onBeside } = props;
  const licensed = page.licensed.length > 0;
  const facts = [
    text(`standards.kinds.${page.kind}`) ?? page.kind,
    page.modality && (text(`standards.modality.${page.modality}`) ?? page.modality),
    page.pillar && (valueLabel("pillars", page.pillar) ?? page.pillar),
  ].filter(Boolean);
  return (
    <article className={css.article} aria-labelledby="standards-title">
      <header className={css.title} id="standards-title">
        <Id className={css.id}>{page.id}</Id>
        <h2>{visible(page.label)}</h2>
      </header>
      <div className={`row gap-6 wrap ${css.facts}`}>
        {facts.map((fact) => (
          <Tag key={fact}>{fact}</Tag>
        ))}
        {licensed && (
          <span className={shared.push}>
            <SegmentedControl
              label={t("standards.licensed.show")}
              size="small"
              value={beside ? "beside" : "alone"}
              onChange={(value) => onBeside(value === "beside")}
              options={[
                { value: "alone", label: t("standards.licensed.alone") },
                { value: "beside", label: t("standards.licensed.beside") },
              ]}
            />
          </span>
        )}
      </div>
      {page.pending && (
        <Note kind="info">
          <b>{t("standards.pending")}</b> {page.pending}
        </Note>
      )}
      {page.amended && (
        <Note kind="warn">
          <b>{t("standards.amended")}</b> {page.amended}
        </Note>
      )}
      <Versions {...props} terms={page.terms} />
      <div className={licensed && beside ? css.beside : undefined}>
        {page.kind !== "metric" && page.versions.length < 2 && <Explanation {...props} terms={page.terms} />}
        {licensed && beside && <Licensed page={page} />}
      </div>
      <Requirement {...props} terms={page.terms} />
      {page.in_review !== null && <Advice {...props} terms={page.terms} text={page.in_review} />}
      {page.items.length > 0 && page.kind !== "metric" && <Items {...props} terms={page.terms} />}
      <Metrics {...props} />
      <Counterparts page={page} open={open} />
      <SasbTopics page={page} open={open} />
      <Citations page={page} open={open} />
      <Terms terms={page.terms} open={open} />
      <FoundBy phrases={page.asked_as} added={page.added_phrases} of={page.chunks[0]?.chunk_id} />
      <Chunks chunks={page.chunks} />
      {!licensed && standardOf(page.source_type)?.copies && (
        <p className="xs mut">
          {t("standards.licensed.none")}{" "}
          <a href={href("library", [], { add: "licensed" })}>{t("standards.licensed.import")}</a>
        </p>
      )}
    </article>
  );
}

function Explanation({ page, terms, known, open }: ArticleProps & ProseProps) {
  return (
    <div className={css.prose} lang="en">
      {page.prose.split("\n\n").map((paragraph) => (
        <p key={paragraph}>
          <Prose text={paragraph} terms={terms} known={known} open={open} />
        </p>
      ))}
    </div>
  );
}

/** The reader's own copy as it is read: wrapped lines joined, marks of Markdown gone. */
function Licensed({ page }: { page: StandardPage }) {
  return (
    <section className={css.licensed} aria-label={t("standards.licensed.title")}>
      {page.licensed.map((copy) => (
        <div key={copy.chunk_id}>
          <div className="row gap-6 xs mut">
            <IconFileCertificate className="small" aria-hidden />
            <Name>{copy.title}</Name>
          </div>
          <p>{inert(readable(copy.text))}</p>
        </div>
      ))}
    </section>
  );
}

function Items(props: ArticleProps & ProseProps) {
  const { page } = props;
  return (
    <Part title={t("standards.items")} detail={whole(page.items.length)}>
      <ul className={css.items}>
        {page.items.map((item) => (
          <Item key={item.id} {...props} line={item} />
        ))}
      </ul>
    </Part>
  );
}

function Item(props: ArticleProps & ProseProps & { line: StandardItem }) {
  const { line, item, onItem, counts, first, statuses, reviewing, open } = props;
  const chosen = item === line.id;
  const count = counts?.get(line.id);
  const status: ReviewStatus = statuses.get(line.id) ?? "open";
  return (
    <li className={classes(css.item, chosen && css.on)}>
      <Open id={line.id} open={open} className={css.number}>
        <bdi dir="ltr" {...tip(t("standards.open_item", { id: line.id }))}>
          {line.number}
        </bdi>
      </Open>
      <div className={css.itemWords}>
        <button
          type="button"
          className={css.pick}
          aria-pressed={chosen}
          {...tip(t(chosen ? "standards.item_all" : "standards.item_alone"))}
          onClick={() => onItem(chosen ? "" : line.id)}
        >
          {line.label}
        </button>
        {line.prose !== "" && (
          <div className={classes(css.itemProse, !chosen && css.twoLines)}>
            <Prose {...props} text={line.prose} />
          </div>
        )}
      </div>
      <span className={`row gap-6 ${css.itemEnd}`}>
        {count !== undefined && (
          <span className="mut xs number nowrap">
            {first === undefined
              ? t("standards.passages", { count })
              : t("standards.evidence.of_first", { count, all: first })}
          </span>
        )}
        {reviewing && <StatusShape status={status} />}
      </span>
    </li>
  );
}

/** The metrics of a topic as a table; a metric alone tells its category and unit. */
function Metrics({
  page,
  open,
  known,
  statuses,
  reviewing,
  terms,
}: ArticleProps & { terms?: ProseProps["terms"] }): ReactNode {
  if (page.metrics.length === 0) return null;
  const alone = page.kind === "metric";
  return (
    <Part
      title={t(alone ? "standards.metric" : "standards.metrics")}
      detail={alone ? undefined : whole(page.metrics.length)}
    >
      <ScrollRegion className={css.metrics}>
        <table className="compact">
          <thead>
            <tr>
              {!alone && <th>{t("standards.metric_code")}</th>}
              {!alone && <th>{t("standards.metric")}</th>}
              <th>{t("standards.metric_category")}</th>
              <th>{t("standards.metric_unit")}</th>
              {reviewing && !alone && <th>{t("standards.metric_status")}</th>}
            </tr>
          </thead>
          <tbody>
            {page.metrics.map((metric) => (
              <tr key={metric.code}>
                {!alone && (
                  <td>
                    <Open id={metric.code} open={open}>
                      <Id link>{metric.code}</Id>
                    </Open>
                  </td>
                )}
                {!alone && (
                  <td className={css.metric}>
                    <b>{metric.label}</b>
                    <div className="sec">
                      <Prose text={metric.measured.text} terms={terms ?? []} known={known} open={open} />
                    </div>
                  </td>
                )}
                <td>{metric.category}</td>
                <td>{metric.unit}</td>
                {reviewing && !alone && (
                  <td>
                    <StatusShape status={statuses.get(metric.code) ?? "open"} />
                    <Covered metric={metric} statuses={statuses} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Part>
  );
}

/** How far the items of a metric are covered. */
function Covered({ metric, statuses }: { metric: StandardMetric; statuses: Statuses }) {
  const coverage = coverageOf(metric, statuses);
  const words = coverageText(coverage);
  return (
    <div className={css.covered} data-tip={words}>
      <Meter
        label={t("standards.requirement.coverage")}
        text={words}
        value={coverageParts(coverage)}
        width={44}
      />
    </div>
  );
}
