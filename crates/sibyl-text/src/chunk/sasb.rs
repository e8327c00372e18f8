//! SASB disclosure topics: a chunk for a topic that fits the window of an embedding model, else one for each of
//! its metrics. A metric that does not fit is split before its lists, and the header of each part names its
//! metric.

mod metric;
mod outline;
mod requirement;

pub use metric::{Metric, metrics};
pub use requirement::{List, Requirement};

use super::{Chunk, ChunkContext, Piece, Role, Strategy, Window, limits, part};
use crate::document::{Document, Span};
use crate::param::{Param, ParamKind, Settings};
use outline::{StretchKind, Topic, outline};
use serde_json::{Map, Value, json};

/// Chunks SASB industry standards into disclosure topics.
pub struct Sasb;

const TARGET: &str = "target_tokens";
const MAX: &str = "max_tokens";

/// Estimated tokens that never exceed the 254 of the sentence transformer's window, however many figures and codes
/// there are.
const WINDOW: i64 = 210;

static PARAMS: [Param; 3] = [
    Param {
        name: TARGET,
        kind: ParamKind::Integer { min: 100, max: 8_000, default: WINDOW },
        unit: "tokens",
        description: "Size above which a topic is split between its metrics, each of which stays whole.",
    },
    Param {
        name: MAX,
        kind: ParamKind::Integer { min: 200, max: 8_000, default: WINDOW },
        unit: "tokens",
        description: "Longest chunk; a single metric longer than this, and than the window of the model on this machine, is split, between its lists if possible.",
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
    fn keeps_to_window(&self) -> bool {
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

/// A stretch of a topic that becomes a chunk.
#[derive(Clone, Copy)]
struct Stretch<'a> {
    span: Span,
    tokens: usize,
    /// The metric that it is a part of, if that is split.
    of: Option<&'a Metric>,
}

impl Writer<'_> {
    fn chunks(&self, topic: &Topic) -> Vec<Chunk> {
        let stretches = self.stretches(topic);
        let count = stretches.len();
        let mut chunks = Vec::with_capacity(count);
        for (n, Stretch { span, of, .. }) in stretches.into_iter().enumerate() {
            let mark = (count > 1).then(|| format!("[Part {}/{count}]", n + 1));
            // The first part opens with the line that names its metric.
            let header = self.header(topic, of.filter(|metric| metric.span.start < span.start));
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

    /// `[SASB > Airlines > Labour]`; of a part of a metric also its code and label. Steps that would take more than a
    /// third of a chunk are left out.
    fn header(&self, topic: &Topic, of: Option<&Metric>) -> Option<String> {
        let metric = of.map(|metric| match &metric.label {
            Some(label) => format!("{} {label}", metric.code),
            None => metric.code.clone(),
        });
        let written = |steps: &[Option<&str>]| {
            let steps = steps.iter().copied().flatten().filter(|step| !step.is_empty());
            format!("[{}]", std::iter::once("SASB").chain(steps).collect::<Vec<_>>().join(" > "))
        };
        let code = of.map(|metric| metric.code.as_str());
        let whole = [Some(topic.industry.as_str()), topic.name.as_deref(), metric.as_deref()];
        let tried: [&[Option<&str>]; 3] = [&whole, &[whole[0], code], &[code]];
        let fits = |header: &String| self.context.tokens.count(header) * 3 <= self.max;
        self.header.then(|| tried.into_iter().map(written).find(fits).unwrap_or_else(|| written(&[code])))
    }

    /// Whether a chunk of `span` under `header` is no longer than the model reads at once, by the model's own
    /// count.
    fn fits_window(&self, span: Span, header: Option<String>) -> bool {
        self.context.window.is_some_and(|Window { tokens, most }| {
            let text = span.of(&self.document.text).trim_end();
            tokens.count(text) + header.map_or(0, |header| tokens.count(&header)) + FRAME <= most
        })
    }

    /// Tokens that a chunk may have besides its header.
    fn room(&self, limit: usize, header: Option<String>) -> usize {
        limit.saturating_sub(header.map_or(0, |header| self.context.tokens.count(&header)) + FRAME)
    }

    /// The topic's stretches of at most `target` tokens. Metrics are kept whole, and there are as few stretches as
    /// possible, of similar size. A longer metric has a stretch of its own. If it does not fit a chunk either, it
    /// is split, before its lists if possible, and its parts stay alone.
    fn stretches<'t>(&self, topic: &'t Topic) -> Vec<Stretch<'t>> {
        let (text, tokens) = (&self.document.text, self.context.tokens);
        let size = |span: Span| tokens.count(span.of(text));
        let budget = self.room(self.max, self.header(topic, None));
        let target = self.room(self.target, self.header(topic, None)).min(budget);
        let all = Stretch { span: topic.span, tokens: size(topic.span), of: None };
        if all.tokens <= target {
            return vec![all];
        }
        let within = |at: usize| topic.span.start < at && at < topic.span.end;
        let metrics = topic.metrics.iter().filter(|metric| within(metric.span.start));
        let starts: Vec<usize> = metrics.clone().map(|metric| metric.span.start).collect();
        let ends = starts.iter().copied().chain([topic.span.end]);
        let own = std::iter::once(None).chain(metrics.map(Some));
        let mut whole: Vec<Stretch<'t>> = Vec::new();
        for ((start, end), of) in
            std::iter::once(topic.span.start).chain(starts.iter().copied()).zip(ends).zip(own)
        {
            let span = Span::new(start, end);
            let count = size(span);
            if count <= budget || self.fits_window(span, self.header(topic, None)) {
                whole.push(Stretch { span, tokens: count, of: None });
                continue;
            }
            let room = self.room(self.max, self.header(topic, of));
            let asked = of.map(|metric| &metric.requirement);
            let items: Vec<Span> =
                asked.iter().flat_map(|asked| &asked.items).map(|(_, span)| *span).collect();
            let places = part::Places {
                named: asked.map_or(&[][..], |asked| asked.labels.as_slice()),
                whole: &items,
                // A metric's search aids stay with the words before them: alone they could not be read.
                uncut: asked.and_then(|asked| asked.beside).unwrap_or(end),
            };
            let parts = part::cut(text, span, room, tokens, places);
            // An item keeps the indentation that shows its parent, if there is room for it.
            let indented = |at: usize| text[..at].trim_end_matches([' ', '\t']).len();
            let line = |at: usize| Some(indented(at)).filter(|&to| text[..to].ends_with('\n')).unwrap_or(at);
            let starts: Vec<usize> = parts
                .iter()
                .map(|part| {
                    let whole = Span::new(line(part.start), part.end);
                    if size(whole) <= room { whole.start } else { part.start }
                })
                .collect();
            let ends = starts.iter().skip(1).copied().chain([end]);
            let own = starts.iter().zip(ends).map(|(&start, end)| Span::new(start, end));
            let own = own.filter(|span| !span.of(text).trim().is_empty());
            whole.extend(own.map(|span| Stretch { span, tokens: size(span), of }));
        }
        let longest = whole.iter().map(|stretch| stretch.tokens).max().unwrap_or(0);
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

    /// What is known about the topic, and the metrics in `part` of it.
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

/// Stretches of at most `limit` tokens, each as long as possible, from neighbouring ones.
fn filled<'t>(whole: &[Stretch<'t>], limit: usize) -> Vec<Stretch<'t>> {
    let mut out: Vec<Stretch<'t>> = Vec::new();
    for &stretch in whole {
        match out.last_mut() {
            Some(last) if last.tokens + stretch.tokens <= limit && last.of.or(stretch.of).is_none() => {
                last.span.end = stretch.span.end;
                last.tokens += stretch.tokens;
            }
            _ => out.push(stretch),
        }
    }
    out
}
