//! Random designed documents with known truth: the content of their pages, its order, and what is a table.

mod band;
mod column;
#[path = "../../common/random.rs"]
mod random;
mod setter;
mod tables;
mod whole;

pub use random::Random;
use setter::Setter;

/// A file and what a person reads in it.
#[derive(Default, Clone)]
pub struct Made {
    pub bytes: Vec<u8>,
    /// The sentences of running text in reading order.
    pub sentences: Vec<String>,
    /// Sentences beside the text, such as captions: whole, but in a separate place.
    pub beside: Vec<String>,
    /// Texts that may be in cells or in running text, as the entries of a timeline are, but must be whole in one
    /// of them.
    pub entries: Vec<String>,
    pub headings: Vec<String>,
    /// The rows of tables, without headers.
    pub rows: Vec<Vec<String>>,
    /// Names of columns, which are in tables, and the maximum number of rows that they fill.
    pub names: Vec<String>,
    pub name_rows: usize,
    /// Big numbers with the label that belongs to each.
    pub figures: Vec<(String, String)>,
    /// Content of pages that is no part of the text.
    pub furniture: Vec<String>,
    /// The entries of a page of contents, which is the first page.
    pub contents: Vec<String>,
    /// Labels of the pages, if they are not their numbers.
    pub labels: Vec<String>,
    /// Whether the pages have signs of an icon font.
    pub icons: bool,
}

macro_rules! elements {
    ($($element:ident $name:literal $missed:literal),* $(,)?) => {
        /// What pages are made of.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Element {
            $($element),*
        }

        impl Element {
            pub const ALL: &[Self] = &[$(Self::$element),*];

            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$element => $name),*
                }
            }

            /// How many of a hundred documents with it are known to be read incorrectly.
            pub const fn missed(self) -> u8 {
                match self {
                    $(Self::$element => $missed),*
                }
            }
        }
    };
}

elements! {
    OneColumn "text in one column" 3,
    TwoColumns "text in two columns" 3,
    ThreeColumns "text in three columns" 3,
    FourColumns "text in four columns" 3,
    Unequal "columns of unequal length" 3,
    BelowPicture "columns below a picture" 3,
    ColumnHeadings "headings in columns" 3,
    Across "a heading across columns without room around it" 3,
    Lead "a lead paragraph in larger type" 8,
    Sidebar "a sidebar" 3,
    Quote "a pull quote between paragraphs" 3,
    QuoteInside "a pull quote inside a paragraph" 4,
    Caption "pictures with captions" 5,
    Boxed "a box" 6,
    Timeline "a timeline" 4,
    Wrapped "text around a figure" 3,
    Capital "drop capitals" 3,
    Spaced "letter-spaced headings" 3,
    Notes "footnotes with their marks" 3,
    Scripts "raised and lowered signs" 2,
    Icons "icon fonts" 3,
    Turned "turned text" 2,
    List "lists" 3,
    KeyFigures "key figures in a row" 3,
    ColumnFigure "a key figure in a column" 5,
    Numbers "tables of numbers" 2,
    ProseTable "tables with prose" 10,
    TallHeader "header rows of several lines" 3,
    Spanning "cells across columns" 2,
    Continued "a table over the end of a page" 2,
    Tabs "navigation bars whose marked tab changes" 3,
    Labels "printed page labels" 3,
    Contents "a page of contents" 3,
    Spread "two pages on one sheet" 7,
}

/// The document of a seed with `element` among columns of text, or one with any of the elements.
pub fn made(seed: u64, element: Option<Element>) -> Made {
    let mut random = Random::new(seed.wrapping_mul(7_919) + element.map_or(0, |element| element as u64 + 1));
    let element_or_any =
        element.unwrap_or_else(|| random.pick(&Element::ALL.iter().collect::<Vec<_>>()).to_owned());
    let mut setter = Setter::new(&mut random, element.is_none());
    match element_or_any {
        Element::Tabs => setter.tabs(),
        Element::Labels => setter.labelled(),
        Element::Contents => setter.contents(),
        Element::Spread => setter.spread(),
        Element::Continued => setter.continued(),
        other => setter.page(Some(other)),
    }
    setter.finished()
}
