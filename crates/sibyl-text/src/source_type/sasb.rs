//! SASB Standards.

use super::field::{INDUSTRY, TOPIC};
use super::{Home, Nature, Outline, Permission, Shipped, SideData, Signs, SourceType, Standard};
use crate::reference::sasb::Sasb;

pub(super) static SASB: SourceType = SourceType {
    name: "sasb",
    label: "SASB",
    about: "Industry standards",
    mark: "SB",
    strategy: "sasb",
    home: Home::Own("sasb"),
    signs: Signs { standards: &["SASB"], file: None, folder: Some("sasb") },
    ships: Some(Shipped { group: "sasb", paths: &["sasb"] }),
    nature: Nature::Standard(Standard {
        short: "SASB",
        body: "SASB",
        outline: Outline::Topics,
        references: &Sasb,
        example: "EM-EP-110a.1",
        editions: false,
        copies: false,
        side_data: &[SideData::Requirements("sasb_requirements.jsonl")],
    }),
    allows: &[Permission::Review, Permission::Share, Permission::Remote],
    filters: &[&INDUSTRY, &TOPIC],
    cited_by_header: true,
};
