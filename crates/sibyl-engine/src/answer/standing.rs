//! Documents that say in their first lines that they are no longer valid, or not yet.

use super::Answer;
use sibyl_answer::{Passage, Source};
use sibyl_text::document::Standing;

/// Why `source` is not to be quoted, in a sentence; `None` if it is.
pub(super) fn why_not(source: &Source) -> Option<String> {
    let file = source.file();
    match source.standing? {
        Standing::Superseded => {
            Some(format!("{file} says in its first lines that it does not count any more: it is not quoted."))
        }
        Standing::NotForCitation => {
            Some(format!("{file} says in its first lines that it is not to be cited: it is not quoted."))
        }
        Standing::Draft => None,
    }
}

/// `passages` without those of documents that are not to be quoted; `answer` says what is left out.
pub(super) fn quotable(mut passages: Vec<Passage>, answer: &mut Answer) -> Vec<Passage> {
    for passage in &mut answer.passages {
        let source = passages.iter().find(|one| one.number == passage.number).map(|one| &one.source);
        if let Some(why) = source.and_then(|source| why_not(source)) {
            answer.reply.remark_once(why.clone());
            passage.left_out = why;
        }
    }
    passages.retain(|passage| why_not(&passage.source).is_none());
    passages
}

/// Says of each draft that `answer` cites that it is a draft.
pub(super) fn tell_drafts(passages: &[Passage], answer: &mut Answer) {
    let cited = |source: &Source| answer.reply.citations.iter().any(|one| one.document_id == source.id);
    let drafts = passages.iter().map(|passage| &passage.source);
    let drafts = drafts.filter(|source| source.standing == Some(Standing::Draft) && cited(source));
    let told: Vec<String> =
        drafts.map(|source| format!("{} is a draft, by its own first lines.", source.file())).collect();
    told.into_iter().for_each(|remark| answer.reply.remark_once(remark));
}
