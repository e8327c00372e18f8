//! Archives that are mutated inside. The parts of an Office file are changed, and not their compressed bytes,
//! which would only ever break the archive.

use super::mutate;
use crate::random::Random;
use std::io::{Cursor, Read as _, Write as _};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Pieces that structure in XML is made of, and that break it.
const PIECES: &[&str] = &[
    "<",
    ">",
    "/>",
    "</w:p>",
    "<w:p>",
    "<w:tbl>",
    "<w:tr>",
    "<w:tc>",
    "<w:vMerge/>",
    "<w:ilvl w:val=\"9\"/>",
    "<w:gridSpan w:val=\"99999999\"/>",
    "<a:p>",
    "<a:tbl>",
    "<p:sp>",
    "<row r=\"9999999\">",
    "<c r=\"XFD1048576\" t=\"s\"><v>9</v></c>",
    "<c r=\"ZZZZ9\"/>",
    "<mergeCell ref=\"A1:XFD1048576\"/>",
    "<v>1e308</v>",
    "<v>-1</v>",
    "#,##0.00;[Red]-0%;;@",
    "<table:table-cell table:number-columns-repeated=\"2147483647\">",
    "<table:table-row table:number-rows-repeated=\"1048576\">",
    "<text:p>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]>",
    "&b;",
    "&#0;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "\"",
    "9999999999",
    "NaN",
    "\u{feff}",
    "é",
    "| ",
    "\n# ",
];

/// The parts of an archive: name and bytes.
pub type Parts = Vec<(String, Vec<u8>)>;

/// The parts of the archive `bytes`; none if it is no archive.
pub fn parts(bytes: &[u8]) -> Parts {
    let Ok(mut archive) = ZipArchive::new(Cursor::new(bytes)) else { return Parts::new() };
    let mut out = Parts::new();
    for index in 0..archive.len() {
        let Ok(mut part) = archive.by_index(index) else { continue };
        let Ok(name) = part.name().map(|name| name.into_owned()) else { continue };
        let mut bytes = Vec::new();
        if part.read_to_end(&mut bytes).is_ok() {
            out.push((name, bytes));
        }
    }
    out
}

/// An archive of `parts` with one or two changed, dropped or doubled; a tenth are changed as bytes, too.
pub fn mutant(parts: &Parts, random: &mut Random) -> Vec<u8> {
    let mut parts = parts.clone();
    for _ in 0..=random.below(2) {
        if parts.is_empty() {
            break;
        }
        // Maximum number of parts say how pages look; what is read begins with few names.
        let content: Vec<usize> = (0..parts.len())
            .filter(|at| !parts[*at].0.contains("theme") && !parts[*at].0.contains("Layout"))
            .collect();
        let at = if content.is_empty() { random.below(parts.len()) } else { *random.pick(&content) };
        match random.below(20) {
            0 => drop(parts.remove(at)),
            1 => {
                let from = random.below(parts.len());
                parts[at].1 = parts[from].1.clone();
            }
            _ => {
                for _ in 0..=random.below(8) {
                    change(&mut parts[at].1, random);
                }
            }
        }
    }
    let mut bytes = archive(&parts);
    if random.below(10) == 0 {
        for _ in 0..=random.below(4) {
            mutate(&mut bytes, random);
        }
    }
    bytes
}

fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    if bytes.is_empty() || random.below(3) > 0 {
        return mutate(bytes, random);
    }
    let at = random.below(bytes.len());
    let piece = *random.pick(PIECES);
    bytes.splice(at..at, piece.bytes());
}

/// The archive of `parts`.
pub fn archive(parts: &Parts) -> Vec<u8> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        // A name that was there twice is written once.
        if zip.start_file(name.as_str(), options).is_ok() && zip.write_all(bytes).is_err() {
            break;
        }
    }
    zip.finish().map(Cursor::into_inner).unwrap_or_default()
}
