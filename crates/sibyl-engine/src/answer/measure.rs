//! How good answers are, measured with questions and the content of their right answers, or with judged queries.

use super::{Answer, AnswerCitation, AskRequest, Check, Outcome};
use crate::error::{Error, Result};
use crate::library::Answering;
use crate::store::table::document::DocumentRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// A question with the content of a right answer, or a judged query.
#[derive(Debug, Clone, Deserialize)]
struct Judged {
    id: String,
    #[serde(alias = "query")]
    question: String,
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default = "yes")]
    answerable: bool,
    #[serde(default)]
    readings: Vec<JudgedReading>,
    #[serde(default)]
    relevant: BTreeMap<String, i64>,
    /// File names of the reports that it is asked about; empty means all.
    #[serde(default)]
    scope: Vec<String>,
    /// The question before it, if it follows one.
    #[serde(default)]
    after: Option<String>,
}

const fn yes() -> bool {
    true
}

#[derive(Debug, Clone, Deserialize)]
struct JudgedReading {
    #[serde(default)]
    must_contain: Vec<String>,
    #[serde(default)]
    must_not_contain: Vec<String>,
    #[serde(default)]
    evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, Deserialize)]
struct Evidence {
    #[serde(default)]
    doc: String,
    #[serde(default)]
    quote: String,
    #[serde(default)]
    id: String,
    /// Physical page from 1, or the name of a sheet.
    #[serde(default)]
    page: Option<Page>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
enum Page {
    Number(u32),
    Sheet(String),
}

/// Counts of one kind of question.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerCounts {
    /// Questions that have an answer.
    pub answerable: usize,
    /// Of them, those in which every reading has all that it must have and nothing that it must not.
    pub answered_right: usize,
    /// Of them: every reading cites the place that answers.
    pub evidence_right: usize,
    /// Of them: not answered.
    pub refused: usize,
    /// Questions that have none.
    pub unanswerable: usize,
    /// Of them: not answered.
    pub not_found_right: usize,
}

/// What is wrong with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MissKind {
    /// It was refused though the library has it.
    Refused,
    /// It was given though nothing answers the question.
    Answered,
    /// It does not say what it should.
    Content,
    /// Its sources are not those that it should have.
    Evidence,
}

/// A question that was not answered as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AnswerMiss {
    /// Its id in the set.
    pub id: String,
    /// The question.
    pub question: String,
    /// What is wrong.
    pub misses: Vec<MissKind>,
    /// What was answered.
    pub answer: String,
}

/// The results for a set of questions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct AnswerMeasures {
    /// All questions.
    pub all: AnswerCounts,
    /// By type.
    pub by_type: BTreeMap<String, AnswerCounts>,
    /// Sentences shown.
    pub sentences: usize,
    /// Of them: verified word for word.
    pub verified: usize,
    /// Median of the time to the whole answer, in milliseconds.
    pub p50_ms: f64,
    /// The time in which 95 of 100 answers arrive, in milliseconds.
    pub p95_ms: f64,
    /// What went wrong.
    pub misses: Vec<AnswerMiss>,
}

impl Answering<'_> {
    /// Asks every question of the JSON lines in `path` as `request` says, without recording them, and counts the
    /// right answers.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be read, [`Error::UnfitPath`] for a line that is no question; otherwise as
    /// [`Answering::ask`].
    pub async fn measure(
        &self,
        workspace: &str,
        path: &Path,
        request: &AskRequest,
    ) -> Result<AnswerMeasures> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::io(path, error))?;
        let id = self.library.store().workspace(workspace).await?.id;
        let documents = self.library.store().documents(id, None).await?;
        let mut measures = AnswerMeasures::default();
        let mut times = Vec::new();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            let judged: Judged = serde_json::from_str(line).map_err(|error| {
                let why = format!(
                    "contains no valid question on line {number} ({error}); each line must be a JSON object with `id` \
                     and `question`"
                );
                Error::unfit(path, why)
            })?;
            let mut request =
                AskRequest { question: judged.question.clone(), record: false, ..request.clone() };
            request.earlier.clone_from(&judged.after);
            let named = |document: &&DocumentRow| {
                judged.scope.iter().any(|name| document.path.ends_with(name.as_str()))
            };
            request
                .filters
                .reports
                .extend(documents.iter().filter(named).filter_map(|one| one.report_id.clone()));
            let answer = self.ask(workspace, &request, &|_| ()).await?;
            times.push(answer.total_ms);
            measures.count(&judged, &answer);
        }
        times.sort_by(f64::total_cmp);
        let at =
            |share: f64| times.get(((times.len() as f64 * share).ceil() as usize).saturating_sub(1)).copied();
        measures.p50_ms = at(0.5).unwrap_or_default();
        measures.p95_ms = at(0.95).unwrap_or_default();
        Ok(measures)
    }
}

