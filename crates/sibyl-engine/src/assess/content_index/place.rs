//! What a cell of an index names: pages, a section, another document, an omission, or the answer itself.

/// What a column of an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Page numbers, with or without words.
    Pages,
    /// Names of places.
    Places,
    /// Reasons for omissions.
    Omissions,
    /// Answers, or where they are.
    Answers,
}

/// A place that an index names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::assess) struct Place {
    /// The part of the cell that names it.
    pub words: String,
    /// The document, if it is named.
    pub document: Option<String>,
    /// The part of that document.
    pub named: Named,
}

/// What a place is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::assess) enum Named {
    /// Printed labels of the first and the last page of each stretch.
    Pages(Vec<(String, String)>),
    /// A section by its name.
    Section(String),
    /// A document as a whole.
    Document,
    /// Nothing: it is an omission.
    LeftOut,
    /// Nothing: the cell answers itself.
    Answer,
}

/// Longest part of an answer that is searched for the name of a document, in bytes.
const SHORT: usize = 160;
/// Longest name of a section, in bytes.
const NAME: usize = 120;
/// Longest text in a column of answers that may declare an omission, in bytes.
const REASON: usize = 240;
/// Words for a page, in lower case; the longer ones first.
const MARKS: [&str; 9] = ["pages", "page", "seiten", "seite", "pgs", "pg", "pp", "p", "sida"];
/// Words before the name of a place.
const LEADS: [&str; 19] = [
    "please refer to",
    "please see",
    "refer to",
    "see also",
    "see our",
    "see the",
    "see",
    "disclosed in",
    "reported in",
    "available in",
    "described in",
    "included in",
    "cf.",
    "in our",
    "in the",
    "our",
    "the",
    "in",
    "on",
];
/// Kinds of documents that companies issue, in small letters.
const KINDS: [&str; 37] = [
    "annual and sustainability report",
    "annual report",
    "annual accounts",
    "sustainability report",
    "sustainability statement",
    "climate report",
    "climate transition plan",
    "transition plan",
    "esg report",
    "esg performance index",
    "esg data book",
    "esg databook",
    "data book",
    "databook",
    "datasheet",
    "data sheet",
    "data pack",
    "impact report",
    "integrated report",
    "tcfd report",
    "cdp climate",
    "cdp water",
    "cdp response",
    "cdp ",
    "proxy statement",
    "form 10-k",
    "10-k",
    "form 20-f",
    "20-f",
    "universal registration document",
    "corporate governance report",
    "corporate governance statement",
    "remuneration report",
    "code of conduct",
    "code of ethics",
    "modern slavery statement",
    "website",
];
/// What a cell begins with if it declares an omission.
const LEFT_OUT: [&str; 15] = [
    "not applicable",
    "n/a",
    "n.a.",
    "omitted",
    "omission",
    "not disclosed",
    "not reported",
    "not material",
    "not available",
    "not yet available",
    "information unavailable",
    "information incomplete",
    "information not available",
    "confidentiality constraints",
    "not publicly disclosed",
];
/// The same anywhere in a short answer.
const WITHHELD: [&str; 8] = [
    "information to be confidential",
    "this confidential information",
    "information confidential",
    "not publicly disclose",
    "do not disclose",
    "does not disclose",
    "do not report on",
    "does not report on",
];
/// Cells that say nothing.
const EMPTY: [&str; 8] = ["", "-", "–", "—", "none", "no", "no omission", "no omissions"];

/// The same in a column of omissions, for rows without an omission or to which the question does not apply.
const OMITS_NOTHING: [&str; 6] =
    ["n/a", "na", "n.a.", "not applicable", "no omission made", "nothing omitted"];

