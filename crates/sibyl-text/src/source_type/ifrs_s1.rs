//! IFRS S1.

use super::field::{PILLAR, SECTION, STANDARD};
use super::{Home, Nature, Outline, Permission, Shipped, SideData, Signs, SourceType, Standard};
use crate::reference::ifrs::Ifrs;

pub(super) static IFRS_S1: SourceType = SourceType {
    name: "ifrs_s1",
    label: "IFRS S1",
    about: "General requirements",
    mark: "S1",
    strategy: "ifrs",
    home: Home::Own("ifrs-s1"),
    signs: Signs { standards: &["IFRS S1", "S1"], file: Some("s1_full.md"), folder: None },
    ships: Some(Shipped { group: "ifrs", paths: &["ifrs/s1_full.md"] }),
    nature: Nature::Standard(Standard {
        short: "S1",
        body: "IFRS S1",
        outline: Outline::Paragraphs,
        references: &Ifrs,
        example: "S1.A.users",
        editions: false,
        copies: true,
        side_data: &[
            SideData::Counterparts("ifrs/s1_s2_mapping.json"),
            SideData::CrossReferences("ifrs/cross_references.json"),
        ],
    }),
    allows: &[Permission::Review, Permission::Share, Permission::Remote],
    filters: &[&PILLAR, &STANDARD, &SECTION],
    cited_by_header: true,
};