impl AnswerMeasures {
    fn count(&mut self, judged: &Judged, answer: &Answer) {
        let found = answer.reply.outcome == Outcome::Complete;
        self.sentences += answer.reply.sentences.len();
        self.verified += answer.reply.sentences.iter().filter(|one| one.check == Check::Verified).count();
        let (mut counts, mut misses) = (AnswerCounts::default(), Vec::new());
        if judged.answerable {
            counts.answerable = 1;
            counts.refused = usize::from(!found);
            let right = found
                && judged
                    .readings
                    .iter()
                    .all(|reading| views(answer).iter().any(|view| reading.holds(view.0)));
            let cited = found && judged.cites(answer);
            counts.answered_right = usize::from(right);
            counts.evidence_right = usize::from(cited);
            let wrong = [
                (!found, MissKind::Refused),
                (found && !right, MissKind::Content),
                (found && !cited, MissKind::Evidence),
            ];
            misses.extend(wrong.into_iter().filter(|(is, _)| *is).map(|(_, kind)| kind));
        } else {
            counts.unanswerable = 1;
            counts.not_found_right = usize::from(!found);
            misses.extend(found.then_some(MissKind::Answered));
        }
        if !misses.is_empty() {
            let (id, question) = (judged.id.clone(), judged.question.clone());
            self.misses.push(AnswerMiss {
                id,
                question,
                misses,
                answer: answer.reply.answer.clone().unwrap_or_default(),
            });
        }
        self.all.add(&counts);
        self.by_type.entry(judged.kind.clone()).or_default().add(&counts);
    }
}

impl AnswerCounts {
    fn add(&mut self, other: &Self) {
        self.answerable += other.answerable;
        self.answered_right += other.answered_right;
        self.evidence_right += other.evidence_right;
        self.refused += other.refused;
        self.unanswerable += other.unanswerable;
        self.not_found_right += other.not_found_right;
    }
}

/// The readings of an answer, or the answer itself: its words and citations.
fn views(answer: &Answer) -> Vec<(&str, &[AnswerCitation])> {
    if answer.reply.readings.is_empty() {
        return vec![(answer.reply.answer.as_deref().unwrap_or_default(), &answer.reply.citations)];
    }
    answer
        .reply
        .readings
        .iter()
        .map(|one| (one.answer.as_deref().unwrap_or_default(), one.citations.as_slice()))
        .collect()
}

impl Judged {
    /// Whether every reading, or the query, has a place that answers it among the citations.
    fn cites(&self, answer: &Answer) -> bool {
        if self.readings.is_empty() {
            let relevant =
                |id: &str| self.relevant.iter().any(|(known, grade)| *grade >= 2 && folds(known, id));
            return answer.reply.citations.iter().filter_map(|one| one.paragraph_id.as_deref()).any(relevant);
        }
        self.readings.iter().all(|reading| {
            reading.evidence.is_empty()
                || views(answer).iter().any(|view| {
                    view.1.iter().any(|citation| reading.evidence.iter().any(|place| place.is(citation)))
                })
        })
    }
}

