//! Limits on values beyond their type. The engine refuses values outside; a test sends both kinds.

use serde_json::{Map, Value, json};
use sibyl_engine::answer::{GENERATORS, LONGEST_QUESTION, MOST_PASSAGES};
use sibyl_engine::assess::MOST_REPORTS;
use sibyl_engine::evaluate::HIGHEST_GRADE;
use sibyl_engine::figure::MOST_FIGURES;
use sibyl_engine::ingest::copied_standards;
use sibyl_engine::search::neighbours::{LONGEST_PASSAGE, MOST_NEIGHBOURS};
use sibyl_engine::search::{LARGEST_SAMPLE, LONGEST_QUERY, MAX_TOP_K, MAX_WEIGHT, sentence};
use sibyl_text::chunk::STRATEGIES;
use sibyl_text::source_type;

/// What a field may hold.
enum Bound {
    /// Numbers from the first to the second.
    From(f64, f64),
    /// Numbers above the first, up to the second.
    Above(f64, f64),
    /// Text of one to so many characters; it cannot be left out.
    Said(usize),
    /// Text with a letter or a digit, such as this one; it cannot be left out.
    Word(&'static str),
    /// Text of at most so many characters.
    AtMost(usize),
    /// One of these words.
    OneOf(fn() -> Vec<&'static str>),
    /// The name of a measure.
    Measure,
    /// Bytes in base64 (RFC 4648, section 4).
    Base64,
    /// A list of one to so many items.
    Items(usize),
    /// The same, without repeated items.
    Once(usize),
}
use Bound::{Above, AtMost, Base64, From, Items, Measure, Once, OneOf, Said, Word};

/// Characters of a name in a gold set.
const NAME: usize = 200;
/// Items of a list whose only limit is that of the body.
const ANY: usize = 100_000;

/// Fields of named types, with `[]` for the items of a list, and their limits.
const BOUNDS: &[(&str, &str, Bound)] = &[
    ("AssessmentPlan", "name", Word("FY2024")),
    ("AssessmentPlan", "reports", Items(MOST_REPORTS)),
    ("AssessmentChange", "name", Word("FY2024")),
    ("AssessmentChange", "reports", Items(MOST_REPORTS)),
    ("SearchRequest", "query", Said(LONGEST_QUERY)),
    ("SearchRequest", "top_k", From(1.0, MAX_TOP_K as f64)),
    ("SearchRequest", "semantic_share", From(0.0, 1.0)),
    ("SearchRequest", "semantic_weight", From(0.0, MAX_WEIGHT)),
    ("SearchRequest", "keyword_weight", From(0.0, MAX_WEIGHT)),
    ("SearchRequest", "min_relevance", From(0.0, 1.0)),
    ("LookupRequest", "query", Said(LONGEST_QUERY)),
    ("LookupRequest", "top_k", From(1.0, MAX_TOP_K as f64)),
    ("LookupRequest", "source_types[]", OneOf(source_type::names)),
    ("AskRequest", "question", AtMost(LONGEST_QUESTION)),
    ("AskRequest", "passages", From(1.0, MOST_PASSAGES as f64)),
    ("AskRequest", "threshold", From(0.0, 1.0)),
    ("AskRequest", "generator", OneOf(generators)),
    ("FigureQuery", "limit", From(1.0, MOST_FIGURES as f64)),
    ("EvidenceRequest", "top_k", From(1.0, MAX_TOP_K as f64)),
    ("NeighbourQuery", "limit", From(1.0, MOST_NEIGHBOURS as f64)),
    ("TextNeighbourQuery", "limit", From(1.0, MOST_NEIGHBOURS as f64)),
    ("TextNeighbourQuery", "text", AtMost(LONGEST_PASSAGE)),
    ("MapRequest", "sample", From(0.0, LARGEST_SAMPLE as f64)),
    ("MapRequest", "query", AtMost(LONGEST_QUERY)),
    ("SentenceQuery", "query", AtMost(LONGEST_QUERY)),
    ("SentenceQuery", "chunk_ids", Items(sentence::MOST_PASSAGES)),
    ("SourceTypeName", "source_type", OneOf(source_type::names)),
    ("IngestRequest", "source_type", OneOf(source_type::names)),
    ("IngestRequest", "strategy", OneOf(strategies)),
    ("IngestRequest", "licensed_standard", OneOf(copied_standards)),
    ("ChunkingRequest", "strategy", OneOf(strategies)),
    ("MatrixRow", "strategy", OneOf(strategies)),
    ("Source", "bytes", Base64),
    ("Source", "page_metadata", Base64),
    ("DocumentIds", "ids", Items(ANY)),
    ("Correction", "title", AtMost(300)),
    ("Correction", "issuer", AtMost(300)),
    ("Correction", "year", From(1990.0, 2099.0)),
    ("GoldQueryInput", "set", Said(NAME)),
    ("GoldQueryInput", "query", Said(LONGEST_QUERY)),
    ("GoldRename", "name", Said(NAME)),
    ("JudgeTarget", "id", Said(NAME)),
    ("ChunkingSource", "bytes", Base64),
    ("LayoutQuery", "page", From(1.0, u32::MAX as f64)),
    ("JudgeInput", "grade", From(0.0, HIGHEST_GRADE as f64)),
    ("PoolQuery", "runs", Items(ANY)),
    ("EvalRunRename", "name", Said(NAME)),
    ("RunRequest", "measures[]", Measure),
    ("ComparedQueries", "measure", Measure),
    ("MatrixPlan", "measures[]", Measure),
    ("MatrixPlan", "corpora", Once(ANY)),
    ("MatrixPlan", "rows", Items(ANY)),
    ("MatrixPlan", "columns", Items(ANY)),
    ("ThesaurusInput", "term", Word("roadmap")),
    ("ThesaurusInput", "expansion", Word("transition plan")),
    ("ThesaurusInput", "weight", Above(0.0, 1.0)),
];

fn generators() -> Vec<&'static str> {
    GENERATORS.iter().map(|generator| generator.name).collect()
}

fn strategies() -> Vec<&'static str> {
    STRATEGIES.iter().map(|strategy| strategy.name()).collect()
}

