//! Labels printed on pages, besides their physical numbers.

use super::{Document, Page};

impl Page {
    /// The label printed on it, if that is not its number.
    pub fn own_label(&self) -> Option<&str> {
        self.label.as_deref().filter(|label| *label != self.number.to_string())
    }
}

impl Document {
    /// The label printed on physical page `number`, if that is not its number.
    pub fn label_of(&self, number: u32) -> Option<String> {
        let page = self.pages.iter().find(|page| page.number == number)?;
        page.own_label().map(str::to_owned)
    }

    /// The labels printed for the first and the last of these physical pages; `None` if they are their numbers.
    pub fn labels_of(&self, pages: (u32, u32)) -> Option<(String, String)> {
        labels(pages, self.label_of(pages.0), self.label_of(pages.1))
    }
}

/// The labels of the first and last of `pages`, if at least one of them has a label; the other is given by its
/// number.
pub fn labels(pages: (u32, u32), first: Option<String>, last: Option<String>) -> Option<(String, String)> {
    let known = first.is_some() || last.is_some();
    known.then(|| (first.unwrap_or_else(|| pages.0.to_string()), last.unwrap_or_else(|| pages.1.to_string())))
}

/// Physical pages in the form of a citation, with their printed labels if those differ: `12`, `12 (iv)` or, with
/// `–` as `dash`, `12–14 (iv–vi)`.
pub fn cited((first, last): (u32, u32), labels: Option<&(String, String)>, dash: &str) -> String {
    let stretch = |first: &str, last: &str| {
        if first == last { first.to_owned() } else { format!("{first}{dash}{last}") }
    };
    let pages = stretch(&first.to_string(), &last.to_string());
    match labels {
        Some((first, last)) => format!("{pages} ({})", stretch(first, last)),
        None => pages,
    }
}

/// A physical page in the form of a citation, with its printed label if that differs: `12` or `12 (iv)`.
pub fn cited_page(page: u32, label: Option<&str>) -> String {
    let labels = label.map(|label| (label.to_owned(), label.to_owned()));
    cited((page, page), labels.as_ref(), "")
}

/// How sure OCR was of what it read, as shown beside a cited page; `confidence` is a mean from 0 to 100.
pub fn read_by_ocr(confidence: u64) -> String {
    format!("(read by OCR, {confidence}% confidence)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;

    fn document(labels: &[Option<&str>]) -> Document {
        let page = |(label, number): (&Option<&str>, u32)| Page {
            number,
            label: label.map(str::to_owned),
            span: Span::new(0, 0),
            size: None,
            regions: Vec::new(),
        };
        Document { pages: labels.iter().zip(1..).map(page).collect(), ..Document::default() }
    }

    fn cite(document: &Document, pages: (u32, u32)) -> String {
        cited(pages, document.labels_of(pages).as_ref(), "–")
    }

    #[test]
    fn labels_stand_beside_physical_pages_where_they_differ() {
        let document = document(&[Some("i"), Some("ii"), Some("1"), Some("4"), None]);
        let cases =
            [((1, 1), "1 (i)"), ((1, 2), "1–2 (i–ii)"), ((3, 3), "3 (1)"), ((4, 4), "4"), ((5, 5), "5")];
        for (pages, expected) in cases {
            assert_eq!(cite(&document, pages), expected);
        }
    }

    #[test]
    fn a_page_whose_label_is_its_number_is_called_by_it() {
        assert_eq!(cite(&document(&[Some("i"), Some("2")]), (1, 2)), "1–2 (i–2)");
    }

    #[test]
    fn two_pages_with_one_label_are_called_by_it_once() {
        assert_eq!(cite(&document(&[Some("Annex"), Some("Annex")]), (1, 2)), "1–2 (Annex)");
    }
}
