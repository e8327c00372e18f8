import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconArrowsLeftRight,
  IconBook2,
  IconBuildingFactory2,
  IconScissors,
} from "@tabler/icons-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import type { StandardLink, StandardPage, StandardTerm } from "@/api/types";
import { Button } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Select } from "@/kit/fields";
import { Id } from "@/kit/Id";
import { Tag } from "@/kit/Pill";
import { Tooltip, tip } from "@/kit/Tooltip";
import { href } from "@/state/router";
import { standardOf, standards } from "@/state/source-types";
import { t, text } from "@/text";
import { whole } from "@/text/format";
import css from "./links.module.css";
import type { PlaceControl } from "./place";
import shared from "./shared.module.css";

const INDUSTRY = "sibyl.standards.industry";
const ALL = "all";
/** Links that are shown before "Show all". */
const FEW = 12;

type OpenProps = Pick<PlaceControl, "open">;

/** A part of the page under its heading. */
export function Part(props: { title: ReactNode; detail?: ReactNode; icon?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={css.partHead}>
        {props.icon}
        <h3 id={id}>{props.title}</h3>
        {props.detail !== undefined && <span className="mut">{props.detail}</span>}
      </div>
      {props.children}
    </section>
  );
}

/** An id that opens its page; the address is that of the page, so it can be copied. */
export function Open({ id, open, ...rest }: OpenProps & ComponentProps<"a"> & { id: string }) {
  return (
    <a
      {...rest}
      href={href("standards", [id])}
      onClick={(event) => {
        event.preventDefault();
        open(id);
      }}
    />
  );
}

function Chips({ children }: { children: readonly ReactNode[] }) {
  const [all, setAll] = useState(false);
  return (
    <div className="row wrap gap-6">
      {all ? children : children.slice(0, FEW)}
      {children.length > FEW && !all && (
        <Button size="tiny" tone="quiet" onClick={() => setAll(true)}>
          {t("standards.show_all", { count: children.length })}
        </Button>
      )}
    </div>
  );
}

/** Paragraphs as chips, with their first sentence as tooltip. */
export function LinkList({ links, open }: OpenProps & { links: readonly StandardLink[] }) {
  return (
    <Chips>
      {links.map((link) => (
        <Tooltip key={link.id} label={link.summary || link.label}>
          <Open id={link.id} open={open} className={`chip ${css.link}`}>
            <Id>{link.id}</Id>
            <span className="ell">{link.label}</span>
          </Open>
        </Tooltip>
      ))}
    </Chips>
  );
}

/** Paragraphs in the other standard that answer to this one. */
export function Counterparts({ page, open }: OpenProps & { page: StandardPage }) {
  const paired = standards().filter(({ counterparts }) => counterparts);
  const own = paired.find(({ short }) => short === standardOf(page.source_type)?.short)?.short;
  if (!own || (page.counterparts.length === 0 && (own === "S1" || page.kind !== "requirement"))) return null;
  const other = paired.find(({ short }) => short !== own)?.short ?? "";
  return (
    <Part
      title={t("standards.counterpart.title", { standard: other })}
      detail={page.counterparts.length > 0 ? text(`standards.counterpart.detail.${other}`) : undefined}
      icon={<IconArrowsLeftRight aria-hidden />}
    >
      {page.counterparts.length === 0 ? (
        <p className="sm sec">{t("standards.counterpart.none")}</p>
      ) : (
        <div className={css.cards}>
          {page.counterparts.map((link) => (
            <div key={link.id} className={`card ${css.card}`}>
              <div className="row">
                <Open id={link.id} open={open}>
                  <Id link>{link.id}</Id>
                </Open>
                <Tag>{text(`standards.counterpart.tag.${other}`) ?? other}</Tag>
                {link.level !== "item" && (
                  <span className="sm sec">
                    {t(`standards.counterpart.level.${link.level}`, { of: link.of })}
                  </span>
                )}
              </div>
              <b>{link.label}</b>
              <span className="sec">{link.summary}</span>
            </div>
          ))}
          {page.adds.length > 0 && <Added page={page} own={own} open={open} />}
        </div>
      )}
    </Part>
  );
}

