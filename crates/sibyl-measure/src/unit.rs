//! Documents and pages as what a label names: `acme/2024.pdf` and `acme/2024.pdf#page=12`.
//!
//! A chunk answers to its document and to every page that it is on, even in part. Of the chunks that answer to one
//! label the first counts, as with the parts of a paragraph.

/// Text between the path of a document and the number of a page, as in addresses of PDF files (RFC 8118).
const PAGE: &str = "#page=";

/// A document, or a page of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Path of the document.
    pub path: String,
    /// Physical page, from 1; `None` means the whole document.
    pub page: Option<u32>,
}

impl Unit {
    /// What `id` names, if it names a document or a page.
    pub fn of(id: &str) -> Self {
        let page = id.rsplit_once(PAGE).and_then(|(path, page)| Some((path, page.parse::<u32>().ok()?)));
        match page {
            Some((path, page)) if !path.is_empty() => Self { path: path.to_owned(), page: Some(page) },
            _ => Self { path: id.to_owned(), page: None },
        }
    }

    /// The id that labels name it by.
    pub fn id(&self) -> String {
        match self.page {
            Some(page) => format!("{}{PAGE}{page}", self.path),
            None => self.path.clone(),
        }
    }

    /// Whether a chunk on `pages` of the document at `path` answers to it.
    pub fn holds(&self, path: &str, pages: Option<(u32, u32)>) -> bool {
        self.path == path
            && self.page.is_none_or(|page| pages.is_some_and(|(first, last)| (first..=last).contains(&page)))
    }

    /// Whether it contains `other`, as a document contains its pages.
    pub fn contains(&self, other: &Self) -> bool {
        self.path == other.path && (self.page.is_none() || self.page == other.page)
    }
}

/// A label that names a document or a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitLabel {
    /// Its id, as lists name it.
    pub name: String,
    /// What it names.
    pub unit: Unit,
    /// Its grade.
    pub grade: i32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_name_documents_and_pages() {
        for (id, path, page) in [
            ("acme/2024.pdf", "acme/2024.pdf", None),
            ("acme/2024.pdf#page=12", "acme/2024.pdf", Some(12)),
            ("a#page=1.md#page=3", "a#page=1.md", Some(3)),
            ("acme/2024.pdf#page=last", "acme/2024.pdf#page=last", None),
            ("#page=3", "#page=3", None),
        ] {
            let unit = Unit::of(id);
            assert_eq!((unit.path.as_str(), unit.page), (path, page));
            assert_eq!(unit.id(), id);
        }
    }

    #[test]
    fn a_chunk_answers_to_its_document_and_to_every_page_that_it_stands_on() {
        let (document, page) = (Unit::of("a.pdf"), Unit::of("a.pdf#page=4"));
        assert!(document.holds("a.pdf", None) && document.holds("a.pdf", Some((9, 9))));
        assert!(!document.holds("b.pdf", None) && !page.holds("b.pdf", Some((4, 4))));
        for (pages, holds) in
            [((4, 4), true), ((3, 4), true), ((2, 7), true), ((5, 6), false), ((1, 3), false)]
        {
            assert_eq!(page.holds("a.pdf", Some(pages)), holds, "{pages:?}");
        }
        assert!(!page.holds("a.pdf", None), "what has no pages stands on none");
        assert!(document.contains(&page) && !page.contains(&document) && page.contains(&page));
    }
}
