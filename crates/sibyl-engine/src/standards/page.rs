//! The page of one paragraph, item, term, industry, topic or metric.

use super::edition::editions;
use super::kind::{Modality, PartKind};
use super::{StandardRows, field, id_of};
use crate::counterpart::Counterpart;
use crate::error::{Error, Result};
use crate::explanation::{Explanation, explain, own_text};
use crate::library::Standards;
use crate::metric::{StandardMetric, metric_of};
use crate::store::edition::Edition;
use crate::store::table::chunk::ChunkRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sibyl_text::language::sentence::sentence_ends;
use sibyl_text::source_type;
use std::collections::BTreeSet;

/// A link to another part of the standards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardLink {
    /// Identifier.
    pub id: String,
    /// Its label.
    pub label: String,
    /// Its first sentence.
    pub summary: String,
}

/// An item below a paragraph or item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardItem {
    /// Identifier.
    pub id: String,
    /// Its number, such as `(iv)`.
    pub number: String,
    /// Its label.
    pub label: String,
    /// Its explanation.
    pub prose: String,
}

/// A defined term.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardTerm {
    /// Identifier.
    pub id: String,
    /// The term.
    pub name: String,
    /// Its explanation.
    pub definition: String,
}

/// A SASB topic that belongs to a paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SasbLink {
    /// Topic code.
    pub code: String,
    /// Topic name.
    pub topic: String,
    /// Industry name.
    pub industry: String,
    /// Industry code.
    pub industry_code: String,
}

/// A chunk of a part of the standards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardChunk {
    /// Chunk id.
    pub chunk_id: String,
    /// Identifier or part mark.
    pub label: String,
    /// Estimated tokens.
    pub tokens: i64,
    /// Document row it belongs to.
    pub document_id: i64,
}

/// A passage of the user's own licensed copy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LicensedText {
    /// Chunk id.
    pub chunk_id: String,
    /// Title of the document.
    pub title: String,
    /// Its own words, without what a chunk puts in front of them.
    pub text: String,
}

/// What an edition of IFRS S2 says of a part that the amendments of December 2025 touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardVersion {
    /// The edition.
    pub edition: Edition,
    /// Its explanation, with a blank line between paragraphs.
    pub prose: String,
    /// Items right below it.
    pub items: Vec<StandardItem>,
    /// What differs from the edition before, in words.
    pub changed: Option<String>,
    /// What the sources of the explanation leave open.
    pub not_settled: Option<String>,
}

/// Everything about one part of the standards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StandardPage {
    /// Identifier.
    pub id: String,
    /// Its label.
    pub label: String,
    /// Source type of the standard that it belongs to.
    pub source_type: String,
    /// What it is; the part for an item of a metric.
    pub kind: PartKind,
    /// How binding it is.
    pub modality: Modality,
    /// Standard, headings and enclosing paragraph, outermost first; the id if it can be opened.
    pub breadcrumb: Vec<(String, Option<String>)>,
    /// Pillar.
    pub pillar: String,
    /// What is known about an amendment, if there is one.
    pub amended: Option<String>,
    /// What is known about a change under way that is not final, to it or to its industry.
    pub pending: Option<String>,
    /// Editions of IFRS S2 that this text of it belongs to; none for a part of another standard.
    pub editions: Vec<Edition>,
    /// If the editions differ on it, the text of each edition that has it, the earliest first.
    pub versions: Vec<StandardVersion>,
    /// The explanation, with a blank line between paragraphs.
    pub prose: String,
    /// Advice to reviewers, which is no part of the standard.
    pub in_review: Option<String>,
    /// Items right below it; of a metric, what is also to be discussed.
    pub items: Vec<StandardItem>,
    /// Items inside these, in reading order.
    pub nested: Vec<StandardItem>,
    /// Metrics of a topic.
    pub metrics: Vec<StandardMetric>,
    /// What answers to it in the other standard.
    pub counterparts: Vec<Counterpart>,
    /// What in it has no counterpart in the other standard, according to the mapping: itself, or its items.
    pub adds: Vec<StandardLink>,
    /// SASB topics that belong to it.
    pub sasb: Vec<SasbLink>,
    /// What it points to.
    pub cites: Vec<StandardLink>,
    /// What points to it.
    pub cited_by: Vec<StandardLink>,
    /// Terms it rests on.
    pub terms: Vec<StandardTerm>,
    /// Where a defined term is used.
    pub used_by: Vec<StandardLink>,
    /// Phrases that people search for it with.
    pub asked_as: Vec<String>,
    /// Those of them that somebody added by hand.
    pub added_phrases: Vec<String>,
    /// Its chunks.
    pub chunks: Vec<StandardChunk>,
    /// The user's own licensed copy of it.
    pub licensed: Vec<LicensedText>,
    /// The part before it in reading order.
    pub previous: Option<String>,
    /// The part after it in reading order.
    pub next: Option<String>,
}

