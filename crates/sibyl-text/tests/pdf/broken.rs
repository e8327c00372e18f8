//! Bytes that were damaged on the way: never a panic, never a hang.

use crate::made;
use crate::read;

/// A small deterministic generator (Numerical Recipes' linear congruence), so that every run meets the same bytes.
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Changes a few bytes, or cuts, doubles or drops a stretch.
fn mutate(bytes: &[u8], noise: &mut Noise) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for _ in 0..=noise.below(6) {
        // The signature at the start stays, so that the file still counts as a PDF.
        let at = 8 + noise.below(out.len() - 8);
        let length = noise.below(200).min(out.len() - at);
        match noise.below(6) {
            0 => out.truncate(at.max(20)),
            1 => {
                let copy = out[at..at + length].to_vec();
                out.splice(at..at, copy);
            }
            2 => drop(out.drain(at..at + length)),
            3 => out[at] = noise.below(256) as u8,
            4 => out[at] = b"0123456789()<>[]/ -."[noise.below(20)],
            _ => out.splice(at..at, b"99999999999".iter().copied()).for_each(drop),
        }
        if out.len() <= 20 {
            break;
        }
    }
    out
}

fn survive(bytes: &[u8], rounds: usize) {
    let mut noise = Noise(42);
    let mut with_text = 0;
    for _ in 0..rounds {
        let document = read(&mutate(bytes, &mut noise));
        assert!(!document.text.is_empty() || !document.notices.is_empty(), "empty without a word");
        with_text += usize::from(!document.text.is_empty());
    }
    assert!(with_text * 4 > rounds, "only {with_text} of {rounds} damaged files gave text");
}

#[test]
fn a_file_that_is_cut_off_says_so() {
    let whole = made::report(3).bytes();
    let document = read(&whole);
    assert!(document.notices.is_empty(), "{:?}", document.notices);
    let directory = whole.windows(5).position(|window| window == b"xref\n").unwrap();
    let cut = read(&whole[..directory]);
    assert_eq!(cut.text, document.text, "what is there is read");
    let [notice] = cut.notices.as_slice() else { panic!("{:?}", cut.notices) };
    assert_eq!(notice.code, "pdf_cut_off");
    assert!(notice.message.contains("3 pages could be read"), "{}", notice.message);
}

#[test]
fn damaged_plain_files_are_survived() {
    survive(&made::report(3).bytes(), 400);
}

#[test]
fn damaged_compressed_files_are_survived() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/fixtures/pdf/treasury-2022-sustainability-plan.pdf"
    );
    survive(&std::fs::read(path).unwrap(), 60);
}

#[test]
fn forms_that_draw_each_other_end() {
    use crate::writer::{File, Page};
    let form = "<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /Length 36 /Resources << /XObject << /A 5 0 R /B 6 0 R >> >> >>\nstream\n/A Do /B Do /A Do /B Do /A Do /B Do \nendstream";
    let page = Page::default().text(50.0, 100.0, 10.0, "Before the forms.").raw("/A Do");
    let page = page.resources("/XObject << /A 5 0 R >>");
    let document = read(&File::default().page(page).object(form).object(form).bytes());
    assert!(document.text.starts_with("Before the forms."));
}
