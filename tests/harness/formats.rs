//! Files of each format that is read.

use crate::fixture;
use std::fs;
use std::io::Result;
use std::path::Path;

/// Files of each format, each with a word of its own.
pub const FILES: [(&str, &str); 12] = [
    ("birds.epub", "cormorant"),
    ("data-book.xlsx", "guillemot"),
    ("filing.xhtml", "kittiwake"),
    ("islets.odt", "shearwater"),
    ("notes.txt", "dunnock"),
    ("page.html", "lapwing"),
    ("page.md", "siskin"),
    ("ports.csv", "fulmars"),
    ("report.docx", "puffin"),
    ("results.pptx", "razorbill"),
    ("three-columns.pdf", "mirar"),
    ("water.ods", "gannets"),
];

/// Writes all of them into `folder`.
///
/// # Errors
/// If a file cannot be read or written.
pub fn write(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for (name, _) in FILES {
        let bytes = match name {
            "notes.txt" => b"A note about the dunnock.\n".to_vec(),
            "page.html" => {
                b"<nav>Menu</nav><main><h1>Marsh</h1><p>The lapwing nests here.</p></main>".to_vec()
            }
            "page.md" => b"# Page\n\nThe siskin.\n".to_vec(),
            "ports.csv" => b"Port,Fulmars\nHalden,12\n".to_vec(),
            "three-columns.pdf" => fs::read(fixture("designed").join(name))?,
            name => fs::read(fixture("office").join(name))?,
        };
        fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
