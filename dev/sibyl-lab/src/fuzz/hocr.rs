//! What an OCR program answers, changed: the words of a scanned page come from outside as the bytes of a file do.

use super::mutate;
use crate::random::Random;
use sibyl_text::Document;
use sibyl_text::format::hocr::{self, Scan};
use sibyl_text::format::{Format, Input, pdf};

/// An answer like Tesseract's: a heading, two columns, a turned line and a picture.
const ANSWER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en"><body>
<div class='ocr_page' id='page_1' title='image "page"; bbox 0 0 2480 3508; ppageno 0; scan_res 300 300'>
<div class='ocr_carea' id='block_1_1' title="bbox 200 200 1400 280"><p class='ocr_par' lang='eng'>
<span class='ocr_header' title="bbox 200 200 1400 280; baseline 0.001 -16; x_size 80; x_descenders 16; x_ascenders 18">
<span class='ocrx_word' title='bbox 200 200 500 280; x_wconf 96'>Water</span>
<span class='ocrx_word' title='bbox 540 200 900 280; x_wconf 91'>use</span></span></p></div>
<p class='ocr_par' lang='eng'>
<span class='ocr_line' title="bbox 200 400 1100 440; baseline -0.002 -9; x_size 42; x_descenders 9; x_ascenders 10">
<span class='ocrx_word' title='bbox 200 400 300 440; x_wconf 96'>The</span>
<span class='ocrx_word' title='bbox 320 400 480 440; x_wconf 95'>plant</span>
<span class='ocrx_word' title='bbox 500 400 620 440; x_wconf 41'>t&#39;ok</span>
<span class='ocrx_word' title='bbox 640 400 800 440; x_wconf 93'>1,200</span></span>
<span class='ocr_line' title="bbox 200 450 1100 490; baseline 0 -9; x_size 42">
<span class='ocrx_word' title='bbox 200 450 420 490; x_wconf 90'><strong>cubic</strong></span>
<span class='ocrx_word' title='bbox 440 450 700 490; x_wconf 88'>metres.</span></span></p>
<p class='ocr_par' lang='eng' dir='ltr'>
<span class='ocr_line' title="bbox 1300 400 2200 440; baseline 0 -9; x_size 42">
<span class='ocrx_word' title='bbox 1300 400 1500 440; x_wconf 95'>It</span>
<span class='ocrx_word' title='bbox 1520 400 1700 440; x_wconf 95'>gave</span></span>
<span class='ocr_textfloat' title="bbox 1300 450 2200 490; baseline 0 -9; x_size 42">
<span class='ocrx_word' title='bbox 1300 450 1500 490; x_wconf 95'>all</span>
<span class='ocrx_word' title='bbox 1520 450 1700 490; x_wconf 95'>back.</span></span></p>
<span class='ocr_line' title="bbox 40 900 90 1700; textangle 90; x_size 40"><span class='ocrx_word' title='bbox 40 900 90 1700; x_wconf 80'>margin</span></span>
<div class='ocr_photo' title="bbox 387 1937 705 2032"></div>
</div></body></html>"#;

/// Numbers and marks that a place on a page should not have.
const PIECES: &[&str] = &[
    "bbox 0 0 0 0; ",
    "bbox -9 -9 99999999999 3; ",
    "bbox NaN 1 2 3; ",
    "bbox 1e38 1e38 3e38 3e38; ",
    "textangle 180; ",
    "textangle -1e9; ",
    "baseline 1e30 -1e30; ",
    "x_size 0; ",
    "x_size 1e38; ",
    "x_wconf 999; ",
    "<span class='ocr_line' title=\"bbox 1 1 9 9\">",
    "</span>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>",
    "&b;",
    "&#0;",
    "|",
    "•",
    "\u{AD}",
    "🌍",
];

/// The answers of an OCR program, read as the words of a page of a PDF that has none.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hocr;

impl Format for Hocr {
    fn name(&self) -> &'static str {
        "hocr"
    }
    fn label(&self) -> &'static str {
        "hOCR"
    }
    fn version(&self) -> u32 {
        1
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["hocr"]
    }
    fn recognises(&self, _input: &Input<'_>) -> bool {
        false
    }
    fn parse(&self, input: &Input<'_>, _: &[String]) -> Document {
        let text = String::from_utf8_lossy(input.bytes);
        match hocr::read(&text, 1, 72.0 / 300.0) {
            Ok(page) => {
                let scan = Scan { languages: "eng".to_owned(), pages: vec![page] };
                pdf::read_scanned(BLANK, &[], &scan)
            }
            Err(_) => Document::default(),
        }
    }
}

/// A PDF of one page without words.
const BLANK: &[u8] = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF";

/// The answer `seed`: the one above with some of it changed.
pub fn answer(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = ANSWER.as_bytes().to_vec();
    for _ in 0..random.below(12) {
        // Most answers stay readable: numbers are changed, and fragments put in place of properties.
        let titles: Vec<usize> =
            bytes.windows(5).enumerate().filter(|(_, part)| *part == b"bbox ").map(|(at, _)| at).collect();
        match random.below(6) {
            0 => mutate(&mut bytes, &mut random),
            1 | 2 if !titles.is_empty() => {
                let (at, piece) = (*random.pick(&titles), *random.pick(PIECES));
                bytes.splice(at..at, piece.bytes());
            }
            _ => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
                if !digits.is_empty() {
                    let at = *random.pick(&digits);
                    bytes[at] = b"0123456789.-"[random.below(12)];
                }
            }
        }
    }
    bytes
}
