//! The first pass by a connected program: it proposes a finding with a reason and quotes, and a person confirms or dismisses
//! it. Nothing that it proposes counts as decided.

use super::AssessmentCell;
use super::decide::{cells_of, in_scope};
use super::quote::{QuoteGiven, Stretches, found_again, placed, standing};
use crate::error::{Error, Result};
use crate::library::Assessing;
use crate::store::table::program_proposal::{ProgramProposal, ProposedQuote};
use crate::store::table::review::{PinnedPassage, Review, ReviewStatus};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_answer::Source;
use sibyl_text::Piece;
use sibyl_text::document::SourceNow;
use std::sync::Arc;

/// Longest name of a program, in characters.
const LONGEST_NAME: usize = 80;
/// Longest reason, in characters.
const LONGEST_REASON: usize = 4_000;
/// Maximum number of quotes of a proposal.
const MOST_QUOTES: usize = 20;

/// What a program proposes for a requirement in a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Propose {
    /// Row id of the assessment.
    pub id: i64,
    /// Identifier of the requirement.
    pub requirement: String,
    /// The report.
    pub report_id: String,
    /// Name of the program.
    pub program: String,
    /// The finding that it proposes: anything but open.
    pub finding: ReviewStatus,
    /// Why, in its own words.
    pub reason: String,
    /// Words of the report, word for word; at least one quote for what is met or partly met.
    #[serde(default)]
    pub quotes: Vec<QuoteGiven>,
}

/// A person confirms what a program proposes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirm {
    /// Row id of the assessment.
    pub id: i64,
    /// Row id of the proposal that was read.
    pub proposal: i64,
    /// Who confirms.
    #[serde(default)]
    pub reviewer: String,
    /// The reviewer's note; by default the one already there, else the program's reason.
    #[serde(default)]
    pub note: Option<String>,
}

impl Assessing<'_> {
    /// Keeps a program's proposal, in place of its earlier one for the same requirement and report.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an assessment, a report, a requirement or a chunk that does not exist.
    /// [`Error::Invalid`] for a proposal without name, finding or reason, and for a quote that does not stand in
    /// the report.
    pub async fn propose_finding(&self, workspace: &str, propose: Propose) -> Result<ProgramProposal> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let grid = self.grid_of((workspace, row), store.assessment(row, propose.id).await?).await?;
        in_scope(&grid, std::slice::from_ref(&propose.requirement), &propose.report_id)?;
        check(&propose)?;
        let documents = self.sources(row, &propose.report_id).await?;
        let mut quotes: Vec<ProposedQuote> = Vec::with_capacity(propose.quotes.len());
        for given in &propose.quotes {
            let chunk = self.stretches_of(row, &propose.report_id, given).await?;
            let quote = placed(&propose.report_id, &documents, given, chunk.as_ref())?;
            if !quotes.iter().any(|known| known.pin == quote.pin) {
                quotes.push(quote);
            }
        }
        let proposal = ProgramProposal {
            id: 0,
            requirement: propose.requirement,
            report_id: propose.report_id,
            program: propose.program.trim().to_owned(),
            finding: propose.finding,
            reason: propose.reason.trim().to_owned(),
            quotes,
            made_at: String::new(),
        };
        let mut kept = store.put_program_proposal(propose.id, proposal).await?;
        self.tell_standing(row, std::slice::from_mut(&mut kept)).await?;
        Ok(kept)
    }

    /// Decides as the program proposes in the row `confirm.proposal`, with its quotes pinned; the proposal is settled by it.
    /// Returns the cell.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the proposal has changed since it was read, or its requirement is out of scope now.
    /// [`Error::Invalid`] if one of its quotes is no longer in the report.
    pub async fn confirm(&self, workspace: &str, confirm: Confirm) -> Result<Vec<AssessmentCell>> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        let grid = self.grid_of((workspace, row), store.assessment(row, confirm.id).await?).await?;
        let proposal = store.program_proposal(confirm.id, confirm.proposal).await?;
        let requirements = [proposal.requirement.clone()];
        let column = in_scope(&grid, &requirements, &proposal.report_id)?;
        let stored = self.library.standards().reviews(workspace, Some(proposal.report_id.clone())).await?;
        let standing = stored.into_iter().find(|review| review.paragraph_id == proposal.requirement);
        let (note, mut passages) = standing.map(|one| (one.note, one.passages)).unwrap_or_default();
        let documents = self.sources(row, &proposal.report_id).await?;
        for quote in &proposal.quotes {
            let pin = pinned(quote, &documents)?;
            if !passages.iter().any(|known| is_same(known, &pin)) {
                passages.push(pin);
            }
        }
        let note = match confirm.note {
            Some(note) => note,
            None if note.trim().is_empty() => proposal.reason,
            None => note,
        };
        let review = Review {
            report_id: proposal.report_id,
            paragraph_id: proposal.requirement,
            words: String::new(),
            status: proposal.finding,
            note,
            passages,
            updated_at: String::new(),
            reviewer: Some(confirm.reviewer),
        };
        for kept in self.library.standards().checked_reviews(row, vec![review]).await? {
            store.confirm_program_proposal(row, (confirm.id, confirm.proposal), kept).await?;
        }
        let after = self.grid_of((workspace, row), store.assessment(row, confirm.id).await?).await?;
        Ok(cells_of(&after, &requirements, column))
    }

    /// Deletes the proposal of a program in row `proposal` of the assessment in row `id`. Nothing is decided by it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if there is no such assessment, or the proposal has changed since it was read.
    pub async fn dismiss(&self, workspace: &str, id: i64, proposal: i64) -> Result<()> {
        let store = self.library.store();
        let row = store.workspace(workspace).await?.id;
        store.assessment::<super::AssessmentPlan>(row, id).await?;
        Ok(store.delete_program_proposal(id, proposal).await?)
    }

    /// Proposals of programs in the assessment in row `id`; each quote says whether it is still there.
    pub(super) async fn programs(
        &self,
        workspace: i64,
        id: i64,
        requirement: &str,
        report: &str,
    ) -> Result<Vec<ProgramProposal>> {
        let mut proposals = self.library.store().program_proposals(id, Some((requirement, report))).await?;
        self.tell_standing(workspace, &mut proposals).await?;
        Ok(proposals)
    }

    /// Makes each quote of `proposals`, which are on one report, say the present state of its source. Texts are read
    /// only if one has changed.
    async fn tell_standing(&self, workspace: i64, proposals: &mut [ProgramProposal]) -> Result<()> {
        let Some(report) = proposals.first().map(|one| one.report_id.clone()) else { return Ok(()) };
        let rows = self.library.store().documents(workspace, None).await?;
        let mut documents: Option<Vec<Arc<Source>>> = None;
        for quote in proposals.iter_mut().flat_map(|one| &mut one.quotes) {
            let same = rows
                .iter()
                .filter(|row| row.report_id.as_ref() == Some(&report))
                .find(|row| row.text_version == quote.pin.text_version);
            let source = match same {
                Some(row) => SourceNow {
                    changed: false,
                    document_id: Some(row.id),
                    range: Some(quote.span),
                    kept: true,
                },
                None => {
                    if documents.is_none() {
                        documents = Some(self.sources(workspace, &report).await?);
                    }
                    standing(quote, documents.as_deref().unwrap_or_default())
                }
            };
            quote.pin.source = Some(source);
        }
        Ok(())
    }

    /// Where the chunk is that `given` names.
    async fn stretches_of(
        &self,
        workspace: i64,
        report: &str,
        given: &QuoteGiven,
    ) -> Result<Option<Stretches>> {
        let Some(id) = &given.chunk_id else { return Ok(None) };
        let found = self.library.store().chunk(workspace, id).await?;
        let chunk = found.filter(|chunk| chunk.report_id.as_deref() == Some(report));
        let chunk = chunk.ok_or_else(|| Error::NotFound {
            what: "chunk",
            id: id.clone(),
            cure: format!(
                "; the report `{report}` has none with this id: name the page, or search the report again"
            ),
        })?;
        let of_document = |piece: &Piece| match piece {
            Piece::Source { span, .. } => Some(*span),
            Piece::Generated { .. } | Piece::Aid { .. } => None,
        };
        Ok(Some((chunk.document_id, chunk.pieces.iter().filter_map(of_document).collect())))
    }
}

