//! AVX2: 32 products an instruction.

use super::{Kernel, LANES};
use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_abs_epi8, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_sign_epi8,
};

/// The kernel, if the machine has AVX2.
pub(super) fn kernel() -> Option<Kernel> {
    is_x86_feature_detected!("avx2").then_some(Kernel {
        name: "avx2",
        // SAFETY: the machine has AVX2, as was just asked.
        dot: |a, b| unsafe { dot(a, b) },
    })
}

#[target_feature(enable = "avx2")]
fn dot(a: &[i8], b: &[i8]) -> i32 {
    let (a, b) = (a.as_chunks::<LANES>().0, b.as_chunks::<LANES>().0);
    let mut sums = [_mm256_setzero_si256(); 2];
    for (a, b) in a.iter().zip(b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.as_chunks::<32>().0.iter().zip(b.as_chunks::<32>().0)) {
            *sum = _mm256_add_epi32(*sum, products(a, b));
        }
    }
    let sum = _mm256_add_epi32(sums[0], sums[1]);
    let sum = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
    let sum = _mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_11_10>(sum));
    _mm_cvtsi128_si32(_mm_add_epi32(sum, _mm_shuffle_epi32::<0b00_00_00_01>(sum)))
}

/// Eight sums of four products each. The sign of `a` is moved to `b`, since the instruction needs one unsigned
/// side. Two products make at most 2 × 127 × 127 and fit in 16 bits.
#[target_feature(enable = "avx2")]
fn products(a: &[i8; 32], b: &[i8; 32]) -> __m256i {
    // SAFETY: both hold 32 codes; the load takes any address.
    let (a, b) = unsafe { (_mm256_loadu_si256(a.as_ptr().cast()), _mm256_loadu_si256(b.as_ptr().cast())) };
    let pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(a), _mm256_sign_epi8(b, a));
    _mm256_madd_epi16(pairs, _mm256_set1_epi16(1))
}
