//! Citation markers: read while an answer streams in, and numbered in order of appearance.

use crate::answer::{AnswerCitation, AnswerDifference, AnswerSentence, DifferenceKind};
use crate::draft::{DraftSentence, Piece};
use crate::passage::Passage;
use crate::verify::{Evidence, verify};
use sibyl_text::Span;
use sibyl_text::document::{SourceNow, anchor_at, cells_of, labels};
use sibyl_text::language::sentence::{beginning, sentence_ends};

/// Longest snippet, in characters (source document 001, section 5).
const SNIPPET: usize = 200;
/// Longest text in brackets that may be a marker, in bytes.
const LONGEST_MARK: usize = 60;

/// Splits a stream of words into sentences with the passages they cite. A marker is `[Citation 2]`, or a list such
/// as `[Citation 1, 3]`, in any case. It may be split over deltas, and may lack its closing bracket at the end.
#[derive(Debug, Default)]
pub struct SentenceStream {
    buffer: String,
    passages: usize,
}

impl SentenceStream {
    /// A stream whose markers may name passages from 1 to `passages`.
    pub fn new(passages: usize) -> Self {
        Self { buffer: String::new(), passages }
    }

    /// Takes the next words and returns the sentences that they finish.
    pub fn push(&mut self, delta: &str) -> Vec<DraftSentence> {
        self.buffer.push_str(delta);
        let mut done = Vec::new();
        while let Some(end) = self.finished() {
            let rest = self.buffer.split_off(end);
            let sentence = std::mem::replace(&mut self.buffer, rest);
            done.extend(self.sentence(&sentence));
        }
        done
    }

    /// What is left at the end.
    pub fn end(&mut self) -> Option<DraftSentence> {
        let rest = std::mem::take(&mut self.buffer);
        self.sentence(&rest)
    }

    /// Where the first sentence with its markers ends. It is known once something that is no marker follows.
    fn finished(&self) -> Option<usize> {
        let masked = masked(&self.buffer);
        let line = self.buffer.find('\n').filter(|&at| !self.buffer[..at].trim().is_empty());
        let sentence = sentence_ends(&masked).into_iter().find(|&end| !self.buffer[..end].trim().is_empty());
        let mut end = match (sentence, line) {
            (Some(sentence), Some(line)) => sentence.min(line + 1),
            (Some(sentence), None) => sentence,
            (None, Some(line)) => line + 1,
            (None, None) => return None,
        };
        loop {
            let rest = &self.buffer[end..];
            let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let after = &rest[gap..];
            if after.is_empty() {
                // A marker may still follow, unless a line has ended.
                return self.buffer[..end].ends_with('\n').then_some(end);
            }
            match mark(after) {
                Some(Found::Mark { length, .. }) => end += gap + length,
                Some(Found::Unfinished) => return None,
                // Words that follow on the same line without a space belong to the sentence.
                None => return Some(end + gap),
            }
        }
    }

    /// The sentence without its markers; `None` if no word is left.
    fn sentence(&self, text: &str) -> Option<DraftSentence> {
        let mut sentence = DraftSentence::default();
        let mut words = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(open) = rest.find('[') {
            words.push_str(&rest[..open]);
            rest = &rest[open..];
            match mark(rest) {
                Some(Found::Mark { length, numbers }) => {
                    if words.ends_with(' ') && rest[length..].starts_with(['.', ',', ';', ':', '!', '?', ' '])
                    {
                        words.truncate(words.trim_end().len());
                    }
                    self.cite(&mut sentence, &rest[..length], &numbers);
                    rest = &rest[length..];
                }
                Some(Found::Unfinished) => {
                    self.cite(&mut sentence, rest.trim_end(), &digits(rest));
                    rest = "";
                }
                None => {
                    words.push('[');
                    rest = &rest[1..];
                }
            }
        }
        words.push_str(rest);
        sentence.text = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let says = sentence.text.chars().any(char::is_alphanumeric);
        (says || !sentence.passages.is_empty() || !sentence.misplaced.is_empty()).then_some(sentence)
    }

    fn cite(&self, sentence: &mut DraftSentence, mark: &str, numbers: &[usize]) {
        if numbers.is_empty() {
            sentence.misplaced.push(mark.to_owned());
        }
        for &number in numbers {
            if !(1..=self.passages).contains(&number) {
                sentence.misplaced.push(format!("[Citation {number}]"));
            } else if !sentence.passages.contains(&number) {
                sentence.passages.push(number);
            }
        }
    }
}

enum Found {
    Mark { length: usize, numbers: Vec<usize> },
    Unfinished,
}

