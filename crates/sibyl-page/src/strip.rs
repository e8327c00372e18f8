//! The part of a page with marked lines, as a separate picture.

use crate::Picture;
use hayro::vello_cpu::Pixmap;
use std::io::Cursor;

/// Part of the page kept above and below the marked lines, as a share of its height: about three lines.
const AROUND: f32 = 0.045;
/// Maximum extra height, so that no line of print is cut through.
const FURTHER: f32 = 0.03;
/// The colour laid over marked lines: it colours the paper, and print stays dark.
const MARKED: [u16; 3] = [214, 218, 250];

/// The strip of the page `picture` with `marks` (left, top, width, height as shares of the page), from edge to
/// edge and with the marks drawn. `None` if nothing is marked or the picture is not valid.
pub fn strip(picture: &[u8], marks: &[[f32; 4]]) -> Option<Picture> {
    let mut page = Pixmap::from_png(Cursor::new(picture)).ok()?;
    let (width, height) = (page.width(), page.height());
    let pixel = |share: f32, of: u16| (share.clamp(0.0, 1.0) * f32::from(of)) as u16;
    for [left, top, across, down] in marks {
        for y in pixel(*top, height)..pixel(top + down, height) {
            for x in pixel(*left, width)..pixel(left + across, width) {
                let mut one = page.sample(x, y);
                let laid = |value: u8, of: u16| u8::try_from(u16::from(value) * of / 255).unwrap_or(u8::MAX);
                (one.r, one.g, one.b) =
                    (laid(one.r, MARKED[0]), laid(one.g, MARKED[1]), laid(one.b, MARKED[2]));
                page.set_pixel(x, y, one);
            }
        }
    }
    let top = marks.iter().map(|mark| mark[1]).reduce(f32::min)? - AROUND;
    let bottom = marks.iter().map(|mark| mark[1] + mark[3]).reduce(f32::max)? + AROUND;
    let (top, bottom) = (pixel(top, height), pixel(bottom, height));
    if bottom <= top {
        return None;
    }
    let row = usize::from(width);
    let blank = |y: &u16| {
        let row = &page.data()[usize::from(*y) * row..(usize::from(*y) + 1) * row];
        row.iter().all(|one| *one == row[0])
    };
    let further = pixel(FURTHER, height);
    let top = (top.saturating_sub(further)..=top).rev().find(blank).unwrap_or(top);
    let last = bottom.saturating_add(further).min(height);
    let bottom = (bottom..last).find(blank).unwrap_or(bottom);
    let mut strip = Pixmap::new(width, bottom - top);
    strip.data_mut().copy_from_slice(&page.data()[usize::from(top) * row..usize::from(bottom) * row]);
    strip.recompute_may_have_transparency();
    let png = strip.into_png().ok()?;
    Some(Picture { width: u32::from(width), height: u32::from(bottom - top), png })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro::vello_cpu::color::PremulRgba8;

    #[test]
    fn a_strip_holds_the_marked_lines_and_little_else() {
        let mut page = Pixmap::new(100, 200);
        page.data_mut().fill(PremulRgba8::from_u32(u32::MAX));
        let strip =
            strip(&page.into_png().unwrap(), &[[0.2, 0.5, 0.4, 0.05], [0.2, 0.6, 0.4, 0.05]]).unwrap();
        assert_eq!((strip.width, strip.height), (100, 48));
        let shown = Pixmap::from_png(Cursor::new(&strip.png)).unwrap();
        let blue = |x, y| shown.sample(x, y).r != shown.sample(x, y).b;
        assert!(blue(30, 10) && blue(30, 30) && !blue(30, 24) && !blue(5, 10));
    }

    #[test]
    fn without_a_mark_or_a_picture_there_is_none() {
        let page = Pixmap::new(10, 10).into_png().unwrap();
        assert_eq!(strip(&page, &[]), None);
        assert_eq!(strip(b"no picture", &[[0.0, 0.0, 1.0, 1.0]]), None);
    }
}
