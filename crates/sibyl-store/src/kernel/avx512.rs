//! AVX-512 with VNNI: 64 products an instruction.

use super::{Kernel, LANES};
use std::arch::x86_64::{
    _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_reduce_add_epi32, _mm512_set1_epi8, _mm512_setzero_si512,
    _mm512_xor_si512,
};

/// The kernel, if the machine has AVX-512 F, BW and VNNI.
pub(super) fn kernel() -> Option<Kernel> {
    let has_all = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vnni");
    has_all.then_some(Kernel {
        name: "avx512vnni",
        // SAFETY: the machine has these instructions, as was just asked.
        dot: |a, b| unsafe { dot(a, b) },
    })
}

/// The instruction needs one unsigned side: `a + 128` is multiplied, and 128 times the sum of `b` is subtracted
/// again.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dot(a: &[i8], b: &[i8]) -> i32 {
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    let (flip, ones) = (_mm512_set1_epi8(-128), _mm512_set1_epi8(1));
    let (mut products, mut sum) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    for (a, b) in a.iter().zip(b) {
        // SAFETY: both arrays hold 64 codes; the load takes any address.
        let (a, b) =
            unsafe { (_mm512_loadu_si512(a.as_ptr().cast()), _mm512_loadu_si512(b.as_ptr().cast())) };
        products = _mm512_dpbusd_epi32(products, _mm512_xor_si512(a, flip), b);
        sum = _mm512_dpbusd_epi32(sum, ones, b);
    }
    _mm512_reduce_add_epi32(products) - 128 * _mm512_reduce_add_epi32(sum)
}
