//! What a report says of itself: who issued it, what it is called and which year it is about. A name is taken
//! where several places of the report agree on it, and none where they leave it open.

mod alias;
mod field;
mod form;
mod issuer;
mod kind;
mod speech;

use crate::document::Document;
use kind::{is_chapter, is_report};
use serde_json::Value;

/// Words of a page from which it is text and no cover.
const COVER: usize = 150;
/// Lines of the beginning that stand for a cover where the first page is none.
const HEAD: usize = 12;
/// Words of the longest title, and of the longest line that may name one.
const LONGEST: usize = 16;
/// Signs of the longest such line, in general and in text without spaces.
const LONGEST_LINE: usize = 120;
const LONGEST_RUN: usize = 40;
/// Last words of a line that goes on in the next one.
const OPEN: [&str; 14] =
    ["and", "&", "of", "the", "for", "on", "to", "in", "und", "et", "de", "des", "y", "och"];

/// The places of a report that speak of all of it.
struct Places<'a> {
    /// The lines of its cover, or of its beginning.
    front: Vec<&'a str>,
    /// Running headers and footers, each once.
    running: Vec<&'a str>,
}

/// `document` with its title, issuer and year, as far as it says them; `file` is its name without the extension.
pub(super) fn told(mut document: Document, file: &str) -> Document {
    let Document { text, metadata, title, pages, .. } = &document;
    let running =
        metadata.get("running_text").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let running = running.iter().filter_map(Value::as_str).collect();
    let paged =
        pages.iter().find(|page| !page.span.of(text).trim().is_empty()).map(|page| page.span.of(text));
    let first = paged.filter(|page| size(page) < COVER);
    let front = match first {
        Some(page) => lines(page),
        None => lines(text).into_iter().take(HEAD).collect(),
    };
    let places = Places { front, running };
    let said = |field: &str| metadata.get(field).and_then(Value::as_str);
    let named = said("issuer")
        .or_else(|| field::of(text, &field::ISSUER))
        .map(str::to_owned)
        .or_else(|| issuer::find(text, title.as_deref(), &places, said("author"), file));
    let called = field::of(text, &field::TITLE)
        .map(str::to_owned)
        .or_else(|| called(title.as_deref(), named.as_deref(), &places, file))
        .or_else(|| opening(text))
        .or_else(|| title.clone());
    let year = (!metadata.contains_key("year"))
        .then(|| {
            let title = called.as_deref();
            let dated = title.and_then(year_of).is_some();
            let stated = || field::of(text, &field::YEAR).filter(|_| !dated).and_then(year_of);
            year(title, &places).or_else(stated).or_else(|| filed(title, file, text))
        })
        .flatten();
    let aliases = named.as_deref().map(|issuer| alias::of(text, issuer)).unwrap_or_default();
    document.title = called;
    if !aliases.is_empty() {
        document.metadata.entry("aliases").or_insert(aliases.into());
    }
    for (field, value) in [("issuer", named), ("year", year)] {
        if let Some(value) = value {
            document.metadata.entry(field).or_insert(value.into());
        }
    }
    document
}

/// Words of a text; two signs count as one where no spaces part words.
fn size(text: &str) -> usize {
    text.split_whitespace().count() + text.chars().filter(|c| is_of_run(*c)).count() / 2
}

/// Whether a sign belongs to text without spaces.
const fn is_of_run(c: char) -> bool {
    c > '\u{2e80}'
}

/// The lines of a text that hold anything.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(bare).filter(|line| !line.is_empty()).collect()
}

/// A line without the marks of Markdown and tables around it.
fn bare(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || matches!(c, '#' | '*' | '_' | '|' | '>'))
}

/// The parts of a line that signs keep apart, without page numbers.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let strong = line.split(['|', '·', '•', '\t', '│', '›', '»', '：']);
    let parts = strong.flat_map(|part| part.split(" – ")).flat_map(|part| part.split(" — "));
    let parts = parts.flat_map(|part| part.split(" - ")).flat_map(|part| part.split(": "));
    parts.map(without_page).filter(|part| part.chars().any(char::is_alphabetic))
}

/// A piece of a running line without the number of a page at one of its ends.
fn without_page(piece: &str) -> &str {
    let piece = bare(piece);
    let number = |word: &str| word.len() <= 3 && !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    match (piece.split_once(' '), piece.rsplit_once(' ')) {
        (Some((first, rest)), _) if number(first) => rest.trim(),
        (_, Some((rest, last))) if number(last) => {
            let rest = rest.trim();
            ["Page", "page", "Seite", "p."]
                .iter()
                .find_map(|word| rest.strip_suffix(word))
                .unwrap_or(rest)
                .trim()
        }
        _ => piece,
    }
}

