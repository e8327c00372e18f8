// A page of the report as a picture: its lines drawn one under the other, with the place of a stretch of them.

import type { Facsimile, LayoutQuery, Mark, PageBlock, PageLayout, PageQuery } from "../../types";
import type { Text } from "./report";

/** Characters of a line, and its height and the margins as shares of the page. */
const LINE = 84;
const TOP = 0.08;
const LEFT = 0.11;
const RIGHT = 0.89;
const RATIO = Math.SQRT2;

/** A white point, where nothing can be drawn. */
const WHITE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=";

type Line = { from: number; to: number };

function linesOf(text: string, [begin, end]: readonly [number, number]): Line[] {
  const lines: Line[] = [];
  let at = begin;
  while (at < end) {
    const stop = text.indexOf("\n", at);
    const last = Math.min(end, stop < 0 ? end : stop);
    let to = last;
    if (last - at > LINE) {
      const space = text.lastIndexOf(" ", at + LINE);
      to = space > at ? space : at + LINE;
    }
    lines.push({ from: at, to });
    at = to + 1;
  }
  return lines;
}

/** The lines of page `page` of a text, and the height of each as a share of the page. */
function setOut({ text, structure }: Text, page: number) {
  const found = structure.pages.find((each) => each.number === page);
  if (!found) throw { code: "page_not_drawn", message: `page ${page} does not exist` };
  const lines = linesOf(text, found.range);
  return { found, lines, step: Math.min(0.021, (1 - 2 * TOP) / lines.length) };
}

const LINES = /^(?<heading>#{1,6}) |^(?<table>\|)|^(?<item>[-*•] )/;
const RULE = /^\|[-| ]+\|$/;

/** How page `page` of a text is read: a block for each stretch of lines of a kind. */
export function pageLayout(source: Text, { page }: Pick<LayoutQuery, "page">): PageLayout {
  const { found, lines, step } = setOut(source, page);
  const blocks: PageBlock[] = [];
  let open: PageBlock | undefined;
  lines.forEach(({ from, to }, index) => {
    const words = source.text.slice(from, to);
    if (!words.trim()) open = undefined;
    if (!words.trim() || RULE.test(words)) return;
    const { heading, table, item } = LINES.exec(words)?.groups ?? {};
    const kind = heading ? "heading" : table ? "table" : item ? "item" : (open?.kind ?? "paragraph");
    const box: Mark = {
      x: LEFT,
      y: TOP + index * step,
      width: (RIGHT - LEFT) * ((to - from) / LINE),
      height: step * 0.86,
    };
    const [place] = open?.boxes ?? [];
    if (!open || !place || open.kind !== kind || heading || item) {
      open = {
        kind,
        level: heading ? heading.length : null,
        depth: 0,
        text: words.replace(/^(?:#{1,6}|[-*•]) /, ""),
        boxes: [{ ...box }],
        rows: table ? [box] : [],
        header_rows: table ? 1 : 0,
      };
      blocks.push(open);
      return;
    }
    place.width = Math.max(place.width, box.width);
    place.height = box.y + box.height - place.y;
    if (table) open.rows.push(box);
  });
  const top = TOP - step / 2;
  const regions: Mark[] = [{ x: LEFT, y: top, width: RIGHT - LEFT, height: lines.length * step }];
  return {
    page,
    pages: source.structure.pages.length,
    page_label: found.label,
    regions,
    blocks,
    overlay: null,
  };
}

/** Page `page` of a text. */
export function pageImage(source: Text, { page, width, start, end }: PageQuery): Facsimile {
  const { text, structure } = source;
  const { found, lines, step } = setOut(source, page);
  const marks: Mark[] = lines.flatMap(({ from, to }, index) => {
    const first = Math.max(from, start ?? 0);
    const last = Math.min(to, end ?? 0);
    if (last <= first) return [];
    const across = (at: number) => LEFT + ((at - from) / LINE) * (RIGHT - LEFT);
    return [
      {
        x: across(first),
        y: TOP + index * step,
        width: across(last) - across(first),
        height: step * 0.86,
      },
    ];
  });
  const height = Math.round(width * RATIO);
  return {
    page,
    pages: structure.pages.length,
    label: found.label,
    width,
    height,
    png: drawn(text, lines, step, width, height),
    marks,
  };
}

function drawn(text: string, lines: readonly Line[], step: number, width: number, height: number): string {
  const canvas = document.createElement("canvas");
  const paint = navigator.userAgent.includes("jsdom") ? null : canvas.getContext("2d");
  if (!paint) return WHITE;
  canvas.width = width;
  canvas.height = height;
  paint.fillStyle = "#fff";
  paint.fillRect(0, 0, width, height);
  paint.fillStyle = "#1d1e26";
  paint.textBaseline = "top";
  const size = step * height * 0.68;
  lines.forEach(({ from, to }, index) => {
    const words = text.slice(from, to);
    const heading = /^#{1,6} /.test(words);
    paint.font = `${heading ? 700 : 400} ${size}px serif`;
    const shown = words.replace(/^#{1,6} /, "");
    const share = (RIGHT - LEFT) * width * ((to - from) / LINE);
    const least = heading ? paint.measureText(shown).width : share;
    paint.fillText(shown, LEFT * width, (TOP + index * step) * height, Math.max(1, least));
  });
  return canvas.toDataURL("image/png").split(",")[1] ?? WHITE;
}
