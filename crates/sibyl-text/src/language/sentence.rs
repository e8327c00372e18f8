//! Where sentences end: knows abbreviations, decimals, paragraph ids and the punctuation of other scripts.
//!
//! When in doubt a sentence continues: a chunk that is a sentence longer does less harm than a split sentence.

use super::unit;
use crate::document::Span;

/// Abbreviations that never end a sentence: something always follows.
pub const LEADING: &[&str] = &[
    "al", "anm", "approx", "assoc", "bl.a", "ca", "capt", "cf", "d.v.s", "dr", "dvs", "e.g", "eg", "eds",
    "enl", "esp", "excl", "exkl", "f.d", "fr.o.m", "gen", "gov", "hon", "hr", "i.e", "ie", "incl", "inkl",
    "jfr", "lt", "m.fl", "messrs", "mr", "mrs", "ms", "mt", "ordf", "p.g.a", "pga", "prof", "rep", "resp",
    "s.k", "sen", "st", "t.ex", "t.o.m", "v", "viz", "vs", "z.b",
];
/// Those of them that are units as well, and end a sentence after a number: "4.5 Mt.", "40 st.".
const UNITS: &[&str] = &["mt", "st"];
/// Abbreviations that do not end a sentence while a number, an id or a small letter follows.
pub const NUMBERED: &[&str] = &[
    "app", "apr", "art", "arts", "aug", "avd", "avsn", "bil", "ch", "chap", "cl", "col", "dec", "doc", "ed",
    "eq", "est", "ex", "exh", "feb", "fig", "figs", "fri", "jan", "jul", "jun", "kap", "kl", "mar", "max",
    "min", "mon", "no", "nos", "nov", "nr", "o", "oct", "okt", "op", "p", "para", "paras", "pp", "prop",
    "pt", "r", "ref", "reg", "rev", "s", "sat", "sec", "sect", "sep", "sept", "sid", "st", "sun", "tab",
    "tel", "tfn", "thu", "tue", "vol", "wed",
];
/// What stands between an abbreviation and the number of a European act: "Reg. (EU) 2020/852".
const ACTS: &[&str] = &["EU", "EC", "EEC"];
/// Those of them that a letter numbers, too: "App. B".
const LETTERED: &[&str] = &["app", "art", "ex", "exh", "fig", "sec", "tab"];
/// What follows "Co." in the name of a company.
const FORMS: &[&str] = &["Ltd", "Inc", "KG", "LLC", "plc"];
/// Words that open a sentence, and are hardly ever part of a name: they end what an initial or "U.S." leaves open.
const OPENERS: &[&str] = &[
    "A", "All", "An", "And", "As", "At", "Both", "But", "Det", "Den", "Each", "For", "He", "How", "I", "If",
    "In", "It", "Its", "No", "On", "Our", "She", "So", "Such", "That", "The", "Their", "There", "These",
    "They", "This", "Those", "To", "We", "What", "When", "Where", "While", "Why", "You",
];

/// How much a block's line breaks mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    /// Lines are only wrapped; blank lines end a sentence.
    Wrapped,
    /// Every line ends a sentence (HTML, quotes).
    Meant,
}

/// The sentences of `span`, in order, without the white space between them. All other text is in one of them.
pub(crate) fn sentences(text: &str, span: Span, lines: Lines) -> Sentences<'_> {
    Sentences { text, at: span.start, end: span.end, lines }
}

/// The sentences of `span` as a reader of Markdown or plain text counts them. An item of a list begins a new one.
/// Headings, rows of tables, fences and anything under three words are none.
pub fn sentences_in(text: &str, span: Span) -> Vec<Span> {
    let mut found = Vec::new();
    let mut start = span.start;
    let mut at = span.start;
    for line in span.of(text).split_inclusive('\n') {
        let kind = line_kind(line);
        if kind != LineKind::Running {
            found.extend(sentences(text, Span::new(start, at), Lines::Wrapped));
            start = at + line.len() - line.trim_start().len();
        }
        at += line.len();
        if kind == LineKind::Other {
            start = at;
        }
    }
    found.extend(sentences(text, Span::new(start, at), Lines::Wrapped));
    found.retain(|sentence| {
        let words = sentence.of(text).split_whitespace();
        words.filter(|word| word.chars().any(char::is_alphabetic)).count() >= 3
    });
    found
}

