//! The issuer of a report and its year, as far as the report itself states them: nothing is guessed.

use serde_json::{Map, Value};

/// Issuer and year of a report, each if known.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportFacts {
    /// Name of the issuer as the front matter has it.
    pub issuer: Option<String>,
    /// Year that the report is about.
    pub year: Option<u16>,
    /// What else it calls its issuer.
    pub aliases: Vec<String>,
}

/// Fields of the front matter that name the issuer, the plainest first.
const ISSUER: &[&str] = &["issuer", "company", "entity", "organisation", "organization"];
/// Fields of the front matter that name the year, the plainest first.
const YEAR: &[&str] = &["year", "reporting_year", "fiscal_year", "financial_year"];
/// Years that reports are about.
pub(crate) const YEARS: std::ops::RangeInclusive<u16> = 1990..=2099;

impl ReportFacts {
    /// What `metadata` (front matter), the title and the path say, in that order. Of a path the file's name comes
    /// before the folders around it.
    pub fn new(metadata: &Map<String, Value>, title: &str, path: &str) -> Self {
        let issuer = ISSUER.iter().find_map(|name| metadata.get(*name)?.as_str());
        let issuer = issuer.map(|name| name.split_whitespace().collect::<Vec<_>>().join(" "));
        let aliases = metadata.get("aliases").and_then(Value::as_array).into_iter().flatten();
        let made = made_in(metadata);
        let stated = YEAR.iter().find_map(|name| match metadata.get(*name)? {
            Value::Number(number) => number.as_u64().and_then(|n| u16::try_from(n).ok()),
            Value::String(text) => year_in(text, this_year()),
            _ => None,
        });
        let year = stated.filter(|year| YEARS.contains(year)).or_else(|| year_in(title, made));
        Self {
            issuer: issuer.filter(|name| !name.is_empty()),
            year: year.or_else(|| path.rsplit('/').find_map(|part| year_in(part, made))),
            aliases: aliases.filter_map(|name| name.as_str().map(str::to_owned)).collect(),
        }
    }
}

/// The year in which the file was made or last changed, as it says itself; that of the clock where it says neither. An office
/// file that nobody has changed since the day it was made says the day of the template that a program filled.
fn made_in(metadata: &Map<String, Value>) -> u16 {
    let day = |name: &str| metadata.get(name)?.as_str()?.get(..10);
    let (created, modified) = (day("created"), day("modified"));
    if created.is_some() && created == modified && !metadata.contains_key("producer") {
        return this_year();
    }
    let years = [created, modified].into_iter().flatten().filter_map(|day| day.get(..4)?.parse().ok());
    years.filter(|year| YEARS.contains(year)).max().unwrap_or_else(this_year)
}

/// The last year that stands in `text`, of a file `made` in a year. It is written as four digits of their own or as
/// two behind `FY`; of `2023/24` and `2023-2024`, the later year counts. A year further off than the next one does
/// not count: a report looks forward to it and is not about it. Nor does the end of a stretch of years that was still
/// to come.
fn year_in(text: &str, made: u16) -> Option<u16> {
    let latest = made + 1;
    let mut found = None;
    let mut before: Option<(u16, &str)> = None;
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = &rest[start..];
        let length = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let (number, after) = digits.split_at(length);
        let fiscal = length == 2 && is_fiscal(&rest[..start]);
        if let Some(year) = number.parse::<u16>().ok().filter(|_| fiscal).map(|year| 2000 + year)
            && year <= latest
        {
            found = Some(if runs_on(year, after) { year + 1 } else { year });
        }
        if length == 4
            && let Ok(year) = number.parse::<u16>()
            && YEARS.contains(&year)
        {
            let between = before.map(|(first, rest)| (first, &rest[..rest.len() - digits.len()]));
            let ends = between.is_some_and(|(first, sign)| {
                matches!(sign.trim(), "-" | "\u{2013}" | "\u{2014}" | "to") && first + 1 < year && year > made
            });
            if year <= latest && !ends {
                found = Some(if runs_on(year, after) { year + 1 } else { year });
            }
            before = Some((year, after));
        }
        rest = after;
    }
    found
}

/// Whether `FY` ends a text, as a word of its own.
fn is_fiscal(before: &str) -> bool {
    let bare = before.trim_end_matches([' ', '\'', '\u{2019}', '-', '_']);
    let rest = bare.strip_suffix("FY").or_else(|| bare.strip_suffix("fy"));
    rest.is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
}

