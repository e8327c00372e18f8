//! What an earlier report of the same issuer says for the next one.

use crate::store::table::document::DocumentRow;
use crate::store::table::review::ReviewStatus;
use std::collections::BTreeSet;

/// Whether a decision `earlier` waits to be confirmed, given the decision `later`.
pub(super) fn is_carried(earlier: ReviewStatus, later: ReviewStatus) -> bool {
    earlier != ReviewStatus::Open && later == ReviewStatus::Open
}

/// Title, issuer and year of a report. They come from its longest document, as the others are parts of it. What
/// that lacks comes from the first of the others that has it.
pub(super) fn facts<'d>(
    documents: &'d [DocumentRow],
    report: &str,
) -> (Option<&'d str>, Option<&'d str>, Option<u16>) {
    let own = || documents.iter().filter(|document| document.report_id.as_deref() == Some(report));
    let main = own().max_by_key(|document| document.word_count);
    let year = main.and_then(|document| document.year).or_else(|| own().find_map(|one| one.year));
    let issuer = main.and_then(|document| document.issuer.as_deref());
    let issuer = issuer.or_else(|| own().find_map(|one| one.issuer.as_deref()));
    (main.map(|document| document.title.as_str()), issuer, year)
}

/// The same issuer's latest report on an earlier year than `report`, with that year; of several on one year the
/// last by its id.
pub(super) fn earlier_report(documents: &[DocumentRow], report: &str) -> Option<(String, u16)> {
    let (_, Some(issuer), Some(year)) = facts(documents, report) else { return None };
    let ids: BTreeSet<&str> = documents.iter().filter_map(|document| document.report_id.as_deref()).collect();
    let of_issuer = ids.into_iter().filter_map(|id| match facts(documents, id) {
        (_, Some(other), Some(before)) if other == issuer && before < year => Some((id.to_owned(), before)),
        _ => None,
    });
    of_issuer.max_by_key(|(_, year)| *year)
}
