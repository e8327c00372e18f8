import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconChevronRight,
  IconCopy,
  IconHash,
  IconLink,
  IconMessageQuestion,
  IconQuote,
} from "@tabler/icons-react";
import { Fragment, useEffect, useRef } from "react";
import { IconButton } from "@/kit/Button";
import { classes } from "@/kit/class-names";
import { Menu } from "@/kit/Menu";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { keysOf, useShortcut } from "@/kit/shortcuts";
import { tip } from "@/kit/Tooltip";
import { copyText } from "@/state/copy";
import { linkTo } from "@/state/links";
import { href } from "@/state/router";
import { askAbout, askable } from "@/state/selection";
import { t } from "@/text";
import { Article } from "./Article";
import { Open } from "./Links";
import { citation, neighbour, type Outline, shortId } from "./outline";
import css from "./reading.module.css";

type ReadingProps = Omit<Parameters<typeof Article>[0], "known"> & {
  outline: Outline;
  /** Paragraph asked for: steps go on from it while its page is still on its way. */
  at: string;
};

const copy = (text: string) => copyText(text, t("standards.copy.done"), text);

/** The reading pane: where it is, what leads on, and the paragraph itself. */
export function Reading(props: ReadingProps) {
  const { page, at, outline, open } = props;
  const node = outline.byTarget.get(page.id);
  const previous = neighbour(outline, at, -1) ?? page.previous;
  const next = neighbour(outline, at, 1) ?? page.next;
  const reference = node ? citation(node) : page.id;
  const counterpart = page.counterparts[0]?.id;
  useShortcut("standards.next", () => next && open(next));
  useShortcut("standards.previous", () => previous && open(previous));
  useShortcut("standards.counterpart", () => counterpart && open(counterpart), counterpart !== undefined);
  useShortcut("standards.copy", () => void copy(reference));
  const body = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another paragraph is read from its beginning.
  useEffect(() => {
    if (body.current) body.current.scrollTop = 0;
  }, [page.id]);
  return (
    <>
      <div className={`heading ${css.head}`}>
        <Crumbs page={page} open={open} />
        <span className="end">
          <span className="row gap-6 hide-s">
            <IconButton
              label={t("keys.back")}
              keys={keysOf("app.back")}
              onClick={() => window.history.back()}
            >
              <IconArrowLeft className="small" aria-hidden />
            </IconButton>
            <IconButton
              label={t("keys.forward")}
              keys={keysOf("app.forward")}
              onClick={() => window.history.forward()}
            >
              <IconArrowRight className="small" aria-hidden />
            </IconButton>
            <span className="rule" />
          </span>
          <IconButton
            label={t("standards.previous")}
            keys={keysOf("standards.previous")}
            disabled={!previous}
            onClick={() => previous && open(previous)}
          >
            <IconArrowUp className="small" aria-hidden />
          </IconButton>
          <IconButton
            label={t("standards.next")}
            keys={keysOf("standards.next")}
            disabled={!next}
            onClick={() => next && open(next)}
          >
            <IconArrowDown className="small" aria-hidden />
          </IconButton>
          <IconButton
            label={t("ask.about.title")}
            onClick={() => askAbout(t("ask.about.paragraph", { id: page.id }))}
          >
            <IconMessageQuestion className="small" aria-hidden />
          </IconButton>
          <CopyMenu id={page.id} reference={reference} />
        </span>
      </div>
      <ScrollRegion
        fill
        ways="down"
        ref={body}
        className={css.reading}
        label={t("standards.text")}
        {...askable({ document: page.id, section: page.breadcrumb.at(-1)?.[0] ?? "" })}
      >
        <Article {...props} known={(id) => id !== page.id && outline.byTarget.has(id)} />
      </ScrollRegion>
    </>
  );
}

/** What can be copied of a paragraph. */
function CopyMenu({ id, reference }: { id: string; reference: string }) {
  return (
    <Menu
      label={t("standards.copy.title")}
      entries={[
        {
          label: t("standards.copy.citation"),
          icon: <IconQuote className="small" aria-hidden />,
          keys: keysOf("standards.copy"),
          onClick: () => void copy(reference),
        },
        {
          label: t("standards.copy.id"),
          icon: <IconHash className="small" aria-hidden />,
          onClick: () => void copy(id),
        },
        {
          label: t("standards.copy.link"),
          icon: <IconLink className="small" aria-hidden />,
          onClick: () => void copy(linkTo(href("standards", [id]))),
        },
      ]}
    >
      <button
        type="button"
        className="icon-button"
        aria-label={t("standards.copy.title")}
        {...tip(t("standards.copy.title"))}
      >
        <IconCopy className="small" aria-hidden />
      </button>
    </Menu>
  );
}

function Crumbs({ page, open }: Pick<ReadingProps, "page" | "open">) {
  return (
    <nav className={css.crumbs} aria-label={t("standards.crumbs")}>
      {page.breadcrumb.map(([label, id], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: crumbs keep their place.
        <Fragment key={index}>
          {id === null ? (
            <span className="ell" data-tip={label}>
              {label}
            </span>
          ) : (
            <Open
              id={id}
              open={open}
              className={classes("ell", id.endsWith(label) && css.crumbId)}
              data-tip={label}
            >
              <bdi dir="ltr">{label}</bdi>
            </Open>
          )}
          <IconChevronRight className="xs" aria-hidden />
        </Fragment>
      ))}
      <b aria-current="page">
        <bdi dir="ltr">{shortId(page.id)}</bdi>
      </b>
    </nav>
  );
}
