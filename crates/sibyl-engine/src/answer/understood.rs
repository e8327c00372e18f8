//! What a question names: whose reports it is narrowed to, and who is not in the library. What names that leaves the query.

use super::AskRequest;
use super::named::{Named, Titled};
use crate::error::Result;
use crate::library::Answering;
use crate::search::Filters;
use crate::store::keyword::Phrase;
use crate::store::table::corpus::Corpus;
use crate::store::table::document::DocumentRow;
use sibyl_answer::question::Question;
use sibyl_answer::question::constraint::{without, without_spans};
use sibyl_answer::question::name::{asks_which_reporter, spoken};
use sibyl_answer::question::quantity::{Operation, Quantity};
use sibyl_answer::{Constraint, ConstraintKind};
use std::collections::HashSet;

/// Source type of the reports of companies.
const REPORT: &str = "report";

/// A question with everything that it names.
pub(super) struct Understood {
    /// The question, without the conditions to ignore.
    pub text: String,
    /// What is searched for: the question without the names that narrow the search.
    pub query: String,
    /// The restrictions of the search.
    pub filters: Filters,
    /// The reports that it names.
    pub named: Named,
    /// A company that it names and the library does not know.
    pub unknown: Option<String>,
}

impl Understood {
    /// The same question of each side that it names.
    pub fn sides(&self) -> impl Iterator<Item = (&str, Self)> + '_ {
        self.named.names.iter().zip(&self.named.sides).map(|(name, reports)| {
            let filters = Filters { reports: reports.clone(), ..self.filters.clone() };
            let named = self.named.of(reports);
            let side =
                Self { text: self.text.clone(), query: self.query.clone(), filters, named, unknown: None };
            (name.as_str(), side)
        })
    }

    /// The companies asked about, as conditions that a person can remove.
    pub fn constraints(&self) -> impl Iterator<Item = Constraint> + '_ {
        let known = self.named.names.iter().map(|name| (ConstraintKind::Issuer, name));
        let unknown = self.unknown.iter().map(|name| (ConstraintKind::UnknownIssuer, name));
        known.chain(unknown).map(|(kind, name)| Constraint::new(kind, name.as_str()))
    }
}

