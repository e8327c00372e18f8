//! SASB codes: metrics (`EM-EP-110a.1`, `EM-EP-000.A`), topics (`EM-EP-110a`), industries (`EM-EP`).
//!
//! A code with digits is recognised in any case. A bare industry code is two pairs of letters. Both must be
//! capitals, and the first pair must be one of the sectors.

use super::cursor::{Cursor, is_dash, starts};
use super::{Detector, Reference};
use crate::document::Span;

/// Finds SASB codes.
pub struct Sasb;

/// The sectors' prefixes.
const SECTORS: [&str; 11] = ["CG", "EM", "FB", "FN", "HC", "IF", "RR", "RT", "SV", "TC", "TR"];

impl Detector for Sasb {
    fn name(&self) -> &'static str {
        "sasb"
    }
    fn detect(&self, text: &str) -> Vec<Reference> {
        let mut found: Vec<Reference> = Vec::new();
        let mut free = 0;
        for start in starts(text) {
            if start < free {
                continue;
            }
            let mut cursor = Cursor::new(text, start);
            if cursor.before().is_some_and(is_dash) {
                continue;
            }
            let Some(code) = Code::read(&mut cursor) else { continue };
            let (ids, range) = code.members(&mut cursor);
            free = cursor.at;
            found.push(Reference {
                detector: self.name().to_owned(),
                span: Span::new(start, cursor.at),
                ids,
                range,
            });
        }
        found
    }
}

/// A code in its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Code {
    /// Industry, such as `EM-EP`.
    pub(crate) industry: String,
    /// Topic series, such as `110a`, or `000` for the activity metrics.
    pub(crate) series: Option<String>,
    /// Number of the metric, or letter of the activity metric.
    pub(crate) metric: Option<String>,
}

impl Code {
    /// Reads a code, which ends where its letters and digits end.
    pub(crate) fn read(cursor: &mut Cursor<'_>) -> Option<Self> {
        let mut ahead = *cursor;
        let (sector, branch) = (pair(&mut ahead)?, dash_and(&mut ahead, pair)?);
        let capitals = [sector, branch].iter().all(|p| p.bytes().all(|b| b.is_ascii_uppercase()));
        let industry = format!("{}-{}", sector.to_ascii_uppercase(), branch.to_ascii_uppercase());
        if !SECTORS.contains(&&industry[..2]) {
            return None;
        }
        let bare = ahead;
        let mut code = Self { industry, series: None, metric: None };
        if let Some(digits) = dash_and(&mut ahead, |c| c.digits(3)).filter(|d| d.len() == 3) {
            let letter = ahead.take(|c| c.is_ascii_alphabetic()).map(|c| c.to_ascii_lowercase());
            if ahead.in_word() || (digits == "000") != letter.is_none() {
                return None;
            }
            code.series =
                Some(letter.map_or_else(|| digits.to_owned(), |letter| format!("{digits}{letter}")));
            code.metric = code.read_metric(&mut ahead);
        } else {
            ahead = bare;
            let joined = ahead.peek().is_some_and(|c| is_dash(c) || c == '_') && {
                let mut further = ahead;
                further.take(|_| true);
                further.in_word()
            };
            if !capitals || ahead.in_word() || joined {
                return None;
            }
        }
        *cursor = ahead;
        Some(code)
    }

    fn read_metric(&self, cursor: &mut Cursor<'_>) -> Option<String> {
        let mut ahead = *cursor;
        if !ahead.eat('.') {
            return None;
        }
        let metric = match self.series.as_deref() {
            Some("000") => ahead.take(|c| c.is_ascii_alphabetic())?.to_ascii_uppercase().to_string(),
            _ => ahead.digits(2)?.to_owned(),
        };
        if ahead.in_word() {
            return None;
        }
        *cursor = ahead;
        Some(metric)
    }

    /// The code as it is printed.
    pub(crate) fn id(&self) -> String {
        let mut id = self.topic();
        if let Some(metric) = &self.metric {
            id.push('.');
            id.push_str(metric);
        }
        id
    }

    /// The topic's code, or the industry's if no topic is named.
    pub(crate) fn topic(&self) -> String {
        self.series
            .as_ref()
            .map_or_else(|| self.industry.clone(), |series| format!("{}-{series}", self.industry))
    }

    /// The ids from this code to the end of the range that follows, such as `–3` or ` to EM-EP-110a.3`.
    fn members(&self, cursor: &mut Cursor<'_>) -> (Vec<String>, bool) {
        let range = || {
            let first: u8 = self.metric.as_ref()?.parse().ok()?;
            let mut ahead = *cursor;
            let spaced = ahead.spaces() > 0;
            if ahead.take(is_dash).is_none() && !(spaced && ahead.word_of(&["to"]).is_some()) {
                return None;
            }
            ahead.spaces();
            let mut coded = ahead;
            let last = match Self::read(&mut coded) {
                Some(code) if code.topic() == self.topic() => {
                    ahead = coded;
                    code.metric?.parse().ok()?
                }
                Some(_) => return None,
                None => {
                    let dotted = ahead.eat('.');
                    let last: u8 = ahead.digits(2)?.parse().ok()?;
                    if ahead.in_word() || spaced && !dotted {
                        return None;
                    }
                    last
                }
            };
            let ids = (first..=last).map(|n| format!("{}.{n}", self.topic())).collect::<Vec<_>>();
            (ids.len() > 1).then_some((ids, ahead))
        };
        match range() {
            Some((ids, end)) => {
                *cursor = end;
                (ids, true)
            }
            None => (vec![self.id()], false),
        }
    }
}

fn pair<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let rest = cursor.rest();
    let pair = rest.get(..2).filter(|p| p.bytes().all(|b| b.is_ascii_alphabetic()))?;
    cursor.at += 2;
    Some(pair)
}

fn dash_and<'a>(
    cursor: &mut Cursor<'a>,
    then: impl Fn(&mut Cursor<'a>) -> Option<&'a str>,
) -> Option<&'a str> {
    let mut ahead = *cursor;
    ahead.take(is_dash)?;
    let read = then(&mut ahead)?;
    *cursor = ahead;
    Some(read)
}
