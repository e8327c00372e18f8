//! A standard that does not ship: numbered like `305-1`, with items such as `305-2 (a)`.

use sibyl_text::Span;
use sibyl_text::reference::{Detector, Reference};
use sibyl_text::source_type::field::{Field, SECTION, STANDARD, TOPIC, Values};
use sibyl_text::source_type::{Home, Nature, Outline, Permission, Signs, SourceType, Standard};

pub static GRI: SourceType = SourceType {
    name: "gri",
    label: "GRI Standards",
    about: "Topic standards",
    mark: "GR",
    strategy: "paragraphs",
    home: Home::Own("gri"),
    signs: Signs { standards: &["GRI"], file: None, folder: None },
    ships: None,
    nature: Nature::Standard(Standard {
        short: "GRI",
        body: "GRI",
        outline: Outline::Paragraphs,
        references: &Disclosures,
        example: "305-2(a)",
        editions: false,
        copies: false,
        side_data: &[],
    }),
    allows: &[Permission::Review, Permission::Share, Permission::Remote, Permission::Fill],
    filters: &[&STANDARD, &SECTION, &TOPIC, &SERIES],
    cited_by_header: true,
};

/// A field that no other kind of source has.
static SERIES: Field = Field {
    about: "Series of topic standards",
    values: Values::Only(&[("200", "Economic"), ("300", "Environmental"), ("400", "Social")]),
    ..Field::new("series", "series", "Series")
};

/// Finds `305-1` and `305-2 (a)`.
struct Disclosures;

impl Detector for Disclosures {
    fn name(&self) -> &'static str {
        "gri"
    }
    fn detect(&self, text: &str) -> Vec<Reference> {
        let mut found: Vec<Reference> = Vec::new();
        for (start, _) in text.match_indices(|c: char| c.is_ascii_digit()) {
            let before = text[..start].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '-')
                || found.last().is_some_and(|last| start < last.span.end)
            {
                continue;
            }
            if let Some((id, length)) = disclosure(&text[start..]) {
                let span = Span::new(start, start + length);
                found.push(Reference { detector: "gri".to_owned(), span, ids: vec![id], range: false });
            }
        }
        found
    }
}

/// The id that `text` begins with, and its length.
fn disclosure(text: &str) -> Option<(String, usize)> {
    let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (series, rest) = text.split_once('-')?;
    let number = digits(rest);
    if series.len() != 3 || digits(series) != 3 || !(1..=2).contains(&number) {
        return None;
    }
    let mut id = text[..4 + number].to_owned();
    let mut end = id.len();
    while let Some((label, _)) =
        text[end..].trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'))
    {
        id.push_str(&format!("({label})"));
        end += text[end..].find(')')? + 1;
    }
    Some((id, end))
}
