//! SASB disclosure topics: one chunk for each topic of an industry standard, a long one split between its metrics.

mod metric;
mod outline;
mod requirement;

pub use metric::{Metric, metrics};
pub use requirement::{List, Requirement};

use super::{Chunk, ChunkContext, Piece, Role, Strategy, limits, part};
use crate::document::{Document, Span};
use crate::param::{Param, ParamKind, Settings};
use outline::{StretchKind, Topic, outline};
use serde_json::{Map, Value, json};

/// Chunks SASB industry standards into disclosure topics.
pub struct Sasb;

const TARGET: &str = "target_tokens";
const MAX: &str = "max_tokens";

static PARAMS: [Param; 3] = [
    Param {
        name: TARGET,
        kind: ParamKind::Integer { min: 100, max: 8_000, default: 600 },
        unit: "tokens",
        description: "Size above which a topic is split between its metrics, each of which stays whole.",
    },
    Param {
        name: MAX,
        kind: ParamKind::Integer { min: 200, max: 8_000, default: 1_500 },
        unit: "tokens",
        description: "Longest chunk; a single metric longer than this is split, between its lists if possible.",
    },
    limits::CONTEXT_HEADER,
];

impl Strategy for Sasb {
    fn name(&self) -> &'static str {
        "sasb"
    }
    fn summary(&self) -> &'static str {
        "Disclosure topics of SASB industry standards with all their metrics."
    }
    fn params(&self) -> &'static [Param] {
        &PARAMS
    }
    fn has_units(&self) -> bool {
        true
    }
    fn cut(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk> {
        let writer = Writer {
            document,
            context,
            target: settings.integer(TARGET),
            max: settings.integer(MAX),
            header: settings.switch(limits::CONTEXT_HEADER.name),
        };
        outline(document, context.path).iter().flat_map(|topic| writer.chunks(topic)).collect()
    }
}

/// Tokens kept free for the part mark and the blank lines between pieces.
const FRAME: usize = 6;

struct Writer<'a> {
    document: &'a Document,
    context: &'a ChunkContext<'a>,
    target: usize,
    max: usize,
    header: bool,
}

