//! Random tables of which it is known what each cell says, set in every format.

mod content;
mod element;
mod grid;
mod html;
mod names;
#[path = "../../formats/office.rs"]
#[allow(dead_code)] // Tests of other formats pack more with it.
mod office;
mod pdf;
#[path = "../../common/random.rs"]
#[allow(dead_code)] // Pages take more of it.
mod random;
mod sheet;
mod slide;
mod word;
#[path = "../../pdf/writer.rs"]
#[allow(dead_code)] // Tests set pages with more of it.
mod writer;

use content::Content;
pub use element::Element;
use random::Random;
use std::collections::BTreeSet;

/// What one cell of a table says.
#[derive(Debug, Clone)]
pub struct Fact {
    pub value: f64,
    pub printed: String,
    /// The band or group that its row stands in, where it stands in one.
    pub band: Option<String>,
    pub label: String,
    /// What names its column alone or with some others, from the outermost down, as it is printed.
    pub column: Vec<String>,
    /// The words of those names that tell neither a period nor a unit.
    pub said: String,
    /// What one name says of all columns.
    pub over: Option<String>,
    pub unit: Option<String>,
    pub year: Option<u16>,
    /// The part of the year: `H1`.
    pub part: Option<&'static str>,
    pub title: String,
}

/// A file and what its tables say.
pub struct Made {
    pub name: &'static str,
    pub bytes: Vec<u8>,
    pub facts: Vec<Fact>,
    /// What stands in it on purpose.
    pub elements: BTreeSet<Element>,
}

/// A way to set a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Ruled,
    Unruled,
    Tagged,
    MarkedHtml,
    PlainHtml,
    MarkedDocx,
    PlainDocx,
    MergedXlsx,
    PlainXlsx,
    Pptx,
}

impl Format {
    pub const ALL: &[Self] = &[
        Self::Ruled,
        Self::Unruled,
        Self::Tagged,
        Self::MarkedHtml,
        Self::PlainHtml,
        Self::MarkedDocx,
        Self::PlainDocx,
        Self::MergedXlsx,
        Self::PlainXlsx,
        Self::Pptx,
    ];

    /// Its name, which is that of the file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ruled => "ruled.pdf",
            Self::Unruled => "unruled.pdf",
            Self::Tagged => "tagged.pdf",
            Self::MarkedHtml => "marked.html",
            Self::PlainHtml => "plain.html",
            Self::MarkedDocx => "marked.docx",
            Self::PlainDocx => "plain.docx",
            Self::MergedXlsx => "merged.xlsx",
            Self::PlainXlsx => "plain.xlsx",
            Self::Pptx => "table.pptx",
        }
    }

    pub const fn is_pdf(self) -> bool {
        matches!(self, Self::Ruled | Self::Unruled | Self::Tagged)
    }

    pub const fn is_html(self) -> bool {
        matches!(self, Self::MarkedHtml | Self::PlainHtml)
    }

    pub const fn is_sheet(self) -> bool {
        matches!(self, Self::MergedXlsx | Self::PlainXlsx)
    }

    /// Whether cells that reach over several columns or rows are cells of the file.
    pub const fn spans(self) -> bool {
        !matches!(self, Self::PlainXlsx)
    }
}

/// The file of a seed in `format`. It shows `wanted`, and other elements now and then.
pub fn made(seed: u64, format: Format, wanted: Element) -> Made {
    let mut random = Random::new(seed.wrapping_mul(7_919) + wanted as u64 * 31 + format as u64);
    let elements = element::chosen(&mut random, format, wanted);
    let beside = elements.contains(&Element::SideBySide);
    let titles: &[&str] = if beside { &["Water by site", "Waste by unit"] } else { &["Figures by site"] };
    let contents: Vec<Content> =
        titles.iter().map(|title| Content::new(&mut random, format, &elements, title)).collect();
    let bytes = match format {
        _ if format.is_pdf() => pdf::set(&mut random, format, &elements, &contents),
        _ if format.is_html() => html::set(format, &elements, &contents),
        _ if format.is_sheet() => sheet::set(format, &contents),
        Format::Pptx => slide::set(&contents[0]),
        _ => word::set(format, &contents[0]),
    };
    let facts = contents.into_iter().flat_map(|content| content.facts).collect();
    Made { name: format.name(), bytes, facts, elements }
}