/// Ends of the sentences of `text` in bytes, in order, before the white space that follows each.
pub fn sentence_ends(text: &str) -> Vec<usize> {
    sentences(text, Span::new(0, text.len()), Lines::Wrapped).map(|sentence| sentence.end).collect()
}

/// Whether `text` ends where a sentence does, except for what closes behind it.
pub fn ends_sentence(text: &str) -> bool {
    text.trim_end_matches(CLOSING).ends_with(['.', '!', '?', '…', '。'])
}

/// The first words of `text`, at most `most` characters, and whether they leave a sentence open. They end with a
/// sentence if one ends after seven tenths of that length, else with a word. All of a shorter text.
pub fn beginning(text: &str, most: usize) -> (&str, bool) {
    let Some((end, _)) = text.char_indices().nth(most) else { return (text, false) };
    let least = text.char_indices().nth(most * 7 / 10).map_or(0, |(at, _)| at);
    if let Some(end) = sentence_ends(text).into_iter().rfind(|at| (least..=end).contains(at)) {
        return (&text[..end], false);
    }
    let word = text[..end].rfind(char::is_whitespace).filter(|word| *word >= least);
    (text[..word.unwrap_or(end)].trim_end(), true)
}

#[derive(PartialEq, Eq)]
enum LineKind {
    /// Continues the text before it, or begins a paragraph.
    Running,
    /// Begins an item or a quotation.
    Item,
    /// Heading, row of a table or fence.
    Other,
}

fn line_kind(line: &str) -> LineKind {
    let line = line.trim_start();
    let marked = |marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
    if marked(&["# ", "## ", "### ", "#### ", "##### ", "###### ", "|", "```", "~~~"]) {
        LineKind::Other
    } else if marked(&["- ", "* ", "+ ", "> "]) {
        LineKind::Item
    } else {
        LineKind::Running
    }
}

/// Iterator over the sentences of a span.
pub(crate) struct Sentences<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    lines: Lines,
}

impl Iterator for Sentences<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let rest = &self.text[self.at..self.end];
        let start = self.at + rest.len() - rest.trim_start().len();
        if start == self.end {
            return None;
        }
        self.at = sentence_end(&self.text[..self.end], start, self.lines);
        Some(Span::new(start, start + self.text[start..self.at].trim_end().len()))
    }
}

/// First byte after the sentence that starts at `start`, before any white space.
fn sentence_end(text: &str, start: usize, lines: Lines) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while at < bytes.len() {
        let byte = bytes[at];
        if byte.is_ascii() {
            let ends = match byte {
                b'.' | b'!' | b'?' => true,
                b'\n' => {
                    let blank = bytes[at + 1..].iter().find(|b| !matches!(b, b' ' | b'\t')) == Some(&b'\n');
                    if blank || lines == Lines::Meant || starts_item(&text[start..at], &text[at + 1..]) {
                        return at;
                    }
                    false
                }
                _ => false,
            };
            if ends && let Some(end) = ended(text, start, at, at + 1, byte == b'.') {
                return end;
            }
            at += 1;
            continue;
        }
        let mark = text[at..].chars().next().unwrap_or_default();
        let after = at + mark.len_utf8();
        match mark {
            '。' | '！' | '？' | '｡' | '．' => return closers(text, after),
            '…' | '؟' | '۔' | '।' | '॥' | '።' | '։' | '‽' => {
                if let Some(end) = ended(text, start, at, after, false) {
                    return end;
                }
            }
            _ => {}
        }
        at = after;
    }
    bytes.len()
}

/// Whether the next line is an item of an enumeration that `before` leads into: "; and", then "(ii) …".
fn starts_item(before: &str, next: &str) -> bool {
    let next = next.trim_start_matches([' ', '\t']);
    let Some(inner) = next.strip_prefix('(') else { return next.starts_with(['•', '▪', '◦', '‣']) };
    let number = inner.bytes().take_while(u8::is_ascii_alphanumeric).count();
    if !(1..=5).contains(&number) || !inner[number..].starts_with(')') {
        return false;
    }
    let before = before.trim_end();
    before.ends_with([';', ':', ',', '.'])
        || [" and", " or", " och", " eller"].iter().any(|w| before.ends_with(w))
}

