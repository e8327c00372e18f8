//! SASB disclosure topics: one chunk for each topic of an industry standard, split at its metrics.

mod outline;

use super::{Chunk, ChunkContext, Piece, Strategy, aid, limits, part};
use crate::document::Document;
use crate::param::{Param, ParamKind, Settings};
use outline::{Kind, Topic, outline};
use serde_json::{Map, Value, json};

/// Cuts SASB industry standards into disclosure topics.
pub struct Sasb;

const MAX: &str = "max_tokens";

static PARAMS: [Param; 2] = [
    Param {
        name: MAX,
        kind: ParamKind::Integer { min: 200, max: 8_000, default: 1_500 },
        unit: "tokens",
        description: "Longest chunk; a longer topic is split before a metric or at the end of a sentence.",
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
    fn chunk(&self, document: &Document, settings: &Settings, context: &ChunkContext<'_>) -> Vec<Chunk> {
        let writer = Writer {
            document,
            context,
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
        let starts: Vec<usize> = topic.metrics.iter().map(|m| m.at).collect();
        let parts =
            part::cut(&self.document.text, topic.span, self.max.saturating_sub(frame), tokens, &starts);
        let aids = aid::blocks(&self.document.text, topic.span);
        let mut metadata = self.metadata(topic);
        let count = parts.len();
        let mut chunks = Vec::with_capacity(count);
        for (n, span) in parts.into_iter().enumerate() {
            let mark = (count > 1).then(|| format!("[Part {}/{count}]", n + 1));
            let generated: Vec<&str> = header.as_deref().into_iter().chain(mark.as_deref()).collect();
            let mut pieces = Vec::with_capacity(2);
            if !generated.is_empty() {
                pieces.push(Piece::Generated { text: generated.join(" ") });
            }
            pieces.extend(aid::pieces(&self.document.text, span, &aids));
            metadata.insert("part".to_owned(), json!(n + 1));
            metadata.insert("parts".to_owned(), json!(count));
            if let Some((start, end)) = self.document.pages_of(span) {
                metadata.insert("page_start".to_owned(), json!(start));
                metadata.insert("page_end".to_owned(), json!(end));
            }
            chunks.push(Chunk { pieces, parent: None, oversize: false, metadata: metadata.clone() });
        }
        chunks
    }

    fn metadata(&self, topic: &Topic) -> Map<String, Value> {
        let field = |name: &str| self.document.metadata.get(name).cloned().unwrap_or(Value::Null);
        let mut metadata = Map::new();
        let mut put = |name: &str, value: Value| metadata.insert(name.to_owned(), value);
        put("industry_sector", json!(topic.industry));
        put("disclosure_topic", json!(topic.name));
        put("metric_codes", json!(topic.codes));
        put("standard_code", json!(topic.standard));
        put("topic_code", json!(topic.code));
        put("sector", field("sector"));
        let guided = topic.in_guidance.map_or_else(|| field("in_s2_industry_guidance"), Value::Bool);
        put("in_s2_industry_guidance", guided);
        put(
            "topic_kind",
            json!(match topic.kind {
                Kind::Industry => "industry",
                Kind::Topic => "topic",
                Kind::Activity => "activity",
            }),
        );
        let metrics = topic
            .metrics
            .iter()
            .map(|m| json!({"code": m.code, "label": m.label, "category": m.category, "unit": m.unit}));
        put("metrics", metrics.collect());
        metadata
    }
}

/// `[SASB > Oil & Gas – Exploration & Production > Greenhouse Gas Emissions]`.
fn header(steps: &[Option<&String>]) -> String {
    let steps = steps.iter().copied().flatten().map(String::as_str).filter(|s| !s.is_empty());
    format!("[{}]", std::iter::once("SASB").chain(steps).collect::<Vec<_>>().join(" > "))
}
