import { IconFileText, IconListNumbers, IconMap2, IconPhoto, IconSearch } from "@tabler/icons-react";
import { type ReactNode, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { IconButton } from "@/kit/Button";
import { Note } from "@/kit/Note";
import { SegmentedControl } from "@/kit/SegmentedControl";
import { useShortcut } from "@/kit/shortcuts";
import { useSize } from "@/kit/size";
import { citedPage } from "@/parts/cited";
import { OcrTag } from "@/parts/OcrTag";
import { PageField } from "@/parts/PageField";
import { useZoom } from "@/parts/use-zoom";
import { ZoomButtons } from "@/parts/ZoomButtons";
import { t, text } from "@/text";
import { ChunkMap } from "./ChunkMap";
import { firstWhere, type Range } from "./cut";
import { Facsimile, pageOf } from "./Facsimile";
import { Find } from "./Find";
import { Notices, Said } from "./Notices";
import { Source } from "./Source";
import shared from "./shared.module.css";
import type { Lab, Show } from "./state";
import type { Base, Cut } from "./use-chunking";
import type { LabControl } from "./use-lab";

/** Pixels that the head of a page needs where every way of showing the document stands in it. */
const ROOM = 660;
const SHOWS: readonly Show[] = ["text", "page", "map"];
const ICONS = { text: IconFileText, page: IconPhoto, map: IconMap2 };

/** Why the document cannot be shown so. Nothing where it can. */
export function unavailable(show: Show, stored: boolean, format: string | undefined): string | undefined {
  if (show === "text") return undefined;
  if (!stored) return t("chunk-lab.show.not_stored");
  if (show === "map" || format === undefined || format === "pdf") return undefined;
  return t("chunk-lab.show.no_pages", { format: text(`chunk-lab.show.formats.${format}`) ?? format });
}

type ShowSwitchProps = {
  show: Show;
  stored: boolean;
  format: string | undefined;
  /** There is room for icons only. */
  short: boolean;
  onShow: (show: Show) => void;
};

function ShowSwitch({ show, stored, format, short, onShow }: ShowSwitchProps) {
  return (
    <SegmentedControl
      label={t("chunk-lab.show.title")}
      size="small"
      value={show}
      onChange={onShow}
      options={SHOWS.map((each) => {
        const Icon = ICONS[each];
        const name = t(`chunk-lab.show.${each}`);
        return {
          value: each,
          label: short ? <Icon className="small" aria-hidden /> : name,
          name: short ? name : undefined,
          unavailable: unavailable(each, stored, format),
        };
      })}
    />
  );
}

type DocumentProps = Pick<Lab, "show" | "page" | "blocks" | "mark"> & {
  change: LabControl["change"];
  /** Row id, where the document is a stored one. */
  document: number | undefined;
  name: string;
  format: string | undefined;
  narrow: boolean;
  base: Base;
  cut: Cut;
  selected: number | undefined;
  onSelect: (chunk: number) => void;
  onStep: (by: number) => void;
  onPainted: (cut: Cut) => void;
  /** Chooses another document. */
  picker: ReactNode;
  /** What went wrong with the last change. */
  mistake: ReactNode;
};

/** Words that are looked for in the text: the field, where it is opened from, and what was found. */
function useFinding(show: Show, change: LabControl["change"]) {
  const [found, setFound] = useState<Range>();
  const [finding, setFinding] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const find = () => {
    if (show !== "text") change({ show: "text" });
    setFinding(true);
  };
  const close = () => {
    flushSync(() => setFinding(false));
    setFound(undefined);
    opener.current?.focus();
  };
  useShortcut("chunk-lab.find", find);
  useShortcut("app.search", find);
  return { found, setFound, finding, opener, find, close };
}

/** The document with its name, its page, and words found in it. */
export function Document(props: DocumentProps) {
  const { base, cut, picker, mistake, selected, onSelect, onStep, onPainted } = props;
  const { change, document, name, format, blocks } = props;
  const [sight, setSight] = useState<Range>([0, 0]);
  const stored = document !== undefined;
  const show = unavailable(props.show, stored, format) ? "text" : props.show;
  const { found, setFound, finding, opener, find, close } = useFinding(show, change);
  const zoom = useZoom("chunk-lab", show === "page");
  const { root, size } = useSize();
  const tight = show === "page" && size !== undefined && size.width < ROOM;
  const turnBlocks = () => change({ blocks: !blocks });
  useShortcut("chunk-lab.blocks", turnBlocks, show === "page");
  const { pages, notices: all } = base.structure;
  const range = selected === undefined ? undefined : cut.layout.chunks[selected]?.view.range;
  const page = pageOf(pages, props.page, props.mark ?? range);
  const label = pages.find(({ number }) => number === page)?.label ?? null;
  const turn = (to: number) => change({ page: to });
  const notices = all.filter((notice) => notice.severity !== "info");
  return (
    <>
      <div className="heading" ref={root}>
        {picker}
        {show === "page" ? (
          <>
            <PageField page={page} label={label} pages={pages.length} onPage={turn} />
            <ZoomButtons zoom={zoom} />
            <IconButton
              size="small"
              label={t("chunk-lab.blocks.switch")}
              keys="b"
              pressed={blocks}
              onClick={turnBlocks}
            >
              <IconListNumbers className="small" aria-hidden />
            </IconButton>
          </>
        ) : (
          show === "text" && <PageInSight base={base} at={sight[0]} />
        )}
        <OcrTag confidence={base.structure.ocr?.confidence} />
        <span className="end">
          {all.length > 0 && <Notices notices={all} />}
          {finding ? (
            <Find text={base.text} from={sight[0]} onFound={setFound} onClose={close} />
          ) : (
            <>
              <ShowSwitch
                {...{ show, stored, format }}
                short={props.narrow || tight}
                onShow={(next) => change({ show: next })}
              />
              <IconButton
                ref={opener}
                size="small"
                label={t("chunk-lab.source.find")}
                keys="/"
                onClick={find}
              >
                <IconSearch className="small" aria-hidden />
              </IconButton>
            </>
          )}
        </span>
      </div>
      {mistake}
      {notices.length > 0 && (
        <div className={shared.strap} role="status">
          <Note kind="warn">{notices[0] && <Said notice={notices[0]} />}</Note>
        </div>
      )}
      {show === "page" && stored ? (
        <Facsimile
          {...{ document, name, page, label, cut, selected, zoom, blocks }}
          pages={pages.length}
          mark={props.mark}
          onPage={turn}
        />
      ) : show === "map" && stored ? (
        <ChunkMap
          {...{ document, base, cut, selected }}
          onPlace={(at) => change({ at, mark: undefined, chunk: undefined, page: undefined })}
        />
      ) : (
        <Source
          {...{ base, cut, found, name, selected, onSelect, onStep, onPainted }}
          mark={props.mark}
          label={t("chunk-lab.source.title")}
          onSight={setSight}
        />
      )}
    </>
  );
}

/** The page that the text in sight begins on. */
function PageInSight({ base: { structure }, at }: { base: Base; at: number }) {
  const { pages, about_pages } = structure;
  const page = pages[firstWhere(pages, (each) => each.range[1] > at)];
  if (!page) return null;
  return (
    <span className="sm mut number nowrap">
      {t(about_pages ? "chunk-lab.source.about_page" : "chunk-lab.source.page", {
        page: citedPage(page.number, page.label),
        pages: pages.length,
      })}
    </span>
  );
}