/// Refuses a proposal that says too little or too much.
fn check(propose: &Propose) -> Result<()> {
    let Propose { program, finding, reason, quotes, .. } = propose;
    let words = |text: &str| text.chars().any(char::is_alphanumeric);
    let program = program.trim();
    let refused = if !words(program) || program.chars().count() > LONGEST_NAME {
        format!("`program` must name the program that proposes, in at most {LONGEST_NAME} characters")
    } else if program.chars().any(char::is_control) {
        "the name of a program must be on one line; leave control characters out of `program`".to_owned()
    } else if *finding == ReviewStatus::Open {
        "a proposal needs the finding met, partly, gap or not_applicable; to leave a requirement open, propose nothing".to_owned()
    } else if !words(reason) || reason.chars().count() > LONGEST_REASON {
        format!("a proposal needs a `reason` that a person can check, of at most {LONGEST_REASON} characters")
    } else if quotes.len() > MOST_QUOTES {
        format!("a proposal takes at most {MOST_QUOTES} quotes, not {}; name the best", quotes.len())
    } else if quotes.is_empty() && matches!(finding, ReviewStatus::Met | ReviewStatus::Partly) {
        "a finding of met or partly needs a quote from the report; give one in `quotes`".to_owned()
    } else {
        return Ok(());
    };
    Err(Error::Invalid(refused))
}

/// `quote` in the form in which it would be pinned now.
fn pinned(quote: &ProposedQuote, documents: &[Arc<Source>]) -> Result<PinnedPassage> {
    let same = documents.iter().any(|source| source.text_version == quote.pin.text_version);
    let now = if same { Some(quote.clone()) } else { found_again(quote, documents) };
    now.map(|quote| quote.pin).ok_or_else(|| {
        Error::Invalid(format!(
            "the quote “{}” is no longer in the report, so its proposal cannot be confirmed; dismiss the \
             proposal, or decide without it",
            quote.pin.quote
        ))
    })
}

/// Whether two passages are at one place.
fn is_same(one: &PinnedPassage, other: &PinnedPassage) -> bool {
    let place = |of: &PinnedPassage| (of.text_version.clone(), of.path.clone(), of.start, of.end);
    place(one) == place(other)
}
