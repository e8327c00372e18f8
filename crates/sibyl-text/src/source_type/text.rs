//! Everything else.

use super::field::{SECTION, TAG};
use super::{Home, Nature, Permission, Signs, SourceType};

pub(super) static TEXT: SourceType = SourceType {
    name: "text",
    label: "Text",
    about: "Text",
    mark: "TX",
    strategy: "recursive",
    home: Home::Folder("texts"),
    signs: Signs { standards: &[], file: None, folder: None },
    ships: None,
    nature: Nature::Document,
    allows: &[Permission::Share, Permission::Remote, Permission::Fill],
    filters: &[&SECTION, &TAG],
    cited_by_header: false,
};
