//! What the format does with the real reports and with broken files.

use super::*;

const TREASURY: &[u8] =
    include_bytes!("../../../../../tests/fixtures/pdf/treasury-2022-sustainability-plan.pdf");

fn input<'a>(name: &'a str, bytes: &'a [u8]) -> Input<'a> {
    Input { name, bytes, page_metadata: None }
}

#[test]
fn is_known_by_its_bytes_whatever_it_is_called() {
    let late = [&[b'\n'; 1000][..], b"%PDF-1.7"].concat();
    assert!(Pdf.recognises(&input("report.txt", TREASURY)));
    assert!(Pdf.recognises(&input("report.bin", &late)));
    assert!(!Pdf.recognises(&input("report.pdf", b"plain text, whatever its name")));
    assert!(!Pdf.recognises(&input("report.pdf", b"")));
}

#[test]
fn a_broken_file_is_one_error_with_a_cure() {
    for bytes in [&b"%PDF-1.7"[..], b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF", &TREASURY[..200]] {
        let document = Pdf.read(&input("cut.pdf", bytes));
        assert!(document.text.is_empty());
        let notice = &document.notices[0];
        assert_eq!((notice.severity, notice.code.as_str()), (Severity::Error, "pdf_broken"));
        assert!(notice.message.contains("save"), "no cure in {:?}", notice.message);
    }
}
