//! NEON, which every 64-bit ARM machine has.

use super::{Kernel, LANES};
use std::arch::aarch64::{
    vaddvq_s32, vdupq_n_s32, vget_low_s8, vld1q_s8, vmull_high_s8, vmull_s8, vpadalq_s16,
};

/// The kernel, if the machine has NEON.
pub(super) fn kernel() -> Option<Kernel> {
    std::arch::is_aarch64_feature_detected!("neon").then_some(Kernel {
        name: "neon",
        // SAFETY: the machine has NEON, as was just asked.
        dot: |a, b| unsafe { dot(a, b) },
    })
}

#[target_feature(enable = "neon")]
fn dot(a: &[i8], b: &[i8]) -> i32 {
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    let mut sums = [vdupq_n_s32(0); 2];
    for (a, b) in a.iter().zip(b) {
        for (a, b) in a.as_chunks::<16>().0.iter().zip(b.as_chunks::<16>().0) {
            // SAFETY: both arrays hold 16 codes.
            let (a, b) = unsafe { (vld1q_s8(a.as_ptr()), vld1q_s8(b.as_ptr())) };
            sums[0] = vpadalq_s16(sums[0], vmull_s8(vget_low_s8(a), vget_low_s8(b)));
            sums[1] = vpadalq_s16(sums[1], vmull_high_s8(a, b));
        }
    }
    vaddvq_s32(sums[0]) + vaddvq_s32(sums[1])
}
