//! Codes of frameworks as indexes print them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::reference::Detector as _;
use sibyl_text::reference::ifrs::{Ifrs, detect_in};
use sibyl_text::reference::sasb::Sasb;

/// Whose codes an index lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "IndexFramework")]
pub enum Framework {
    /// IFRS S1.
    IfrsS1,
    /// IFRS S2.
    IfrsS2,
    /// SASB Standards.
    Sasb,
    /// Recommendations of the TCFD.
    Tcfd,
    /// GRI Standards.
    Gri,
    /// European Sustainability Reporting Standards.
    Esrs,
}

impl Framework {
    /// What people call it.
    pub const fn label(self) -> &'static str {
        match self {
            Self::IfrsS1 => "IFRS S1",
            Self::IfrsS2 => "IFRS S2",
            Self::Sasb => "SASB",
            Self::Tcfd => "TCFD",
            Self::Gri => "GRI",
            Self::Esrs => "ESRS",
        }
    }

    /// `code` with the name of the framework.
    pub(in crate::assess) fn cited(self, code: &str) -> String {
        let paragraph = match self {
            Self::IfrsS1 | Self::IfrsS2 => code.split_once('.').map(|(_, paragraph)| paragraph),
            Self::Sasb | Self::Tcfd | Self::Gri | Self::Esrs => None,
        };
        format!("{} {}", self.label(), paragraph.unwrap_or(code))
    }

    /// Those that `text` names.
    pub(super) fn named_in(text: &str) -> Vec<Self> {
        let lower = text.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let has = |word: &str| words.contains(&word);
        let ifrs = |short: &str| words.windows(2).any(|two| two == ["ifrs", short]);
        let named = [
            (Self::IfrsS1, ifrs("s1")),
            (Self::IfrsS2, ifrs("s2")),
            (Self::Sasb, has("sasb")),
            (Self::Tcfd, has("tcfd") || lower.contains("task force on climate")),
            (Self::Gri, has("gri")),
            (Self::Esrs, has("esrs")),
        ];
        named.into_iter().filter(|(_, named)| *named).map(|(framework, _)| framework).collect()
    }
}

/// A code of a framework.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::assess) struct Code {
    /// Whose it is.
    pub framework: Framework,
    /// Its canonical form.
    pub code: String,
}

/// The GRI Standards with the number of disclosures of each. Those of 2025 reuse numbers of earlier ones and are
/// left out.
const GRI: [(u16, u8); 36] = [
    (2, 30),
    (3, 3),
    (201, 4),
    (202, 2),
    (203, 2),
    (204, 1),
    (205, 3),
    (206, 1),
    (207, 4),
    (301, 3),
    (302, 5),
    (303, 5),
    (304, 5),
    (305, 7),
    (306, 5),
    (307, 1),
    (308, 2),
    (401, 3),
    (402, 1),
    (403, 10),
    (404, 3),
    (405, 2),
    (406, 1),
    (407, 1),
    (408, 1),
    (409, 1),
    (410, 1),
    (411, 1),
    (412, 3),
    (413, 2),
    (414, 2),
    (415, 1),
    (416, 2),
    (417, 3),
    (418, 1),
    (419, 1),
];
/// The requirements of ESRS with the number of each.
const ESRS: [(&str, u8); 14] = [
    ("E1", 9),
    ("E2", 6),
    ("E3", 5),
    ("E4", 6),
    ("E5", 6),
    ("S1", 17),
    ("S2", 5),
    ("S3", 5),
    ("S4", 5),
    ("G1", 6),
    ("GOV", 5),
    ("SBM", 3),
    ("IRO", 2),
    ("BP", 2),
];
/// Topics before a requirement of ESRS 2.
const TOPICS: [&str; 10] = ["E1", "E2", "E3", "E4", "E5", "S1", "S2", "S3", "S4", "G1"];
/// The pillars of the TCFD with the number of recommended disclosures of each.
const PILLARS: [(&str, u8); 4] =
    [("Governance", 2), ("Strategy", 3), ("Risk Management", 3), ("Metrics and Targets", 3)];
/// Words of each recommended disclosure that no other has.
const RECOMMENDED: [(&str, &[&str]); 11] = [
    ("Governance (a)", &["board", "oversight of climate"]),
    ("Governance (b)", &["management’s role", "climate"]),
    ("Strategy (a)", &["climate-related risks and opportunities", "short, medium"]),
    ("Strategy (b)", &["impact", "climate-related risks and opportunities", "financial planning"]),
    ("Strategy (c)", &["resilience of the", "climate"]),
    ("Risk Management (a)", &["processes for identifying and assessing climate"]),
    ("Risk Management (b)", &["processes for managing climate"]),
    ("Risk Management (c)", &["integrated into", "overall risk management"]),
    ("Metrics and Targets (a)", &["metrics used", "to assess climate"]),
    ("Metrics and Targets (b)", &["disclose scope 1", "scope 2"]),
    ("Metrics and Targets (c)", &["targets used", "to manage climate"]),
];

