//! Pages whose text runs up or down: they are read as a person reads them who turns the sheet.

use crate::read;
use crate::writer::{File, Page};

const ROWS: [[&str; 4]; 5] = [
    ["Category", "Europe", "Americas", "Group"],
    ["Capital goods", "44.2", "12.0", "68.9"],
    ["Business travel", "4.0", "3.3", "9.0"],
    ["Upstream transport", "92.6", "50.3", "197.4"],
    ["Products in use", "1,602.3", "880.7", "3,084.9"],
];
const NOTE: [&str; 2] = [
    "The sums leave out what the partners of the joint venture emit and",
    "are rounded to the nearest hundred tonnes of carbon dioxide.",
];

/// A page of 600 × 800 points with turned text that runs up or down. `text` stands at (x, y) of a sheet of 800 ×
/// 600, measured from its top left corner.
fn page(up: bool, texts: &[(f32, f32, &str)]) -> Page {
    texts.iter().fold(Page::default(), |page, (x, y, text)| {
        // In the coordinates of PDF, which begin at the lower left corner.
        let place =
            if up { format!("0 1 -1 0 {y} {x}") } else { format!("0 -1 1 0 {} {}", 600.0 - y, 800.0 - x) };
        page.raw(&format!("BT /F1 10 Tf {place} Tm ({text}) Tj ET"))
    })
}

#[test]
fn a_table_that_lies_on_its_side_is_read_row_by_row() {
    let rows = ROWS.iter().zip([100.0, 118.0, 136.0, 154.0, 172.0]);
    let mut texts: Vec<(f32, f32, &str)> = rows
        .flat_map(|(row, y)| row.iter().zip([60.0, 300.0, 420.0, 540.0]).map(move |(cell, x)| (x, y, *cell)))
        .collect();
    texts.extend(NOTE.iter().zip([220.0, 232.0]).map(|(line, y)| (60.0, y, *line)));
    for up in [true, false] {
        let document = read(&File::default().page(page(up, &texts)).bytes());
        let rows: Vec<String> = document
            .text
            .lines()
            .filter(|line| line.starts_with("| ") && !line.starts_with("| -"))
            .map(|line| line.trim_matches('|').trim().to_owned())
            .collect();
        assert_eq!(rows, ROWS.map(|row| row.join(" | ")), "up: {up}, {}", document.text);
        assert!(document.text.contains(&NOTE.join(" ")), "{}", document.text);
        // Marked at its place on the page as filed.
        let at = document.text.find("197.4").unwrap();
        let segment = document
            .segments
            .iter()
            .find(|segment| segment.span.start <= at && at < segment.span.end)
            .unwrap();
        let [left, top, right, bottom] = segment.rect.unwrap();
        let middle = ((left + right) / 2.0, (top + bottom) / 2.0);
        let expected = if up { (151.0, 800.0 - 553.0) } else { (600.0 - 151.0, 553.0) };
        assert!(
            (middle.0 - expected.0).abs() < 5.0 && (middle.1 - expected.1).abs() < 8.0,
            "{middle:?} {expected:?}"
        );
        assert_eq!(document.pages[0].size, Some((600.0, 800.0)));
    }
}
