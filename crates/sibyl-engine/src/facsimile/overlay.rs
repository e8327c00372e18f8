//! How a page was read, drawn over its picture: its regions, the rows of tables, and its blocks in numbered boxes
//! with a line from one to the next. Or, after each pass, what stood on it.

use super::Mark;
use super::block::{PageBlock, PageBlockKind};
use super::pass::PagePass;
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

/// Room above a page for the name of the pass that it is shown after, in label heights.
const TITLE: f32 = 2.5;

/// The SVG file of a page of `size` points with the picture `png` (Base64). The page is repeated, one below the
/// other, for each of `passes` that changed or decided something. Boxes show what stood there then. Dashed boxes show
/// readings that were not taken, each with its cost.
pub(super) fn of_passes(png: &str, (width, height): (f32, f32), passes: &[PagePass]) -> String {
    let letter = LABEL * width;
    let shown: Vec<&PagePass> =
        passes.iter().filter(|pass| pass.changed || !pass.decisions.is_empty()).collect();
    let step = height + TITLE * letter;
    let all = step * shown.len() as f32;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {all}\" width=\"{width}\" height=\"{all}\" \
         font-family=\"sans-serif\" font-size=\"{letter}\" font-weight=\"700\">\n\
         <defs><image id=\"page\" href=\"data:image/png;base64,{png}\" width=\"{width}\" height=\"{height}\"/></defs>\n"
    );
    for (pass, number) in shown.into_iter().zip(0_u16..) {
        let top = step * f32::from(number);
        let part = pass.part.iter().map(|part| format!(" · part {part}")).collect::<String>();
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<g transform=\"translate(0 {top:.1})\"><text x=\"{letter:.1}\" y=\"{:.1}\">{}{part}</text>\
             <g transform=\"translate(0 {:.1})\"><use href=\"#page\"/>",
            1.6 * letter,
            escaped(&pass.pass),
            TITLE * letter
        );
        for (mark, place) in pass.shows.iter().filter_map(|mark| Some((mark, mark.place?))) {
            let said = format!("{}: {}", mark.kind, mark.text);
            let region = mark.region.map_or(0, |region| region % REGIONS.len());
            let _ = writeln!(out, "{}", boxed(&place, (width, height), REGIONS[region], "", &said));
        }
        for decision in &pass.decisions {
            let Some(place) = decision.place else { continue };
            let lost = decision.hypotheses.iter().map(|one| {
                let cost = format!("{}/{}/{}", one.torn, one.unexplained, one.unnamed_numbers);
                format!("{} {cost}{}", one.reading, if one.taken { " ✓" } else { "" })
            });
            let said = lost.collect::<Vec<_>>().join(", ");
            let dashed = "stroke-dasharray=\"5 3\"";
            let _ = writeln!(
                out,
                "{}<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#b42318\">{}</text>",
                boxed(&place, (width, height), "#b42318", dashed, &said),
                place.x * width,
                place.y * height - 0.3 * letter,
                escaped(&said)
            );
        }
        out.push_str("</g></g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// Colours of regions side by side; the first is that of what stands in none yet.
const REGIONS: [&str; 6] = ["#475569", "#1d4ed8", "#15703a", "#6d28d9", "#a3480a", "#0e7490"];

/// A box on a page of `size`, which says `said` where somebody points at it.
fn boxed(place: &Mark, (width, height): (f32, f32), colour: &str, more: &str, said: &str) -> String {
    format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\" fill-opacity=\"0.08\" \
         stroke=\"{colour}\" {more}><title>{}</title></rect>",
        place.x * width,
        place.y * height,
        place.width * width,
        place.height * height,
        escaped(said)
    )
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
