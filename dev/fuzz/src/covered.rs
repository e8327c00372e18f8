//! Which edges of the instrumented code were reached: one byte each in the file that `SIBYL_COVERED` names, to which several
//! targets add theirs.

use parking_lot::Mutex;
use std::path::PathBuf;
use std::sync::LazyLock;

unsafe extern "C" {
    /// Where the linker puts the counters of edges.
    #[link_name = "__start___sancov_cntrs"]
    static mut FIRST: u8;
    #[link_name = "__stop___sancov_cntrs"]
    static mut END: u8;
}

struct Covered {
    file: PathBuf,
    edges: Vec<u8>,
    /// Inputs since the file was written last.
    unwritten: u32,
}

/// Inputs after which the file is written again.
const OFTEN: u32 = 64;

static COVERED: LazyLock<Option<Mutex<Covered>>> = LazyLock::new(|| {
    let file = PathBuf::from(std::env::var_os("SIBYL_COVERED")?);
    let mut edges = std::fs::read(&file).unwrap_or_default();
    edges.resize(counters().len(), 0);
    Some(Mutex::new(Covered { file, edges, unwritten: OFTEN }))
});

fn counters() -> &'static [u8] {
    // SAFETY: the linker gives both names to the ends of one section, whose bytes are counters; nothing moves
    // them.
    unsafe {
        let first = &raw const FIRST;
        std::slice::from_raw_parts(first, (&raw const END).offset_from_unsigned(first))
    }
}

/// Records what the last input reached, if a file is named.
pub fn note() {
    let Some(covered) = &*COVERED else { return };
    let mut covered = covered.lock();
    for (edge, counter) in covered.edges.iter_mut().zip(counters()) {
        *edge |= u8::from(*counter > 0);
    }
    covered.unwritten += 1;
    if covered.unwritten >= OFTEN {
        covered.unwritten = 0;
        std::fs::write(&covered.file, &covered.edges).expect("the file of covered edges can be written");
    }
}
