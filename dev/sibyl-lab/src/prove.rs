//! Proofs: what is claimed of the program, tried with random cases. A new one is a file here and a line in [`PROOFS`].

mod assessments;
mod clock;
mod doors;
mod faults;
mod files;
mod kills;
mod memory;
mod power;
mod scopes;
mod world;

/// A claim and how it is tried.
pub struct Proof {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is claimed, in a sentence.
    pub claim: &'static str,
    /// Number of cases by default.
    pub count: u64,
    /// Tries the claim with so many cases, made from the seeds from the first number on.
    pub run: fn(u64, u64) -> Tried,
}

/// How a claim stood.
#[derive(Debug, Default)]
pub struct Tried {
    /// Cases by kind, with how many there were.
    pub cases: Vec<(String, u64)>,
    /// The counterexamples, each with the seed that reproduces it.
    pub faults: Vec<String>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

impl Tried {
    /// Counts a case of `kind`.
    fn count(&mut self, kind: &str) {
        match self.cases.iter_mut().find(|(known, _)| known == kind) {
            Some((_, count)) => *count += 1,
            None => self.cases.push((kind.to_owned(), 1)),
        }
    }
}

/// Every proof there is.
pub static PROOFS: &[Proof] = &[
    doors::PROOF,
    scopes::PROOF,
    kills::PROOF,
    assessments::PROOF,
    power::PROOF,
    memory::PROOF,
    faults::PROOF,
    files::PROOF,
    clock::PROOF,
];