/// The marker that `text` begins with.
fn mark(text: &str) -> Option<Found> {
    let body = text.strip_prefix('[')?;
    let name = "citation";
    let head: String = body.chars().take(name.len()).collect::<String>().to_lowercase();
    let is_name = head == name || (body.len() < name.len() && name.starts_with(&head));
    let is_number = body.starts_with(|c: char| c.is_ascii_digit());
    if !is_name && !is_number {
        return None;
    }
    let Some(close) = body.find(']') else {
        let open = body.len() < LONGEST_MARK && !body.contains('\n');
        let listed = body.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' '));
        return (open && (is_name || (is_number && listed))).then_some(Found::Unfinished);
    };
    let inside = &body[..close];
    if inside.len() > LONGEST_MARK
        || (is_number && !inside.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | ' ')))
    {
        return None;
    }
    Some(Found::Mark { length: close + 2, numbers: digits(inside) })
}

fn digits(text: &str) -> Vec<usize> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect()
}

/// `text` with its markers blanked out, byte for byte, so that no full stop or bracket in one ends a sentence.
fn masked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let length = match mark(rest) {
            Some(Found::Mark { length, .. }) => length,
            Some(Found::Unfinished) => rest.len(),
            None => 0,
        };
        if length == 0 {
            out.push('[');
            rest = &rest[1..];
        } else {
            out.extend(std::iter::repeat_n(' ', length));
            rest = &rest[length..];
        }
    }
    out.push_str(rest);
    out
}

/// Checks sentences as they come and numbers what they rest on.
pub struct Composer<'a> {
    passages: &'a [Passage],
    known: Vec<(usize, Span)>,
    first: usize,
}

impl<'a> Composer<'a> {
    /// For an answer from `passages` whose first citation gets the number `first`.
    pub fn new(passages: &'a [Passage], first: usize) -> Self {
        Self { passages, known: Vec::new(), first }
    }

    /// The checked sentence, and the citations that it is the first to use.
    pub fn add(&mut self, draft: &DraftSentence) -> (AnswerSentence, Vec<AnswerCitation>) {
        let cited: Vec<&Passage> = draft
            .passages
            .iter()
            .filter_map(|number| self.passages.iter().find(|p| p.number == *number))
            .collect();
        let mut verdict = verify(&draft.text, &cited, self.passages);
        if let Some((number, span)) = draft.quoted {
            verdict.evidence = vec![Evidence { passage: number, span }];
        }
        let absent =
            draft.passages.iter().filter(|number| self.passages.iter().all(|p| p.number != **number));
        let mark = |number: &usize| format!("[Citation {number}]");
        let absent: Vec<String> = absent.map(mark).collect();
        let told = |kind: DifferenceKind, said: String| AnswerDifference { kind, said, found: None };
        let invented = draft.misplaced.iter().cloned().chain(absent);
        verdict.differences.extend(invented.map(|mark| told(DifferenceKind::Citation, mark)));
        if verdict.evidence.is_empty() {
            // A sentence that shares no word with any passage keeps no marker; the check says so as well.
            let named = cited.iter().map(|passage| mark(&passage.number));
            verdict.differences.extend(named.map(|mark| told(DifferenceKind::Source, mark)));
        }
        let (mut numbers, mut new) = (Vec::new(), Vec::new());
        for Evidence { passage, span } in verdict.evidence {
            let at = self.known.iter().position(|known| *known == (passage, span));
            let n = self.first + at.unwrap_or(self.known.len());
            if at.is_none()
                && let Some(passage) = self.passages.iter().find(|one| one.number == passage)
            {
                self.known.push((passage.number, span));
                new.push(citation(n, passage, span));
            }
            if !numbers.contains(&n) {
                numbers.push(n);
            }
        }
        let sentence = AnswerSentence {
            text: draft.text.clone(),
            citations: numbers,
            check: verdict.check,
            differences: verdict.differences,
            support: verdict.support,
            second_reading: None,
        };
        (sentence, new)
    }
}

fn citation(n: usize, passage: &Passage, span: Span) -> AnswerCitation {
    let source = &passage.source;
    let touched = source.pages_of(span);
    let pages = touched.filter(|_| !source.about_pages);
    let cells = cells_of(&source.cells, span);
    let place = source.utf16(span);
    let stored = (source.id > 0).then_some(source.id);
    AnswerCitation {
        n,
        document: source.file().to_owned(),
        path: source.path.clone(),
        title: source.title.clone(),
        section: passage.section_of(span),
        pages: pages.map(|(first, last)| (first.number, last.number)),
        page_labels: pages.and_then(|(first, last)| {
            labels((first.number, last.number), first.label.clone(), last.label.clone())
        }),
        about_page: touched.filter(|_| source.about_pages).map(|(first, _)| first.number),
        sheet: cells.map(|(sheet, _)| sheet.to_owned()).filter(|sheet| !sheet.is_empty()),
        cells: cells.map(|(_, range)| range.a1()),
        anchor: anchor_at(&source.anchors, span.start).map(str::to_owned),
        ocr: source.read_by_ocr(&[span]),
        paragraph_id: passage.paragraph_id.clone(),
        quote: span.of(&source.text).to_owned(),
        snippet: snippet(&passage.text()),
        span: place,
        passage: passage.number,
        chunk_id: passage.chunk_id.clone(),
        document_id: source.id,
        text_version: source.text_version.clone(),
        source: SourceNow {
            changed: false,
            document_id: stored,
            range: stored.map(|_| place),
            kept: stored.is_some(),
        },
        source_type: source.source_type.clone(),
        corpus: source.corpus.clone(),
        report_id: source.report_id.clone(),
    }
}

