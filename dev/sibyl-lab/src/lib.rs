//! Where Sibyl is measured and tried: benchmarks as ratios in one run, random and mutated documents, and the
//! vectors that ship for the standards. Nothing of it is part of the product.

pub mod fuzz;
pub mod prove;
pub mod readability;
pub mod shipped;
pub mod table;

pub use sibyl_tests::random;
