//! The period that a report is about.

use super::Time;
use crate::document::Document;
use crate::language::period::{Part, periods};

/// Most blocks at the beginning that say which period a report covers, and most bytes of one.
const BEGINNING: usize = 40;
const LONGEST: usize = 200;
/// What a report calls the period that it covers.
const COVERED: [&str; 12] = [
    "reporting period",
    "period covered",
    "berichtszeitraum",
    "période de reporting",
    "période couverte",
    "periodo de reporte",
    "período de reporte",
    "verslagperiode",
    "rapporteringsperiod",
    "対象期間",
    "报告期间",
    "報告期間",
];

/// The period of a report.
pub(super) struct Reported<'d> {
    period: Option<(u16, Option<Part>)>,
    /// Its title. If the report states another period, the title may name the year in which it came out.
    title: Option<&'d str>,
    /// The time of the list whose items are read, if the words that lead to it say so.
    led: Option<(u16, Option<Part>)>,
}

impl<'d> Reported<'d> {
    /// That of `document`: the one that it says it covers, else the one that its title or its cover names.
    pub(super) fn of(document: &'d Document) -> Self {
        let year = |text: &str| Time::of(text).and_then(Time::period);
        let beginning = document.blocks.iter().take(BEGINNING).filter(|block| block.span.len() <= LONGEST);
        let covered = beginning.map(|block| block.span.of(&document.text)).find_map(covered);
        let title = document.title.as_deref();
        let told = || {
            let told = document.metadata.get("year")?;
            year(&told.as_str().map_or_else(|| told.to_string(), str::to_owned))
        };
        Self {
            period: covered.or_else(|| title.and_then(year)).or_else(told),
            title: title.filter(|_| covered.is_some()),
            led: None,
        }
    }

    /// The same for items of a list that is of the time `led`.
    pub(super) const fn led_by(&self, led: Option<(u16, Option<Part>)>) -> Self {
        Self { led, ..*self }
    }

    /// The period of a figure below the headings `above` that has none itself. It is that of the nearest heading with
    /// one, else that of the report.
    pub(super) fn below(&self, above: &[String]) -> Option<(u16, Option<Part>)> {
        let headings = above.iter().rev().filter(|heading| Some(heading.as_str()) != self.title);
        let above = || headings.filter_map(|heading| Time::above(heading)).find_map(Time::period);
        self.led.or_else(above).or(self.period)
    }
}

/// Words in lower case before a period that is not the one a report covers.
const OTHERS: [&str; 10] = [
    "previous",
    "prior",
    "last",
    "comparative",
    "vorherigen",
    "précédente",
    "anterior",
    "vorige",
    "next",
    "前",
];

/// The period that a line says a report covers. A financial year keeps its name, whatever days it has.
fn covered(said: &str) -> Option<(u16, Option<Part>)> {
    let lower = said.to_lowercase();
    let at =
        COVERED.iter().filter_map(|name| lower.find(name)).min().filter(|_| lower.len() == said.len())?;
    let before = lower[..at].trim_end();
    if OTHERS.iter().any(|word| before.ends_with(word)) {
        return None;
    }
    let said = said.get(at..)?;
    let financial = periods(said).into_iter().find(|period| said[period.end..].starts_with("年度"));
    financial.map(|period| (period.year, period.part)).or_else(|| Time::of(said)?.period())
}
