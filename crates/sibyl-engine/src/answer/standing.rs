//! Documents that say in their first lines that they are no longer valid, or not yet.

use super::flow::{Checked, Retrieved};
use sibyl_answer::{Passage, Source};
use sibyl_text::document::Standing;

/// Why `source` is not to be quoted, in a sentence; `None` if it is.
pub(super) fn why_not(source: &Source) -> Option<String> {
    let file = source.file();
    match source.standing? {
        Standing::Superseded => Some(format!(
            "{file} says in its first lines that it does not count any more, so it is not quoted."
        )),
        Standing::NotForCitation => {
            Some(format!("{file} says in its first lines that it is not to be cited, so it is not quoted."))
        }
        Standing::Draft => None,
    }
}

/// `found` without the passages of documents that are not to be quoted, which it says.
pub(super) fn quotable(mut found: Retrieved) -> Retrieved {
    let all = std::mem::take(&mut found.passages);
    for passage in &all {
        let Some(why) = why_not(&passage.source) else { continue };
        found.remark_once(why.clone());
        for shown in found.shown.iter_mut().filter(|shown| shown.number == passage.number) {
            shown.left_out.clone_from(&why);
        }
    }
    let passages = all.into_iter().filter(|passage| why_not(&passage.source).is_none()).collect();
    Retrieved { passages, ..found }
}

/// `checked`, which says of each draft among `passages` that it cites that it is one.
pub(super) fn with_drafts(mut checked: Checked, passages: &[Passage]) -> Checked {
    let cited = |source: &Source| checked.reply.citations.iter().any(|one| one.document_id == source.id);
    let drafts = passages.iter().map(|passage| &passage.source);
    let drafts = drafts.filter(|source| source.standing == Some(Standing::Draft) && cited(source));
    let told: Vec<String> =
        drafts.map(|source| format!("{} is a draft, as its first lines say.", source.file())).collect();
    told.into_iter().for_each(|remark| checked.reply.remark_once(remark));
    checked
}
