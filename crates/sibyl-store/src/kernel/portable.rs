//! Plain Rust, for every machine.

use super::{Kernel, LANES};

pub(super) const KERNEL: Kernel = Kernel { name: "portable", dot };

fn dot(a: &[i8], b: &[i8]) -> i32 {
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    // Sixteen sums side by side, so that the compiler can use whatever vector registers there are.
    let mut sums = [0_i32; 16];
    for (a, b) in a.iter().zip(b) {
        for (n, (&a, &b)) in a.iter().zip(b).enumerate() {
            sums[n % 16] += i32::from(i16::from(a) * i16::from(b));
        }
    }
    sums.iter().sum()
}