/// What `cell` names, in a column that `holds` such things.
pub(super) fn read(cell: &str, holds: Holds) -> Vec<Place> {
    let cell = cell.trim();
    if EMPTY.contains(&cell.to_lowercase().as_str()) {
        return Vec::new();
    }
    if holds == Holds::Omissions && OMITS_NOTHING.contains(&cell.to_lowercase().as_str()) {
        return Vec::new();
    }
    if holds == Holds::Omissions || is_left_out(cell) {
        return vec![Place { words: cell.to_owned(), document: None, named: Named::LeftOut }];
    }
    let answers = holds == Holds::Answers;
    if answers && cell.len() > SHORT && !begins_with_a_lead(cell) && !begins_with_a_dated_name(cell) {
        let pages = marked(cell);
        let named =
            if pages.is_empty() || names_document(cell) { Named::Answer } else { Named::Pages(pages) };
        return vec![Place { words: cell.to_owned(), document: None, named }];
    }
    let mut places: Vec<Place> = Vec::new();
    for part in parts(cell) {
        // Pages after a semicolon belong to the document before it.
        let before = places.last().and_then(|place| place.document.clone());
        places.extend(read_part(part, holds, before));
    }
    // An answer with a semicolon in it remains one answer.
    if places.iter().any(|place| place.named == Named::Answer) {
        return vec![Place { words: cell.to_owned(), document: None, named: Named::Answer }];
    }
    places
}

/// Pages that `text` names with a word for them, as printed.
pub(super) fn marked(text: &str) -> Vec<(String, String)> {
    let mut pages = Vec::new();
    let mut rest = text;
    while let Some((_, list)) = after_mark(rest) {
        let (found, end) = list_of_pages(list);
        pages.extend(found);
        rest = &list[end..];
    }
    pages
}

/// Pages after leaders at the end of `line`, with the text before these.
pub(super) fn behind_leaders(line: &str) -> Option<(&str, Vec<(String, String)>)> {
    let at = line.rfind(['.', '…', '·', '_'])?;
    let tail_at = at + line[at..].chars().next().map_or(1, char::len_utf8);
    let head = line[..tail_at].trim_end_matches(|c: char| ".…·_ ".contains(c));
    let leaders = &line[head.len()..tail_at];
    if leaders.chars().filter(|c| *c != ' ').count() < 3 && !leaders.contains('…') {
        return None;
    }
    let pages = bare_pages(line[tail_at..].trim())?;
    Some((head.trim_end(), pages))
}

/// The pages that `text` is a list of, and nothing else.
pub(super) fn bare_pages(text: &str) -> Option<Vec<(String, String)>> {
    let text = text.trim().trim_end_matches('.');
    let (pages, end) = list_of_pages(text);
    (!pages.is_empty() && text[end..].trim().is_empty()).then_some(pages)
}

fn is_left_out(cell: &str) -> bool {
    let lower = cell.to_lowercase();
    let begins =
        |word: &str| lower.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    cell.len() <= REASON
        && (LEFT_OUT.iter().any(|word| begins(word)) || WITHHELD.iter().any(|words| lower.contains(words)))
}

fn begins_with_a_lead(cell: &str) -> bool {
    let lower = cell.to_lowercase();
    ["see ", "refer to", "please ", "disclosed in", "reported in"].iter().any(|lead| lower.starts_with(lead))
}

/// Whether `cell` begins with the year and the kind of a document. A list of such names does, and a sentence does
/// not.
fn begins_with_a_dated_name(cell: &str) -> bool {
    let lower = cell.to_ascii_lowercase();
    let first = KINDS.iter().filter_map(|kind| lower.find(kind)).min();
    cell.starts_with(['2', 'F']) && first.is_some_and(|at| at > 0 && with_year_before(cell, at) == 0)
}

fn names_document(text: &str) -> bool {
    let lower = format!("{} ", text.to_lowercase());
    KINDS.iter().any(|kind| lower.contains(kind)) || lower.contains("http") || lower.contains("www.")
}

