//! An industry standard divided into topics, with their codes and metrics.

use super::metric::{Metric, metrics_in};
use crate::document::{Document, Section, Span};
use crate::reference::cursor::{Cursor, starts};
use crate::reference::sasb::Code;
use serde_json::Value;

/// What a stretch of an industry standard is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StretchKind {
    /// The industry itself: the text before its first topic.
    Industry,
    /// A disclosure topic.
    Topic,
    /// The activity metrics.
    Activity,
}

/// A disclosure topic, or the text before the first.
#[derive(Debug, Clone)]
pub(super) struct Topic {
    pub(super) kind: StretchKind,
    /// The topic with its heading and the headings before it that have no text.
    pub(super) span: Span,
    /// Name of the industry.
    pub(super) industry: String,
    /// Name of the topic.
    pub(super) name: Option<String>,
    /// Code of the industry, such as `EM-EP`.
    pub(super) standard: Option<String>,
    /// Code of the topic; of the industry if it is about that.
    pub(super) code: Option<String>,
    /// Its metrics, in order.
    pub(super) metrics: Vec<Metric>,
    /// Whether the guidance on IFRS S2 includes the topic, if the text says so.
    pub(super) in_guidance: Option<bool>,
}

/// A heading's title without its code, and the code.
#[derive(Debug, Clone)]
struct Title {
    name: String,
    code: Option<Code>,
}

impl Title {
    /// `Air Quality (EM-EP-120a)`, `EM-EP-120a Air Quality` or a title without a code.
    fn of(title: &str) -> Self {
        let title = title.trim();
        let found = starts(title).find_map(|at| {
            let mut cursor = Cursor::new(title, at);
            Code::read(&mut cursor).map(|code| (Span::new(at, cursor.at), code))
        });
        let Some((span, code)) = found else { return Self { name: title.to_owned(), code: None } };
        let open =
            |c: char| c.is_whitespace() || matches!(c, '(' | '[' | ':' | '–' | '—' | '-' | '·' | '|' | '.');
        let close = |c: char| open(c) || matches!(c, ')' | ']');
        let before = title[..span.start].trim_end_matches(open);
        let after = title[span.end..].trim_start_matches(close);
        let name = [before, after].iter().filter(|s| !s.is_empty()).copied().collect::<Vec<_>>().join(" ");
        Self { name, code: Some(code) }
    }

    fn names_topic(&self) -> bool {
        self.code.as_ref().is_some_and(|c| c.series.is_some() && c.metric.is_none())
    }
}

/// Divides `document` into its topics; together they cover the whole body.
pub(super) fn outline(document: &Document, path: &str) -> Vec<Topic> {
    let text = &document.text;
    let titles: Vec<Title> = document.sections.iter().map(|s| Title::of(&s.title)).collect();
    let opens = topics(document, &titles);
    let field = |name: &str| document.metadata.get(name).and_then(Value::as_str).map(str::to_owned);
    let own_title = document.title.as_deref().map(Title::of);
    let fallback = field("industry")
        .or_else(|| own_title.as_ref().map(|t| t.name.clone()))
        .unwrap_or_else(|| from_path(path));
    let all = metrics_in(text, document.body);
    let standard = field("standard_code")
        .or_else(|| titles.iter().chain(&own_title).find_map(|t| t.code.as_ref()).map(|c| c.industry.clone()))
        .or_else(|| all.first().map(|(code, _)| code.industry.clone()));

    // Headings without text go with the topic below them.
    let mut found: Vec<(usize, Option<usize>)> = vec![(document.body.start, None)];
    for &section in &opens {
        let mut at = document.sections[section].heading.start;
        let mut above = document.sections[section].parent;
        while let Some(outer) = above {
            let heading = document.sections[outer].heading;
            if heading.end > at || !text[heading.end..at].trim().is_empty() {
                break;
            }
            (at, above) = (heading.start, document.sections[outer].parent);
        }
        if text[found.last().map_or(0, |f| f.0)..at].trim().is_empty() {
            found.pop();
        }
        found.push((at, Some(section)));
    }
    let ends: Vec<usize> = found.iter().map(|f| f.0).skip(1).chain([document.body.end]).collect();
    let several = industries(document, &titles, &opens);
    let mut out = Vec::new();
    let mut next_metric = 0;
    for (&(start, section), end) in found.iter().zip(ends) {
        let Some(span) = trim(text, Span::new(start, end)) else { continue };
        let from = next_metric + all[next_metric..].partition_point(|(_, m)| m.span.start < span.start);
        next_metric = from + all[from..].partition_point(|(_, m)| m.span.start < span.end);
        let title = section.map(|s| &titles[s]);
        let industry =
            section.filter(|_| several).and_then(|s| document.sections[s].parent).map(|p| &titles[p]);
        let standard =
            industry.and_then(|t| t.code.as_ref()).map(|c| c.industry.clone()).or_else(|| standard.clone());
        let name = industry.map_or_else(|| fallback.clone(), |t| t.name.clone());
        out.push(topic(text, span, title, name, standard, &all[from..next_metric]));
    }
    out
}