/// The year by the clock (UTC); the first of [`YEARS`] where the clock is off.
fn this_year() -> u16 {
    let now = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC);
    u16::try_from(now.year()).unwrap_or(*YEARS.start()).max(*YEARS.start())
}

/// Whether two digits of the next year follow, as in `2023/24`; in a date such as `2011-12-31` they are its month.
fn runs_on(year: u16, after: &str) -> bool {
    let Some((next, rest)) = joined(after) else { return false };
    next.len() == 2 && next.parse() == Ok((year + 1) % 100) && joined(rest).is_none()
}

/// The digits that a stroke joins to the text before, and the text after them.
fn joined(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(['/', '-', '\u{2013}'])?;
    let length = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (length > 0).then(|| text.split_at(length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_else_a_report_calls_its_issuer_is_a_list_of_names() {
        let aliases = |metadata: Value| ReportFacts::new(metadata.as_object().unwrap(), "", "").aliases;
        assert_eq!(aliases(json!({ "aliases": ["Korva", "the Group", 7] })), ["Korva", "the Group"]);
        assert_eq!(aliases(json!({ "aliases": "Korva" })), [""; 0]);
    }

    #[test]
    fn a_report_says_itself_who_issued_it_and_for_which_year() {
        let facts = |metadata: Value, title: &str, path: &str| {
            let ReportFacts { issuer, year, .. } =
                ReportFacts::new(metadata.as_object().unwrap(), title, path);
            (issuer, year)
        };
        let known = |issuer: &str| Some(issuer.to_owned());
        for (metadata, title, path, expected) in [
            (
                json!({"issuer": " Aurelia \n Cement", "year": 2023}),
                "2024",
                "2022.md",
                (known("Aurelia Cement"), Some(2023)),
            ),
            (
                json!({"company": "Halden", "fiscal_year": "FY 2023/24"}),
                "",
                "",
                (known("Halden"), Some(2024)),
            ),
            // A year that it looks forward to is not the one it is about.
            (json!({}), "Sustainability report 2023: our roadmap to 2050", "", (None, Some(2023))),
            (json!({}), "Roadmap to 2090", "2022/roadmap.md", (None, Some(2022))),
            (json!({}), "Report 2019\u{2013}2024", "", (None, Some(2024))),
            (json!({"created": "2024-06-14"}), "Adaptation plan 2024-2027", "", (None, Some(2024))),
            (json!({"created": "2024-06-14"}), "Plan 2024 \u{2013} 2027", "", (None, Some(2024))),
            (json!({"created": "2013-09-11"}), "Strategy 2020-2050", "", (None, None)),
            (
                json!({"created": "2013-12-23T23:15:00Z", "modified": "2013-12-23T23:15:00Z"}),
                "ESG Update 2024",
                "",
                (None, Some(2024)),
            ),
            // If there is no year, the word belongs to the title.
            (json!({"year": 24}), "Annual report 2021-2022", "", (None, Some(2022))),
            (
                json!({"issuer": 7, "year": [2024]}),
                "Climate report",
                "2019/tcfd_2020.pdf",
                (None, Some(2020)),
            ),
            (json!({}), "Towards 20245 tonnes", "reports/2018/a.pdf", (None, Some(2018))),
            (json!({}), "Nordvind 2023\u{2013}24", "x.pdf", (None, Some(2024))),
            (json!({}), "Nordvind 2023-11-30", "x.pdf", (None, Some(2023))),
            (json!({}), "Nordvind 2011-12-31", "x.pdf", (None, Some(2011))),
            (json!({}), "Nordvind 2011-12-", "x.pdf", (None, Some(2012))),
            (json!({}), "ESG report FY24", "a.pdf", (None, Some(2024))),
            (json!({}), "Report", "mill-fy23.pdf", (None, Some(2023))),
            (json!({}), "Comfy24 and FY99", "a.pdf", (None, None)),
            // Who wrote the file and when it was made say neither.
            (json!({"author": "J. Doe", "created": "2024-03-01"}), "Report", "a.pdf", (None, None)),
            (json!({"issuer": " "}), "1789", "a.pdf", (None, None)),
        ] {
            assert_eq!(facts(metadata.clone(), title, path), expected, "{metadata} {title} {path}");
        }
    }
}
