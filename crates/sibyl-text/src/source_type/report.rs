//! Reports of companies.

use super::field::{CONTENT_TYPE, SECTION, TAG};
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
    filters: &[&SECTION, &CONTENT_TYPE, &TAG],
    cited_by_header: false,
};