fn topic(
    text: &str,
    span: Span,
    title: Option<&Title>,
    industry: String,
    standard: Option<String>,
    metrics: &[(Code, Metric)],
) -> Topic {
    let own = title.and_then(|t| t.code.as_ref()).filter(|c| c.series.is_some()).map(Code::topic);
    let guessed = || {
        metrics.first().map(|(code, _)| code.topic()).filter(|t| metrics.iter().all(|(c, _)| c.topic() == *t))
    };
    let code = match title {
        None => standard.clone(),
        Some(_) => own.clone().or_else(guessed),
    };
    let defined = metrics.iter().filter(|(c, _)| own.as_ref().is_none_or(|own| c.topic() == *own));
    let metrics: Vec<Metric> = defined.map(|(_, m)| m.clone()).collect();
    let activity = code.as_ref().is_some_and(|c| c.ends_with("-000"))
        || title.is_some_and(|t| t.name.to_ascii_lowercase().starts_with("activity metric"));
    Topic {
        kind: match title {
            None => StretchKind::Industry,
            Some(_) if activity => StretchKind::Activity,
            Some(_) => StretchKind::Topic,
        },
        span,
        industry,
        name: title.map(|t| t.name.clone()),
        standard: standard.or_else(|| code.as_ref().map(|c| c.chars().take(5).collect())),
        code,
        metrics,
        in_guidance: guidance(span.of(text)),
    }
}

/// Sections that open a topic: those whose heading has a topic's code. If none has, those of the second level, or
/// of the third if the second only groups them.
fn topics(document: &Document, titles: &[Title]) -> Vec<usize> {
    let sections = &document.sections;
    let coded: Vec<usize> = (0..sections.len()).filter(|&s| titles[s].names_topic()).collect();
    if let Some(level) = coded.iter().map(|&s| sections[s].level).min() {
        let plain = |s: &usize| {
            titles[*s].code.is_none() && titles[*s].name.to_ascii_lowercase().starts_with("activity metric")
        };
        return (0..sections.len())
            .filter(|s| sections[*s].level == level && (titles[*s].names_topic() || plain(s)))
            .collect();
    }
    let of_level = |level: u8| (0..sections.len()).filter(move |&s| sections[s].level == level);
    let own_text = |s: usize| !own(document, &sections[s], sections.get(s + 1)).trim().is_empty();
    let groups = of_level(2).count() > 0 && of_level(2).all(|s| !own_text(s)) && of_level(3).count() > 0;
    let top = sections.iter().map(|s| s.level).min().unwrap_or(2);
    let level = if groups { 3 } else { 2.max(top) };
    of_level(level).collect()
}

/// Whether the topics are below headings that name several industries.
fn industries(document: &Document, titles: &[Title], opens: &[usize]) -> bool {
    let mut above: Vec<usize> = opens
        .iter()
        .filter_map(|&s| document.sections[s].parent)
        .filter(|&p| document.sections[p].level > 1)
        .collect();
    above.dedup();
    let coded = above.iter().any(|&p| titles[p].code.as_ref().is_some_and(|c| c.series.is_none()));
    coded
        || above.len() > 1
            && document.metadata.get("industry").is_none()
            && opens.iter().all(|&s| !titles[s].names_topic())
}

/// The text between a heading and the next.
fn own<'a>(document: &'a Document, section: &Section, next: Option<&Section>) -> &'a str {
    let end = next.map_or(section.span.end, |n| n.heading.start);
    document.text.get(section.heading.end..end).unwrap_or_default()
}

/// What `*Industry-based guidance on IFRS S2:* includes this topic.` says.
fn guidance(text: &str) -> Option<bool> {
    let (_, said) = text.split_once("*Industry-based")?;
    let mut words = said.split_whitespace().take(6).skip_while(|w| !w.ends_with(":*"));
    words.next()?;
    Some(words.next()? != "does")
}

/// `oil_and_gas.md` as `Oil and gas`.
fn from_path(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    let name = file.rsplit_once('.').map_or(file, |(name, _)| name).replace(['_', '-'], " ");
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn trim(text: &str, span: Span) -> Option<Span> {
    let words = span.of(text);
    let start = span.start + (words.len() - words.trim_start().len());
    let end = span.start + words.trim_end().len();
    (start < end).then(|| Span::new(start, end))
}
