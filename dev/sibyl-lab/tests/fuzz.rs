//! Five hundred documents for every text format and strategy, and fifty files of each of the others.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_lab::fuzz::{
    Hocr, Pages, answer, binary_formats, document, mutant, mutate, parts, text_formats, try_document,
};
use sibyl_lab::random::Random;
use sibyl_text::format::Format;
use std::path::Path;

const TEXTS: u64 = 500;
const PDFS: u64 = 50;

#[test]
fn no_text_is_lost_and_nothing_panics() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let seeds: Vec<Vec<u8>> = ["data/ifrs/s2_full.md", "data/sasb/airlines.md", "README.md"]
        .iter()
        .map(|name| std::fs::read(root.join(name)).unwrap())
        .collect();
    for format in text_formats() {
        for seed in 0..TEXTS {
            assert_eq!(try_document(seed, format, &document(seed, &seeds)), []);
        }
    }
}

#[test]
fn mutated_pdfs_give_a_document_or_a_notice() {
    let small = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n4 0 obj<</Length 44>>stream\nBT /F1 18 Tf 20 200 Td (Hello aardvark) Tj ET\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF";
    for format in binary_formats() {
        for seed in 0..PDFS {
            let mut random = Random::new(seed);
            let mut bytes = small.to_vec();
            for _ in 0..random.below(8) {
                mutate(&mut bytes, &mut random);
            }
            assert_eq!(try_document(seed, format, &bytes), []);
        }
    }
}

/// The text on the pages of a file taken apart, and how much of it remains in files changed inside.
#[test]
fn pages_changed_inside_give_a_document_or_a_notice() {
    use sibyl_text::format::pdf::{Trust, read};
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/pdf/treasury-2022-sustainability-plan.pdf");
    let bytes = std::fs::read(file).unwrap();
    let pages = Pages::new(&bytes).unwrap();
    let whole = read(&bytes, Trust::Tags);
    assert_eq!(read(&pages.file(0..pages.len()), Trust::Tags).text, whole.text);
    let format = binary_formats().find(|format| format.name() == "pdf").unwrap();
    let mut read_at_all = 0;
    for seed in 0..PDFS {
        let bytes = pages.mutant(&mut Random::new(seed));
        assert_eq!(try_document(seed, format, &bytes), []);
        read_at_all += u64::from(read(&bytes, Trust::Tags).text.len() > 500);
    }
    assert!(read_at_all > PDFS / 2, "only {read_at_all} of {PDFS} still have text");
}

#[test]
fn office_files_changed_inside_give_a_document_or_a_notice() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/office");
    for (name, file) in [
        ("docx", "report.docx"),
        ("xlsx", "data-book.xlsx"),
        ("pptx", "results.pptx"),
        ("ods", "water.ods"),
        ("odt", "islets.odt"),
        ("epub", "birds.epub"),
    ] {
        let format = binary_formats().find(|format| format.name() == name).unwrap();
        let parts = parts(&std::fs::read(folder.join(file)).unwrap());
        assert!(parts.len() > 2, "{file}");
        for seed in 0..PDFS {
            assert_eq!(try_document(seed, format, &mutant(&parts, &mut Random::new(seed))), []);
        }
    }
}

#[test]
fn a_page_of_contents_is_not_lost_but_left_out() {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/designed/mcc-2021-cap-pages.pdf");
    let format = binary_formats().find(|format| format.name() == "pdf").unwrap();
    assert_eq!(try_document(0, format, &std::fs::read(file).unwrap()), []);
}

#[test]
fn answers_of_ocr_changed_give_a_document() {
    use sibyl_text::format::Input;
    let mut read = 0;
    for seed in 0..TEXTS {
        let bytes = answer(seed);
        assert_eq!(try_document(seed, &Hocr, &bytes), []);
        let input = Input { name: "page.hocr", bytes: &bytes, page_metadata: None };
        read += u64::from(Hocr.read(&input).text.contains("metres"));
    }
    assert!(read > TEXTS / 4, "only {read} of {TEXTS} answers can be read at all");
}

/// Documents on which a reader once failed.
#[test]
fn what_broke_a_reader_once_is_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap().flatten() {
        let bytes = std::fs::read(file.path()).unwrap();
        for format in text_formats() {
            assert_eq!(try_document(count, format, &bytes), [], "{}", file.path().display());
        }
        count += 1;
    }
    assert!(count > 0);
}

/// What `cargo xtask fuzz` kept because it reached code that nothing before it had.
#[test]
fn what_the_fuzzer_kept_is_read() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    let mut count = 0;
    for format in text_formats().chain(binary_formats()).chain([&Hocr as &dyn Format]) {
        for file in std::fs::read_dir(corpus.join(format.name())).into_iter().flatten().flatten() {
            let bytes = std::fs::read(file.path()).unwrap();
            assert_eq!(try_document(count, format, &bytes), [], "{}", file.path().display());
            count += 1;
        }
    }
    assert!(count > 100, "only {count} files are there");
}
