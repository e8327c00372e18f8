//! How the passages that were pinned look on their pages.

use super::data::{PackData, PackQuotation};
use crate::error::Result;
use crate::library::Assessing;
use sibyl_page::Picture;
use sibyl_text::Span;
use std::collections::{BTreeMap, HashMap};

/// Maximum number of characters of a quotation shown on its page; a longer one is more of a page than of a
/// passage.
const LONGEST: usize = 4_000;

/// For each quotation the strip of its page, or why it has none.
#[derive(Debug, Default)]
pub(super) struct Pictures(HashMap<Place, std::result::Result<Picture, String>>);

/// File, version of its text, page, and bytes.
type Place = (String, String, Option<u32>, usize, usize);

/// The quotations of a page by their first byte and the end of their last.
type OnPage<'a> = BTreeMap<(usize, usize), &'a PackQuotation>;

fn place(quotation: &PackQuotation) -> Place {
    (quotation.path.clone(), quotation.text_version.clone(), quotation.page, quotation.start, quotation.end)
}

impl Pictures {
    /// The picture of `quotation`, or why its page could not be drawn; `None` if it is of no page.
    pub fn of(&self, quotation: &PackQuotation) -> Option<std::result::Result<&Picture, &str>> {
        self.0.get(&place(quotation)).map(|drawn| drawn.as_ref().map_err(String::as_str))
    }
}

impl Assessing<'_> {
    /// The pictures of the pinned passages of `data` whose text is still the one that they were pinned in.
    ///
    /// # Errors
    /// Storage errors. If a page cannot be drawn, the pack says so in its place.
    pub(super) async fn pictures(&self, workspace: &str, data: &PackData) -> Result<Pictures> {
        let store = self.library.store();
        let workspace = store.workspace(workspace).await?.id;
        let documents = store.documents(workspace, None).await?;
        let pinned = data.requirements.iter().flat_map(|one| &one.cells).flat_map(|cell| &cell.quotations);
        // A passage is drawn once, however many requirements it is pinned to.
        let mut by_page: BTreeMap<(i64, u32), OnPage<'_>> = BTreeMap::new();
        for quotation in pinned.filter(|one| one.end.saturating_sub(one.start) <= LONGEST) {
            let own = documents.iter().find(|document| {
                document.path == quotation.path && document.text_version == quotation.text_version
            });
            if let Some((document, page)) = own.filter(|own| own.format == "pdf").zip(quotation.page) {
                let on_page = by_page.entry((document.id, page)).or_default();
                on_page.insert((quotation.start, quotation.end), quotation);
            }
        }
        let mut pictures = HashMap::new();
        for ((document, page), quotations) in by_page {
            let spans: Vec<Span> = quotations.keys().map(|(start, end)| Span::new(*start, *end)).collect();
            let contents = self.library.contents();
            match contents.page_strips(workspace, document, page, &spans).await {
                Ok(strips) => {
                    let drawn = quotations.values().zip(strips);
                    let drawn = drawn.filter_map(|(one, strip)| Some((place(one), Ok(strip?))));
                    pictures.extend(drawn);
                }
                Err(error) => {
                    pictures.extend(quotations.values().map(|one| (place(one), Err(error.to_string()))));
                }
            }
        }
        Ok(Pictures(pictures))
    }
}
