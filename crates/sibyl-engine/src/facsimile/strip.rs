//! Stretches of text as they look on their page.

use super::marks;
use crate::error::Result;
use crate::library::Contents;
use sibyl_page::Picture;
use sibyl_text::Span;

/// Pixels across that a page is drawn with to be printed at the width of a text.
const WIDTH: u32 = 1_100;

impl Contents<'_> {
    /// For each of `spans` of document `id`, its strip of page `page` with its lines marked; `None` if it is not
    /// on that page. The page is drawn once.
    ///
    /// # Errors
    /// As [`Contents::page_image`].
    pub(crate) async fn page_strips(
        &self,
        workspace: i64,
        id: i64,
        page: u32,
        spans: &[Span],
    ) -> Result<Vec<Option<Picture>>> {
        let (document, drawn) = self.drawn(workspace, id, page, WIDTH).await?;
        let png = drawn.png_bytes().unwrap_or_default();
        let marked: Vec<Vec<[f32; 4]>> = spans
            .iter()
            .map(|span| {
                let marks = marks(&document, page, *span).into_iter();
                marks.map(|mark| [mark.x, mark.y, mark.width, mark.height]).collect()
            })
            .collect();
        let cut = move || marked.iter().map(|marks| sibyl_page::strip(&png, marks)).collect();
        Ok(tokio::task::spawn_blocking(cut).await?)
    }
}
