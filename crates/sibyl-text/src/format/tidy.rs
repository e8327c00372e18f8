//! Text without what does not show.

/// Where a line of the source ends and the text goes on: a blank, but for writing that parts no words by blanks.
pub(in crate::format) const WRAPPED: char = '\u{2028}';

/// `text` of a source that wraps its lines as it likes.
pub(in crate::format) fn unwrapped(text: &str) -> String {
    let flowing = |c| match c {
        '\n' | '\r' => WRAPPED,
        '\t' | '\u{c}' => ' ',
        c => c,
    };
    text.chars().map(flowing).collect()
}

/// Whether a character is Han, Kana or a sign that goes with them: lines of them join without a blank (CSS Text 3, 4.1.3).
const fn is_wide(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30FF}' | '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF01}'..='\u{FFEF}'
        | '\u{20000}'..='\u{3FFFF}')
}

/// Lines without what does not show, without white space around them and with single spaces in them; empty lines
/// are left out.
pub(in crate::format) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n') {
        let (mut space, mut wrapped) = (false, false);
        let start = out.len();
        for c in line.chars() {
            if c.is_whitespace() {
                space = true;
                wrapped |= c == WRAPPED;
            } else if !(c.is_control() || matches!(c, '\u{AD}' | '\u{200B}' | '\u{FEFF}' | '\u{2060}')) {
                if out.len() == start && start > 0 {
                    out.push('\n');
                } else if space && out.len() > start && !(wrapped && is_wide(c) && out.ends_with(is_wide)) {
                    out.push(' ');
                }
                (space, wrapped) = (false, false);
                out.push(c);
            }
        }
    }
    out
}
