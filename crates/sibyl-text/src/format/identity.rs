//! What a report says of itself: who issued it, what it is called and which year it is about. A name is taken
//! where several places of the report agree on it, and none where they leave it open.

mod alias;
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
        .map(str::to_owned)
        .or_else(|| issuer::find(text, title.as_deref(), &places, said("author"), file));
    let called = called(title.as_deref(), named.as_deref(), &places, file).or_else(|| opening(text));
    let called = called.or_else(|| title.clone());
    let year = (!metadata.contains_key("year"))
        .then(|| year(called.as_deref(), &places).or_else(|| filed(called.as_deref(), file, text)))
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

/// The title among the headings with which a text begins: the second, as the name of a sheet or the number of an exhibit
/// stands over it, or the only one. One that goes on in the next heading has the words of both.
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

/// The year that the report is about, where its title has none of four digits: the one that it says in short, the only one
/// that its cover gives as such, or the only one beside the name of the report in its running lines.
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

/// The year of a text that is nothing else, that says of which year it speaks, or that is called as a report is: `2024`,
/// `2023/24`, `FY 2023`, `for the year ended 31 March 2024`, `Climate report 2024`.
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
mod tests {
    use super::*;
    use crate::document::{Page, Span};
    use serde_json::json;

    /// Title, issuer and year of a text with running lines.
    fn said(title: Option<&str>, running: &[&str], text: &str) -> [Option<String>; 3] {
        let metadata = json!({ "running_text": running }).as_object().cloned().unwrap_or_default();
        let title = title.map(str::to_owned);
        let told = told(Document { text: text.to_owned(), title, metadata, ..Document::default() }, "file-7");
        let field = |name: &str| told.metadata.get(name).and_then(Value::as_str).map(str::to_owned);
        [told.title.clone(), field("issuer"), field("year")]
    }

    #[test]
    fn a_running_line_names_title_issuer_and_year_of_an_excerpt() {
        let text = "# How we are governed\n\nThe board of Corvane meets six times a year and hears the committee each time.";
        for (line, title, issuer) in [
            (
                "Corvane Energy Networks | Integrated Report 2024",
                "Integrated Report 2024",
                "Corvane Energy Networks",
            ),
            (
                "12 Corvane Glass N.V. Environmental Report 2024",
                "Environmental Report 2024",
                "Corvane Glass N.V.",
            ),
            (
                "Corvane S.A. – Estado de información no financiera 2024",
                "Estado de información no financiera 2024",
                "Corvane S.A.",
            ),
            ("ESG Data Book FY24 · Corvane Coatings plc", "ESG Data Book FY24", "Corvane Coatings plc"),
            (
                "Corvane Textil AG   Nachhaltigkeitsbericht 2023/24",
                "Nachhaltigkeitsbericht 2023/24",
                "Corvane Textil AG",
            ),
        ] {
            let found = said(Some("How we are governed"), &[line], text);
            assert_eq!([found[0].as_deref(), found[1].as_deref()], [Some(title), Some(issuer)], "{line}");
        }
    }

    #[test]
    fn a_title_that_a_report_has_stays() {
        let running = ["Corvane plc | Annual Report 2024"];
        assert_eq!(
            said(Some("Climate statement"), &running, "Text.")[0].as_deref(),
            Some("Climate statement")
        );
        // Without a year it may be the name of a chapter.
        let running = ["Corvane plc | Report of the board"];
        assert_eq!(
            said(Some("Building what lasts"), &running, "Text.")[0].as_deref(),
            Some("Building what lasts")
        );
    }

    #[test]
    fn the_name_of_a_chapter_yields_to_that_of_the_report() {
        let running = ["Corvane plc | Annual Report and Accounts 2024"];
        let title = |title: &str, running: &[&str], text: &str| said(Some(title), running, text)[0].clone();
        let chapter = "Chief Executive’s review";
        assert_eq!(title(chapter, &running, "Text.").as_deref(), Some("Annual Report and Accounts 2024"));
        let text = "Corvane plc Annual Report and Accounts 2024 Strategic report 14\n\nText.";
        let found = said(Some(chapter), &[], text);
        assert_eq!(found[0].as_deref(), Some("Annual Report and Accounts 2024"));
        assert_eq!(title(chapter, &[], "# Glass\n\n## Sand\n").as_deref(), Some(chapter));
        let text = "# Results by segment\n\nCorvane Glass Inc.\n\n# Form 10-K\n\nText.";
        assert_eq!(title("Results by segment", &[], text).as_deref(), Some("Form 10-K"));
        assert_eq!(title("Annual results", &[], text).as_deref(), Some("Annual results"));
        assert_eq!(title("Results 2024", &[], text).as_deref(), Some("Results 2024"));
    }

    #[test]
    fn a_title_goes_on_in_the_next_heading() {
        let text = "# Exhibit 9\n\n# DISCUSSION OF FINANCIAL CONDITION AND\n\n# RESULTS OF OPERATIONS\n\n# Corvane Inc.\n\nText.";
        assert_eq!(
            said(None, &[], text)[0].as_deref(),
            Some("DISCUSSION OF FINANCIAL CONDITION AND RESULTS OF OPERATIONS")
        );
    }

