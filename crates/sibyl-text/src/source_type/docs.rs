//! Pages of a documentation tree.

use super::field::{CHAPTER, CONTENT_TYPE, MODULE, SECTION, TAG};
use super::{Home, Nature, Permission, Signs, SourceType};

pub(super) static DOCS: SourceType = SourceType {
    name: "docs",
    label: "Documentation",
    about: "Documents",
    mark: "DC",
    strategy: "docs",
    home: Home::Folder("docs"),
    signs: Signs { standards: &[], file: None, folder: None },
    ships: None,
    nature: Nature::Document,
    allows: &[Permission::Share, Permission::Remote, Permission::Fill],
    filters: &[&SECTION, &TAG, &MODULE, &CHAPTER, &CONTENT_TYPE],
    cited_by_header: true,
};
