//! `sibyl assess propose`, `confirm` and `dismiss`: what programs propose, and what a person decides about it.

use super::{Outcome, print};
use crate::output::one_line;
use crate::session::Session;
use sibyl_api::command::proposal::{self as list, ProposalId};
use sibyl_api::{Confirm, ProgramProposal, Propose, QuoteGiven, SourceNow};
use std::fmt::Write as _;

/// Characters shown of a quote.
const QUOTE: usize = 160;

/// Keeps what a program proposes.
pub(super) async fn propose(session: &Session, proposed: Propose) -> Outcome {
    let made = session.call::<list::AssessPropose>(proposed).await?;
    print(&session.common, &made, |made| {
        format!("Proposal {} is saved. It counts once a person confirms it.\n", made.id)
    })
}

/// Decides as a program proposed.
pub(super) async fn confirm(session: &Session, input: Confirm) -> Outcome {
    let cells = session.call::<list::AssessConfirm>(input).await?;
    print(&session.common, &cells, |cells| format!("{} decided.\n", cells.len()))
}

/// Deletes a proposal.
pub(super) async fn dismiss(session: &Session, input: ProposalId) -> Outcome {
    let gone = session.call::<list::AssessDismiss>(input).await?;
    print(&session.common, &gone, |_| "The proposal is dismissed. Nothing was decided.\n".to_owned())
}

/// `PAGE=WORDS` or the words alone.
pub(super) fn given(quote: &str) -> QuoteGiven {
    let (page, words) = match quote.split_once('=').map(|(page, words)| (page.parse().ok(), words)) {
        Some((Some(page), words)) => (Some(page), words),
        _ => (None, quote),
    };
    QuoteGiven { quote: words.to_owned(), page, chunk_id: None }
}

/// What programs propose, in words for a person.
pub(super) fn told_by_programs(proposals: &[ProgramProposal]) -> String {
    let mut out = String::new();
    for ProgramProposal { id, program, finding, reason, quotes, .. } in proposals {
        let program = one_line(program, QUOTE);
        let (finding, reason) = (finding.name().replace('_', " "), one_line(reason, QUOTE));
        let _ = writeln!(out, "Proposed by {program} (proposal {id}): {finding}. {reason}");
        for quote in quotes {
            let page = quote.pin.page.map(|page| format!("p. {page}: ")).unwrap_or_default();
            let told = quote.pin.source.as_ref().and_then(SourceNow::told);
            let told = told.map(|told| format!(" ({told})")).unwrap_or_default();
            let _ = writeln!(out, "  quotes {page}{}{told}", one_line(&quote.pin.quote, QUOTE));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::given;

    #[test]
    fn a_quote_may_begin_with_its_page() {
        for (typed, page, words) in [
            ("12=We pay = more", Some(12), "We pay = more"),
            ("E = mc2", None, "E = mc2"),
            ("We pay", None, "We pay"),
        ] {
            let quote = given(typed);
            assert_eq!((quote.page, quote.quote.as_str()), (page, words));
        }
    }
}
