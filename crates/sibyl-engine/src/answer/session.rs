//! Questions that follow each other: what an earlier one lends to the next.

use super::AskRequest;
use crate::error::Result;
use crate::library::Answering;
use crate::store::table::answer::AnswerFilter;
use sibyl_answer::question::constraint::lent;
use sibyl_text::language::words::points_back;
use sibyl_text::source_type;
use std::collections::HashSet;

/// Words of a question that point back, beside those that do so in every sentence.
const POINTS_BACK: [&str; 5] = ["that", "one", "ones", "there", "same"];
/// First words of a question that continues the one before.
const GOES_ON: [&str; 9] = ["and", "what about", "how about", "but", "then", "also", "or", "why", "which of"];
/// Maximum number of words of a question that may be half of one.
const HALF: usize = 4;

impl Answering<'_> {
    /// The question before this one in its session, if it counts.
    pub(super) async fn earlier(&self, workspace: &str, request: &AskRequest) -> Result<Option<String>> {
        if !request.follow_up {
            return Ok(None);
        }
        if let Some(earlier) = &request.earlier {
            return Ok(Some(earlier.clone()));
        }
        if request.session.is_empty() {
            return Ok(None);
        }
        let workspace = self.library.store().workspace(workspace).await?.id;
        let filter =
            AnswerFilter { session: Some(request.session.clone()), limit: 1, ..AnswerFilter::default() };
        let (rows, _) = self.library.store().answers::<super::Rating>(workspace, filter).await?;
        Ok(rows.into_iter().next().map(|row| row.question))
    }
}

/// What is searched for when `question` follows `earlier`; `None` if the question is complete by itself.
pub fn completed(earlier: &str, question: &str) -> Option<String> {
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let points_back = words.iter().any(|word| points_back(word) || POINTS_BACK.contains(word));
    let goes_on = GOES_ON.iter().any(|start| lower.trim_start().starts_with(&format!("{start} ")));
    let half = words.len() <= HALF && !words.is_empty();
    if earlier.trim().is_empty() || !(points_back || goes_on || half) {
        return None;
    }
    let said: HashSet<&str> = words.iter().copied().collect();
    let earlier = lent(earlier, question);
    let lent: Vec<&str> = earlier
        .split_whitespace()
        .filter(|word| {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            !word.is_empty() && !said.contains(word.as_str())
        })
        .map(|word| word.trim_end_matches(['?', '.', '!']))
        .collect();
    Some(format!("{} {}", question.trim(), lent.join(" "))).filter(|_| !lent.is_empty())
}

/// Whether `question` asks about a standard.
pub(super) fn names_a_standard(question: &str) -> bool {
    let lower = question.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let of_a_body = |word: &str| {
        source_type::standards()
            .any(|(_, one)| one.body.split(' ').any(|part| part.eq_ignore_ascii_case(word)))
    };
    words.any(|word| matches!(word, "issb" | "standard" | "standards") || of_a_body(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_that_points_back_is_completed() {
        let earlier = "What are Northwind's scope 2 emissions in 2024?";
        assert_eq!(
            completed(earlier, "And in 2023?").unwrap(),
            "And in 2023? What are Northwind's scope 2 emissions"
        );
        assert!(
            completed(earlier, "How were they measured?").unwrap().contains("Northwind's scope 2 emissions")
        );
        assert_eq!(completed(earlier, "What must a transition plan disclose about dependencies?"), None);
        assert_eq!(completed("", "And in 2023?"), None);
    }
}
