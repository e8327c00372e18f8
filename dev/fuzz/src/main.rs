//! Readers and doors fed by libFuzzer, which keeps what reaches code that nothing before it has reached. `SIBYL_FUZZ` names the
//! target; `cargo xtask fuzz` builds and runs them.
#![no_main]

mod covered;
mod target;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::sync::LazyLock;
use target::Target;

static TARGET: LazyLock<Box<dyn Target>> = LazyLock::new(target::named);

fuzz_target!(
    init: target::plant_seeds(&**TARGET),
    |data: &[u8]| {
        TARGET.run(data);
        covered::note();
    }
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    TARGET.mutate(data, size, max_size, seed)
});
