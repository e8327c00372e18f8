//! Text that is laid unseen over the pictures of a printed page, where OCR read what is no writing, and text that is struck
//! through. Both keep their place until the text around them is laid out.

use super::block::{Block, Form};
use super::geometry::{Rect, bounds};
use super::line::Line;
use super::word::Word;

/// Share of a page's letters from which its unseen text is that of a scan: it is all that the page has.
const SCAN: f32 = 0.5;
/// Share of a page's letters from which its text is a layer over a scan.
const LAYER: f32 = 0.9;
/// Distance from which words that follow each other are of different pictures (in letter sizes).
const APART: f32 = 5.0;
/// Share of odd words from which a text is no writing.
const ODD: f32 = 1.0 / 3.0;
/// Letters of a word from which it has a vowel.
const VOWEL: usize = 3;

/// The words of a page, of which only those stay unseen that are certainly no writing. Words without letters part
/// nothing and are left out. What is left of writing in a picture stands between the text around it until that is
/// laid out.
pub(super) fn told(mut words: Vec<Word>) -> Vec<Word> {
    let letters = |unseen: bool| -> usize {
        words.iter().filter(|word| word.unseen || !unseen).map(|word| word.text.len()).sum()
    };
    let unseen = letters(true);
    let scan = unseen as f32 >= SCAN * letters(false) as f32;
    for run in words.chunk_by_mut(|last, next| last.unseen && next.unseen && !apart(last, next)) {
        let hollow = run.iter().all(|word| !says_something(word));
        let rubbish = !scan && (hollow || is_rubbish(run));
        run.iter_mut().for_each(|word| word.unseen &= rubbish);
    }
    words.retain(|word| !word.unseen || says_something(word));
    words
}

/// Whether the text of a page with `images` is a layer that OCR laid over a scan: it is drawn without ink, and they fill most
/// of the page.
pub(super) fn is_layer(words: &[Word], images: &[Rect], (width, height): (f32, f32)) -> bool {
    let letters = |unseen: bool| -> usize {
        words.iter().filter(|word| word.unseen || !unseen).map(|word| word.text.len()).sum()
    };
    let pictured: f32 = images.iter().map(|image| image.width() * image.height()).sum();
    let unseen = letters(true);
    unseen > 0 && unseen as f32 >= LAYER * letters(false) as f32 && pictured >= SCAN * width * height
}

/// Whether so many of the words of a layer are none that it was read poorly.
pub(super) fn is_poor(words: &[Word]) -> bool {
    let long = words.iter().filter(|word| word.text.chars().filter(|c| c.is_alphabetic()).count() >= VOWEL);
    let (all, odd) =
        long.fold((0, 0), |(all, odd), word| (all + 1, odd + usize::from(is_misread(&word.text))));
    all > 0 && odd as f32 >= ODD * all as f32
}

/// Whether OCR misread a word: no language writes it so, or a digit or a stop stands among its small letters.
fn is_misread(text: &str) -> bool {
    let signs: Vec<char> = text.trim_matches(|c: char| ".,;:()%'’\"“”".contains(c)).chars().collect();
    let small = |c: Option<&char>| c.is_some_and(|c| c.is_lowercase());
    let stray = |(at, c): (usize, &char)| {
        let before = at.checked_sub(1).and_then(|at| signs.get(at));
        let after = signs.get(at + 1);
        let strange = c.is_ascii_digit() || "!;:|~,".contains(*c);
        strange && (small(before) && small(after) || at == 0 && small(after))
    };
    is_odd(text) || signs.iter().enumerate().any(stray)
}

fn says_something(word: &Word) -> bool {
    word.text.chars().any(char::is_alphanumeric)
}

/// The same blocks without words that are unseen or struck through.
pub(super) fn stripped(mut blocks: Vec<Block>) -> Vec<Block> {
    for block in &mut blocks {
        strip(&mut block.lines);
        if let Form::Table(table) = &mut block.kind {
            table.rows.iter_mut().flatten().for_each(strip);
        } else if let Some(rect) = bounds(block.lines.iter().map(|line| &line.rect)) {
            block.rect = rect;
        }
    }
    blocks.retain(|block| matches!(block.kind, Form::Table(_)) || !block.lines.is_empty());
    blocks
}

fn strip(lines: &mut Vec<Line>) {
    let gone = |word: &Word| word.unseen || word.struck;
    for line in lines.iter_mut().filter(|line| line.words.iter().any(gone)) {
        line.words.retain(|word| !gone(word));
        line.rect = bounds(line.words.iter().map(|word| &word.rect)).unwrap_or(line.rect);
    }
    lines.retain(|line| !line.words.is_empty());
}

fn apart(last: &Word, next: &Word) -> bool {
    let gap = last.rect.overlap_x(&next.rect).min(last.rect.overlap_y(&next.rect));
    -gap > APART * last.size.max(next.size)
}

/// Whether so many of the words that could be told are odd that the text is no writing.
fn is_rubbish(run: &[Word]) -> bool {
    let told = |word: &&Word| word.unseen && word.text.chars().count() > 1;
    let count = run.iter().filter(told).count();
    let odd = run.iter().filter(told).filter(|word| is_odd(&word.text)).count();
    count > 0 && odd as f32 >= ODD * count as f32
}

/// Whether no language writes a word so: it has no letter or digit, signs or digits among its small letters, or no vowel.
fn is_odd(text: &str) -> bool {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    if text.is_empty() {
        return true;
    }
    let signs: Vec<char> = text.chars().collect();
    let small = |c: char| c.is_ascii_lowercase();
    let among = |three: &[char]| {
        three[1].is_ascii_digit() && small(three[0]) && small(three[2])
            || "$~•|\\^*<>{}[]\"·".contains(three[1])
    };
    let word = text.chars().skip(1).all(small) && signs[0].is_ascii_alphabetic();
    let address = text.contains("://") || text.contains('@');
    let mute =
        word && signs.len() >= VOWEL && !text.to_ascii_lowercase().contains(['a', 'e', 'i', 'o', 'u', 'y']);
    !address && (mute || signs.windows(3).any(among))
}