/** What the other standard has nothing of: the paragraph itself, or those of its items. */
function Added({ page, own, open }: OpenProps & { page: StandardPage; own: string }) {
  const itself = page.adds.find((link) => link.id === page.id);
  return (
    <div className={`card ${css.card}`}>
      <div className="row">
        <Id>{page.id}</Id>
        <span>{t("standards.counterpart.adds")}</span>
        <Tag>{text(`standards.counterpart.only.${own}`) ?? own}</Tag>
      </div>
      {itself ? (
        <>
          <b>{itself.label}</b>
          <span className="sec">{itself.summary}</span>
        </>
      ) : (
        <ul className={css.added}>
          {page.adds.map((link) => (
            <li key={link.id}>
              <Open id={link.id} open={open} {...tip(link.summary)}>
                <bdi dir="ltr" className="mono xs">
                  {link.id.slice(page.id.length) || link.id}
                </bdi>{" "}
                {link.label}
              </Open>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** SASB topics that belong to the paragraph, of one industry or of all. */
export function SasbTopics({ page, open }: OpenProps & { page: StandardPage }) {
  const [industry, setIndustry] = useState(() => localStorage.getItem(INDUSTRY) ?? "");
  if (page.sasb.length === 0) return null;
  const industries = [...new Map(page.sasb.map((each) => [each.industry_code, each.industry]))];
  const known = industries.some(([code]) => code === industry);
  const all = t("standards.sasb.all", { count: industries.length });
  const shownIndustry = industries.find(([code]) => code === industry)?.[1] ?? all;
  const shown = known ? page.sasb.filter((each) => each.industry_code === industry) : page.sasb;
  return (
    <Part
      title={t("standards.sasb.title")}
      detail={
        <span className={`row gap-4 ${shared.quiet} ${css.industries}`}>
          {t("standards.sasb.for")}
          <Select
            label={t("standards.sasb.industry")}
            width={Math.min(230, 34 + 6.4 * shownIndustry.length)}
            searchable
            value={known ? industry : ALL}
            onChange={(code) => {
              localStorage.setItem(INDUSTRY, code);
              setIndustry(code);
            }}
            options={[{ value: ALL, label: all }, ...industries.map(([value, label]) => ({ value, label }))]}
          />
        </span>
      }
      icon={<IconBuildingFactory2 aria-hidden />}
    >
      <Chips>
        {shown.map((link) => (
          <Tooltip key={link.code} label={`${link.industry} · ${link.topic}`}>
            <Open id={link.code} open={open} className={classes("chip", css.link, !known && css.topic)}>
              <Id>{link.code}</Id>
              {!known && <span className="ell">{link.industry}</span>}
              <span className={classes("ell", !known && "mut")}>{link.topic}</span>
            </Open>
          </Tooltip>
        ))}
      </Chips>
    </Part>
  );
}

/** What the paragraph points to, and what points to it. */
export function Citations({ page, open }: OpenProps & { page: StandardPage }) {
  const parts = [
    { key: "cites", links: page.cites, icon: <IconArrowForwardUp aria-hidden /> },
    { key: "cited_by", links: page.cited_by, icon: <IconArrowBackUp aria-hidden /> },
    { key: "used_by", links: page.used_by, icon: <IconArrowBackUp aria-hidden /> },
  ] as const;
  return parts
    .filter((part) => part.links.length > 0)
    .map((part) => (
      <Part
        key={part.key}
        title={t(`standards.${part.key}`)}
        detail={whole(part.links.length)}
        icon={part.icon}
      >
        <LinkList links={part.links} open={open} />
      </Part>
    ));
}

/** The terms that the paragraph rests on, each with its definition. */
export function Terms({ terms, open }: OpenProps & { terms: readonly StandardTerm[] }) {
  if (terms.length === 0) return null;
  return (
    <Part title={t("standards.terms")} detail={whole(terms.length)} icon={<IconBook2 aria-hidden />}>
      <Chips>
        {terms.map((term) => (
          <Tooltip key={term.id} label={term.definition}>
            <Open id={term.id} open={open} className={`chip ${css.link}`}>
              {term.name}
            </Open>
          </Tooltip>
        ))}
      </Chips>
    </Part>
  );
}

/** The chunks it was cut into; each opens in Chunk Lab. */
export function Chunks({ chunks }: { chunks: StandardPage["chunks"] }) {
  if (chunks.length === 0) return null;
  const tokens = chunks.reduce((sum, each) => sum + each.tokens, 0);
  return (
    <Part
      title={t("standards.chunks.title")}
      detail={`${whole(chunks.length)} · ${t("standards.chunks.tokens", { count: tokens })}`}
      icon={<IconScissors aria-hidden />}
    >
      <div className={css.chunks}>
        {chunks.map((chunk) => (
          <a
            key={chunk.chunk_id}
            className={`card ${css.chunk}`}
            href={href("chunk-lab", [], { document: String(chunk.document_id), chunk: chunk.chunk_id })}
            {...tip(t("standards.chunks.open", { id: chunk.chunk_id }))}
          >
            <bdi dir="ltr" className="mono xs">
              {chunk.chunk_id.slice(0, 8)}
            </bdi>
            <span className="mut xs ell">
              <bdi dir="ltr">{chunk.label}</bdi>
            </span>
            <span className="number xs">{whole(chunk.tokens)}</span>
          </a>
        ))}
      </div>
    </Part>
  );
}