/// Whether `id` is `known`, or is a metric of a topic that is.
fn folds(known: &str, id: &str) -> bool {
    known == id
        || known.strip_prefix(id).is_some_and(|rest| rest.starts_with('.'))
        || id.strip_prefix(known).is_some_and(|rest| rest.starts_with('.'))
}

impl Evidence {
    fn file(&self) -> &str {
        self.doc.rsplit('/').next().unwrap_or(&self.doc)
    }

    fn is(&self, citation: &AnswerCitation) -> bool {
        if !self.id.is_empty() {
            return citation.paragraph_id.as_deref().is_some_and(|id| folds(&self.id, id));
        }
        let (quote, cited) = (plain(&self.quote), plain(&citation.quote));
        let on_page = match (&self.page, citation.pages) {
            (Some(Page::Number(page)), Some((first, last))) => (first..=last).contains(page),
            (Some(Page::Sheet(sheet)), _) => citation.sheet.as_ref() == Some(sheet),
            _ => false,
        };
        let same = cited.contains(&quote) || quote.contains(&cited) || shares(&cited, &quote);
        citation.document.eq_ignore_ascii_case(self.file()) && (on_page || same)
    }
}

impl JudgedReading {
    fn holds(&self, answer: &str) -> bool {
        let answer = plain(answer);
        let stands = |wanted: &String| wanted.split('|').any(|one| whole(&answer, &plain(one)));
        self.must_contain.iter().all(stands) && !self.must_not_contain.iter().any(stands)
    }
}

/// Whether most words of `quote` are in `cited`, whatever table signs stand between them.
fn shares(cited: &str, quote: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let plain = text.replace(',', "");
        plain
            .split(|c: char| c.is_whitespace() || c == '|')
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (cited, quote) = (words(cited), words(quote));
    let held = quote.iter().filter(|word| cited.contains(word)).count();
    quote.len() > 2 && held * 10 >= quote.len() * 8
}

/// Without case, citation markers and line breaks; no space before a percent sign.
fn plain(text: &str) -> String {
    let mut text = text.to_lowercase().replace("**", "").split_whitespace().collect::<Vec<_>>().join(" ");
    while let Some(at) = text.find("[citation ") {
        let end = text[at..].find(']').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at..end, "");
    }
    text.replace(" %", "%")
}

/// Whether `wanted` is in `text`; a figure only as a whole.
fn whole(text: &str, wanted: &str) -> bool {
    let mut from = 0;
    while let Some(at) = text[from..].find(wanted) {
        let (start, end) = (from + at, from + at + wanted.len());
        let before = text[..start].chars().next_back();
        let mut after = text[end..].chars();
        let (next, later) = (after.next(), after.next());
        let begins = wanted.starts_with(|c: char| c.is_ascii_digit());
        let ends = wanted.ends_with(|c: char| c.is_ascii_digit());
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let torn = (begins
            && (digit(before)
                || before.is_some_and(|c| matches!(c, '.' | ','))
                    && text[..start].len() > 1
                    && digit(text[..start - 1].chars().next_back())))
            || (ends && (digit(next) || next.is_some_and(|c| matches!(c, '.' | ',')) && digit(later)));
        if !torn {
            return true;
        }
        from = start + text[start..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_matches_only_as_a_whole() {
        for (text, wanted, stands) in [
            ("it is 195 m", "95", false),
            ("it is 95.2 m", "95", false),
            ("it is 95 m", "95", true),
            ("it is 2,310", "310", false),
            ("28 % of it", "28%", true),
            ("five times.", "five times", true),
        ] {
            assert_eq!(whole(&plain(text), &plain(wanted)), stands, "{text}: {wanted}");
        }
    }

    #[test]
    fn a_metric_counts_as_its_topic() {
        assert!(folds("TR-MT-540a", "TR-MT-540a.1") && folds("TR-MT-540a.1", "TR-MT-540a"));
        assert!(!folds("S2.14", "S2.14(a)") && folds("S2.14", "S2.14"));
    }
}