/// End of the sentence whose closing punctuation is at `mark..after`, if it is one.
fn ended(text: &str, start: usize, mark: usize, after: usize, dot: bool) -> Option<usize> {
    let end = closers(text, after);
    let rest = &text[end..];
    let next = rest.trim_start();
    if next.is_empty() {
        return Some(text.len());
    }
    if next.len() == rest.len() {
        return None;
    }
    if opens_item(next) {
        return Some(end);
    }
    // A small letter continues the sentence, whatever the mark: "Yahoo! is", "approx. five".
    let next = next.trim_start_matches(['"', '\'', '“', '‘', '«', '(', '[', '*', '_']);
    let first = next.chars().next()?;
    if first.is_lowercase() {
        return None;
    }
    (!dot || !abbreviated(text, start, mark, next)).then_some(end)
}

/// Whether `next` is an enumerator followed by the capital of its text: "(b) Strategy", "b) Strategy".
fn opens_item(next: &str) -> bool {
    let inner = next.strip_prefix('(').unwrap_or(next);
    let number = inner.bytes().take_while(u8::is_ascii_alphanumeric).count();
    (1..=4).contains(&number)
        && inner[number..].strip_prefix(") ").is_some_and(|words| words.starts_with(char::is_uppercase))
}

/// Whether the dot at `dot` belongs to an abbreviation, an initial or an enumerator.
fn abbreviated(text: &str, start: usize, dot: usize, next: &str) -> bool {
    let before = &text[start..dot];
    // No abbreviation is longer, so reading only this much keeps the search linear.
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(16))..];
    let word = near
        .rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '[' | '/' | '"' | '“' | '—' | '–'))
        .next();
    let word = word.unwrap_or_default().trim_start_matches(['*', '_', '>', '#']);
    let following = next.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let opener = OPENERS.contains(&following);
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (None, _) => return before.trim().is_empty(),
        (Some(only), None) if only.is_uppercase() => return !opener,
        _ => {}
    }
    // "1." or "iv." at the head of a sentence numbers it.
    if before.trim_start_matches(['-', '*', '+', '(', '#', '>', ' ']) == word && word.len() <= 4 {
        let number =
            word.chars().all(|c| c.is_ascii_digit()) || word.chars().all(|c| matches!(c, 'i' | 'v' | 'x'));
        if number {
            return true;
        }
    }
    let lower = word.to_lowercase();
    let counted = || {
        near.strip_suffix(word).is_some_and(|rest| rest.trim_end().ends_with(|c: char| c.is_ascii_digit()))
    };
    if UNITS.contains(&lower.as_str()) && counted() {
        return false;
    }
    let unit = next.split(char::is_whitespace).next().unwrap_or_default();
    let unit = unit.trim_end_matches(|c: char| c.is_ascii_punctuation() && c != '$').to_lowercase();
    // `12 Mio. €`
    if unit::scale(&lower).is_some() && unit::stands_alone(&unit) && counted() {
        return true;
    }
    if LEADING.contains(&lower.as_str()) {
        return true;
    }
    if NUMBERED.contains(&lower.as_str()) {
        let id: &str = next.split(char::is_whitespace).next().unwrap_or_default();
        let id = id.trim_end_matches(|c: char| !c.is_alphanumeric());
        let roman = id.chars().all(|c| "IVXLC".contains(c));
        let letter = LETTERED.contains(&lower.as_str()) && id.chars().count() == 1;
        let act = ACTS.contains(&id);
        return id.starts_with(['§', '#']) || id.chars().any(char::is_numeric) || roman || letter || act;
    }
    if lower == "co" {
        return FORMS.contains(&following);
    }
    // Dotted acronyms such as U.S. or S.A.: the capital that follows is more often a name than a new sentence, but
    // never behind small letters ("5 p.m. The …").
    let dotted = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_uppercase);
    word.contains('.') && word.split('.').all(dotted) && !opener
}

/// Quotation marks, brackets and emphasis that close behind the end of a sentence.
const CLOSING: [char; 12] = ['"', '\'', '”', '’', '»', ')', ']', '*', '_', '」', '』', '）'];