    #[test]
    fn a_year_in_short_is_told_in_full() {
        let [title, _, year] = said(Some("ESG report FY24"), &[], "Text.");
        assert_eq!((title.as_deref(), year.as_deref()), (Some("ESG report FY24"), Some("2024")));
        assert_eq!(said(Some("ESG report 2024"), &[], "Text.")[2], None);
    }

    #[test]
    fn a_file_without_a_title_takes_the_one_it_begins_with() {
        for title in [None, Some("file-7"), Some("CORVANE QUARRIES LIMITED")] {
            let text = "CORVANE QUARRIES LIMITED\n\nDirectors' Report and Financial Statements\n\nfor the year ended 31 March 2024\n\nText.";
            let found = said(title, &[], text);
            let [title, issuer, year] = found.each_ref().map(Option::as_deref);
            assert_eq!(title, Some("Directors' Report and Financial Statements"));
            assert_eq!((issuer, year), (Some("CORVANE QUARRIES LIMITED"), Some("2024")));
        }
    }

    #[test]
    fn a_title_that_is_the_name_of_a_file_is_none() {
        let text = "# Cover\n\n## Energy of our mills\n\nText.";
        for title in ["file-7", "crv-2024_d2", "other_file-2024-databook"] {
            assert_eq!(said(Some(title), &[], text)[0].as_deref(), Some("Energy of our mills"), "{title}");
        }
        assert_eq!(said(Some("file-7"), &[], "Text.")[0].as_deref(), Some("file-7"));
        assert_eq!(said(Some("Mills"), &[], text)[0].as_deref(), Some("Mills"));
    }

    #[test]
    fn a_title_with_a_chapter_beside_it_ends_before_that() {
        let text = "# Corvane S.A.\n\n## Libro de datos 2024 · Medio ambiente\n\nText.";
        assert_eq!(said(Some("Plantilla"), &[], text)[0].as_deref(), Some("Libro de datos 2024"));
    }

    #[test]
    fn the_name_of_a_file_tells_the_year_that_its_text_speaks_of() {
        let year = |file: &str, title: &str| {
            let text = "# Climate risks\n\nIn 2023 we began. In 2021 we had not.".to_owned();
            let document = Document { text, title: Some(title.to_owned()), ..Document::default() };
            told(document, file).metadata.get("year").and_then(Value::as_str).map(str::to_owned)
        };
        for file in ["corvane-2023-risks", "corvane 10k 2023 exhibit 99"] {
            assert_eq!(year(file, "Climate risks").as_deref(), Some("2023"), "{file}");
        }
        for file in ["corvane-2022", "corvane-2021-2023", "corvane-2023-04-11", "20230411", "file-7"] {
            assert_eq!(year(file, "Climate risks"), None, "{file}");
        }
        assert_eq!(year("corvane-2023", "Climate report 2021"), None);
    }

    #[test]
    fn a_cover_is_the_first_page_where_it_has_few_words() {
        let text = "Corvane Mühlen SE\n\n2023\n\nWe mill in 2019 and 2024.";
        let page = |number, span| Page { number, label: None, span, size: None, regions: Vec::new() };
        let pages = vec![page(1, Span::new(0, 26)), page(2, Span::new(26, text.len()))];
        let document = Document { text: text.to_owned(), pages, ..Document::default() };
        assert_eq!(told(document, "").metadata["year"], "2023");
    }

    #[test]
    fn text_without_spaces_names_them_as_well() {
        for (line, issuer) in [
            ("水沢精密工業株式会社 サステナビリティレポート2024", "水沢精密工業株式会社"),
            ("临海陶瓷股份有限公司 2024年环境绩效表", "临海陶瓷股份有限公司"),
        ] {
            let [title, found, _] = said(None, &[], line);
            assert_eq!(found.as_deref(), Some(issuer));
            assert!(title.is_some_and(|title| title.contains("2024")));
        }
    }

    #[test]
    fn a_year_counts_where_it_stands_alone_or_is_called_one() {
        for (text, year) in [
            ("2024", Some("2024")),
            ("2023/24", Some("2023/24")),
            ("FY2023", Some("2023")),
            ("FY24 results", Some("2024")),
            ("FY’24 results", Some("2024")),
            ("Financial year ended 2024-03-31", Some("2024")),
            ("For the year ended 31 March 2024", Some("2024")),
            ("Environmental declaration 2024", Some("2024")),
            ("For the quarterly period ended June 29, 2024", Some("2024")),
            ("Data for the year to 31 December 2024, published on 28 March 2025", Some("2024")),
            ("Boekjaar 2024", Some("2024")),
            ("Published in May 2024", None),
            ("Net zero by 2050", None),
        ] {
            assert_eq!(stated_year(text).as_deref(), year, "{text}");
        }
    }
}
