//! `sibyl assess propose`, `confirm` and `dismiss`: what programs propose, and what a person decides about it.

use super::{Outcome, print};
use crate::output::one_line;
use crate::session::Session;
use serde_json::{Value, json};
use sibyl_api::command::proposal as list;
use sibyl_api::{ProgramProposal, SourceNow};
use std::fmt::Write as _;

/// Characters shown of a quote.
const QUOTE: usize = 160;

/// Proposes what `proposed` says, with `quotes`, each of which may begin with its page.
pub(super) async fn propose(session: &Session, mut proposed: Value, quotes: &[String]) -> Outcome {
    proposed["quotes"] = quotes.iter().map(|quote| given(quote)).collect();
    let made = session.call::<list::AssessPropose>(proposed).await?;
    print(&session.common, &made, |made| {
        format!("Proposal {} is saved. It counts once a person confirms it.\n", made.id)
    })
}

/// Decides as a program proposed.
pub(super) async fn confirm(session: &Session, input: Value) -> Outcome {
    let cells = session.call::<list::AssessConfirm>(input).await?;
    print(&session.common, &cells, |cells| format!("{} decided.\n", cells.len()))
}

/// Deletes a proposal.
pub(super) async fn dismiss(session: &Session, input: Value) -> Outcome {
    let gone = session.call::<list::AssessDismiss>(input).await?;
    print(&session.common, &gone, |_| "The proposal is dismissed. Nothing was decided.\n".to_owned())
}

/// `PAGE=WORDS` or the words alone.
fn given(quote: &str) -> Value {
    match quote.split_once('=').map(|(page, words)| (page.parse::<u32>(), words)) {
        Some((Ok(page), words)) => json!({ "quote": words, "page": page }),
        _ => json!({ "quote": quote }),
    }
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
    use serde_json::json;

    #[test]
    fn a_quote_may_begin_with_its_page() {
        assert_eq!(given("12=We pay = more"), json!({ "quote": "We pay = more", "page": 12 }));
        assert_eq!(given("E = mc2"), json!({ "quote": "E = mc2" }));
        assert_eq!(given("We pay"), json!({ "quote": "We pay" }));
    }
}
