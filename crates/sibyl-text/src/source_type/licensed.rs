//! Licensed copies of standards, chunked like the standard. They stay in their workspace and on this machine.

use super::field::{PILLAR, SECTION, STANDARD};
use super::{Home, Nature, Signs, SourceType};

pub(super) static LICENSED: SourceType = SourceType {
    name: "licensed",
    label: "Licensed copies",
    about: "Licensed text",
    mark: "LI",
    strategy: "ifrs",
    home: Home::Folder("licensed"),
    signs: Signs { standards: &[], file: None, folder: None },
    ships: None,
    nature: Nature::LicensedCopy,
    allows: &[],
    filters: &[&PILLAR, &STANDARD, &SECTION],
    cited_by_header: false,
};
