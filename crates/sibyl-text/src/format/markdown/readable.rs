//! Markdown as it is read: without marks of emphasis, and without the breaks of a text that was wrapped by hand.

use crate::document::Span;
use pulldown_cmark::{Event, Options, Parser, Tag};

/// `markdown` without marks of emphasis, lines of one paragraph joined by a space. Headings, items, tables and code
/// keep their marks, which tell what they are.
pub fn readable(markdown: &str) -> String {
    let mut cuts: Vec<(Span, &str)> = Vec::new();
    for (event, range) in Parser::new_ext(markdown, Options::ENABLE_TABLES).into_offset_iter() {
        let span = Span::new(range.start, range.end);
        match event {
            Event::Start(Tag::Emphasis) => cuts.extend(marks(markdown, span, 1).into_iter().flatten()),
            Event::Start(Tag::Strong) => cuts.extend(marks(markdown, span, 2).into_iter().flatten()),
            Event::SoftBreak => {
                let rest = &markdown[span.end..];
                let next = rest.trim_start_matches([' ', '\t', '>']);
                if !begins_block(next) {
                    cuts.push((Span::new(span.start, markdown.len() - next.len()), " "));
                }
            }
            _ => {}
        }
    }
    cuts.sort_unstable_by_key(|(span, _)| span.start);
    let mut out = String::with_capacity(markdown.len());
    let mut at = 0;
    for (span, instead) in cuts {
        out.push_str(markdown.get(at..span.start).unwrap_or_default());
        out.push_str(instead);
        at = at.max(span.end);
    }
    out.push_str(&markdown[at..]);
    out
}

/// The marks, `width` bytes each, around emphasised words. Marks inside a word are none: `5*3*2` is a product.
fn marks(markdown: &str, span: Span, width: usize) -> Option<[(Span, &'static str); 2]> {
    let before = markdown[..span.start].chars().next_back();
    let after = markdown[span.end..].chars().next();
    if before.is_some_and(char::is_alphanumeric) || after.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let (open, close) = (span.start + width, span.end - width);
    Some([(Span::new(span.start, open), ""), (Span::new(close, span.end), "")])
}

/// Whether a line begins something of its own that Markdown has no mark for: a numbered item, a bullet, a row.
fn begins_block(line: &str) -> bool {
    if line.starts_with(['•', '|']) {
        return true;
    }
    let bare = line.strip_prefix('(').unwrap_or(line);
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(bare.len());
    let (number, rest) = bare.split_at(end);
    let digits = number.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = &number[..number.len() - digits.len()];
    let numbers = digits.len() <= 4 && digits.bytes().all(|b| b.is_ascii_digit()) && letters.len() <= 1;
    let roman = digits.is_empty() && letters.len() <= 5 && letters.chars().all(|c| "ivxIVX".contains(c));
    let closed = rest.strip_prefix(if bare.len() < line.len() { &[')'][..] } else { &['.', ')'] });
    end > 0 && (numbers || roman) && closed.is_some_and(|rest| rest.starts_with([' ', '(']))
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn marks_of_emphasis_go_and_wrapped_lines_flow() {
        let written = "**S2.2 · Covers *prospects*** *(objective)*\n\nThe filter for\nwhat must be _reported_.\n\n\
                       - **(a) Risks.** Risks fall\n  within the standard.\n\n  > quoted\n  > words";
        let read = "S2.2 · Covers prospects (objective)\n\nThe filter for what must be reported.\n\n- (a) Risks. Risks \
                    fall within the standard.\n\n  > quoted words";
        assert_eq!(readable(written), read);
        assert_eq!(readable("of the last\nyear. The next"), "of the last year. The next");
    }

    #[test]
    fn products_footnotes_tables_code_and_lists_stay() {
        for text in [
            "Emissions are 5*3*2 and a_b_c, 4 * 2 * 1.",
            "Total* of all sites.\n\n*Sweden left out.",
            "| a | b |\n| 1 | 2 |\n• no table",
            "```\n*a*\nb\n```",
            "We list\n(a) one,\n(b) two,\n1. three,\n• four",
            "# *",
            "",
        ] {
            assert_eq!(readable(text), text);
        }
    }
}
