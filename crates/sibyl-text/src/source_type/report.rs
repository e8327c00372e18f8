//! Reports of companies.

use super::{Home, Nature, Permission, Signs, SourceType};

pub(super) static REPORT: SourceType = SourceType {
    name: "report",
    label: "Reports",
    about: "Reports",
    mark: "RP",
    strategy: "report",
    home: Home::Own("reports"),
    signs: Signs { standards: &[], file: None, folder: None },
    ships: None,
    nature: Nature::Report,
    allows: &[Permission::Evidence, Permission::Share, Permission::Remote, Permission::Fill],
    filters: &["reports", "sections", "content_types", "tags"],
    cited_by_header: false,
};
