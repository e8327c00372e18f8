//! What OCR programs say they read on a page: hOCR 1.2 (<https://kba.github.io/hocr-spec/1.2/>), as Tesseract writes it.

use roxmltree::{Document, Node, ParsingOptions};
use serde::{Deserialize, Serialize};

/// Most elements and texts of an answer that is believed. A dense page has about 3,000.
const MAX_NODES: u32 = 500_000;

/// Pages of a file that were read by OCR.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Scan {
    /// The languages they were read in, such as `eng+swe`.
    pub languages: String,
    /// The pages, in rising order.
    pub pages: Vec<ScannedPage>,
}

/// A page as it was read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScannedPage {
    /// Physical page, from 1.
    pub number: u32,
    /// Its lines, in the order in which they were read.
    pub lines: Vec<ScannedLine>,
}

/// A line of words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScannedLine {
    /// Height of its letters from the lowest descender to the highest ascender, about its size in points.
    pub size: f32,
    /// Degrees by which it is turned against the clock: 0, 90, 180 or 270.
    pub angle: u16,
    /// Its words.
    pub words: Vec<ScannedWord>,
}

/// A word with its place in points from the top left corner of the page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScannedWord {
    /// Its letters.
    pub text: String,
    /// Left, top, right, bottom.
    pub rect: [f32; 4],
    /// Where its letters stand: y of a word that is level or on its head, x of one that runs up or down.
    pub baseline: f32,
    /// How sure the program is of it, 0 to 100.
    pub confidence: f32,
}

/// Reads what was said of page `number`, whose picture has `scale` points to a pixel.
///
/// # Errors
/// What is wrong with it, in words.
pub fn read(hocr: &str, number: u32, scale: f32) -> Result<ScannedPage, String> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(hocr, options).map_err(|error| error.to_string())?;
    let lines = tree.descendants().filter(|node| {
        let class = node.attribute("class").unwrap_or_default();
        matches!(class, "ocr_line" | "ocr_caption" | "ocr_textfloat" | "ocr_header")
    });
    Ok(ScannedPage { number, lines: lines.filter_map(|line| self::line(line, scale)).collect() })
}

fn line(node: Node<'_, '_>, scale: f32) -> Option<ScannedLine> {
    let [left, top, right, bottom] = rect(node)?;
    let property = |name: &str| numbers(node, name);
    let (slope, offset) = match property("baseline")[..] {
        [slope, offset] => (slope, offset),
        _ => (0.0, 0.0),
    };
    let angle = property("textangle").first().map_or(0, |angle| angle.rem_euclid(360.0).round() as u16);
    // Only of level lines the baseline is said.
    let descenders = property("x_descenders").first().copied().unwrap_or(0.0);
    let words: Vec<ScannedWord> = node
        .descendants()
        .filter(|word| word.attribute("class") == Some("ocrx_word"))
        .filter_map(|word| {
            let rect = rect(word)?;
            let text: String =
                word.descendants().filter_map(|text| text.text().filter(|_| text.is_text())).collect();
            let text = text.trim().to_owned();
            let baseline = match angle {
                90 => right - descenders,
                180 => top + descenders,
                270 => left + descenders,
                _ => bottom + offset + slope * (rect[0] - left),
            };
            let confidence = numbers(word, "x_wconf").first().copied().unwrap_or(0.0).clamp(0.0, 100.0);
            let rect = rect.map(|edge| edge * scale);
            (!text.is_empty()).then_some(ScannedWord { text, rect, baseline: baseline * scale, confidence })
        })
        .collect();
    let highest = words.iter().map(|word| word.rect[3] - word.rect[1]).fold(0.0, f32::max);
    let size = property("x_size").first().map_or(highest, |size| size * scale);
    (!words.is_empty() && size > 0.0).then_some(ScannedLine { size, angle, words })
}

/// The numbers that the property `name` of an element has.
fn numbers(node: Node<'_, '_>, name: &str) -> Vec<f32> {
    let title = node.attribute("title").unwrap_or_default();
    let said = title.split(';').filter_map(|part| part.trim().split_once(' '));
    let numbers =
        said.filter(|(property, _)| *property == name).flat_map(|(_, numbers)| numbers.split_whitespace());
    numbers.filter_map(|number| number.parse().ok()).filter(|number: &f32| number.is_finite()).collect()
}

fn rect(node: Node<'_, '_>) -> Option<[f32; 4]> {
    let rect: [f32; 4] = numbers(node, "bbox").try_into().ok()?;
    (rect[0] < rect[2] && rect[1] < rect[3]).then_some(rect)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"><body><div class='ocr_page' title='image "x"; bbox 0 0 1000 2000; ppageno 0'>
 <p class='ocr_par'><span class='ocr_line' title="bbox 100 200 500 240; baseline 0.01 -8; x_size 40; x_descenders 8">
  <span class='ocrx_word' title='bbox 100 200 200 232; x_wconf 96'>Fuel</span>
  <span class='ocrx_word' title='bbox 300 204 500 240; x_wconf 41'><strong>&lt;cost&gt;</strong></span>
  <span class='ocrx_word' title='bbox 600 204 700 240; x_wconf 95'> </span></span></p>
 <span class='ocr_line' title="bbox 10 20 30 400; textangle 90; x_size 20"><span class='ocrx_word' title='bbox 10 20 30 400; x_wconf 90'>up</span></span>
 <div class='ocr_photo' title="bbox 387 937 705 1032"></div>
</div></body></html>"#;

    #[test]
    fn words_have_their_place_in_points_and_their_confidence() {
        let page = read(PAGE, 3, 0.5).unwrap();
        assert_eq!((page.number, page.lines.len()), (3, 2));
        let ScannedLine { size, angle, words } = &page.lines[0];
        assert_eq!((*size, *angle, words.len()), (20.0, 0, 2));
        assert_eq!((words[0].text.as_str(), words[0].confidence), ("Fuel", 96.0));
        assert_eq!(words[0].rect, [50.0, 100.0, 100.0, 116.0]);
        // 240 − 8 at the left edge; 0.01 × 200 lower at the second word.
        assert!((words[0].baseline - 116.0).abs() < 1e-3 && (words[1].baseline - 117.0).abs() < 1e-3);
        assert_eq!((words[1].text.as_str(), words[1].confidence), ("<cost>", 41.0));
        assert_eq!(page.lines[1].angle, 90);
    }

    #[test]
    fn what_is_no_page_is_refused_and_odd_numbers_are_passed_over() {
        assert!(read("no page", 1, 1.0).is_err());
        assert!(read("<!DOCTYPE a [<!ENTITY a \"&a;&a;\">]><a>&a;</a>", 1, 1.0).is_err());
        let odd = PAGE.replace("bbox 100 200 200 232", "bbox 200 200 100 NaN");
        assert_eq!(read(&odd, 1, 1.0).unwrap().lines[0].words.len(), 1);
        assert_eq!(read("<html/>", 1, 1.0).unwrap().lines, []);
    }
}
