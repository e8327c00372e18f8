//! Draws a page of a PDF file as a picture, so that its viewer need not parse the file.

mod strip;

pub use strip::strip;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Minimum number of pixels across that a page is drawn with.
pub const NARROWEST: u32 = 100;
/// Maximum number of pixels across that a page is drawn with.
pub const WIDEST: u32 = 2_400;
/// Maximum number of pixels of a picture's height. A longer page is drawn narrower than asked.
const TALLEST: f32 = 8_000.0;

/// A page as a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// The picture as a PNG file, on white.
    pub png: Vec<u8>,
}

/// Why a page could not be drawn. The message names cause and cure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The bytes are not a PDF that can be opened.
    #[error(
        "expected a PDF that opens, found one that is damaged or asks for a password; ingest it again with its password, \
         or open it in a PDF viewer"
    )]
    Unreadable,
    /// The file has no such page.
    #[error("page {page} does not exist; the last page of the file is {pages}")]
    NoSuchPage {
        /// The requested page, from 1.
        page: u32,
        /// How many there are.
        pages: usize,
    },
    /// A font or picture in it is broken.
    #[error("page {0} contains something that cannot be drawn; open the file in a PDF viewer")]
    Broken(u32),
}

/// Draws page `page` (from 1) of the file `bytes`, `width` pixels wide; a width outside [`NARROWEST`] to
/// [`WIDEST`] is set to the nearer limit. `passwords` are tried where the file asks for one.
///
/// # Errors
/// [`DrawError`] if there is no such page or it cannot be drawn.
pub fn draw(bytes: Vec<u8>, page: u32, width: u32, passwords: &[String]) -> Result<Picture, DrawError> {
    // Parsers of fonts and pictures are not ours and the bytes are anyone's.
    catch_unwind(AssertUnwindSafe(|| picture(bytes, page, width, passwords)))
        .unwrap_or(Err(DrawError::Broken(page)))
}

fn picture(bytes: Vec<u8>, number: u32, width: u32, passwords: &[String]) -> Result<Picture, DrawError> {
    let bytes = Arc::new(bytes);
    let tried = std::iter::once("").chain(passwords.iter().map(String::as_str));
    let mut opened = tried.map(|password| Pdf::new_with_password(Arc::clone(&bytes), password));
    let pdf = opened.find_map(Result::ok).ok_or(DrawError::Unreadable)?;
    let pages = pdf.pages();
    let index = (number as usize).checked_sub(1);
    let page = index.and_then(|index| pages.get(index));
    let page = page.ok_or(DrawError::NoSuchPage { page: number, pages: pages.len() })?;
    let (across, down) = page.render_dimensions();
    let asked = width.clamp(NARROWEST, WIDEST) as f32 / across.max(1.0);
    // Room to the next whole pixel, for sizes are cut off and not rounded.
    let scale = asked.min(TALLEST / down.max(1.0)) + 0.5 / across.max(down).max(1.0);
    let pixmap = hayro::render(
        page,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &RenderSettings::default(),
        &PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE },
    );
    let (width, height) = (u32::from(pixmap.width()), u32::from(pixmap.height()));
    if width == 0 || height == 0 {
        return Err(DrawError::Broken(number));
    }
    let png = pixmap.into_png().map_err(|_| DrawError::Broken(number))?;
    Ok(Picture { width, height, png })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page of 200 by 100 points, black in its left half.
    fn half_black() -> Vec<u8> {
        let drawing = "0 0 0 rg 0 0 100 100 re f";
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R >>".to_owned(),
            format!("<< /Length {} >>\nstream\n{drawing}\nendstream", drawing.len()),
        ];
        let mut file = "%PDF-1.4\n".to_owned();
        let mut places = Vec::new();
        for (index, object) in objects.iter().enumerate() {
            places.push(file.len());
            file += &format!("{} 0 obj\n{object}\nendobj\n", index + 1);
        }
        let table = file.len();
        file += "xref\n0 5\n0000000000 65535 f \n";
        for place in places {
            file += &format!("{place:010} 00000 n \n");
        }
        file += &format!("trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n");
        file.into_bytes()
    }

    #[test]
    fn a_page_is_drawn_as_wide_as_asked_with_what_stands_on_it() {
        let picture = draw(half_black(), 1, 400, &[]).unwrap();
        assert_eq!((picture.width, picture.height), (400, 200));
        let mut reader = png_pixels(&picture);
        let left = reader.pixel(100, 100);
        let right = reader.pixel(300, 100);
        assert_eq!((left, right), ([0, 0, 0, 255], [255, 255, 255, 255]));
    }

    #[test]
    fn a_width_beyond_reason_becomes_the_nearest_within_it() {
        assert_eq!(draw(half_black(), 1, 1, &[]).unwrap().width, NARROWEST);
        assert_eq!(draw(half_black(), 1, u32::MAX, &[]).unwrap().width, WIDEST);
    }

    #[test]
    fn what_is_not_there_or_no_pdf_is_said() {
        assert_eq!(draw(half_black(), 2, 400, &[]), Err(DrawError::NoSuchPage { page: 2, pages: 1 }));
        assert_eq!(draw(half_black(), 0, 400, &[]), Err(DrawError::NoSuchPage { page: 0, pages: 1 }));
        assert_eq!(draw(b"not a PDF".to_vec(), 1, 400, &[]), Err(DrawError::Unreadable));
        assert_eq!(draw(Vec::new(), 1, 400, &[]), Err(DrawError::Unreadable));
    }

    struct Pixels(hayro::vello_cpu::Pixmap);

    fn png_pixels(picture: &Picture) -> Pixels {
        Pixels(hayro::vello_cpu::Pixmap::from_png(std::io::Cursor::new(&picture.png)).unwrap())
    }

    impl Pixels {
        fn pixel(&mut self, x: u16, y: u16) -> [u8; 4] {
            let pixel = self.0.sample(x, y);
            [pixel.r, pixel.g, pixel.b, pixel.a]
        }
    }
}
