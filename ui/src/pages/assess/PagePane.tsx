import { IconExternalLink } from "@tabler/icons-react";
import { may } from "@/api/client";
import { useCommand } from "@/api/queries";
import type { DocumentView } from "@/api/types";
import { Button, IconButton } from "@/kit/Button";
import { Select } from "@/kit/fields";
import { Kbd } from "@/kit/Kbd";
import { keepClear } from "@/kit/keep-clear";
import { PaneHead } from "@/kit/Panes";
import { ScrollRegion } from "@/kit/ScrollRegion";
import { keysOf, useShortcut } from "@/kit/shortcuts";
import { EmptyState } from "@/kit/states";
import { DocumentName, fullName } from "@/parts/DocumentName";
import { PageField, type Turning } from "@/parts/PageField";
import { useZoom } from "@/parts/use-zoom";
import { ZoomButtons } from "@/parts/ZoomButtons";
import { href, navigate } from "@/state/router";
import { t } from "@/text";
import { visible } from "@/text/visible";
import { PagePicture, PLACING } from "./PagePicture";
import { leafAt, leavesOf, PageText } from "./PageText";
import { PinButton } from "./PinButton";
import { EvidenceNumber } from "./ProposalFrame";
import css from "./page.module.css";
import { keyOf, type Quoted, wordsOf } from "./passages";
import type { Evidence } from "./use-evidence";
import { isDrawn, type Leaf, useSelecting } from "./use-place";

type PagePaneProps = {
  evidence: Evidence;
  leaf: Leaf;
  /** Nothing where it is a tab. */
  onHide: (() => void) | undefined;
};

/** The pages of the report, the selected passage marked; what is selected on a page can be pinned. */
export function PagePane({ evidence, leaf, onHide }: PagePaneProps) {
  const { place, path } = leaf;
  if (!place || path === undefined)
    return (
      <>
        <PaneHead title={t("assess.page.label")} />
        <ScrollRegion fill>{evidence.ready && <EmptyState title={t("assess.page.none")} />}</ScrollRegion>
        <Foot {...{ evidence, leaf, onHide }} />
      </>
    );
  const Pages = isDrawn(path) ? Drawn : Written;
  return (
    <>
      <Pages key={place.document_id} {...{ evidence, leaf, path }} document={place.document_id} />
      <Foot {...{ evidence, leaf, onHide }} />
    </>
  );
}

type PagesProps = Pick<PagePaneProps, "evidence" | "leaf"> & { document: number; path: string };

/** The pages of a file that can be drawn. */
function Drawn({ evidence, leaf, document, path }: PagesProps) {
  const page = leaf.place?.page ?? 1;
  const { data } = useCommand("document.page_image", { document_id: document, page, width: PLACING });
  const zoom = useZoom("assess", true);
  const select = useSelecting(evidence);
  const turning = {
    page,
    label: data?.page === page ? data.label : null,
    pages: data?.pages ?? leaf.pages ?? page,
    onPage: (next: number) => leaf.turn({ document_id: document, page: next }),
  };
  return (
    <>
      <Title {...{ evidence, leaf, turning }} end={<ZoomButtons zoom={zoom} />} />
      <PagePicture {...{ evidence, document, path, turning, zoom, select }} />
    </>
  );
}

/** The text of a document without such pages, a part of it at a time. */
function Written({ evidence, leaf, document, path }: PagesProps) {
  const query = useCommand("document.get", { id: document });
  const select = useSelecting(evidence);
  const { shown } = evidence;
  const span = shown?.document_id === document ? shown.span : undefined;
  const partOf = ({ text }: DocumentView) => leaf.place?.page ?? leafAt(text, span?.[0] ?? 0);
  const turning = {
    page: query.data ? partOf(query.data) : 1,
    label: null,
    pages: query.data ? leavesOf(query.data.text).length : 1,
    onPage: (next: number) => leaf.turn({ document_id: document, page: next }),
  };
  return (
    <>
      <Title {...{ evidence, leaf, turning }} />
      <PageText
        {...{ query, path, turning, evidence, span }}
        onSelect={(at) => void select(document, () => at)}
      />
    </>
  );
}

