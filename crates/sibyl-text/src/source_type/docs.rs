//! Pages of a documentation tree.

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
    filters: &["sections", "tags", "modules", "chapters", "content_types"],
    cited_by_header: true,
};
