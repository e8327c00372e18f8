//! What an earlier report of the same issuer says for the next one.

use crate::store::table::document::DocumentRow;
use crate::store::table::review::ReviewStatus;

/// Whether a decision `earlier` is to be confirmed where `later` stands.
pub(super) fn is_carried(earlier: ReviewStatus, later: ReviewStatus) -> bool {
    earlier != ReviewStatus::Open && later == ReviewStatus::Open
}

/// The latest report of the same issuer on an earlier year than `report`, with that year.
pub(super) fn earlier_report(documents: &[DocumentRow], report: &str) -> Option<(String, u16)> {
    let own = documents.iter().filter(|document| document.report_id.as_deref() == Some(report));
    let (issuer, year) = own
        .filter_map(|document| Some((document.issuer.as_ref()?, document.year?)))
        .max_by_key(|(_, year)| *year)?;
    let earlier = documents.iter().filter(|document| document.issuer.as_ref() == Some(issuer));
    earlier
        .filter_map(|document| Some((document.report_id.clone()?, document.year?)))
        .filter(|(id, other)| *other < year && id != report)
        .max_by_key(|(_, year)| *year)
}