/// The first words of `text`, marked as cut. They end with a sentence if one ends after seven tenths of the
/// allowed length, else with a word. Source document 001 (`truncateSnippet`) takes any full stop for an end.
pub fn snippet(text: &str) -> String {
    let (words, open) = beginning(text, SNIPPET);
    if open { format!("{}...", words.trim_start()) } else { words.to_owned() }
}

/// A whole text as pieces, as if it had come in one delta.
pub fn read(text: &str, passages: usize) -> Vec<Piece> {
    let mut stream = SentenceStream::new(passages);
    let mut sentences = stream.push(text);
    sentences.extend(stream.end());
    sentences.into_iter().map(Piece::Sentence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sentences(text: &str, passages: usize) -> Vec<(String, Vec<usize>, usize)> {
        read(text, passages)
            .into_iter()
            .map(|piece| match piece {
                Piece::Sentence(one) => (one.text, one.passages, one.misplaced.len()),
                Piece::Delta(_) => unreachable!("only sentences are read"),
            })
            .collect()
    }

    #[test]
    fn marks_belong_to_the_sentence_before_them() {
        let text = "Revenue was $4.2 billion in 2024 [Citation 1]. Growth came from services. [Citation 2][citation 3] It ends [Citation 1, 3].";
        assert_eq!(
            sentences(text, 3),
            [
                ("Revenue was $4.2 billion in 2024.".to_owned(), vec![1], 0),
                ("Growth came from services.".to_owned(), vec![2, 3], 0),
                ("It ends.".to_owned(), vec![1, 3], 0),
            ]
        );
    }

    #[test]
    fn a_mark_that_names_nothing_is_told() {
        assert_eq!(sentences("One two three [Citation 9].", 3), [("One two three.".to_owned(), vec![], 1)]);
        assert_eq!(sentences("One two three [Citation x].", 3), [("One two three.".to_owned(), vec![], 1)]);
        assert_eq!(sentences("One two three [Citation 2", 3), [("One two three".to_owned(), vec![2], 0)]);
        assert_eq!(sentences("See [the list] and [4].", 3), [("See [the list] and.".to_owned(), vec![], 1)]);
    }

    #[test]
    fn lines_end_sentences() {
        assert_eq!(sentences("- One [Citation 1]\n- Two [Citation 2]\n", 2).len(), 2);
    }

    proptest! {
        #[test]
        fn it_does_not_matter_how_the_words_come(cuts in prop::collection::vec(1usize..9, 0..40)) {
            let text = "It is so [Citation 1]. There are 1.5 of them. [Citation 2, 3]\nAnd more [citation 1] follows here. End [Citation 4]";
            let whole = read(text, 3);
            let mut stream = SentenceStream::new(3);
            let (mut found, mut rest) = (Vec::new(), text);
            for cut in cuts {
                let (now, later) = rest.split_at(cut.min(rest.len()));
                found.extend(stream.push(now));
                rest = later;
            }
            found.extend(stream.push(rest));
            found.extend(stream.end());
            prop_assert_eq!(found.into_iter().map(Piece::Sentence).collect::<Vec<_>>(), whole);
        }
    }

    #[test]
    fn a_snippet_ends_with_a_sentence_where_one_is_near() {
        let long = format!("{}. {}", "a".repeat(150), "B".repeat(100));
        assert_eq!(snippet(&long), format!("{}.", "a".repeat(150)));
        let early = format!("{}. {}", "a".repeat(100), "b".repeat(200));
        assert!(snippet(&early).ends_with("bbb...") && snippet(&early).chars().count() == 203);
        assert_eq!(snippet("short"), "short");
        // "e.g." and "No. 4" end no sentence, and no word is split.
        let named = format!("{} e.g. by No. 4 {}", "word ".repeat(30), "under the wheelhouse ".repeat(9));
        assert!(snippet(&named).ends_with("under the..."), "{}", snippet(&named));
    }
}