/// What is known about the place of a cell.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Context<'a> {
    /// Frameworks whose codes may appear there without their name.
    pub bare: &'a [Framework],
    /// Whether plain numbers there are paragraph numbers.
    pub paragraphs: bool,
    /// The pillar of the TCFD that the rows belong to.
    pub pillar: Option<&'static str>,
}

/// The codes that `cell` gives, each once, in its order.
pub(super) fn codes(cell: &str, context: Context<'_>) -> Vec<Code> {
    let mut found: Vec<Code> = Vec::new();
    let mut add = |framework: Framework, all: Vec<String>| {
        for code in all {
            let code = Code { framework, code };
            if !found.contains(&code) {
                found.push(code);
            }
        }
    };
    let said = Framework::named_in(cell);
    let may = |framework: Framework| said.contains(&framework) || context.bare.contains(&framework);
    let metrics = Sasb.detect(cell).into_iter().flat_map(|found| found.ids);
    add(Framework::Sasb, metrics.filter(|id| id.contains('.')).collect());
    for (framework, short) in [(Framework::IfrsS1, "S1"), (Framework::IfrsS2, "S2")] {
        let all = Ifrs.detect(cell).into_iter().flat_map(|found| found.ids);
        add(framework, all.filter(|id| id.starts_with(short) && !id.contains(".A.")).collect());
        if context.bare.contains(&framework) && said.is_empty() {
            add(framework, bare_paragraphs(cell, short, context.paragraphs));
        }
    }
    if may(Framework::Gri) {
        add(Framework::Gri, gri(cell));
    }
    if may(Framework::Esrs) {
        add(Framework::Esrs, esrs(cell));
    }
    add(Framework::Tcfd, tcfd(cell, may(Framework::Tcfd), context.pillar).into_iter().collect());
    found
}

/// The pillar of the TCFD that `cell` names and nothing else.
pub(super) fn pillar(cell: &str) -> Option<&'static str> {
    let lower = cell.to_lowercase().replace('&', "and");
    let bare = lower.trim_matches(|c: char| !c.is_alphabetic());
    PILLARS.iter().map(|(name, _)| *name).find(|name| {
        bare.strip_prefix(name.to_lowercase().as_str())
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '\n']))
    })
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2012}' | '–' | '—' | '\u{2212}')
}

/// Paragraphs that `cell` names without their standard: `29(a)(i)`, and also plain numbers if `plain` says that
/// they are paragraphs.
fn bare_paragraphs(cell: &str, short: &str, plain: bool) -> Vec<String> {
    let mut all = Vec::new();
    for part in cell.split([';', ',', '\n']) {
        let lower = part.trim().to_lowercase();
        let bare = ["paragraphs", "paragraph", "paras", "para", "par", "§"]
            .iter()
            .find_map(|word| lower.strip_prefix(word))
            .unwrap_or(&lower)
            .trim_start_matches(['.', ' ']);
        let number = bare.strip_prefix(['b', 'c']).unwrap_or(bare);
        let named = plain || bare.len() < lower.len() || number.contains('(');
        let words = bare.chars().filter(|c| c.is_alphabetic()).count();
        if !named || !number.starts_with(|c: char| c.is_ascii_digit()) || words > bare.len() / 2 + 1 {
            continue;
        }
        let written = format!(
            "{short}.{}",
            bare.replacen(['b', 'c'], &bare[..1].to_uppercase(), usize::from(number.len() < bare.len()))
        );
        let found = detect_in(&written, None).into_iter().next();
        all.extend(found.filter(|found| found.span.start == 0).into_iter().flat_map(|found| found.ids));
    }
    all
}