/// First byte after closing quotes, brackets, emphasis and repeated marks.
fn closers(text: &str, at: usize) -> usize {
    let close = |c: char| CLOSING.contains(&c) || matches!(c, '.' | '!' | '?' | '…' | '。');
    at + text[at..].len() - text[at..].trim_start_matches(close).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(text: &str) -> Vec<&str> {
        sentences(text, Span::new(0, text.len()), Lines::Wrapped).map(|s| s.of(text)).collect()
    }

    #[test]
    fn sentences_end_where_a_reader_ends_them() {
        let cases: &[&[&str]] = &[
            &["Emissions fell by 12.4 million tonnes.", "They rose before!", "Why?", "Nobody knows."],
            &["Capex came to 12,5 Mio. € and 3 Mrd. EUR.", "It cost $5 m.", "Nobody minds."],
            &["See e.g. Article 5 and No. 7 of para. 29(a)(vi).", "Then go on."],
            &["The answer is no.", "We agree."],
            &["Fig. 3 shows Dr. J. Smith of Acme Inc. and others.", "He left."],
            &["As S2.14(a)(iv) says, plan.", "(This too.)", "“Quoted.”", "End"],
            &["It is based in the U.S. Government offices.", "Next one."],
            &["1. First point.", "Second sentence."],
            &["Yahoo! is a name.", "So is approx. five."],
            &["气候风险。", "水！", "好"],
            &["كيف حالك؟", "بخير."],
            &["זו פסקה.", "זו שנייה."],
            &["Wait… what?", "Oh."],
            &["It shall:\n", "(i) plan;\n  ", "(ii) act; and\n", "(iii) report on paragraph 29\n(a)(vi)."],
            &["One\n\n", "two"],
        ];
        for case in cases {
            let text = case.join(" ");
            let expected: Vec<&str> = case.iter().map(|s| s.trim()).collect();
            assert_eq!(split(&text), expected);
        }
    }

    #[test]
    fn sentences_of_markdown_keep_items_apart_and_leave_out_what_is_none() {
        let text = "é. Skip. ## Not at\nits head here.\n\n# The plan of all\nOur plan rests on\nthree premises. Why not?\n\n\
                    - grid dates hold\n- the price stays above\n  eighty euros. It may.\n| a b c | d |\nAnd so it ends.";
        let found: Vec<&str> =
            sentences_in(text, Span::new(0, text.len())).into_iter().map(|s| s.of(text)).collect();
        assert_eq!(
            found,
            [
                "## Not at\nits head here.",
                "Our plan rests on\nthree premises.",
                "- grid dates hold",
                "- the price stays above\n  eighty euros.",
                "And so it ends.",
            ]
        );
        assert_eq!(sentences_in(text, Span::new(4, 4)), []);
    }

    #[test]
    fn a_beginning_ends_with_a_sentence_or_a_word() {
        assert_eq!(beginning("One two. Three four.", 60), ("One two. Three four.", false));
        assert_eq!(beginning("One two. Three four.", 10), ("One two.", false));
        assert_eq!(beginning("One two three four five", 16), ("One two three", true));
        assert_eq!(beginning("Onetwothreefour", 5), ("Onetw", true));
        for (text, ends) in
            [("He said “go.”", true), ("Up (so far)!*", true), ("A title", false), ("so;", false)]
        {
            assert_eq!(ends_sentence(text), ends, "{text}");
        }
    }

    proptest! {
        #[test]
        fn sentences_of_markdown_are_stretches_of_it_in_order(text in "[a-c.!? \n#|>é\\-]{0,120}") {
            let mut at = 0;
            for span in sentences_in(&text, Span::new(0, text.len())) {
                prop_assert!(at <= span.start && span.start < span.end && text.is_char_boundary(span.start));
                at = span.end;
            }
            prop_assert!(at <= text.len());
        }

        #[test]
        fn nothing_is_lost_between_sentences(text in "[a-zA-Z0-9.!? \n\"()éא水。؟]{0,120}") {
            for lines in [Lines::Wrapped, Lines::Meant] {
                let mut at = 0;
                for span in sentences(&text, Span::new(0, text.len()), lines) {
                    prop_assert!(at <= span.start && span.start < span.end);
                    prop_assert!(text[at..span.start].trim().is_empty());
                    at = span.end;
                }
                prop_assert!(text[at..].trim().is_empty());
            }
        }
    }
}