impl Bound {
    fn schema(&self) -> Value {
        match self {
            From(least, most) => json!({ "minimum": plain(*least), "maximum": plain(*most) }),
            Above(least, most) => json!({ "exclusiveMinimum": plain(*least), "maximum": plain(*most) }),
            Said(most) => json!({ "minLength": 1, "maxLength": most, "pattern": "\\S" }),
            Word(word) => json!({ "minLength": 1, "pattern": "[\\p{L}\\p{N}]", "examples": [word] }),
            AtMost(most) => json!({ "maxLength": most }),
            OneOf(words) => json!({ "enum": words() }),
            Measure => json!({
                "pattern": "^[a-z_]+(@[1-9][0-9]*)?$", "examples": ["ndcg@10", "rr", "recall@5"],
            }),
            Base64 => json!({ "contentEncoding": "base64", "examples": ["IyBB", ""] }),
            Items(most) => json!({ "minItems": 1, "maxItems": most }),
            Once(most) => json!({ "minItems": 1, "maxItems": most, "uniqueItems": true }),
        }
    }
}

/// Writes the limits of the fields of the type called `name` into its `schema`.
pub(super) fn bounded(name: &str, schema: &mut Value) {
    for (_, field, bound) in BOUNDS.iter().filter(|(of, ..)| *of == name) {
        let needed = matches!(bound, Said(_) | Word(_) | Items(_) | Once(_));
        at(schema, field, &mut |property, required| {
            property.extend(bound.schema().as_object().cloned().unwrap_or_default());
            if needed {
                property.shift_remove("default");
                if !required.iter().any(|name| name == field) {
                    required.push((*field).into());
                }
            }
        });
    }
}

/// Changes a field, and which fields are required beside it.
type Change<'a> = dyn FnMut(&mut Map<String, Value>, &mut Vec<Value>) + 'a;

/// Calls `change` with each place in `schema`, or its variants, that `field` names, and with the fields that are
/// required there.
fn at(schema: &mut Value, field: &str, change: &mut Change<'_>) {
    for variants in ["anyOf", "allOf"] {
        for variant in schema.get_mut(variants).and_then(Value::as_array_mut).into_iter().flatten() {
            at(variant, field, change);
        }
    }
    let (name, place) = field.strip_suffix("[]").map_or((field, ""), |list| (list, "/items"));
    let Some(mut required) = schema.get("required").and_then(Value::as_array).cloned() else { return };
    let property = schema.pointer_mut(&format!("/properties/{name}{place}"));
    if let Some(property) = property.and_then(Value::as_object_mut) {
        change(property, &mut required);
        schema["required"] = required.into();
    }
}

/// `number`, as an integer if it is one.
fn plain(number: f64) -> Value {
    if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
}

#[cfg(test)]
mod tests {
    use super::BOUNDS;

    #[test]
    fn every_field_is_there() {
        let mut types = super::super::listed(|entry| entry.remote, &[]).read;
        for (name, field, _) in BOUNDS {
            let mut found = 0;
            let schema = types.get_mut(*name).unwrap_or_else(|| panic!("there is no {name}"));
            super::at(schema, field, &mut |_, _| found += 1);
            assert!(found > 0, "{name} has no field {field}");
        }
    }
}