/// The title: that of the reader where it is one of a report, else the one on the cover or in the running lines, else
/// that of the reader. One that the file is called by, or another file, counts as none.
fn called(title: Option<&str>, issuer: Option<&str>, places: &Places<'_>, file: &str) -> Option<String> {
    let kept = || title.map(str::to_owned);
    let of_file = |title: &str| {
        let signs = title.contains(['_', '-']) && !title.contains(' ');
        let called = signs && title.contains(|c: char| c.is_ascii_digit()) && !title.contains(is_of_run);
        title == file || called && !places.front.contains(&title)
    };
    // A name of an issuer may hold the word of an office.
    let of_itself = |title| issuer.map_or(title, |issuer| beside(title, issuer));
    let chapter = title.is_some_and(|title| is_chapter(of_itself(title)) && !of_file(title));
    if title.is_some_and(|title| is_report(title) && !of_file(title)) && !chapter {
        return kept();
    }
    let is_none = title.is_none_or(|title| {
        chapter || of_file(title) || issuer.is_some_and(|issuer| title.eq_ignore_ascii_case(issuer))
    });
    let of_front = places.front.iter().map(|line| {
        let title = before_chapter(line).or_else(|| beside_chapter(line));
        title.map_or((*line, false), |title| (title, true))
    });
    let of_running = places.running.iter().flat_map(|line| pieces(line)).map(|piece| (piece, true));
    let titles = of_running.chain(of_front).filter_map(|(line, runs)| {
        let named = if runs { issuer.map_or(line, |issuer| beside(line, issuer)) } else { line };
        let signs = named.chars().count();
        let short = signs <= if named.contains(is_of_run) { LONGEST_RUN } else { LONGEST_LINE };
        let whole = short
            && named.split_whitespace().count() <= LONGEST
            && !named.ends_with(['.', ':', ',', '。', '、', '：', '，']);
        let opens =
            named.chars().next().is_some_and(|c| c.is_uppercase() || c.is_numeric() || c > '\u{2e80}');
        (whole && opens && is_report(named) && !is_chapter(named))
            .then(|| (usize::from(year_of(named).is_some()), named))
    });
    let best = titles.reduce(|best, next| if next.0 > best.0 { next } else { best });
    let best = best.filter(|(dated, _)| is_none || *dated > 0).map(|(_, named)| named.to_owned());
    best.or_else(|| if is_none && !chapter { None } else { kept() })
}

/// The title among the headings with which a text begins: the only one or the second. Above the second stands the
/// name of a sheet or the number of an exhibit. One that goes on in the next heading has the words of both.
fn opening(text: &str) -> Option<String> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let heads: Vec<&str> = lines.take_while(|line| line.starts_with('#')).map(bare).collect();
    let is_open = |head: &str| {
        let last = head.split_whitespace().next_back().unwrap_or_default().to_lowercase();
        OPEN.contains(&last.as_str())
    };
    let second = usize::from(heads.len() > 1 && !is_open(heads[0]));
    let own = heads.get(second..)?;
    let end = own.iter().position(|head| !is_open(head)).map_or(own.len(), |last| last + 1);
    Some(own[..end].join(" ")).filter(|head| head.chars().any(char::is_alphabetic))
}

/// The name of a report in a running line that goes on with a chapter and the number of a page.
fn before_chapter(line: &str) -> Option<&str> {
    let page = without_page(line);
    let year = year_of(page).filter(|_| page.len() < line.len())?;
    let title = &page[..page.find(&year)? + year.len()];
    (title.len() < page.len() && is_report(title)).then_some(title)
}

/// The name of a report with its year in a line that goes on with a chapter behind a sign.
fn beside_chapter(line: &str) -> Option<&str> {
    let title = line.split_once(['·', '|'])?.0.trim();
    (is_report(title) && year_of(title).is_some()).then_some(title)
}

/// What stands in `line` beside the name of its issuer.
fn beside<'l>(line: &'l str, issuer: &str) -> &'l str {
    let trimmed = |text: &'l str| {
        text.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '’' | '\'' | '-' | '–'))
    };
    let start = line.get(..issuer.len()).is_some_and(|start| start.eq_ignore_ascii_case(issuer));
    let end = line.len().checked_sub(issuer.len()).filter(|at| line.is_char_boundary(*at));
    match end {
        _ if start => trimmed(&line[issuer.len()..]),
        Some(at) if line[at..].eq_ignore_ascii_case(issuer) => trimmed(&line[..at]),
        _ => line,
    }
}

