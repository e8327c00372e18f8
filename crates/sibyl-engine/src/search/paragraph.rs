//! Paragraph search: the chunks that carry exactly one id.

use super::retriever::Retriever;
use super::{Contribution, Filters, Hit, Leg, Mode};
use crate::error::{Error, Result};
use crate::explanation::{advice, joined, own_text};
use crate::metric::StandardMetric;
use crate::requirement::Requirements;
use crate::store::edition::Edition;
use crate::store::scope::ChunkSet;
use crate::store::table::chunk::ChunkRow;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sibyl_text::source_type;
use sibyl_text::source_type::field::EDITION;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of ids suggested if the requested one does not exist.
const NEAR_IDS: usize = 5;

/// A passage of the user's own licensed copy, as named in the metadata of the explanation beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LicensedCopy {
    /// Chunk id.
    pub chunk_id: String,
    /// Title of its document.
    pub title: String,
}

impl LicensedCopy {
    /// Field of the metadata that names them.
    pub const FIELD: &str = "licensed";

    fn of(copy: &ChunkRow) -> Self {
        Self { chunk_id: copy.chunk_id.clone(), title: copy.title.clone() }
    }
}

impl Retriever {
    /// The chunks of `workspace` whose own id is `id`, in document order: one, or the parts of a long paragraph.
    /// An id may be written as people write it, such as `S2 14 a iv`; topic and metric codes are ids too. Passages
    /// of the user's own licensed copy come last, and the explanations before them name them in the field
    /// `licensed`. The field `metrics` of a SASB topic holds each metric that begins there part by part, as a
    /// [`StandardMetric`]. It is whole even if its text continues in the next parts. `in_review` of a paragraph or
    /// item is advice to reviewers and no part of the standard.
    ///
    /// If editions of IFRS S2 differ on a paragraph, the chunks are those of `edition`. Without an edition, they
    /// are those of the one in force, or of the one that has the paragraph.
    ///
    /// # Errors
    /// [`Error::NotFound`] names the ids that come nearest, or the editions that have the paragraph.
    pub(crate) async fn paragraph(
        &self,
        workspace: i64,
        id: &str,
        edition: Option<Edition>,
        requirements: &Requirements,
    ) -> Result<Vec<Hit>> {
        let filters = Filters::default().with(&EDITION, edition.map(Edition::code));
        let scope = self.scope(workspace, &filters).await?;
        let written = id.trim();
        let canonical = match source_type::references(written).as_slice() {
            [only] if only.span.len() == written.len() => only.ids.clone(),
            _ => vec![written.to_owned()],
        };
        let mut rows = self.rows_of(&canonical, &scope.allowed).await?;
        if rows.is_empty() {
            let elsewhere = self.rows_of(&canonical, &scope.visible).await?;
            if let Some(edition) = edition.filter(|_| !elsewhere.is_empty()) {
                return Err(in_other_edition(written, edition));
            }
            rows = elsewhere;
        }
        if rows.is_empty() {
            let known = self.store().paragraph_ids(Arc::clone(&scope.visible)).await?;
            return Err(not_found(canonical.first().map_or(written, String::as_str), &known));
        }
        let mut chunks = self.store().chunks_by_row(workspace, rows.clone()).await?;
        let chunks: Vec<ChunkRow> = rows.iter().filter_map(|row| chunks.remove(row)).collect();
        let (copies, mut chunks): (Vec<_>, Vec<_>) = chunks.into_iter().partition(ChunkRow::is_licensed);
        if !copies.is_empty() {
            let named = copies.iter().map(LicensedCopy::of);
            let named = json!(named.collect::<Vec<_>>());
            for chunk in &mut chunks {
                chunk.metadata.insert(LicensedCopy::FIELD.to_owned(), named.clone());
            }
        }
        let mut metrics = StandardMetric::read(&joined(chunks.iter().filter(|chunk| chunk.has_topics())));
        metrics.iter_mut().for_each(|metric| requirements.tell(metric));
        for chunk in &mut chunks {
            if chunk.has_topics() {
                let begin = StandardMetric::read(own_text(chunk));
                let begins = |metric: &&StandardMetric| begin.iter().any(|other| other.code == metric.code);
                let told: Vec<&StandardMetric> = metrics.iter().filter(begins).collect();
                chunk.metadata.insert("metrics".to_owned(), json!(told));
            } else if let Some(advice) = advice(chunk) {
                chunk.metadata.insert("in_review".to_owned(), Value::String(advice));
            }
        }
        chunks.extend(copies);
        Ok(chunks
            .into_iter()
            .zip(1..)
            .map(|(chunk, rank)| {
                let leaf = Contribution {
                    leg: Leg::Reference,
                    rank,
                    weight: 1.0,
                    raw: None,
                    range: None,
                    value: 1.0,
                    label: canonical.join(", "),
                };
                Hit { relevance: Some(1.0), ..Hit::of(chunk, rank, Mode::Keyword, vec![leaf]) }
            })
            .collect())
    }
}

