//! What tables are made of.

use super::Format;
use super::random::Random;
use std::collections::BTreeSet;

macro_rules! elements {
    ($($element:ident $name:literal),* $(,)?) => {
        /// Something that a table shows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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
        }
    };
}

elements! {
    Years "years",
    MarkedYears "years with marks",
    Dates "dates",
    Halves "halves of years",
    Fiscal "fiscal years",
    Estimates "years of estimates",
    DatedUnits "years with a unit",
    Words "names in words",
    LongNames "long names",
    TwoRows "names in two rows",
    Unspanned "names in two rows without spans",
    OneName "one name over all columns",
    Foot "names at the foot of their cells",
    Filled "a filled band of names",
    Repeated "names that are repeated",
    Dollar "a currency in a cell of its own",
    Percent "a percent sign in a cell of its own",
    UnitBeside "a unit in a cell of its own",
    UnitRow "a row of units",
    UnitColumn "a column of units",
    UnitCorner "a unit over the labels",
    UnitTitle "a unit in the title",
    Spacers "spacer columns",
    Bands "bands",
    GroupFirst "a group's label in its first row",
    GroupMiddle "a group's label in its middle",
    Indented "indented labels",
    Wrapped "labels over several lines",
    Equal "equal values",
    Notes "marks of notes",
    SideBySide "two tables side by side",
    Nested "a table in a cell",
}

use Element::*;

/// Elements of which a table shows at most one.
const EITHER: &[&[Element]] = &[
    &[Years, MarkedYears, Dates, Halves, Fiscal, Estimates, DatedUnits, Words, LongNames],
    &[TwoRows, Unspanned, OneName],
    &[Dollar, Percent, UnitBeside, UnitRow, UnitColumn, UnitCorner, UnitTitle, DatedUnits],
    &[Bands, GroupFirst, GroupMiddle, Indented],
    // Half a page has no room for more.
    &[SideBySide, LongNames],
    &[SideBySide, TwoRows],
    &[SideBySide, Unspanned],
    &[SideBySide, GroupFirst],
    &[SideBySide, GroupMiddle],
    &[SideBySide, UnitColumn],
    &[SideBySide, Wrapped],
    &[SideBySide, Spacers],
    &[SideBySide, UnitTitle],
    &[Nested, SideBySide],
    &[Nested, Wrapped],
    // Marks on years and marks on labels would have the same notes.
    &[MarkedYears, Notes],
];

impl Element {
    /// Whether a file of `format` can show it.
    pub const fn is_in(self, format: Format) -> bool {
        match self {
            Foot | Wrapped => format.is_pdf(),
            SideBySide => format.is_pdf() || format.is_html() || format.is_sheet(),
            Nested => format.is_html(),
            // Without spans nobody knows how far a name at the left of others reaches, but by what repeats.
            TwoRows | OneName | GroupMiddle => format.spans(),
            _ => true,
        }
    }
}

/// The elements of a table that shows `wanted`.
pub(super) fn chosen(random: &mut Random, format: Format, wanted: Element) -> BTreeSet<Element> {
    let mut out = BTreeSet::from([wanted]);
    let start = random.below(Element::ALL.len());
    for at in 0..Element::ALL.len() {
        let element = Element::ALL[(start + at) % Element::ALL.len()];
        let excluded =
            EITHER.iter().any(|set| set.contains(&element) && out.iter().any(|other| set.contains(other)));
        if element.is_in(format) && !excluded && random.chance(9) {
            out.insert(element);
        }
    }
    if !EITHER[0].iter().any(|style| out.contains(style)) {
        let free = EITHER[0].iter().filter(|style| {
            !EITHER.iter().any(|set| set.contains(style) && out.iter().any(|other| set.contains(other)))
        });
        let free: Vec<Element> = free.copied().collect();
        out.insert(free[random.below(free.len())]);
    }
    out
}
