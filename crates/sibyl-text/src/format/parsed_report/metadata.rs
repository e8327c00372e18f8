//! The list of page objects, in the spellings that tools use.

use crate::document::{Notice, Page, Severity, Span};
use serde_json::{Map, Value};

/// One page object.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PageEntry {
    /// Physical page, from 1.
    pub number: u32,
    /// Printed label.
    pub label: Option<String>,
    /// Its text.
    pub text: Option<String>,
    /// First character in the Markdown.
    pub start: Option<usize>,
    /// One past the last character in the Markdown.
    pub end: Option<usize>,
    /// Number of characters.
    pub count: Option<usize>,
    /// Title of the report.
    pub title: Option<String>,
}

impl PageEntry {
    /// The page at `span`.
    pub fn page(&self, span: Span) -> Page {
        Page { number: self.number, label: self.label.clone(), span, size: None, regions: Vec::new() }
    }
}

/// Parses `page_metadata`: a list of page objects, or an object that holds one under `pages`.
///
/// # Errors
/// A notice that says what was expected and what came.
pub(super) fn parse(json: &[u8]) -> Result<Vec<PageEntry>, Notice> {
    let refused = |came: String| {
        let message = format!(
            "expected page metadata as a JSON list of objects with `page` (a number), found {came}; the text was \
             read without it"
        );
        Notice::new(Severity::Warning, "page_metadata_broken", message)
    };
    let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
    let value: Value = serde_json::from_slice(json).map_err(|error| refused(error.to_string()))?;
    let list = match &value {
        Value::Array(list) => list,
        Value::Object(fields) => match fields.get("pages").or_else(|| fields.get("page_metadata")) {
            Some(Value::Array(list)) => list,
            _ => return Err(refused("an object without a `pages` list".to_owned())),
        },
        other => return Err(refused(format!("`{other}`"))),
    };
    let mut entries = list
        .iter()
        .enumerate()
        .map(|(index, item)| match item {
            Value::Object(fields) => {
                entry(fields).ok_or_else(|| refused(format!("item {} without a page number", index + 1)))
            }
            other => Err(refused(format!("item {}: `{other}`", index + 1))),
        })
        .collect::<Result<Vec<PageEntry>, Notice>>()?;
    if entries.first().is_some_and(|e| e.number == 0) {
        // Some tools count from 0; a page 0 cannot exist otherwise.
        entries.iter_mut().for_each(|e| e.number = e.number.saturating_add(1));
    }
    Ok(entries)
}

/// Whether `bytes` are a JSON list of page objects with their text.
pub(super) fn looks_like_pages(bytes: &[u8]) -> bool {
    begins_like_pages(bytes) && pages_with_text(bytes).is_some()
}

/// Whether a list of objects begins here.
pub(super) fn begins_like_pages(bytes: &[u8]) -> bool {
    let head = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    head.strip_prefix(b"[").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"{"))
}

/// The pages of a file that is a list of page objects with their text.
pub(super) fn pages_with_text(bytes: &[u8]) -> Option<Vec<PageEntry>> {
    let entries = parse(bytes).ok()?;
    (!entries.is_empty() && entries.iter().all(|e| e.text.is_some())).then_some(entries)
}

fn entry(fields: &Map<String, Value>) -> Option<PageEntry> {
    let inner = fields.get("metadata").and_then(Value::as_object);
    let get = |names: &[&str]| {
        let of = |map: &'_ Map<String, Value>| names.iter().find_map(|name| map.get(*name).cloned());
        of(fields).or_else(|| inner.and_then(of))
    };
    let number = |names: &[&str]| {
        let value = get(names)?;
        value.as_u64().or_else(|| value.as_str()?.trim().parse().ok())
    };
    let size = |names: &[&str]| number(names).and_then(|n| usize::try_from(n).ok());
    let text = |names: &[&str]| get(names)?.as_str().map(|t| t.trim().to_owned()).filter(|t| !t.is_empty());
    let page = u32::try_from(number(&["page", "page_number", "page_num"])?).ok()?;
    Some(PageEntry {
        number: page,
        label: text(&["page_label", "label"]),
        text: get(&["text", "md", "markdown"])
            .and_then(|v| v.as_str().map(|t| t.replace("\r\n", "\n").replace(['\r', '\0'], ""))),
        start: size(&["start", "offset", "start_char", "char_start", "start_offset", "begin"]),
        end: size(&["end", "end_char", "char_end", "end_offset"]),
        count: size(&["char_count", "chars", "characters", "length", "text_length", "n_chars"]),
        title: text(&["title"]),
    })
}

/// Spans by the character offsets given.
pub(super) fn by_offsets(text: &str, entries: &[PageEntry]) -> Option<Vec<Span>> {
    let mut bytes = Characters::new(text);
    let starts: Vec<usize> =
        entries.iter().map(|e| e.start.and_then(|s| bytes.byte(s))).collect::<Option<_>>()?;
    let mut bytes = Characters::new(text);
    let mut spans = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let next = starts.get(index + 1).copied().unwrap_or(text.len());
        let end = match entry.end {
            Some(end) => bytes.byte(end)?,
            None => next,
        };
        (starts[index] <= end && end <= next).then(|| spans.push(Span::new(starts[index], end)))?;
    }
    Some(spans)
}

/// Spans by finding the pages' texts one after the other.
pub(super) fn by_texts(text: &str, entries: &[PageEntry]) -> Option<Vec<Span>> {
    let mut at = 0;
    let mut spans = Vec::with_capacity(entries.len());
    for entry in entries {
        let wanted = entry.text.as_deref()?.trim();
        let start = at + text[at..].find(wanted)?;
        at = start + wanted.len();
        spans.push(Span::new(start, at));
    }
    Some(spans)
}

/// Spans by the number of characters on each page. What the counts leave over must be the same number of
/// characters between every two pages.
pub(super) fn by_counts(text: &str, entries: &[PageEntry]) -> Option<Vec<Span>> {
    let counts: Vec<usize> = entries.iter().map(|e| e.count).collect::<Option<_>>()?;
    let total = counts.iter().try_fold(0_usize, |sum, n| sum.checked_add(*n))?;
    let left = text.chars().count().checked_sub(total)?;
    let gaps = counts.len().checked_sub(1)?;
    // A final line break is often not counted.
    let gap = match left {
        0 | 1 => 0,
        _ if gaps > 0 && left % gaps <= 1 => left / gaps,
        _ => return None,
    };
    let mut bytes = Characters::new(text);
    let mut at = 0;
    let mut spans = Vec::with_capacity(counts.len());
    for count in counts {
        let (start, end) = (bytes.byte(at)?, bytes.byte(at + count)?);
        spans.push(Span::new(start, end));
        at += count + gap;
    }
    Some(spans)
}

/// Character offsets to byte offsets, asked in rising order.
struct Characters<'a> {
    text: &'a str,
    at: usize,
    byte: usize,
}

impl<'a> Characters<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, at: 0, byte: 0 }
    }

    fn byte(&mut self, index: usize) -> Option<usize> {
        let ahead = index.checked_sub(self.at)?;
        let rest = &self.text[self.byte..];
        self.byte += match rest.char_indices().nth(ahead) {
            Some((at, _)) => at,
            None if rest.chars().count() == ahead => rest.len(),
            None => return None,
        };
        self.at = index;
        Some(self.byte)
    }
}