/// Disclosures of GRI: `305-1`, and those between the two ends of `2-9 to 2-13`.
fn gri(cell: &str) -> Vec<String> {
    let mut all: Vec<(u16, u8)> = Vec::new();
    let mut behind = 0;
    for (start, first) in numbers(cell) {
        let end = start + first.len();
        let clear =
            cell[..start].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && !is_dash(c) && c != '.');
        let Some(dash) = cell[end..].chars().next().filter(|c| clear && is_dash(*c)) else { continue };
        let rest = &cell[end + dash.len_utf8()..];
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let after = &rest[length..];
        let mut next = after.chars();
        let ends = match next.next() {
            Some(c) if c.is_ascii_digit() || c == '%' => false,
            Some('.' | ',') => !next.next().is_some_and(|c| c.is_ascii_digit()),
            Some(c) if is_dash(c) => !next.next().is_some_and(|c| c.is_ascii_digit()),
            _ => true,
        };
        let code = first.parse().ok().zip(rest[..length].parse().ok()).filter(|(standard, number)| {
            GRI.iter().any(|(known, most)| known == standard && (1..=*most).contains(number))
        });
        let Some((standard, number)) = code.filter(|_| ends) else { continue };
        let between = cell[behind..start].trim();
        if let Some((_, last)) = all.last().filter(|(other, last)| {
            *other == standard
                && *last < number
                && (between == "to" || between.chars().all(is_dash) && !between.is_empty())
        }) {
            all.extend((last + 1..number).map(|number| (standard, number)).collect::<Vec<_>>());
        }
        all.push((standard, number));
        behind = end + dash.len_utf8() + length;
    }
    all.into_iter().map(|(standard, number)| format!("{standard}-{number}")).collect()
}

/// The runs of digits of `text` with where each begins.
fn numbers(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|start| start + at) {
        let length = text[start..].bytes().take_while(u8::is_ascii_digit).count();
        found.push((start, &text[start..start + length]));
        at = start + length;
    }
    found
}

/// Disclosure requirements of ESRS: `E1-6`, `GOV-1`, and `E1.GOV-3` for one of ESRS 2 that a topic adds to.
fn esrs(cell: &str) -> Vec<String> {
    let plain: String = cell.chars().map(|c| if is_dash(c) { '-' } else { c }).collect();
    let mut all = Vec::new();
    let mut topic = None;
    for word in plain.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| !word.is_empty())
    {
        if let Some(known) = TOPICS.iter().find(|known| **known == word) {
            topic = Some(*known);
            continue;
        }
        let before = topic.take();
        let Some((name, number)) = word.rsplit_once('-') else { continue };
        let (own, name) = match name.split_once('-') {
            Some((own, name)) => (TOPICS.iter().find(|known| **known == own).copied(), name),
            None => (before, name),
        };
        let known = ESRS.iter().find(|(known, _)| *known == name);
        let number: Option<u8> = number.parse().ok();
        let Some(number) =
            number.filter(|number| known.is_some_and(|(_, most)| (1..=*most).contains(number)))
        else {
            continue;
        };
        let own = own.filter(|_| !TOPICS.contains(&name));
        all.push(own.map_or_else(|| format!("{name}-{number}"), |own| format!("{own}.{name}-{number}")));
    }
    all
}

/// The recommended disclosure in `cell`: by its words, by pillar and letter, or by letter alone within a pillar.
fn tcfd(cell: &str, may: bool, above: Option<&'static str>) -> Option<String> {
    let lower = cell.to_lowercase().replace('\'', "’").replace('&', "and");
    let said = |(_, words): &&(&str, &[&str])| words.iter().all(|word| lower.contains(word));
    if (lower.contains("describe") || lower.contains("disclose"))
        && let Some((code, _)) = RECOMMENDED.iter().find(said)
    {
        return Some((*code).to_owned());
    }
    if !may {
        return None;
    }
    let lead = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    let lead = lead.strip_prefix("tcfd").unwrap_or(lead).trim_start_matches(|c: char| !c.is_alphanumeric());
    for (at, (name, most)) in PILLARS.iter().enumerate() {
        let number = char::from(b'1' + at as u8);
        let rest = lead.strip_prefix(name.to_lowercase().as_str()).or_else(|| lead.strip_prefix(number));
        if let Some(letter) = rest.and_then(|rest| letter(rest, *most)) {
            return Some(format!("{name} ({letter})"));
        }
    }
    let (name, most) = PILLARS.iter().find(|(name, _)| above == Some(name))?;
    letter(&lower, *most).map(|letter| format!("{name} ({letter})"))
}

/// The letter that `text` begins with, up to `most`: ` – a`, `(a)`, `a) Describe …`.
fn letter(text: &str, most: u8) -> Option<char> {
    let lead = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut chars = lead.chars();
    let letter = chars.next().filter(|c| (b'a'..b'a' + most).any(|known| char::from(known) == *c))?;
    chars.next().is_none_or(|c| matches!(c, ')' | '.' | ':' | '\n') || is_dash(c)).then_some(letter)
}
