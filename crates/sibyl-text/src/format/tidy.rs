//! Text without what does not show.

/// Lines without what does not show, without white space around them and with single spaces in them; empty lines
/// are left out.
pub(in crate::format) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split('\n') {
        let mut space = false;
        let start = out.len();
        for c in line.chars() {
            if c.is_whitespace() || c == '\u{2028}' {
                space = true;
            } else if !(c.is_control() || matches!(c, '\u{AD}' | '\u{200B}' | '\u{FEFF}' | '\u{2060}')) {
                if out.len() == start && start > 0 {
                    out.push('\n');
                } else if space && out.len() > start {
                    out.push(' ');
                }
                space = false;
                out.push(c);
            }
        }
    }
    out
}
