//! `cargo xtask prove [NAME] [COUNT] [SEED]`: tries a claim with COUNT random cases from SEED on (default 0), or
//! each claim with its default number.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

use sibyl_lab::prove::{PROOFS, Proof};
use std::process::ExitCode;
use std::time::Instant;

/// Faults that are shown.
const SHOWN: usize = 20;
/// Letters of a fault that are shown.
const LONGEST: usize = 600;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named: Vec<&Proof> =
        PROOFS.iter().filter(|proof| words.first().is_none_or(|word| word == proof.name)).collect();
    let count = words.get(1).map(|word| word.parse::<u64>());
    let first = words.get(2).map_or(Ok(0), |word| word.parse::<u64>());
    let (false, Ok(first), Ok(count)) = (named.is_empty(), first, count.transpose()) else {
        println!("usage: prove [NAME] [COUNT] [SEED]\n");
        for proof in PROOFS {
            println!("  {:8} {}", proof.name, proof.claim);
        }
        return ExitCode::from(2);
    };
    let mut faults = 0;
    for proof in named {
        let count = count.unwrap_or(proof.count);
        println!("{}: {}", proof.name, proof.claim);
        let began = Instant::now();
        let tried = (proof.run)(count, first);
        for (kind, count) in &tried.cases {
            println!("  {count:8} {kind}");
        }
        for note in &tried.notes {
            println!("  {note}");
        }
        for fault in tried.faults.iter().take(SHOWN) {
            println!("  {}", fault.chars().take(LONGEST).collect::<String>());
        }
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "  {count} cases, seeds {first} to {}, in {seconds:.0} s ({:.1} a second): {} faults",
            first + count.saturating_sub(1),
            count as f64 / seconds,
            tried.faults.len()
        );
        faults += tried.faults.len();
    }
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
