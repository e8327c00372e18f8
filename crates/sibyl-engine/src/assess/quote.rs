//! A quote that a program gives as evidence, and where it stands in the report. One that does not stand there is refused.

use crate::anchor::{find, places};
use crate::error::{Error, Result};
use crate::standing::{At, around, units};
use crate::store::table::document::DocumentRow;
use crate::store::table::program_proposal::ProposedQuote;
use crate::store::table::review::PinnedPassage;
use serde::{Deserialize, Serialize};
use sibyl_text::document::SourceNow;
use sibyl_text::{Document, Span};
use ts_rs::TS;

/// Longest quote, in characters.
const LONGEST: usize = 2_000;
/// Characters of a quote that an error repeats.
const TOLD: usize = 120;

/// Words of a report as a program quotes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct QuoteGiven {
    /// The words, exactly as the report has them; white space does not count.
    pub quote: String,
    /// Physical page that they stand on, from 1; where the report has them once, it need not be named.
    #[serde(default)]
    #[ts(optional)]
    pub page: Option<u32>,
    /// Chunk that they stand in, in place of the page.
    #[serde(default)]
    #[ts(optional)]
    pub chunk_id: Option<String>,
}

/// A document of a report with its text.
pub(super) type Read = (DocumentRow, Document);

/// Row id of a document, and stretches of its text.
pub(super) type Stretches = (i64, Vec<Span>);

/// `given` with its place in `documents`, which are those of `report`; `chunk` is where the chunk stands that it names.
///
/// # Errors
/// [`Error::Invalid`] where the words do not stand there, or at several places of which none is named.
pub(super) fn placed(
    report: &str,
    documents: &[Read],
    given: &QuoteGiven,
    chunk: Option<&Stretches>,
) -> Result<ProposedQuote> {
    let quote = given.quote.trim();
    let told = told(quote);
    if !quote.chars().any(char::is_alphanumeric) || quote.chars().count() > LONGEST {
        return Err(Error::Invalid(format!(
            "a quote has words, and at most {LONGEST} characters; quote a sentence or a row of a table, not “{told}”"
        )));
    }
    let mut found: Vec<(&Read, Span)> = Vec::new();
    for read in documents {
        let text = &read.1.text;
        let whole = places(text, quote).into_iter().filter(|span| is_whole(text, *span));
        found.extend(whole.map(|span| (read, span)));
    }
    if found.is_empty() {
        return Err(Error::Invalid(format!(
            "the quote “{told}” does not stand in the report `{report}`: quote whole words exactly as the report has \
             them, without leaving anything out, or leave the quote out"
        )));
    }
    let on_page = |(read, span): &(&Read, Span)| {
        let pages = read.1.pages_of(*span);
        given.page.is_none_or(|page| pages.is_some_and(|(first, last)| (first..=last).contains(&page)))
    };
    let in_chunk = |(read, span): &(&Read, Span)| {
        chunk
            .is_none_or(|(document, own)| read.0.id == *document && own.iter().any(|one| one.overlaps(*span)))
    };
    let wanted: Vec<&(&Read, Span)> = found.iter().filter(|one| on_page(one) && in_chunk(one)).collect();
    let Some((read, span)) = wanted.first() else {
        return Err(Error::Invalid(format!(
            "the quote “{told}” does not stand there; in the report `{report}` it stands {}: name that place",
            places_told(&found)
        )));
    };
    if wanted.len() > 1 && given.page.is_none() && chunk.is_none() {
        return Err(Error::Invalid(format!(
            "the quote “{told}” stands in the report `{report}` {} times, {}: name its `page` or its `chunk_id`, or quote \
             more",
            wanted.len(),
            places_told(&found)
        )));
    }
    Ok(quoted(read, *span))
}

/// `span` of a document as a quote.
fn quoted((row, document): &Read, span: Span) -> ProposedQuote {
    let (before, after) = around(&document.text, At::Bytes(span));
    let page = document.pages_of(span).map(|(first, _)| first);
    let label = page.and_then(|page| document.pages.iter().find(|one| one.number == page)?.label.clone());
    let pin = PinnedPassage {
        text_version: row.text_version.clone(),
        path: row.path.clone(),
        start: span.start,
        end: span.end,
        quote: span.of(&document.text).to_owned(),
        before: before.to_owned(),
        after: after.to_owned(),
        page,
        page_label: label.filter(|label| page.is_none_or(|page| *label != page.to_string())),
        ocr: document.recognition.as_ref().and_then(|read| read.confidence(span)),
        source: None,
    };
    ProposedQuote { document_id: row.id, span: units(&document.text, span), pin }
}

