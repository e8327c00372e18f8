//! A quote that a program gives as evidence, and its place in the report. A quote that is not in the report is
//! refused.

use super::pin::{is_whole, pin, place};
use crate::anchor::places;
use crate::error::{Error, Result};
use crate::store::table::program_proposal::ProposedQuote;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_answer::Source;
use sibyl_text::Span;
use sibyl_text::document::SourceNow;
use std::sync::Arc;

/// Longest quote, in characters.
const LONGEST: usize = 2_000;
/// Characters of a quote that an error repeats.
const TOLD: usize = 120;

/// Words of a report as a program quotes them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QuoteGiven {
    /// The words, exactly as the report has them; white space does not count.
    pub quote: String,
    /// Its physical page, from 1; not needed if the report has the words only once.
    #[serde(default)]
    pub page: Option<u32>,
    /// Its chunk, instead of the page.
    #[serde(default)]
    pub chunk_id: Option<String>,
}

/// Row id of a document, and stretches of its text.
pub(super) type Stretches = (i64, Vec<Span>);

/// `given` with its place in `documents`, which are those of `report`; `chunk` is the place of the chunk that it
/// names.
///
/// # Errors
/// [`Error::Invalid`] if the words are not there, or at several places without one being named.
pub(super) fn placed(
    report: &str,
    documents: &[Arc<Source>],
    given: &QuoteGiven,
    chunk: Option<&Stretches>,
) -> Result<ProposedQuote> {
    let quote = given.quote.trim();
    let told = told(quote);
    if !quote.chars().any(char::is_alphanumeric) || quote.chars().count() > LONGEST {
        return Err(Error::Invalid(format!(
            "a quote must contain words and have at most {LONGEST} characters; quote a sentence or a row of a table, not “{told}”"
        )));
    }
    let mut found: Vec<(&Source, Span)> = Vec::new();
    for source in documents {
        let text = &source.text;
        let whole = places(text, quote).into_iter().filter(|span| is_whole(text, *span));
        found.extend(whole.map(|span| (source.as_ref(), span)));
    }
    if found.is_empty() {
        return Err(Error::Invalid(format!(
            "the quote “{told}” is not in the report `{report}`: quote whole words exactly as the report has \
             them, without leaving anything out, or leave the quote out"
        )));
    }
    let on_page = |(source, span): &(&Source, Span)| {
        let pages = source.pages_of(*span);
        let holds = |page| pages.is_some_and(|(first, last)| (first.number..=last.number).contains(&page));
        given.page.is_none_or(holds)
    };
    let in_chunk = |(source, span): &(&Source, Span)| {
        chunk
            .is_none_or(|(document, own)| source.id == *document && own.iter().any(|one| one.overlaps(*span)))
    };
    let wanted: Vec<&(&Source, Span)> = found.iter().filter(|one| on_page(one) && in_chunk(one)).collect();
    let Some((source, span)) = wanted.first() else {
        return Err(Error::Invalid(format!(
            "the quote “{told}” is not there; in the report `{report}` it is {}: name that place",
            places_told(&found)
        )));
    };
    if wanted.len() > 1 && given.page.is_none() && chunk.is_none() {
        return Err(Error::Invalid(format!(
            "the quote “{told}” appears in the report `{report}` {} times, {}: name its `page` or its `chunk_id`, or \
             quote more",
            wanted.len(),
            places_told(&found)
        )));
    }
    Ok(quoted(source, *span))
}

/// `span` of a document as a quote.
fn quoted(source: &Source, span: Span) -> ProposedQuote {
    ProposedQuote { document_id: source.id, span: source.utf16(span), pin: pin(source, span) }
}

/// Where `quote` is now, and in which state; `documents` are those that the report has now. `None` if it is
/// nowhere.
pub(super) fn found_again(quote: &ProposedQuote, documents: &[Arc<Source>]) -> Option<ProposedQuote> {
    place(documents, &quote.pin).map(|(source, span)| quoted(source, span))
}

/// How the source of `quote` stands, which is no longer the text that it was taken from.
pub(super) fn standing(quote: &ProposedQuote, documents: &[Arc<Source>]) -> SourceNow {
    match found_again(quote, documents) {
        Some(now) => SourceNow {
            changed: true,
            document_id: Some(now.document_id),
            range: Some(now.span),
            kept: false,
        },
        None => {
            let same = documents.iter().find(|source| source.path == quote.pin.path).or(documents.first());
            let document_id = same.map(|source| source.id);
            SourceNow { changed: true, document_id, range: None, kept: false }
        }
    }
}

/// The pages of the matches, in words.
fn places_told(found: &[(&Source, Span)]) -> String {
    let mut pages: Vec<u32> =
        found.iter().filter_map(|(source, span)| Some(source.pages_of(*span)?.0.number)).collect();
    pages.sort_unstable();
    pages.dedup();
    let shown: Vec<String> = pages.iter().take(8).map(u32::to_string).collect();
    match shown.as_slice() {
        [] => "in text without pages, where a `chunk_id` names the place".to_owned(),
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
