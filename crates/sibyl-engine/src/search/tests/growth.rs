//! What is kept between searches follows additions and deletions, and then equals a fresh look at everything.

use super::shelf::{Shelf, page};
use crate::search::{Filters, Mode, Retriever, SearchRequest};
use crate::store::scope::Scope;
use proptest::prelude::*;
use serde_json::json;
use sibyl_text::source_type::field;
use std::sync::Arc;

/// What happens to a library.
#[derive(Debug, Clone)]
enum Step {
    /// Stores a document of this many chunks, in place of the one with the same number if there is one.
    Put { document: usize, chunks: usize, shared: bool },
    /// A document is deleted.
    Delete { document: usize },
    /// What is derived is rebuilt.
    Rebuild,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..6_usize, 1..5_usize, any::<bool>())
            .prop_map(|(document, chunks, shared)| Step::Put { document, chunks, shared }),
        2 => (0..6_usize).prop_map(|document| Step::Delete { document }),
        1 => Just(Step::Rebuild),
    ]
}

const WORDS: [&str; 7] = ["heron", "bittern", "egret", "stork", "crane", "ibis", "spoonbill"];

async fn take(shelf: &Shelf, workspaces: [i64; 2], step: &Step, turn: usize) {
    match *step {
        Step::Put { document, chunks, shared } => {
            let pages = (0..chunks).map(|n| {
                let words = [WORDS[(turn + n) % 7], WORDS[(turn * n + document) % 7], "wades"].join(" ");
                page(&words, json!({"name": format!("{document} {n}"), "module": format!("m{}", n % 2)}))
            });
            let owner = if shared { None } else { Some(workspaces[document % 2]) };
            let corpus = if shared { "shared".to_owned() } else { format!("own-{}", document % 2) };
            shelf.put(owner, &corpus, "docs", &format!("{document}.md"), pages.collect()).await;
        }
        Step::Delete { document } => {
            let mut ids = Vec::new();
            for workspace in workspaces {
                let all = shelf.store().documents(workspace, None).await.unwrap();
                ids.extend(all.iter().filter(|one| one.path == format!("{document}.md")).map(|one| one.id));
            }
            shelf.store().delete_documents(ids).await.unwrap();
        }
        Step::Rebuild => drop(shelf.store().rebuild().await.unwrap()),
    }
}

fn filters() -> [Filters; 4] {
    [
        Filters::default(),
        Filters::default().with(&field::MODULE, ["m1", "m7"]),
        Filters { corpora: vec!["shared".to_owned()], paths: vec!["1.md".to_owned()], ..Filters::default() },
        Filters { report_or_none: Some("none".to_owned()), ..Filters::default() },
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn what_is_brought_up_to_date_is_what_a_look_at_everything_gives(
        steps in prop::collection::vec(step(), 1..9)
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
        runtime.block_on(async {
            let shelf = Shelf::new();
            let workspaces = [shelf.workspace("one").await, shelf.workspace("two").await];
            let mut known: Vec<Option<Arc<Scope>>> = vec![None; 8];
            for (turn, step) in steps.iter().enumerate() {
                take(&shelf, workspaces, step, turn).await;
                for (n, workspace) in workspaces.into_iter().enumerate() {
                    for (m, filters) in filters().into_iter().enumerate() {
                        let known = &mut known[4 * n + m];
                        let fresh = shelf.store().scope(workspace, filters.clone()).await.unwrap();
                        let renewed = shelf.store().scope_since(workspace, filters, known.take()).await.unwrap();
                        prop_assert_eq!(&renewed, &fresh, "after {:?}", step);
                        *known = Some(Arc::new(renewed));
                    }
                    let again = Retriever::new(Arc::clone(&shelf.store)).unwrap();
                    for query in ["heron egret wades", "\"stork wades\" crane", "spoonbil biterns"] {
                        let request =
                            SearchRequest { query: query.to_owned(), mode: Mode::Hybrid, ..SearchRequest::default() };
                        let kept = shelf.search(workspace, &request).await;
                        let fresh = again.search(workspace, &request, &shelf.providers).await.unwrap();
                        prop_assert_eq!(&kept.trace.query, &fresh.trace.query, "after {:?}", step);
                        prop_assert_eq!(&kept.results, &fresh.results, "after {:?}", step);
                        prop_assert_eq!(kept.trace.covered, fresh.trace.covered);
                    }
                }
            }
            Ok::<(), TestCaseError>(())
        })?;
    }
}
