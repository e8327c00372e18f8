//! The place of a paragraph: pillar, section, and the header that names them.

use super::line::Opening;
use crate::reference::ifrs::id::{Number, Standard};

/// The pillar of a paragraph by its number, `appendix` in the appendices, `general` elsewhere.
///
/// Boundaries as in the standards of June 2023: S1 26–27, 28–42, 43–44, 45–53; S2 5–7, 8–23, 24–26, 27–37.
fn pillar_of(standard: Standard, number: Option<Number>) -> &'static str {
    let Some(Number { series: None, value, .. }) = number else { return "appendix" };
    let ends = match standard {
        Standard::S1 => [26, 28, 43, 45, 54],
        Standard::S2 => [5, 8, 24, 27, 38],
    };
    match ends.iter().take_while(|&&end| end <= value).count() {
        1 => "governance",
        2 => "strategy",
        3 => "risk_management",
        4 => "metrics_targets",
        _ => "general",
    }
}

/// The pillar of a unit: by its id, else by what its heading announces, else by its headings.
pub(super) fn pillar(opening: Option<&Opening>, path: &[String]) -> &'static str {
    if let Some(opening) = opening {
        return pillar_of(opening.standard, opening.number);
    }
    let named = path.iter().find_map(|title| {
        let title = title.to_ascii_lowercase();
        let known =
            PILLARS.iter().find(|(name, _)| name.eq_ignore_ascii_case(&title)).map(|&(_, pillar)| pillar);
        known.or_else(|| title.starts_with("appendix").then_some("appendix"))
    });
    named.unwrap_or("general")
}

const PILLARS: [(&str, &str); 4] = [
    ("Governance", "governance"),
    ("Strategy", "strategy"),
    ("Risk management", "risk_management"),
    ("Metrics and targets", "metrics_targets"),
];

/// The deepest heading, or the pillar's name if there is none.
pub(super) fn section(path: &[String], pillar: &str) -> String {
    path.last().cloned().unwrap_or_else(|| match PILLARS.iter().find(|(_, p)| *p == pillar) {
        Some((name, _)) => (*name).to_owned(),
        None if pillar == "appendix" => "Appendix".to_owned(),
        None => "General".to_owned(),
    })
}

/// `[IFRS S2 > Strategy > Strategy and decision-making > S2.14(a)(iv)]`. "Core content" says nothing and is
/// left out; titles of appendices are shortened.
pub(super) fn header(standard: Option<Standard>, path: &[String], id: Option<&str>) -> String {
    let mut steps = vec![standard.map_or_else(|| "IFRS".to_owned(), |s| format!("IFRS {}", s.code()))];
    let shown = path.iter().filter(|title| path.len() == 1 || *title != "Core content");
    steps.extend(shown.map(|title| short(title)));
    steps.extend(id.map(str::to_owned));
    format!("[{}]", steps.join(" > "))
}

/// Characters of a heading that a header shows.
const LONGEST: usize = 60;

/// A heading without its "(paragraphs …)", and for appendices and long ones without what follows "of".
fn short(title: &str) -> String {
    let title = title.split(" (paragraph").next().unwrap_or(title).trim();
    if title.chars().count() <= LONGEST && !(title.starts_with("Appendix") && title.chars().count() > 40) {
        return title.to_owned();
    }
    let cut = title.split(" of ").next().filter(|t| t.chars().count() >= 12 && t.chars().count() <= LONGEST);
    cut.map_or_else(|| at_word(title), str::to_owned)
}

fn at_word(title: &str) -> String {
    let end = title.char_indices().nth(LONGEST).map_or(title.len(), |(at, _)| at);
    let kept = &title[..end];
    let kept = kept.rfind([' ', ',']).filter(|&at| at > LONGEST / 2).map_or(kept, |at| &kept[..at]);
    format!("{}…", kept.trim_end_matches([',', ' ']))
}