impl Standards<'_> {
    /// The page of `id`: a paragraph, item, defined term, industry, topic or metric. It is the one in `edition` of
    /// IFRS S2, or in the one in force; if that lacks it, the one in the other edition.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the standards that `workspace` sees have no such identifier.
    pub async fn page(&self, workspace: &str, id: &str, edition: Option<Edition>) -> Result<StandardPage> {
        let workspace = self.library.store().workspace(workspace).await?.id;
        let standards = self.rows(workspace, edition).await?;
        let mut page = Reader { standards: &standards }.page(id);
        if page.is_none() && standards.apart.iter().any(|row| id_of(row) == Some(id)) {
            let other = Edition::ALL.into_iter().find(|other| *other != standards.edition);
            page = Reader { standards: &self.rows(workspace, other).await? }.page(id);
        }
        let examples = || source_type::standards().map(|(_, standard)| standard.example);
        let mut page = page.ok_or_else(|| Error::NotFound {
            what: "paragraph",
            id: id.to_owned(),
            cure: format!("; ids look like {}", examples().collect::<Vec<_>>().join(", ")),
        })?;
        for row in self.library.store().chunks_with_key(workspace, id).await? {
            let chunks = self.library.store().chunks_by_row(workspace, vec![row]).await?;
            for chunk in chunks.into_values().filter(ChunkRow::is_licensed) {
                let text = own_text(&chunk).to_owned();
                page.licensed.push(LicensedText { chunk_id: chunk.chunk_id, title: chunk.title, text });
            }
        }
        Ok(page)
    }
}

struct Reader<'a> {
    standards: &'a StandardRows,
}