/// The parts of a cell that each name a place. They are separated by semicolons and lines, and by each name of a
/// document with its year.
fn parts(cell: &str) -> Vec<&str> {
    let mut all = Vec::new();
    for part in cell.split([';', '\n']) {
        let lower = part.to_ascii_lowercase();
        let mut starts: Vec<usize> = Vec::new();
        for kind in KINDS {
            for (at, _) in lower.match_indices(kind) {
                starts.push(with_year_before(part, at));
            }
        }
        starts.sort_unstable();
        let mut from = 0;
        let mut last: Option<usize> = None;
        for start in starts {
            // Names side by side, such as `Annual Report/Form 10-K`, are those of one document.
            // Without a year nothing tells where one name ends and the next begins.
            let dated = ["20", "FY"].iter().any(|year| part[start..].starts_with(year));
            let apart = |last: usize| part[last..start].split_whitespace().count() > 2;
            if dated && last.is_some_and(apart) && !part[..start].ends_with('/') {
                all.push(&part[from..start]);
                from = start;
            }
            last = Some(start);
        }
        all.push(&part[from..]);
    }
    all.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// Where a name begins whose kind is at `at`: at the year before that, if there is one.
fn with_year_before(text: &str, at: usize) -> usize {
    let before = text[..at].trim_end();
    let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let digits = word.trim_start_matches("FY");
    if digits.len() == 4 && digits.starts_with("20") && digits.bytes().all(|b| b.is_ascii_digit()) {
        before.len() - word.len()
    } else {
        at
    }
}

fn read_part(part: &str, holds: Holds, before: Option<String>) -> Option<Place> {
    let place = |document, named| Some(Place { words: part.to_owned(), document, named });
    if EMPTY.contains(&part.to_lowercase().as_str()) {
        return None;
    }
    if is_left_out(part) {
        return place(None, Named::LeftOut);
    }
    if holds != Holds::Answers
        && let Some(pages) = bare_pages(&without_brackets(part))
    {
        return place(before, Named::Pages(pages));
    }
    let pages = marked(part);
    let (head, pages) = match (pages.is_empty(), holds) {
        (false, _) => (after_mark(part).map_or(part, |(head, _)| head), pages),
        (true, Holds::Pages) => with_pages_behind(part).unwrap_or((part, pages)),
        (true, _) => (part, pages),
    };
    let tail = after_mark(part).map_or("", |(_, behind)| &behind[list_of_pages(behind).1..]);
    let of = tail.trim_start().strip_prefix("of ").or_else(|| tail.trim_start().strip_prefix("in "));
    let name = bare_name(of.filter(|of| names_document(of)).unwrap_or(head));
    let document = names_document(name).then(|| split_name(name));
    if !pages.is_empty() {
        let document = document.map(|(document, _)| document).or(if name.is_empty() { before } else { None });
        return place(document, Named::Pages(pages));
    }
    if let Some((document, section)) = document {
        return place(Some(document), section.map_or(Named::Document, Named::Section));
    }
    let led = name.len() < head.trim().len() && begins_with_a_lead(head);
    match holds {
        Holds::Answers if !led => place(None, Named::Answer),
        _ if name.len() <= NAME && (name.contains('.') || name.chars().any(char::is_alphabetic)) => {
            place(None, Named::Section(name.to_owned()))
        }
        _ => place(None, Named::Answer),
    }
}

/// `text` without the words in brackets.
fn without_brackets(text: &str) -> String {
    let mut depth = 0_usize;
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Words followed by pages without a word for these: `Our people 34–36`.
fn with_pages_behind(part: &str) -> Option<(&str, Vec<(String, String)>)> {
    let starts =
        part.char_indices().filter(|(at, c)| c.is_ascii_digit() && part[..*at].ends_with([' ', ':', ',']));
    starts.into_iter().find_map(|(at, _)| Some((&part[..at], bare_pages(&part[at..])?)))
}

/// The name of a document and, after a colon or another sign, of a part of it.
fn split_name(name: &str) -> (String, Option<String>) {
    let lower = format!("{} ", name.to_ascii_lowercase());
    let Some(kind) = KINDS.iter().filter_map(|kind| Some(lower.find(kind)? + kind.len())).max() else {
        return (name.to_owned(), None);
    };
    let mut end = kind.min(name.len());
    // The year belongs to the name.
    let year =
        name[end..].find(|c: char| !c.is_ascii_digit() && !" /FY".contains(c)).unwrap_or(name.len() - end);
    end += name[end..end + year].trim_end().len();
    let rest = name[end..].trim_start();
    let section = rest.trim_start_matches([':', ',', '–', '—', '-', '>', '|', ' ']);
    if section.len() == rest.len() || !section.chars().any(char::is_alphabetic) {
        return (name.to_owned(), None);
    }
    (name[..end].trim().to_owned(), Some(section.trim().to_owned()))
}

/// `text` without the words that lead to a name, and the marks around it.
fn bare_name(text: &str) -> &str {
    let marks = |c: char| c.is_whitespace() || ",:;.–-“”\"‘’'([>".contains(c);
    let mut name = text.trim_matches(marks);
    while let Some(lead) = LEADS.iter().find(|lead| {
        name.get(..lead.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(lead))
            && name[lead.len()..].starts_with(char::is_whitespace)
    }) {
        name = name[lead.len()..].trim_start_matches(marks);
    }
    name
}

/// The text before a word for a page that a number follows, and the text after that word.
fn after_mark(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    while let Some(start) = text[at..].find(char::is_alphabetic).map(|start| start + at) {
        let rest = &text[start..];
        let length = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
        let word = rest[..length].to_lowercase();
        let behind = rest[length..].trim_start_matches(['.', ' ', '\u{a0}', ':', '#']);
        if MARKS.contains(&word.as_str()) && label(behind).is_some_and(|(label, _)| is_sure(label)) {
            return Some((text[..start].trim_end_matches(['(', '[', ' ']), behind));
        }
        at = start + length;
    }
    None
}

/// The list of pages that `text` begins with, and where it ends.
fn list_of_pages(text: &str) -> (Vec<(String, String)>, usize) {
    let mut pages = Vec::new();
    let mut end = 0;
    let mut at = 0;
    while let Some((first, length)) = label(&text[at..]) {
        let mut to = at + length;
        let mut last = first;
        let rest = text[to..].trim_start();
        let dash = rest
            .strip_prefix(['-', '–', '—', '\u{2010}', '\u{2011}', '\u{2212}'])
            .or_else(|| rest.strip_prefix("to "));
        if let Some(behind) = dash.map(str::trim_start)
            && let Some((found, length)) = label(behind)
        {
            (last, to) = (found, text.len() - behind.len() + length);
        }
        let Some(range) = range(first, last) else { break };
        pages.push(range);
        end = to;
        let rest = text[to..].trim_start();
        let next = rest.trim_start_matches([',', '&', '/', '+']);
        let next = next.trim_start().strip_prefix("and ").unwrap_or(next).trim_start();
        let next = MARKS
            .iter()
            .find_map(|mark| {
                next.strip_prefix(mark)
                    .filter(|rest| rest.starts_with(['.', ' ']))
                    .map(|rest| rest.trim_start_matches(['.', ' ']))
            })
            .unwrap_or(next);
        if next.len() == rest.len() {
            break;
        }
        at = text.len() - next.len();
    }
    (pages, end)
}

/// A range of pages; what its last has fewer digits than its first is completed: `64–6`.
fn range(first: &str, last: &str) -> Option<(String, String)> {
    let (Ok(from), Ok(to)) = (first.parse::<u32>(), last.parse::<u32>()) else {
        return Some((first.to_owned(), last.to_owned()));
    };
    if to >= from {
        return Some((first.to_owned(), last.to_owned()));
    }
    let whole = format!("{}{last}", first.get(..first.len().checked_sub(last.len())?)?);
    (whole.parse::<u32>().ok()? > from).then(|| (first.to_owned(), whole))
}

/// The label of a page that `text` begins with, and its length: `64`, `iv`, `A-3`.
fn label(text: &str) -> Option<(&str, usize)> {
    let length = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let word = &text[..length];
    let ends = |rest: &str| {
        let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '%');
        let number =
            rest.strip_prefix(['.', ',']).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        !goes_on && (!number || !is_long(rest))
    };
    let digits = !word.is_empty() && word.len() <= 4 && word.bytes().all(|b| b.is_ascii_digit());
    let year = word.len() == 4 && (word.starts_with("19") || word.starts_with("20"));
    let roman = !word.is_empty() && word.len() <= 6 && word.bytes().all(|b| b"ivxl".contains(&b));
    if (digits && !year && !word.starts_with('0')) || roman {
        return ends(&text[length..]).then_some((word, length));
    }
    // A letter and a number, as of an appendix.
    let number = text.strip_prefix(|c: char| c.is_ascii_uppercase())?.strip_prefix('-')?;
    let count = number.bytes().take_while(u8::is_ascii_digit).count();
    ((1..=3).contains(&count) && ends(&number[count..])).then(|| (&text[..2 + count], 2 + count))
}

/// Whether `.` or `,` and the digits after it continue a number, as in `12.5` and `1,234`: a list has a space
/// there.
fn is_long(rest: &str) -> bool {
    rest.starts_with('.') || rest[1..].bytes().take_while(u8::is_ascii_digit).count() == 3
}

/// Whether a label after a word for a page is certainly that of a page.
fn is_sure(label: &str) -> bool {
    label.bytes().any(|b| b.is_ascii_digit()) || label.len() > 1 || label == "v" || label == "x"
}