impl Writer<'_> {
    fn chunks(&self, topic: &Topic) -> Vec<Chunk> {
        let tokens = self.context.tokens;
        let mut header = self.header.then(|| header(&[Some(&topic.industry), topic.name.as_ref()]));
        if header.as_ref().is_some_and(|h| tokens.count(h) * 3 > self.max) {
            header = Some(self::header(&[]));
        }
        let frame = header.as_ref().map_or(0, |h| tokens.count(h)) + FRAME;
        let budget = self.max.saturating_sub(frame);
        let parts = self.parts(topic, budget, self.target.saturating_sub(frame).min(budget));
        let count = parts.len();
        let mut chunks = Vec::with_capacity(count);
        for (n, span) in parts.into_iter().enumerate() {
            let mark = (count > 1).then(|| format!("[Part {}/{count}]", n + 1));
            let generated: Vec<&str> = header.as_deref().into_iter().chain(mark.as_deref()).collect();
            let mut pieces = Vec::with_capacity(2);
            if !generated.is_empty() {
                pieces.push(Piece::Generated { text: generated.join(" ") });
            }
            pieces.push(Piece::Source { span: span.trimmed_end(&self.document.text), role: Role::Body });
            let mut metadata = self.metadata(topic, span);
            metadata.insert("part".to_owned(), json!(n + 1));
            metadata.insert("parts".to_owned(), json!(count));
            if let Some((start, end)) = self.document.pages_of(span) {
                metadata.insert("page_start".to_owned(), json!(start));
                metadata.insert("page_end".to_owned(), json!(end));
            }
            chunks.push(Chunk { pieces, parent: None, oversize: false, metadata });
        }
        chunks
    }

    /// The topic's stretches of at most `target` tokens: metrics are kept whole, as few stretches as there can be are
    /// made of them, and those are of similar size. A metric that alone is longer has a stretch of its own, and one that
    /// alone has more than `budget` tokens is split, before its lists if it can be.
    fn parts(&self, topic: &Topic, budget: usize, target: usize) -> Vec<Span> {
        let (text, tokens) = (&self.document.text, self.context.tokens);
        let size = |span: Span| tokens.count(span.of(text));
        if size(topic.span) <= target {
            return vec![topic.span];
        }
        let starts = topic.metrics.iter().map(|metric| metric.span.start);
        let starts: Vec<usize> = starts.filter(|&at| topic.span.start < at && at < topic.span.end).collect();
        let ends = starts.iter().copied().chain([topic.span.end]);
        let labels: Vec<usize> =
            topic.metrics.iter().flat_map(|metric| metric.requirement.labels.iter().copied()).collect();
        let mut whole: Vec<(Span, usize)> = Vec::new();
        for (start, end) in std::iter::once(topic.span.start).chain(starts.iter().copied()).zip(ends) {
            let span = Span::new(start, end);
            let pieces = if size(span) <= budget {
                vec![span]
            } else {
                part::cut(text, span, budget, tokens, &labels)
            };
            whole.extend(pieces.into_iter().map(|span| (span, size(span))));
        }
        let longest = whole.iter().map(|(_, size)| *size).max().unwrap_or(0);
        let (mut least, mut most) = (longest.min(target), target);
        let fewest = filled(&whole, target).len();
        while least < most {
            let limit = least.midpoint(most);
            if filled(&whole, limit).len() > fewest {
                least = limit + 1;
            } else {
                most = limit;
            }
        }
        filled(&whole, most)
    }

    /// What is known about the topic, and the metrics that stand in `part` of it.
    fn metadata(&self, topic: &Topic, part: Span) -> Map<String, Value> {
        let field = |name: &str| self.document.metadata.get(name).cloned().unwrap_or(Value::Null);
        let mut metadata = Map::new();
        let mut put = |name: &str, value: Value| metadata.insert(name.to_owned(), value);
        put("industry_sector", json!(topic.industry));
        put("disclosure_topic", json!(topic.name));
        let metrics = topic.metrics.iter().filter(|metric| metric.span.overlaps(part));
        put("metric_codes", metrics.clone().map(|metric| json!(metric.code)).collect());
        put("standard_code", json!(topic.standard));
        put("topic_code", json!(topic.code));
        put("sector", field("sector"));
        let guided = topic.in_guidance.map_or_else(|| field("in_s2_industry_guidance"), Value::Bool);
        put("in_s2_industry_guidance", guided);
        put(
            "topic_kind",
            json!(match topic.kind {
                StretchKind::Industry => "industry",
                StretchKind::Topic => "topic",
                StretchKind::Activity => "activity",
            }),
        );
        let metrics = metrics
            .map(|m| json!({"code": m.code, "label": m.label, "category": m.category, "unit": m.unit}));
        put("metrics", metrics.collect());
        metadata
    }
}

/// Stretches of at most `limit` tokens, each as long as it can be, from neighbouring ones with their sizes.
fn filled(whole: &[(Span, usize)], limit: usize) -> Vec<Span> {
    let mut out: Vec<(Span, usize)> = Vec::new();
    for &(span, size) in whole {
        match out.last_mut() {
            Some((last, filled)) if *filled + size <= limit => {
                last.end = span.end;
                *filled += size;
            }
            _ => out.push((span, size)),
        }
    }
    out.into_iter().map(|(span, _)| span).collect()
}

/// `[SASB > Oil & Gas – Exploration & Production > Greenhouse Gas Emissions]`.
fn header(steps: &[Option<&String>]) -> String {
    let steps = steps.iter().copied().flatten().map(String::as_str).filter(|s| !s.is_empty());
    format!("[{}]", std::iter::once("SASB").chain(steps).collect::<Vec<_>>().join(" > "))
}
