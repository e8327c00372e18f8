//! IFRS S2.

use super::field::{EDITION, PILLAR, SECTION, STANDARD};
use super::{Home, Nature, Outline, Permission, Shipped, SideData, Signs, SourceType, Standard};
use crate::reference::ifrs::Ifrs;

pub(super) static IFRS_S2: SourceType = SourceType {
    name: "ifrs_s2",
    label: "IFRS S2",
    about: "Climate-related disclosures",
    mark: "S2",
    strategy: "ifrs",
    home: Home::Own("ifrs-s2"),
    signs: Signs { standards: &["IFRS S2", "S2"], file: Some("s2_full.md"), folder: None },
    ships: Some(Shipped { group: "ifrs", paths: &["ifrs/s2_full.md", "ifrs/s2_amended.md"] }),
    nature: Nature::Standard(Standard {
        short: "S2",
        body: "IFRS S2",
        outline: Outline::Paragraphs,
        references: &Ifrs,
        example: "S2.14(a)(iv)",
        editions: true,
        copies: true,
        side_data: &[
            SideData::Counterparts("ifrs/s1_s2_mapping.json"),
            SideData::CrossReferences("ifrs/cross_references.json"),
        ],
    }),
    allows: &[Permission::Review, Permission::Share, Permission::Remote],
    filters: &[&PILLAR, &STANDARD, &EDITION, &SECTION],
    cited_by_header: true,
};