/// The year that the report is about, if its title has none of four digits. It is the one that the title says in
/// short, the only one that the cover gives as such, or the only one beside its name in its running lines.
fn year(title: Option<&str>, places: &Places<'_>) -> Option<String> {
    if let Some((title, year)) = title.and_then(|title| Some((title, year_of(title)?))) {
        return (!title.contains(&year)).then_some(year);
    }
    let only = |mut found: Vec<String>| {
        found.sort();
        found.dedup();
        if found.len() == 1 { found.pop() } else { None }
    };
    let front = places.front.iter().filter_map(|line| stated_year(line)).collect();
    let runs = || {
        places
            .running
            .iter()
            .flat_map(|line| pieces(line))
            .filter(|piece| is_report(piece))
            .filter_map(year_of)
    };
    only(front).or_else(|| only(runs().collect()))
}

/// The only year in the name of a file that is part of no date, where the title has none and the text speaks of it.
fn filed(title: Option<&str>, file: &str, text: &str) -> Option<String> {
    let parts: Vec<&str> =
        file.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let is_day = |part: Option<&&str>| {
        part.is_some_and(|part| part.len() <= 2 && part.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut years = (0..parts.len()).filter(|at| is_year(parts[*at]));
    let at = years.next().filter(|_| years.next().is_none())?;
    let dated =
        is_day(parts.get(at + 1)) || at.checked_sub(1).is_some_and(|before| is_day(parts.get(before)));
    (title.is_none_or(|title| year_of(title).is_none()) && !dated && text.contains(parts[at]))
        .then(|| parts[at].to_owned())
}

/// The first year of a text, with the one it runs on to: `2024`, `2023/24`; `2024` of `FY24`.
fn year_of(text: &str) -> Option<String> {
    let starts = |at: usize| text[..at].chars().next_back().is_none_or(|c| !c.is_ascii_digit() && c != '.');
    let ends = |at: usize| !text[at..].starts_with(|c: char| c.is_ascii_digit());
    let year = |at: usize| text.get(at..at + 4).filter(|year| is_year(year) && starts(at) && ends(at + 4));
    if let Some(at) = text.char_indices().map(|(at, _)| at).find(|at| year(*at).is_some()) {
        let rest = &text[at + 4..];
        let own: u32 = text[at..at + 4].parse().unwrap_or_default();
        let behind = rest.strip_prefix(['/', '-', '–']).unwrap_or_default();
        let next = &behind[..behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len())];
        // In a date, a month follows.
        let dated = behind[next.len()..].starts_with('-');
        let runs_on = !dated
            && next.parse::<u32>().is_ok_and(|year| match next.len() {
                2 => year == (own + 1) % 100,
                4 => year > own,
                _ => false,
            });
        return Some(if runs_on { format!("{own}/{next}") } else { own.to_string() });
    }
    let short = |word: &str| {
        let digits = word.strip_prefix("FY")?.trim_start_matches(['’', '\'']);
        (digits.len() == 2 && digits.bytes().all(|b| b.is_ascii_digit())).then(|| format!("20{digits}"))
    };
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')')).find_map(short)
}

/// Whether four letters are a year that reports are about.
fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit()) && ("1990".."2100").contains(&text)
}

/// The year of a text that is nothing else, that says which year it speaks of, or that is called as a report is.
/// Examples: `2024`, `2023/24`, `FY 2023`, `for the year ended 31 March 2024`, `Climate report 2024`.
fn stated_year(text: &str) -> Option<String> {
    let lower = text.trim().to_lowercase();
    let marks = [
        "fiscal year",
        "financial year",
        "year ended",
        "year ending",
        "year to",
        "period ended",
        "quarter ended",
        "months ended",
        "weeks ended",
        "fy",
        "geschäftsjahr",
        "exercice",
        "ejercicio",
        "esercizio",
        "boekjaar",
        "räkenskapsår",
        "regnskabsår",
        "regnskapsår",
        "tilikausi",
    ];
    let marked = marks.iter().find_map(|mark| {
        let at = lower.find(mark)?;
        let opens = lower[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let ends = *mark == "fy" || !lower[at + mark.len()..].starts_with(char::is_alphabetic);
        let base = *mark == "year to" && lower[..at].trim_end().ends_with("base");
        (opens && ends && !base).then(|| &lower[at..])
    });
    let only = lower.chars().all(|c| c.is_ascii_digit() || "/-–年度".contains(c));
    match marked {
        Some(rest) => year_of(&rest.to_uppercase()),
        None if only || text.split_whitespace().count() <= LONGEST && is_report(text) => year_of(&lower),
        None => None,
    }
}

#[cfg(test)]
mod tests;
