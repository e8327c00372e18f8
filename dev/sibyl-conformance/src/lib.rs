//! The laws of a store, whatever database is behind it.
//!
//! Each law makes a library of its own through [`Bench`] and puts made-up things into it through the traits of
//! [`sibyl_store::port`]. It compares what it reads with what it put, or with a model that looks at everything. A
//! store is held to them all if one of its tests says [`conformance!`] with what opens it.
#![allow(clippy::unwrap_used, reason = "a law is a test: it fails by panicking")]

pub mod catalogue;
pub mod documents;
pub mod gone;
pub mod jobs;
pub mod judgements;
pub mod location;
pub mod made;
pub mod reading;
pub mod retrieval;
pub mod upkeep;
pub mod vectors;

use sibyl_store::{Location, Store};
use std::sync::Arc;

/// A library of its own, empty at first, that goes away with it.
pub trait Bench: Send + Sync + 'static {
    /// A new one.
    fn new() -> Self;

    /// Where it is, as a program finds it that starts now.
    fn place(&self) -> Arc<dyn Location>;

    /// Opens the library, each time as another program would.
    fn open(&self) -> impl Future<Output = Arc<dyn Store>> + Send {
        let place = self.place();
        async move { place.open().await.unwrap() }
    }
}

/// One test for each law, of the store that the [`Bench`] of this name opens.
#[macro_export]
macro_rules! conformance {
    ($bench:ty) => {
        $crate::tests! { $bench:
            catalogue::a_workspace_is_made_once,
            catalogue::a_workspace_sees_its_own_corpora_and_shared_ones,
            catalogue::a_corpus_keeps_its_key_and_documents,
            catalogue::a_deleted_workspace_leaves_what_is_shared,
            catalogue::a_chunk_comes_back_as_it_was_put,
            catalogue::pages_of_chunks_follow_each_other,
            catalogue::no_workspace_reads_anothers_chunks,
            catalogue::references_find_chunks_in_order,
            catalogue::the_thesaurus_keeps_one_entry_for_a_pair,
            catalogue::shipped_words_give_way_to_the_users,
            catalogue::a_workspace_keeps_its_language,
            catalogue::only_what_may_leave_is_embedded_elsewhere,
            catalogue::a_corpus_is_deleted_into_the_bin_or_dropped,
            catalogue::figures_of_a_corpus_add_up,
            catalogue::chunks_of_a_type_are_in_order,
            catalogue::a_phrasing_is_part_of_its_chunk,
            documents::a_document_comes_back_as_it_was_put,
            documents::a_document_put_again_keeps_its_keys,
            documents::a_refused_document_leaves_nothing,
            documents::a_document_appears_whole_or_not_at_all,
            documents::a_binned_document_is_not_found_and_comes_back,
            documents::a_bin_is_its_owners,
            documents::documents_are_listed_in_order,
            documents::a_correction_stays_over_a_new_text,
            documents::a_former_text_is_kept_while_it_is_cited,
            documents::documents_are_found_by_what_is_known_of_them,
            documents::what_is_old_in_the_bin_goes,
            reading::figures_are_found_by_what_they_say,
            reading::figures_are_those_of_the_text,
            reading::facts_are_found_by_name_and_value,
            reading::the_smallest_chunk_holds_a_place,
            reading::a_candidate_says_what_its_chunk_is,
            gone::documents_move_all_at_once,
            gone::two_documents_become_one,
            gone::what_is_missing_is_settled_once,
            gone::what_is_held_back_waits_for_an_answer,
            gone::nobody_is_asked_twice,
            retrieval::a_scope_is_what_its_filters_leave,
            retrieval::a_scope_brought_up_to_date_is_a_fresh_one,
            retrieval::an_unknown_filter_value_is_named,
            retrieval::a_scope_names_its_corpora,
            retrieval::words_find_what_holds_them,
            retrieval::scores_of_words_are_bm25,
            retrieval::ranks_are_places_in_the_whole_list,
            retrieval::leaves_add_up_to_the_score,
            retrieval::frequencies_tell_nobody_anothers_words,
            retrieval::the_stemmer_is_that_of_the_index,
            retrieval::a_vocabulary_is_the_workspaces_own,
            retrieval::references_stay_within_the_set,
            vectors::the_nearest_are_those_of_greatest_cosine,
            vectors::nearness_is_the_place_among_the_nearest,
            vectors::equal_texts_share_a_vector,
            vectors::an_unfit_vector_stores_none,
            vectors::each_missing_text_is_visited_once,
            vectors::a_refused_text_is_no_longer_missing,
            vectors::covered_is_what_has_a_vector,
            vectors::a_space_is_its_description,
            vectors::vectors_made_ahead_are_vectors,
            jobs::a_request_is_one_job,
            jobs::a_job_has_one_holder,
            jobs::a_lost_lease_is_told,
            jobs::a_wish_reaches_the_holder,
            jobs::files_of_a_job_keep_their_order,
            jobs::an_unfinished_file_waits_again,
            jobs::uploads_come_back_as_they_were_put,
            jobs::a_folder_has_one_watcher,
            jobs::what_is_kept_needs_no_job,
            jobs::a_job_names_what_it_made,
            judgements::findings_outlive_the_text,
            judgements::every_decision_stays,
            judgements::an_import_is_all_or_nothing,
            judgements::proposals_go_with_their_assessment,
            judgements::every_version_of_a_gold_set_is_read_again,
            judgements::a_gold_set_keeps_its_order,
            judgements::a_judge_has_one_opinion,
            judgements::answers_are_their_workspaces,
            judgements::searches_come_back_to_the_last_bit,
            judgements::a_measured_run_keeps_its_queries,
            judgements::only_what_is_open_is_filled,
            judgements::a_program_proposes_once_for_a_cell,
            judgements::a_confirmed_proposal_is_a_decision,
            judgements::a_calibration_is_the_last_one,
            judgements::a_deleted_gold_set_is_gone,
            judgements::a_gold_query_keeps_its_labels,
            upkeep::changes_by_others_are_told,
            upkeep::the_feed_ends_with_the_store,
            upkeep::programs_read_the_same,
            upkeep::generations_count_what_changed,
            upkeep::settings_are_kept_by_name,
            upkeep::upkeep_changes_nothing_that_is_read,
            upkeep::a_library_weighs_what_it_holds,
            location::a_copy_has_all_that_it_was_made_of,
            location::a_new_library_begins_as_another,
            location::a_backup_comes_back_at_the_next_start,
            location::a_backup_is_due_after_a_change,
            location::what_is_rescued_of_a_sound_library_is_all_of_it,
            location::a_moved_library_is_written_where_it_is,
        }
    };
}

/// One test for each of the laws named.
#[doc(hidden)]
#[macro_export]
macro_rules! tests {
    ($bench:ty: $($module:ident::$law:ident),* $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $law() {
                $crate::$module::$law::<$bench>().await;
            }
        )*
    };
}