/// Where `quote` stands now, and how: `documents` are those that the report has now. `None` where it stands nowhere.
pub(super) fn found_again(quote: &ProposedQuote, documents: &[Read]) -> Option<ProposedQuote> {
    let PinnedPassage { path, quote: words, before, after, .. } = &quote.pin;
    let (same, others): (Vec<&Read>, Vec<&Read>) = documents.iter().partition(|(row, _)| row.path == *path);
    same.into_iter().chain(others).find_map(|read| {
        let span = find(&read.1.text, words, before, after)?;
        is_whole(&read.1.text, span).then(|| quoted(read, span))
    })
}

/// How the source of `quote` stands, which is not the text that it was taken from any more.
pub(super) fn standing(quote: &ProposedQuote, documents: &[Read]) -> SourceNow {
    match found_again(quote, documents) {
        Some(now) => SourceNow {
            changed: true,
            document_id: Some(now.document_id),
            range: Some(now.span),
            kept: false,
        },
        None => {
            let same = documents.iter().find(|(row, _)| row.path == quote.pin.path).or(documents.first());
            let document_id = same.map(|(row, _)| row.id);
            SourceNow { changed: true, document_id, range: None, kept: false }
        }
    }
}

/// Whether `span` of `text` begins and ends between words and numbers: “5 euros” of “55 euros” or “1.5 euros” says
/// something else.
fn is_whole(text: &str, span: Span) -> bool {
    let quote = span.of(text);
    let mut before = text[..span.start].chars().rev();
    let mut after = text[span.end..].chars();
    let neighbours = (before.next(), before.next());
    let following = (after.next(), after.next());
    let alphanumeric = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let digit = |c: Option<char>| c.is_some_and(char::is_numeric);
    let (first, last) = (quote.chars().next(), quote.chars().next_back());
    let within_number = |near: (Option<char>, Option<char>)| {
        near.0.is_some_and(|c| matches!(c, '.' | ',' | '\'' | '’')) && digit(near.1)
    };
    let signed = neighbours.0.is_some_and(|c| matches!(c, '-' | '−' | '–')) && !alphanumeric(neighbours.1);
    let cut_before = alphanumeric(first) && alphanumeric(neighbours.0)
        || digit(first) && (within_number(neighbours) || signed);
    let cut_after =
        alphanumeric(last) && alphanumeric(following.0) || digit(last) && within_number(following);
    !cut_before && !cut_after
}

/// The pages of what was found, in words.
fn places_told(found: &[(&Read, Span)]) -> String {
    let mut pages: Vec<u32> =
        found.iter().filter_map(|(read, span)| read.1.pages_of(*span).map(|(first, _)| first)).collect();
    pages.sort_unstable();
    pages.dedup();
    let shown: Vec<String> = pages.iter().take(8).map(u32::to_string).collect();
    match shown.as_slice() {
        [] => "in text without pages, of which a `chunk_id` names the place".to_owned(),
        [page] => format!("on page {page}"),
        pages => format!("on pages {}", pages.join(", ")),
    }
}

/// The beginning of `quote`.
fn told(quote: &str) -> String {
    let mut told: String = quote.chars().take(TOLD).collect();
    if quote.chars().nth(TOLD).is_some() {
        told.push('…');
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_begins_and_ends_between_words() {
        for (text, quote, whole) in [
            ("We pay 55 euros.", "5 euros", false),
            ("We pay 5 euros.", "5 euros", true),
            ("We pay 1.5 euros.", "5 euros", false),
            ("It fell by 2,905 t", "905 t", false),
            ("It fell by 2,905 t", "2,905", true),
            ("It fell by 2,905 t", "2", false),
            ("It is 2. There are more", "2", true),
            ("a change of −5 %", "5 %", false),
            ("between 10-15 %", "15 %", true),
            ("This is noncompliant.", "compliant", false),
            ("Ärger, mehr Ärger", "rger", false),
            ("(see note 3)", "note 3", true),
        ] {
            let start = text.find(quote).unwrap();
            assert_eq!(is_whole(text, Span::new(start, start + quote.len())), whole, "{quote} of {text}");
        }
    }
}
