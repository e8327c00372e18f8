//! What the tools of assessments tell of reports: passages, and what programs propose.

use schemars::JsonSchema;
use serde::Serialize;
use sibyl_api::{EvidencePassage, PinnedPassage, ProgramProposal, ReviewStatus, SourceNow};

/// A passage of the report, word for word.
#[derive(Serialize, JsonSchema)]
pub(super) struct Passage {
    /// Its words.
    quote: String,
    /// Path of its document.
    document: String,
    /// Physical page.
    page: Option<u32>,
    /// Headings above it.
    section: Option<Vec<String>>,
}

impl From<&PinnedPassage> for Passage {
    fn from(pin: &PinnedPassage) -> Self {
        Self { quote: pin.quote.clone(), document: pin.path.clone(), page: pin.page, section: None }
    }
}

impl From<&EvidencePassage> for Passage {
    fn from(passage: &EvidencePassage) -> Self {
        Self {
            quote: passage.quote.clone(),
            document: passage.pin.path.clone(),
            page: passage.page,
            section: Some(passage.section.clone()),
        }
    }
}

/// Words of the report.
#[derive(Serialize, JsonSchema)]
pub(super) struct Quote {
    /// The words.
    quote: String,
    /// Path of its document.
    document: String,
    /// Physical page.
    page: Option<u32>,
    /// What became of the words, if the document has changed since.
    source: Option<String>,
}

/// A proposal, which is not a decision.
#[derive(Serialize, JsonSchema)]
pub(super) struct Proposal {
    /// Its number.
    proposal: i64,
    /// Who proposes.
    program: String,
    /// What is proposed.
    finding: ReviewStatus,
    /// Why.
    reason: String,
    /// What the report says.
    quotes: Vec<Quote>,
}

impl From<ProgramProposal> for Proposal {
    fn from(proposal: ProgramProposal) -> Self {
        let quotes = proposal.quotes.into_iter().map(|quote| Quote {
            source: quote.pin.source.as_ref().and_then(SourceNow::told).map(str::to_owned),
            quote: quote.pin.quote,
            document: quote.pin.path,
            page: quote.pin.page,
        });
        Self {
            proposal: proposal.id,
            program: proposal.program,
            finding: proposal.finding,
            reason: proposal.reason,
            quotes: quotes.collect(),
        }
    }
}
