//! Every proof, with few cases.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_lab::prove::PROOFS;

/// Tries `cases` of a claim; `cargo xtask prove` tries more.
fn holds(name: &str, cases: u64) {
    let proof = PROOFS.iter().find(|proof| proof.name == name).unwrap();
    let tried = (proof.run)(cases, 0);
    assert_eq!(tried.cases.iter().map(|(_, count)| count).sum::<u64>(), cases, "{:?}", tried.cases);
    assert!(tried.faults.is_empty(), "{}", tried.faults.join("\n"));
}

#[test]
fn no_request_makes_a_door_fail() {
    holds("doors", 300);
}

#[test]
fn no_workspace_reads_another() {
    holds("scopes", 300);
}

#[test]
fn no_kill_loses_what_was_acknowledged() {
    holds("kills", 24);
}

#[test]
fn no_power_failure_damages_a_library() {
    holds("power", 40);
}

#[test]
fn a_server_that_works_holds_no_more_and_more() {
    holds("memory", 600);
}

#[test]
fn no_fault_of_a_provider_is_stored() {
    holds("faults", 12);
}

#[test]
fn each_file_is_there_once() {
    holds("files", 18);
}

#[test]
#[cfg(target_os = "linux")]
fn a_clock_that_jumps_loses_nothing() {
    holds("clock", 1);
}
