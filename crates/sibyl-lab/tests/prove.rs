//! Every proof, with few cases.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

use sibyl_lab::prove::PROOFS;

/// Cases of each in a run of all tests; `cargo xtask prove` tries more.
const CASES: u64 = 300;

fn holds(name: &str) {
    let proof = PROOFS.iter().find(|proof| proof.name == name).unwrap();
    let tried = (proof.run)(CASES, 0);
    assert_eq!(tried.cases.iter().map(|(_, count)| count).sum::<u64>(), CASES, "{:?}", tried.cases);
    assert!(tried.faults.is_empty(), "{}", tried.faults.join("\n"));
}

#[test]
fn no_request_makes_a_door_fail() {
    holds("doors");
}

#[test]
fn no_workspace_reads_another() {
    holds("scopes");
}