impl Retriever {
    /// Those of `allowed` that answer to one of `ids`.
    async fn rows_of(&self, ids: &[String], allowed: &Arc<ChunkSet>) -> Result<Vec<i64>> {
        let found = self.store().chunks_of_keys(ids.to_vec(), Arc::clone(allowed)).await?;
        Ok(ids.iter().filter_map(|id| found.get(id)).flatten().map(|(row, _)| *row).collect())
    }
}

fn in_other_edition(id: &str, edition: Edition) -> Error {
    let others = Edition::ALL.iter().filter(|other| **other != edition).map(|other| other.code());
    let others = others.collect::<Vec<_>>().join(", ");
    let cure = format!(" in the edition {} of IFRS S2; ask for {others}", edition.code());
    Error::NotFound { what: "paragraph", id: id.to_owned(), cure }
}

fn not_found(id: &str, known: &BTreeSet<String>) -> Error {
    let near = near_ids(id, known);
    let cure = if near.is_empty() {
        "; ingest the standard first with `sibyl ingest`".to_owned()
    } else {
        format!("; near it: {}", near.join(", "))
    };
    Error::NotFound { what: "paragraph", id: id.to_owned(), cure }
}

/// The known ids nearest to `id`: those that share most of its steps, then those with the nearest number.
fn near_ids(id: &str, known: &BTreeSet<String>) -> Vec<String> {
    let steps = steps(id);
    let mut near: Vec<(usize, u64, usize, &String)> = known
        .iter()
        .filter_map(|other| {
            let others = self::steps(other);
            let shared = steps.iter().zip(&others).take_while(|(a, b)| a == b).count();
            let number = |steps: &[String]| steps.get(shared).and_then(|step| step.parse::<u64>().ok());
            let apart = match (number(&steps), number(&others)) {
                (Some(a), Some(b)) => a.abs_diff(b),
                (None, None) => 0,
                _ => u64::MAX,
            };
            (shared > 0).then_some((usize::MAX - shared, apart, others.len(), other))
        })
        .collect();
    near.sort_unstable();
    near.into_iter().take(NEAR_IDS).map(|(.., id)| id.clone()).collect()
}

/// An id cut where letters, digits and marks meet: `S2.14(a)(iv)` is `s2`, `14`, `a`, `iv`.
fn steps(id: &str) -> Vec<String> {
    let parts = id.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
    let mut steps: Vec<String> = Vec::new();
    for (index, part) in parts.enumerate() {
        let part = part.to_lowercase();
        match part.find(|c: char| c.is_ascii_digit()) {
            // An appendix letter and its number are two steps (`B42`), and the name of a standard is one (`S2`).
            Some(at) if at > 0 && index > 0 => steps.extend([part[..at].to_owned(), part[at..].to_owned()]),
            _ => steps.push(part),
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_ids_share_their_steps() {
        let known: BTreeSet<String> = [
            "S2.36",
            "S2.37",
            "S2.3",
            "S2.14",
            "S2.14(a)",
            "S2.14(a)(i)",
            "S1.B42",
            "S1.B42(b)",
            "S1.B9",
            "S1.44",
        ]
        .map(str::to_owned)
        .into();
        for (asked, first) in [
            ("S2.45", "S2.37"),
            ("S2.14(a)(xx)", "S2.14(a)"),
            ("S1.B43", "S1.B42"),
            ("s2.38(c)", "S2.37"),
            ("S1.45", "S1.44"),
        ] {
            assert_eq!(near_ids(asked, &known).first().map(String::as_str), Some(first), "{asked}");
        }
        assert_eq!(near_ids("§", &known), Vec::<String>::new());
        assert_eq!(near_ids("EM-EP-110a", &known), Vec::<String>::new());
    }
}
