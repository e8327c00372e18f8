//! Pages that were laid out in a page-layout program, without tags: what a person sees on them, block by block.

use crate::read;
use sibyl_text::document::PlacedBlock;
use sibyl_text::{BlockKind, Document};
use std::path::PathBuf;

fn document(file: &str) -> Document {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/designed");
    read(&std::fs::read(folder.join(file)).expect("a fixture"))
}

fn told(block: &PlacedBlock) -> (&'static str, String) {
    let kind = match block.block.kind {
        BlockKind::Heading(_) => "heading",
        BlockKind::Paragraph => "text",
        BlockKind::Item => "item",
        BlockKind::Table { .. } => "table",
        BlockKind::KeyFigure => "key figure",
        _ => "other",
    };
    (kind, block.text.clone())
}

/// Whether `blocks` are of these kinds and begin with these words, one after the other.
fn are(blocks: &[PlacedBlock], expected: &[(&str, &str)]) {
    for (block, (kind, words)) in blocks.iter().zip(expected) {
        let (found, text) = told(block);
        assert!(
            found == *kind && text.starts_with(words),
            "expected {kind} {words:?}, found {found} {text:?}"
        );
    }
    assert!(blocks.len() >= expected.len(), "{} blocks instead of {}", blocks.len(), expected.len());
}

/// The rows of the first table of `document` that has the words `words`, cell by cell.
fn row(document: &Document, words: &str) -> Vec<String> {
    let line = document.text.lines().find(|line| line.starts_with('|') && line.contains(words));
    let line = line.unwrap_or_else(|| panic!("no row has {words:?}"));
    let cells = line.trim_matches('|').split('|');
    cells.map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn a_report_in_three_columns_with_key_figures_and_a_table() {
    let document = document("three-columns.pdf");
    let blocks = document.blocks_on(1);
    are(
        &blocks,
        &[
            ("heading", "CLIMATE REPORT 2024"),
            ("heading", "Cement with less clinker"),
            ("text", "Sixty-four per cent of our direct emissions"),
            ("key figure", "14.2 Mt Cementitious products sold"),
            ("key figure", "€2,140 million Revenue"),
            ("key figure", "0.71 Clinker factor of the group"),
            ("heading", "Who oversees climate matters"),
            ("text", "The board of directors has nine members."),
            ("text", "The full board hears of them once a year"),
            ("heading", "Management"),
            ("text", "The technical director leads the roadmap."),
            ("heading", "Pay"),
            ("text", "Variable pay of executives is not linked"),
            ("heading", "What climate change means"),
            ("text", "Our prospects depend on three things"),
            ("text", "The minutes record that jobs at Vell"),
            ("table", "Plant Clinker (Mt) Kiln built Clinker factor Costa 3.1"),
        ],
    );
    let table = &blocks[16];
    assert_eq!((table.rows.len(), table.header_rows), (4, 1));
    assert_eq!(row(&document, "Mirar"), ["Mirar", "2.4", "1998", "0.72"]);
    // The columns are side by side, each a third of the page of 595 points.
    let left: Vec<f32> = [7, 10, 14].map(|at: usize| blocks[at].boxes[0][0]).to_vec();
    assert!(
        left[0] < 60.0 && (180.0..240.0).contains(&left[1]) && (360.0..420.0).contains(&left[2]),
        "{left:?}"
    );
}

#[test]
fn a_statement_with_a_list_and_its_printed_label() {
    let document = document("mcc-2021-cap-pages.pdf");
    let labels: Vec<Option<&str>> = document.pages.iter().map(|page| page.own_label()).collect();
    assert_eq!(labels, [Some("Front-i"), Some("Body-1"), Some("Body-6")]);
    are(
        &document.blocks_on(2),
        &[
            ("heading", "MCC POLICY STATEMENT"),
            ("text", "The Millennium Challenge Corporation (MCC) is an innovative"),
            ("text", "Recognizing that climate change, poverty and economic growth"),
            ("text", "With respect to MCC’s compact, threshold and regional grant"),
            ("text", "To meet this ambitious new commitment"),
            ("item", "fully integrate climate considerations"),
            ("item", "promote climate-smart development"),
            ("item", "support nationally determined contributions"),
            ("item", "focus on the needs of women"),
            ("item", "bring in new partners"),
            ("item", "expand the use of blended finance tools"),
            ("text", "With respect to MCC’s domestic business operations"),
        ],
    );
}

#[test]
fn a_table_of_prose_keeps_its_rows_and_cells() {
    let document = document("mcc-2021-cap-pages.pdf");
    let cells = row(&document, "Strengthen the integration");
    assert_eq!(
        cells,
        [
            "Strengthen the integration of climate risk management in sectoral and technical analytical processes \
             important to program development, design, and implementation.",
            "Sector-specific guidance will seek to maintain program efficiencies while integrating climate risk \
             management at each stage of the program lifecycle.",
            "Development of guidance on climate-related elements of each respective sector in alignment with MCC’s \
             climate strategy.",
        ]
    );
    let blocks = document.blocks_on(3);
    let table =
        blocks.iter().find(|block| matches!(block.block.kind, BlockKind::Table { .. })).expect("a table");
    assert_eq!((table.rows.len(), table.header_rows), (4, 1));
}

#[test]
fn a_table_under_a_band_of_colour_keeps_its_rows_and_cells() {
    let document = document("smithsonian-2022-cap-pages.pdf");
    let cells = row(&document, "new sensors");
    assert_eq!(
        cells,
        [
            "Develop new sensors and platforms to improve climate change datasets.",
            "In Progress",
            "New sensor and measurement platform development are ongoing activities with no end date.",
            "The TEMPO satellite is set to launch on a SpaceX Falcon 9 in 2022. A new coastal sensor system funded by \
             DOE was deployed in the Chesapeake Bay and Lake Erie.",
        ]
    );
    let [table] = document.blocks_on(1).try_into().expect("one block");
    assert_eq!((told(&table).0, table.rows.len()), ("table", 7));
}
