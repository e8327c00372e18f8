//! `cargo xtask prove [NAME] [COUNT]`: tries a claim with COUNT random cases, or each claim with as many as it has by itself.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

use sibyl_lab::prove::{PROOFS, Proof};
use std::process::ExitCode;
use std::time::Instant;

/// Faults that are shown.
const SHOWN: usize = 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named: Vec<&Proof> =
        PROOFS.iter().filter(|proof| words.first().is_none_or(|word| word == proof.name)).collect();
    let count = words.get(1).map(|word| word.parse::<u64>());
    if named.is_empty() || matches!(count, Some(Err(_))) {
        println!("usage: prove [NAME] [COUNT]\n");
        for proof in PROOFS {
            println!("  {:8} {}", proof.name, proof.claim);
        }
        return ExitCode::from(2);
    }
    let mut faults = 0;
    for proof in named {
        let count = count.clone().and_then(Result::ok).unwrap_or(proof.count);
        println!("{}: {}", proof.name, proof.claim);
        let began = Instant::now();
        let tried = (proof.run)(count, 0);
        for (kind, count) in &tried.cases {
            println!("  {count:8} {kind}");
        }
        for fault in tried.faults.iter().take(SHOWN) {
            println!("  {fault}");
        }
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "  {count} cases in {seconds:.0} s ({:.0} a second), {} faults",
            count as f64 / seconds,
            tried.faults.len()
        );
        faults += tried.faults.len();
    }
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
