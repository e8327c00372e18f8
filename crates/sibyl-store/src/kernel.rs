//! The inner product of two rows of int8 codes, with the instructions that the machine has.
//!
//! All kernels give the same integer: no sum is rounded, and none can overflow below 66,000 dimensions.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;

use std::sync::OnceLock;

/// Codes of a row are padded with zeros to a multiple of this.
pub(super) const LANES: usize = 64;

/// A way to multiply rows.
#[derive(Clone, Copy)]
pub(super) struct Kernel {
    /// The instructions it needs.
    pub name: &'static str,
    /// The inner product of two rows of one length, a multiple of [`LANES`]. No code may be -128.
    pub dot: fn(&[i8], &[i8]) -> i32,
}

/// The fastest kernel of this machine, and always the same one.
pub(super) fn best() -> Kernel {
    static BEST: OnceLock<Kernel> = OnceLock::new();
    *BEST.get_or_init(|| {
        let best = available().into_iter().find(agrees).unwrap_or(portable::KERNEL);
        tracing::debug!(kernel = best.name, "codes are compared with this kernel");
        best
    })
}

/// Every kernel this machine can run, fastest first.
fn available() -> Vec<Kernel> {
    [
        #[cfg(target_arch = "x86_64")]
        avx512::kernel(),
        #[cfg(target_arch = "x86_64")]
        avx2::kernel(),
        #[cfg(target_arch = "aarch64")]
        neon::kernel(),
        Some(portable::KERNEL),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether `kernel` gives the same as the portable one. A wrong one would silently spoil every search, and tests
/// cannot run on every machine.
fn agrees(kernel: &Kernel) -> bool {
    let row = |seed: i32| -> Vec<i8> {
        (0..4 * LANES as i32).map(|n| ((n * seed + n * n) % 255 - 127).clamp(-127, 127) as i8).collect()
    };
    let extremes = (vec![127_i8; 4 * LANES], vec![-127_i8; 4 * LANES]);
    [(row(7), row(31)), (extremes.0.clone(), extremes.1), (extremes.0.clone(), extremes.0)].iter().all(
        |(a, b)| {
            let expected = (portable::KERNEL.dot)(a, b);
            let found = (kernel.dot)(a, b);
            if found != expected {
                tracing::error!(
                    kernel = kernel.name,
                    found,
                    expected,
                    "this kernel is wrong and is not used"
                );
            }
            found == expected
        },
    )
}

#[cfg(test)]
mod tests {
    use super::{LANES, agrees, available, portable};
    use proptest::prelude::*;

    #[test]
    fn the_portable_kernel_multiplies() {
        let mut a = vec![0; LANES];
        let mut b = vec![0; LANES];
        (a[0], b[0], a[63], b[63]) = (3, 5, -127, 127);
        assert_eq!((portable::KERNEL.dot)(&a, &b), 15 - 127 * 127);
    }

    proptest! {
        #[test]
        fn every_kernel_of_this_machine_agrees_bit_for_bit(
            rows in (1_usize..32).prop_flat_map(|n| {
                let row = || prop::collection::vec(-127_i8..=127, n * LANES);
                (row(), row())
            }),
        ) {
            let expected: i32 = rows.0.iter().zip(&rows.1).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
            for kernel in available() {
                prop_assert!(agrees(&kernel));
                prop_assert_eq!((kernel.dot)(&rows.0, &rows.1), expected, "{}", kernel.name);
            }
        }
    }
}