impl Reader<'_> {
    fn rows<'b>(&'b self, id: &'b str) -> impl Iterator<Item = (usize, &'b ChunkRow)> + 'b {
        self.standards.rows.iter().enumerate().filter(move |(_, row)| id_of(row) == Some(id))
    }

    /// The first chunk of `id`; if the edition does not have it, that of the other one.
    fn first<'b>(&'b self, id: &'b str) -> Option<&'b ChunkRow> {
        let apart = || self.standards.apart.iter().find(|row| id_of(row) == Some(id));
        self.rows(id).next().map(|(_, row)| row).or_else(apart)
    }

    /// What each edition says about `id`, if they differ on it.
    fn versions(&self, id: &str) -> Vec<StandardVersion> {
        let StandardRows { rows, apart, .. } = self.standards;
        let version = |edition: Edition| {
            let rows = if edition == self.standards.edition { rows } else { apart };
            let of = |id: &str| rows.iter().filter(|row| id_of(row) == Some(id)).collect::<Vec<_>>();
            let own = of(id);
            if editions(own.first()?) != [edition] {
                return None;
            }
            let said = explain(&own);
            let items = sub_requirements(own[0]).filter_map(|item| item_of(item, &of(item)));
            Some(StandardVersion {
                edition,
                items: items.collect(),
                changed: said.lines.get("Changed").cloned(),
                not_settled: said.lines.get("Not settled").cloned(),
                prose: said.prose,
            })
        };
        Edition::ALL.into_iter().filter_map(version).collect()
    }

    /// The text about `id` itself, in all its chunks.
    fn explanation(&self, id: &str) -> Explanation {
        let mut explanation = explain(&self.rows(id).map(|(_, row)| row).collect::<Vec<_>>());
        explanation.metrics.iter_mut().for_each(|metric| self.standards.requirements.tell(metric));
        explanation
    }

    fn page(&self, id: &str) -> Option<StandardPage> {
        if let Some(page) = self.metric_page(id) {
            return Some(page);
        }
        let (position, row) = self.rows(id).next()?;
        let mut page = self.skeleton(id, row);
        let explanation = self.explanation(id);
        let amended = ["Amended December 2025", "Heading"];
        page.amended = amended.into_iter().find_map(|name| explanation.lines.get(name).cloned());
        page.versions = self.versions(id);
        page.in_review = explanation.in_review().map(str::to_owned);
        page.asked_as = explanation.asked_as();
        page.added_phrases = self.rows(id).flat_map(|(_, row)| row.added_phrases()).collect();
        page.prose = explanation.prose;
        page.metrics = explanation.metrics;
        page.items = self.items(id);
        page.nested = page.items.iter().flat_map(|item| self.nested(&item.id)).collect();
        page.chunks = self.chunks(id);
        let rows = &self.standards.rows;
        let other = |row: &&ChunkRow| id_of(row) != Some(id);
        page.previous = rows[..position].iter().rev().find(other).and_then(id_of).map(str::to_owned);
        page.next = rows[position..].iter().find(other).and_then(id_of).map(str::to_owned);
        Some(page)
    }

    /// The page of a metric, or of an item of one.
    fn metric_page(&self, id: &str) -> Option<StandardPage> {
        let code = metric_of(id).unwrap_or(id);
        let topic = code.rsplit_once('.').filter(|_| code.contains('-'))?.0;
        let row = self.first(topic)?;
        let metric = self.explanation(topic).metrics.into_iter().find(|metric| metric.code == code)?;
        let mut page = self.skeleton(topic, row);
        page.breadcrumb.push((page.label.clone(), Some(topic.to_owned())));
        page.id = id.to_owned();
        page.label = metric.label.clone();
        page.chunks = self.chunks(topic);
        if id == code {
            page.kind = PartKind::Metric;
            page.prose = metric.measured.text.clone();
            page.in_review = metric.in_review.clone();
            let items = metric.also_to_be_discussed.iter().map(|item| StandardItem {
                id: item.id.clone(),
                number: item.number.to_string(),
                label: metric.label.clone(),
                prose: item.text.clone(),
            });
            page.items = items.collect();
            page.metrics = vec![metric];
        } else {
            let (part, item) = metric.items().find(|(_, item)| item.id == id)?;
            page.breadcrumb.push((code.to_owned(), Some(code.to_owned())));
            page.kind = PartKind::named(part);
            page.prose = item.text.clone();
        }
        Some(page)
    }

    fn skeleton(&self, id: &str, row: &ChunkRow) -> StandardPage {
        let topics = row.has_topics();
        let references = &self.standards.references;
        let links = |ids: Option<&Vec<String>>| self.links(ids.map(Vec::as_slice).unwrap_or_default());
        let terms = row.metadata.get("terms").and_then(Value::as_array);
        let terms: Vec<&str> = terms.into_iter().flatten().filter_map(Value::as_str).collect();
        let topic = field(row, "disclosure_topic");
        let label = match (topics, topic) {
            (false, _) => field(row, "label").trim_start_matches("Term: "),
            (true, "") => field(row, "industry_sector"),
            (true, topic) => topic,
        };
        let kind = match (topics, topic) {
            (false, _) => PartKind::of(row),
            (true, "") => PartKind::Industry,
            (true, _) => PartKind::Topic,
        };
        StandardPage {
            id: id.to_owned(),
            label: label.to_owned(),
            source_type: row.source_type.clone(),
            kind,
            modality: Modality::of(row),
            breadcrumb: self.breadcrumb(id, row),
            pillar: field(row, "pillar").to_owned(),
            amended: None,
            pending: self.pending(row),
            editions: editions(row),
            versions: Vec::new(),
            prose: String::new(),
            in_review: None,
            items: Vec::new(),
            nested: Vec::new(),
            metrics: Vec::new(),
            counterparts: self.counterparts(id),
            adds: self.adds(id),
            sasb: self.sasb(id),
            cites: links(references.cites.get(id)),
            cited_by: links(references.cited_by.get(id)),
            terms: terms.into_iter().filter_map(|term| self.term(term)).collect(),
            used_by: links(references.terms.get(id)),
            asked_as: Vec::new(),
            added_phrases: Vec::new(),
            chunks: Vec::new(),
            licensed: Vec::new(),
            previous: None,
            next: None,
        }
    }

    /// What an industry says of a change to its standard that is under way.
    fn pending(&self, row: &ChunkRow) -> Option<String> {
        let industry = row.has_topics().then(|| field(row, "standard_code"))?;
        self.explanation(industry).lines.remove("Pending change")
    }

    fn breadcrumb(&self, id: &str, row: &ChunkRow) -> Vec<(String, Option<String>)> {
        let mut crumbs = Vec::new();
        let body = row.standard().map_or(row.title.as_str(), |standard| standard.body);
        crumbs.push((body.to_owned(), None));
        if row.has_topics() {
            crumbs.push((field(row, "sector").to_owned(), None));
            let industry = field(row, "standard_code");
            if industry != id {
                crumbs.push((field(row, "industry_sector").to_owned(), Some(industry.to_owned())));
            }
            return crumbs;
        }
        let headings = row.metadata.get("heading_path").and_then(Value::as_array);
        crumbs.extend(headings.into_iter().flatten().filter_map(Value::as_str).map(|h| (h.to_owned(), None)));
        let opens = id.match_indices('(').map(|(at, _)| &id[..at]);
        crumbs.extend(opens.map(|outer| {
            let number = outer.split_once('.').map_or(outer, |(_, number)| number);
            (number.to_owned(), Some(outer.to_owned()))
        }));
        crumbs
    }

    fn links(&self, ids: &[String]) -> Vec<StandardLink> {
        let mut seen = BTreeSet::new();
        ids.iter().filter(|id| seen.insert(*id)).filter_map(|id| self.link(id)).collect()
    }

    fn link(&self, id: &str) -> Option<StandardLink> {
        let row = self.first(id)?;
        let prose = explain(&[row]).prose;
        Some(StandardLink {
            id: id.to_owned(),
            label: field(row, "label").trim_start_matches("Term: ").to_owned(),
            summary: first_sentence(&prose).to_owned(),
        })
    }

    fn adds(&self, id: &str) -> Vec<StandardLink> {
        let added =
            |id: &str| self.standards.counterparts.is_added(id, |twin| self.item_ids(twin).is_empty());
        if added(id) {
            return self.link(id).into_iter().collect();
        }
        self.item_ids(id).into_iter().filter(|item| added(item)).filter_map(|item| self.link(item)).collect()
    }

    fn counterparts(&self, id: &str) -> Vec<Counterpart> {
        let mut seen = BTreeSet::new();
        let answers = self.standards.counterparts.of(id).into_iter();
        answers
            .filter(|answer| seen.insert(answer.id.clone()))
            .filter_map(|answer| {
                let StandardLink { id, label, summary } = self.link(&answer.id)?;
                Some(Counterpart { id, label, summary, level: answer.level, of: answer.of })
            })
            .collect()
    }

    fn item_ids<'b>(&'b self, id: &'b str) -> Vec<&'b str> {
        self.first(id).into_iter().flat_map(sub_requirements).collect()
    }

    fn items(&self, id: &str) -> Vec<StandardItem> {
        let item = |id: &&str| {
            let rows: Vec<&ChunkRow> = self.rows(id).map(|(_, row)| row).collect();
            item_of(id, &rows)
        };
        self.item_ids(id).iter().filter_map(item).collect()
    }

    /// Items inside `id`, at any depth, in reading order.
    fn nested(&self, id: &str) -> Vec<StandardItem> {
        let mut nested = Vec::new();
        for item in self.items(id) {
            let inner = self.nested(&item.id);
            nested.push(item);
            nested.extend(inner);
        }
        nested
    }

    fn term(&self, id: &str) -> Option<StandardTerm> {
        let row = self.first(id)?;
        let name = field(row, "label").trim_start_matches("Term: ").to_owned();
        Some(StandardTerm { id: id.to_owned(), name, definition: self.explanation(id).prose })
    }

    /// Topics that belong to the paragraph or to the nearest paragraph around it.
    fn sasb(&self, id: &str) -> Vec<SasbLink> {
        let table = &self.standards.references.s2_to_sasb;
        let outer = id.match_indices('(').rev().map(|(at, _)| &id[..at]);
        let found = std::iter::once(id).chain(outer).find_map(|id| table.get(id));
        let codes = found.into_iter().flat_map(|industries| industries.values().flatten());
        codes
            .filter_map(|code| {
                let row = self.first(code)?;
                Some(SasbLink {
                    code: code.clone(),
                    topic: field(row, "disclosure_topic").to_owned(),
                    industry: field(row, "industry_sector").to_owned(),
                    industry_code: field(row, "standard_code").to_owned(),
                })
            })
            .collect()
    }

    fn chunks(&self, id: &str) -> Vec<StandardChunk> {
        self.rows(id)
            .map(|(_, row)| StandardChunk {
                chunk_id: row.chunk_id.clone(),
                label: id.to_owned(),
                tokens: row.tokens,
                document_id: row.document_id,
            })
            .collect()
    }
}

/// Ids of the items right below what a chunk is of.
fn sub_requirements(row: &ChunkRow) -> impl Iterator<Item = &str> {
    let ids = row.metadata.get("sub_requirements").and_then(Value::as_array);
    ids.into_iter().flatten().filter_map(Value::as_str)
}

/// The item `id`, read from its chunks.
fn item_of(id: &str, rows: &[&ChunkRow]) -> Option<StandardItem> {
    Some(StandardItem {
        id: id.to_owned(),
        number: id[id.rfind('(')?..].to_owned(),
        label: field(rows.first()?, "label").to_owned(),
        prose: explain(rows).prose,
    })
}

fn first_sentence(prose: &str) -> &str {
    sentence_ends(prose).first().map_or(prose, |end| &prose[..*end])
}
