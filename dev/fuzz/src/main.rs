//! Readers and doors fed by libFuzzer, which keeps what reaches code that nothing before it has reached. `SIBYL_FUZZ` names the
//! target; `cargo xtask fuzz` builds and runs them.
#![no_main]

mod covered;
mod target;

use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use std::sync::LazyLock;
use target::Target;

static TARGET: LazyLock<Box<dyn Target>> = LazyLock::new(target::named);

/// Parsers that are not ours: their reader catches their panics and reports a damaged file.
const CAUGHT: [&str; 2] = ["/calamine-", "/hayro-"];

/// Makes a panic end the run, as libFuzzer's own hook does, unless its reader catches it.
fn bear_with_parsers() {
    let ends = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map_or("", |location| location.file());
        if !CAUGHT.iter().any(|parser| place.contains(parser)) {
            ends(panic);
        }
    }));
}

fuzz_target!(
    init: {
        bear_with_parsers();
        target::plant_seeds(&**TARGET);
    },
    |data: &[u8]| {
        TARGET.run(data);
        covered::note();
    }
);

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    TARGET.mutate(data, size, max_size, seed)
});