impl Answering<'_> {
    /// `question`, completed by an earlier one if needed, and understood as `request` wants it.
    pub(super) async fn understood(
        &self,
        workspace: &str,
        question: &str,
        request: &AskRequest,
    ) -> Result<Understood> {
        let filters = &request.filters;
        let mut text = without(question, &request.ignore);
        let plain = |text: String| Understood {
            query: text.clone(),
            text,
            filters: filters.clone(),
            named: Named::default(),
            unknown: None,
        };
        // What a standard is narrowed to says which paragraphs are meant.
        let of_reports = Filters {
            source_types: filters.source_types.clone(),
            corpora: filters.corpora.clone(),
            reports: filters.reports.clone(),
            report_or_none: filters.report_or_none.clone(),
            ..Filters::default()
        };
        if *filters != of_reports || super::session::names_a_standard(&text) {
            return Ok(plain(text));
        }
        let workspace = self.library.store().workspace(workspace).await?.id;
        let corpora = self.library.store().corpora(workspace).await?;
        let documents = self.library.store().documents(workspace, None).await?;
        let within: Vec<&DocumentRow> =
            documents.iter().filter(|document| is_within(document, filters, &corpora)).collect();
        let read = |text: &str| Named::read(text, within.iter().copied().filter_map(Titled::of));
        let ignores = |kind, name: &str| request.ignore.contains(&Constraint::new(kind, name));
        let mut named = read(&text);
        if named.names.iter().any(|name| ignores(ConstraintKind::Issuer, name)) {
            let ignored = named.only(|name| ignores(ConstraintKind::Issuer, name));
            text = without_spans(&text, ignored.spans(&text));
            named = read(&text);
        }
        let mut unknown = None;
        for (name, span) in spoken(&text) {
            let known = sibyl_text::language::words::words(&name).iter().any(|word| named.holds(word.text));
            if !known && self.is_unknown(workspace, &name, &documents).await? {
                if ignores(ConstraintKind::UnknownIssuer, &name) {
                    text = without_spans(&text, vec![span]);
                } else {
                    unknown = Some(name);
                }
                break;
            }
        }
        let mut understood = Understood { unknown, ..plain(text) };
        // Who is asked for among companies has reported.
        if filters.source_types.is_empty() && asks_which_reporter(&understood.text) {
            understood.filters.source_types = vec![REPORT.to_owned()];
        }
        if !named.reports.is_empty() {
            understood.filters.reports.clone_from(&named.reports);
            understood.query = without_spans(&understood.text, named.spans(&understood.text));
        }
        understood.named = named;
        Ok(understood)
    }

    /// `earlier` without the companies that it names, if the question of `request` names others and does not compare
    /// them: it asks for these alone.
    pub(super) async fn of_other_sides(
        &self,
        workspace: &str,
        request: &AskRequest,
        earlier: &str,
    ) -> Result<String> {
        let own = self.understood(workspace, request.question.trim(), request).await?;
        let asks = Quantity::read(&own.text).operation;
        if own.named.names.is_empty() && own.unknown.is_none() || asks != Operation::Value {
            return Ok(earlier.to_owned());
        }
        let before = self.understood(workspace, earlier, request).await?;
        Ok(without_spans(earlier, before.named.spans(earlier)))
    }

    /// Those of `set` that `request` does not name itself: they come from the previous question.
    pub(super) async fn inherited(
        &self,
        workspace: &str,
        request: &AskRequest,
        set: &[Constraint],
    ) -> Result<Vec<Constraint>> {
        let own = self.understood(workspace, request.question.trim(), request).await?;
        let question = Question::read(&own.text).ignoring(&request.ignore);
        let own: Vec<Constraint> = own.constraints().chain(question.constraints()).collect();
        Ok(set.iter().filter(|one| !own.contains(one)).cloned().collect())
    }

    /// Whether no document has all words of `name`.
    async fn is_unknown(&self, workspace: i64, name: &str, documents: &[DocumentRow]) -> Result<bool> {
        let mut holding: Option<HashSet<i64>> = None;
        for word in sibyl_text::language::words::words(name) {
            let lower = word.text.to_lowercase();
            let found = self.library.store().documents_holding(workspace, Phrase::new(word.text)).await?;
            let mut found: HashSet<i64> = found.into_iter().collect();
            let titled = documents.iter().filter(|one| {
                let issuer = one.issuer.as_deref().unwrap_or_default();
                let names = [one.title.as_str(), &one.path, issuer]
                    .into_iter()
                    .chain(one.aliases.iter().map(String::as_str));
                names.into_iter().any(|name| name.to_lowercase().contains(&lower))
            });
            found.extend(titled.map(|one| one.id));
            holding = Some(match holding {
                Some(known) => known.intersection(&found).copied().collect(),
                None => found,
            });
        }
        Ok(holding.is_some_and(|holding| holding.is_empty()))
    }
}

/// Whether `filters` let `document` through.
fn is_within(document: &DocumentRow, filters: &Filters, corpora: &[Corpus]) -> bool {
    let Filters { source_types, corpora: named, reports, report_or_none, .. } = filters;
    let corpus = || corpora.iter().find(|corpus| corpus.id == document.corpus_id);
    let report = document.report_id.as_ref();
    (source_types.is_empty() || source_types.contains(&document.source_type))
        && (named.is_empty() || corpus().is_some_and(|corpus| named.contains(&corpus.name)))
        && (reports.is_empty() || report.is_some_and(|id| reports.contains(id)))
        && (report_or_none.is_none() || report == report_or_none.as_ref())
}