type TitleProps = Pick<PagePaneProps, "evidence" | "leaf"> & { turning: Turning; end?: React.ReactNode };

/** Which page it is, and the ways to others. */
function Title({ evidence: { shown }, leaf, turning, end }: TitleProps) {
  const { place, documents, path = "" } = leaf;
  const { page, pages, onPage } = turning;
  const to = (next: number) => next >= 1 && next <= pages && onPage(next);
  useShortcut("assess.next-page", () => to(page + 1));
  useShortcut("assess.previous-page", () => to(page - 1));
  const here = shown?.document_id === place?.document_id ? shown : undefined;
  const open = documents.find(({ id }) => id === place?.document_id);
  const goThere = () => {
    const span = here?.span.join("-");
    navigate(
      href("chunk-lab", [], {
        document: String(place?.document_id),
        view: "read",
        at: span,
        mark: span,
        ...(isDrawn(path) && { show: "page", page: String(page) }),
      }),
    );
  };
  return (
    <div className={`heading ${css.head}`}>
      <h2 className="sr-only">{t("assess.page.label")}</h2>
      <PageField {...turning} />
      {documents.length > 1 ? (
        <Select
          label={t("assess.page.document")}
          size="small"
          value={String(place?.document_id)}
          options={documents.map((each) => ({ value: String(each.id), label: fullName(each.title, each) }))}
          onChange={(id) => leaf.turn({ document_id: Number(id), page: 1 })}
          shown={open && <DocumentName title={open.title} document={open} />}
        />
      ) : (
        <span className="sm mut ell">{here && here.page === page && visible(here.section.at(-1) ?? "")}</span>
      )}
      <span className="end">
        {end}
        <IconButton size="small" label={t("assess.page.open")} onClick={goThere}>
          <IconExternalLink className="small" aria-hidden />
        </IconButton>
      </span>
    </div>
  );
}

/** What is selected, to be pinned, and where the other passages are. */
function Foot({ evidence, leaf, onHide }: PagePaneProps) {
  const { shown, passages, at } = evidence;
  const { place } = leaf;
  const here: number[] = [];
  const pages = new Map<number, number[]>();
  for (const [number, { document_id, page }] of passages.entries()) {
    if (document_id === place?.document_id && (page === place.page || place.page === undefined))
      here.push(number);
    else if (page !== null) pages.set(page, [...(pages.get(page) ?? []), number]);
  }
  return (
    <div className={css.foot} {...(onHide && { ref: keepClear, "data-keep-clear": true })}>
      {shown && at < 0 && <Selected key={keyOf(shown)} {...{ evidence, shown }} />}
      {here.length > 0 && <span className="mut nowrap">{t("assess.page.marked")}</span>}
      {here.map((number) => (
        <EvidenceNumber key={number} at={number} evidence={evidence} />
      ))}
      {[...pages].map(([page, places]) => (
        <span key={page} className="row gap-4">
          <span className="mut nowrap number">{t("assess.page.on", { page: String(page) })}</span>
          {places.map((number) => (
            <EvidenceNumber key={number} at={number} evidence={evidence} />
          ))}
        </span>
      ))}
      {!shown && place && <span className="mut">{t("assess.page.select")}</span>}
      {onHide && (
        <span className="push">
          <Button size="tiny" tone="quiet" onClick={onHide}>
            <Kbd keys="space" /> {t("assess.page.hide")}
          </Button>
        </span>
      )}
    </div>
  );
}

/** What the reviewer selected on the page. */
function Selected({ evidence, shown }: { evidence: Evidence; shown: Quoted }) {
  const pinned = evidence.isPinned(shown);
  const words = wordsOf(shown);
  return (
    <span className={css.selected} role="status">
      <span className="ell" data-tip={words}>
        “<bdi>{words}</bdi>”
      </span>
      {may("assess.decide") && (
        <span className="row gap-6">
          <Kbd keys={keysOf("assess.pin")} />
          <PinButton
            pinned={pinned}
            name={t(pinned ? "assess.page.unpin_selected" : "assess.page.pin_selected")}
            onClick={() => evidence.pin(shown)}
          />
        </span>
      )}
    </span>
  );
}
