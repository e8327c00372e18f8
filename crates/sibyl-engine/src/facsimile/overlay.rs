//! How a page was read, drawn over its picture: its regions, its blocks in numbered boxes with a line from one to
//! the next, and the rows of tables.

use super::Mark;
use super::block::{PageBlock, PageBlockKind};
use std::fmt::Write as _;

/// Height of a label as a share of the page's width.
const LABEL: f32 = 0.0115;
/// Width of a letter of a label, in label heights.
const LETTER: f32 = 0.62;

/// Free width between a region and its outline (points).
const AROUND: f32 = 4.0;

/// The SVG file of a page of `size` points, `png` (Base64) with `regions` and `blocks` over it.
pub(super) fn svg(png: &str, (width, height): (f32, f32), regions: &[Mark], blocks: &[PageBlock]) -> String {
    let letter = LABEL * width;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"{letter}\" font-weight=\"700\">\n\
         <image href=\"data:image/png;base64,{png}\" width=\"{width}\" height=\"{height}\"/>\n"
    );
    for region in regions {
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\" fill=\"none\" stroke=\"#111827\" \
             stroke-opacity=\"0.45\" stroke-width=\"0.8\"/>",
            region.x * width - AROUND,
            region.y * height - AROUND,
            region.width * width + 2.0 * AROUND,
            region.height * height + 2.0 * AROUND
        );
    }
    let corners = blocks.iter().flat_map(|block| &block.boxes).map(|place| {
        let (x, y) = (place.x * width, place.y * height);
        format!("{x:.1},{y:.1}")
    });
    let corners = corners.collect::<Vec<_>>().join(" ");
    let _ = writeln!(
        out,
        "<polyline points=\"{corners}\" fill=\"none\" stroke=\"#111827\" stroke-opacity=\"0.55\" stroke-dasharray=\"4 2\"/>"
    );
    for (block, number) in blocks.iter().zip(1..) {
        let colour = colour(block.kind);
        let rect = |place: &Mark, paint: &str| {
            format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" {paint}/>",
                place.x * width,
                place.y * height,
                place.width * width,
                place.height * height
            )
        };
        let _ = writeln!(out, "<g><title>{}</title>", escaped(&block.text));
        for (row, index) in block.rows.iter().zip(0..) {
            let opacity = if index < block.header_rows { 0.28 } else { 0.1 };
            let paint = format!(
                "fill=\"{colour}\" fill-opacity=\"{opacity}\" stroke=\"{colour}\" stroke-width=\"0.5\""
            );
            out.push_str(&rect(row, &paint));
        }
        for (place, part) in block.boxes.iter().zip(0..) {
            let fill = if block.rows.is_empty() { 0.1 } else { 0.0 };
            let paint =
                format!("fill=\"{colour}\" fill-opacity=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.2\"");
            out.push_str(&rect(place, &paint));
            let label = label(block, number, part > 0);
            let across = letter * (LETTER * label.chars().count() as f32 + 0.5);
            let (left, top) = (place.x * width, place.y * height);
            // Text follows close below text, so that a label above it would cover words.
            let (x, y) =
                if is_text(block) { (left - across - 1.0, top) } else { (left - letter, top - letter) };
            let (x, y) = (x.clamp(0.0, (width - across).max(0.0)), y.max(0.0));
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{across:.1}\" height=\"{:.1}\" rx=\"1.5\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#fff\">{label}</text>",
                letter * 1.25,
                x + letter * 0.25,
                y + letter * 0.98
            );
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Whether a block is running text: the number beside it is its whole label.
const fn is_text(block: &PageBlock) -> bool {
    matches!(block.kind, PageBlockKind::Paragraph | PageBlockKind::Item)
}

fn label(block: &PageBlock, number: usize, continued: bool) -> String {
    let name = match block.kind {
        PageBlockKind::Heading => &format!(" H{}", block.level.unwrap_or(1)),
        PageBlockKind::Paragraph => "",
        PageBlockKind::Item => "•",
        PageBlockKind::Table => " table",
        PageBlockKind::Figure => " figure",
        PageBlockKind::KeyFigure => " key figure",
        PageBlockKind::Contents => " contents",
        PageBlockKind::Other => " other",
    };
    format!("{number}{}{name}", if continued { "…" } else { "" })
}

/// Dark enough to be read on white paper and to carry white letters.
const fn colour(kind: PageBlockKind) -> &'static str {
    match kind {
        PageBlockKind::Heading => "#b42318",
        PageBlockKind::Paragraph => "#1d4ed8",
        PageBlockKind::Item => "#6d28d9",
        PageBlockKind::Table => "#15703a",
        PageBlockKind::Figure => "#475569",
        PageBlockKind::KeyFigure => "#a3480a",
        PageBlockKind::Contents => "#0e7490",
        PageBlockKind::Other => "#111827",
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(kind: PageBlockKind, boxes: Vec<Mark>, rows: Vec<Mark>) -> PageBlock {
        let text = "a < b & c".to_owned();
        PageBlock { kind, level: None, depth: 0, text, boxes, rows, header_rows: 1 }
    }

    #[test]
    fn boxes_stand_in_points_with_numbers_and_a_line_in_reading_order() {
        let left = Mark { x: 0.1, y: 0.5, width: 0.3, height: 0.2 };
        let right = Mark { x: 0.5, y: 0.1, width: 0.4, height: 0.6 };
        let blocks = [
            block(PageBlockKind::Paragraph, vec![left], Vec::new()),
            block(PageBlockKind::Table, vec![right], vec![right]),
        ];
        let region = Mark { x: 0.05, y: 0.1, width: 0.9, height: 0.8 };
        let svg = svg("AAAA", (200.0, 100.0), &[region], &blocks);
        assert!(svg.contains("data:image/png;base64,AAAA"), "{svg}");
        assert!(svg.contains("points=\"20.0,50.0 100.0,10.0\""), "{svg}");
        assert!(svg.contains("<rect x=\"20.0\" y=\"50.0\" width=\"60.0\" height=\"20.0\""), "{svg}");
        assert!(svg.contains("<rect x=\"6.0\" y=\"6.0\" width=\"188.0\" height=\"88.0\""), "{svg}");
        assert!(svg.contains(">1<") && svg.contains(">2 table<"), "{svg}");
        // The label of text ends where the text begins.
        let label = svg.lines().find(|line| line.contains(">1<")).unwrap();
        let place = |name: &str| -> f32 {
            let rest = label.rsplit_once("<rect").unwrap().1.split_once(&format!(" {name}=\"")).unwrap().1;
            rest.split_once('"').unwrap().0.parse().unwrap()
        };
        assert!(place("x") + place("width") < 20.0 && place("y") >= 50.0, "{label}");
        assert!(svg.contains("a &lt; b &amp; c"), "{svg}");
    }
}
