//! Real pages, read without their tags, keep what their tags say.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_lab::readability::{kept, tables};
use sibyl_text::format::pdf::{Trust, read};
use std::path::Path;

/// Share of the sentences, and of the table rows, that are whole, and Kendall's tau of the blocks.
const SENTENCES: f64 = 0.98;
const ROWS: f64 = 0.98;
const ORDER: f64 = 0.98;

#[test]
fn pages_without_their_tags_keep_sentences_rows_and_order() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    for file in [
        "designed/mcc-2021-cap-pages.pdf",
        "designed/smithsonian-2022-cap-pages.pdf",
        "designed/three-columns.pdf",
        "pdf/treasury-2022-sustainability-plan.pdf",
        "pdf/tva-2024-cap.pdf",
    ] {
        let bytes = std::fs::read(fixtures.join(file)).unwrap();
        let placed = read(&bytes, Trust::Place);
        let kept = kept(&read(&bytes, Trust::Tags), &placed);
        // A file without table rows cannot lose any.
        let most = |share: Option<f64>| share.unwrap_or(1.0);
        assert!(most(kept.sentences) >= SENTENCES, "{file}: {:?} {:#?}", kept.sentences, kept.torn);
        assert!(most(kept.rows) >= ROWS, "{file}: {:?} {:#?}", kept.rows, kept.lost_rows);
        assert!(most(kept.order) >= ORDER, "{file}: {:?}", kept.order);
        let (_, prose) = tables(&placed);
        assert!(prose.is_empty(), "{file}: {prose:#?}");
    }
}
