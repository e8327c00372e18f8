//! Where Sibyl is measured and tested: benchmarks as ratios in one run, random and mutated documents, and the
//! shipped vectors for the standards. Nothing of it is part of the product.

pub mod fuzz;
pub mod logistic;
pub mod prove;
pub mod readability;
pub mod shipped;
pub mod table;

pub use sibyl_tests::random;
