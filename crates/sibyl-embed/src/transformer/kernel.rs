//! The product of seven-bit activations and int8 weights for processors with AVX2 and without VNNI.
//!
//! `vpmaddubsw` multiplies 32 bytes and adds each two products in 16 bits; a second multiplication widens the sums
//! to 32 bits. The second is needed only where the next products might not fit in 16 bits, and the weights tell
//! where. Inputs are ordered so that four to six steps run before it. So about every fifth multiplication is of
//! this kind instead of every second, and the integers are exactly those of a plain loop.

/// Outputs of a panel: two vectors of 32-bit sums.
const PANEL: usize = 16;
/// Number of inputs in a step, which make one 32-bit sum.
const STEP: usize = 4;
/// Number of tokens processed at once; their sums fill the registers.
const TOKENS: usize = 3;
/// Maximum number of steps of a run.
const LONGEST: usize = 8;
/// Greatest activation: 127 steps, and one more if the least and the greatest number are both rounded away from 0.
const MOST: i32 = 128;

/// A matrix of weights as the kernel reads them.
pub(super) struct Panels {
    panels: Vec<Panel>,
    inputs: usize,
}

/// How sums become outputs: `(sum - zero · total) · scale of the token · scale + bias`.
pub(super) struct Reading<'a> {
    /// What a step of a weight is worth, for each output.
    pub scales: &'a [f32],
    /// Sum of the weights, for each output.
    pub totals: &'a [i32],
    /// One for each output.
    pub bias: &'a [f32],
}

/// What the kernel must know of a token.
pub(super) trait Token {
    /// The value of one step of its activations.
    fn scale(&self) -> f32;
    /// The value that stands for 0.
    fn zero(&self) -> i32;
}

/// The weights of sixteen outputs.
struct Panel {
    /// How many runs there are of one step, of two and so on, in this order.
    runs: [usize; LONGEST],
    /// The first of the inputs of each step.
    inputs: Vec<usize>,
    steps: Vec<Step>,
}

/// The weights of four inputs, output after output.
#[repr(align(64))]
struct Step([i8; PANEL * STEP]);

impl Panels {
    /// The matrix of `rows`, each of `inputs` weights. `None` if the processor has no AVX2, or the shape does not
    /// consist of whole panels and steps.
    pub fn new(rows: &[i8], inputs: usize) -> Option<Self> {
        let whole = inputs > 0 && inputs.is_multiple_of(STEP) && rows.len().is_multiple_of(inputs * PANEL);
        (whole && runs()).then(|| {
            let panels = rows.chunks_exact(inputs * PANEL).map(|rows| Panel::new(rows, inputs)).collect();
            Self { panels, inputs }
        })
    }

    /// The outputs for `tokens`, whose activations of at most 128 follow each other in `values`.
    ///
    /// # Panics
    /// If a slice is not as long as the others require.
    pub fn forward(&self, values: &[u8], tokens: &[impl Token], reading: &Reading<'_>, output: &mut [f32]) {
        let outputs = self.panels.len() * PANEL;
        assert_eq!(values.len(), tokens.len() * self.inputs);
        assert_eq!(output.len(), tokens.len() * outputs);
        assert_eq!([reading.scales.len(), reading.totals.len(), reading.bias.len()], [outputs; 3]);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `new` has found AVX2 and FMA.
        unsafe {
            avx2::forward(self, values, tokens, reading, output);
        }
    }
}

/// Whether the kernel runs on this processor.
fn runs() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Whether the kernel is the fastest one that runs here: with VNNI that of `rten-gemm` is.
pub(super) fn is_fastest() -> bool {
    #[cfg(target_arch = "x86_64")]
    return !is_x86_feature_detected!("avx512vnni");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Steps whose products fit in 16 bits together.
struct Run {
    /// Sums of the positive and of the negative weights of each 16-bit sum.
    reach: [[i32; PANEL * STEP / 2]; 2],
    inputs: Vec<usize>,
}

impl Run {
    fn new(rows: &[i8], width: usize, input: usize) -> Self {
        let mut reach = [[0; PANEL * STEP / 2]; 2];
        for (n, weight) in Step::new(rows, width, input).0.into_iter().enumerate() {
            reach[usize::from(weight < 0)][n / 2] += i32::from(weight);
        }
        Self { reach, inputs: vec![input] }
    }

    fn farthest(&self) -> i32 {
        self.reach.iter().flatten().map(|sum| sum.abs()).max().unwrap_or(0)
    }

    fn takes(&self, other: &Self) -> bool {
        let limits = [i32::from(i16::MAX), i32::from(i16::MIN)];
        let sums = self.reach.iter().flatten().zip(other.reach.iter().flatten()).map(|(a, b)| (a + b) * MOST);
        // Without an early end: such a loop runs in vectors.
        self.inputs.len() < LONGEST
            && sums.fold(true, |fits, sum| fits & (sum <= limits[0]) & (sum >= limits[1]))
    }

    fn take(&mut self, other: Self) {
        self.reach.iter_mut().flatten().zip(other.reach.iter().flatten()).for_each(|(a, b)| *a += b);
        self.inputs.extend(other.inputs);
    }
}

impl Panel {
    fn new(rows: &[i8], width: usize) -> Self {
        let mut singles: Vec<Run> =
            (0..width).step_by(STEP).map(|input| Run::new(rows, width, input)).collect();
        singles.sort_by_key(|run| std::cmp::Reverse(run.farthest()));
        let mut runs: Vec<Run> = Vec::new();
        for single in singles {
            match runs.iter_mut().find(|run| run.takes(&single)) {
                Some(run) => run.take(single),
                None => runs.push(single),
            }
        }
        // Runs of one length follow each other, so that the processor foresees their ends.
        runs.sort_by_key(|run| run.inputs.len());
        let count = |length: usize| runs.iter().filter(|run| run.inputs.len() == length).count();
        let counts = std::array::from_fn(|n| count(n + 1));
        let inputs: Vec<usize> = runs.into_iter().flat_map(|run| run.inputs).collect();
        let steps = inputs.iter().map(|&input| Step::new(rows, width, input)).collect();
        Self { runs: counts, inputs, steps }
    }
}

impl Step {
    /// The weights from `input` on.
    fn new(rows: &[i8], width: usize, input: usize) -> Self {
        Self(std::array::from_fn(|n| rows[n / STEP * width + input + n % STEP]))
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::{PANEL, Panel, Panels, Reading, Step, TOKENS, Token};
    use std::arch::asm;
    use std::arch::x86_64::*;

    /// 32-bit sums of a vector.
    const LANES: usize = 8;
    type Tile = [[__m256i; PANEL / LANES]; TOKENS];

    #[target_feature(enable = "avx2,fma")]
    pub fn forward(
        matrix: &Panels,
        values: &[u8],
        tokens: &[impl Token],
        reading: &Reading<'_>,
        output: &mut [f32],
    ) {
        let outputs = matrix.panels.len() * PANEL;
        for (n, panel) in matrix.panels.iter().enumerate() {
            for first in (0..tokens.len()).step_by(TOKENS) {
                // If fewer than three are left, the last token is computed again.
                let last = tokens.len() - 1;
                let places = [first, (first + 1).min(last), (first + 2).min(last)];
                let row = |place: usize| &values[place * matrix.inputs..][..matrix.inputs];
                let sums = tile(panel, [row(places[0]), row(places[1]), row(places[2])]);
                for (sums, place) in sums.iter().zip(places) {
                    for (half, &sum) in sums.iter().enumerate() {
                        let column = n * PANEL + half * LANES;
                        let output = &mut output[place * outputs + column..][..LANES];
                        widen(sum, &tokens[place], reading, column, output);
                    }
                }
            }
        }
    }

    /// The sums of a panel for three tokens.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn tile(panel: &Panel, rows: [&[u8]; TOKENS]) -> Tile {
        let mut sums = [[_mm256_setzero_si256(); PANEL / LANES]; TOKENS];
        let (mut inputs, mut steps) = (panel.inputs.as_slice(), panel.steps.as_slice());
        macro_rules! runs {
            ($($length:literal)*) => {$(
                for _ in 0..panel.runs[$length - 1] {
                    let (run, rest) = steps.split_at($length);
                    let (places, others) = inputs.split_at($length);
                    add_run::<$length>(&mut sums, places, run, rows);
                    (inputs, steps) = (others, rest);
                }
            )*};
        }
        runs!(1 2 3 4 5 6 7 8);
        sums
    }

    /// Adds the products of a run to `sums`.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn add_run<const LENGTH: usize>(sums: &mut Tile, inputs: &[usize], run: &[Step], rows: [&[u8]; TOKENS]) {
        let [mut a, mut b, mut c, mut d, mut e, mut f] = [_mm256_setzero_si256(); 6];
        for n in 0..LENGTH {
            let (input, weights) = (inputs[n], run[n].0.as_ptr());
            // In assembly because the compiler would load the weights of all steps first, for which there are too
            // few registers. SAFETY: the weights are 64 bytes at a multiple of 64. Each row has as many bytes as
            // there are inputs, and `input` is a multiple of four below that, so four bytes can be read there.
            unsafe {
                if n == 0 {
                    asm!(
                        "vmovdqa {low}, [{weights}]",
                        "vmovdqa {high}, [{weights} + 32]",
                        "vpbroadcastd {four}, [{first} + {input}]",
                        "vpmaddubsw {a}, {four}, {low}",
                        "vpmaddubsw {b}, {four}, {high}",
                        "vpbroadcastd {four}, [{second} + {input}]",
                        "vpmaddubsw {c}, {four}, {low}",
                        "vpmaddubsw {d}, {four}, {high}",
                        "vpbroadcastd {four}, [{third} + {input}]",
                        "vpmaddubsw {e}, {four}, {low}",
                        "vpmaddubsw {f}, {four}, {high}",
                        weights = in(reg) weights,
                        input = in(reg) input,
                        first = in(reg) rows[0].as_ptr(),
                        second = in(reg) rows[1].as_ptr(),
                        third = in(reg) rows[2].as_ptr(),
                        low = out(ymm_reg) _, high = out(ymm_reg) _, four = out(ymm_reg) _,
                        a = out(ymm_reg) a, b = out(ymm_reg) b, c = out(ymm_reg) c,
                        d = out(ymm_reg) d, e = out(ymm_reg) e, f = out(ymm_reg) f,
                        options(nostack, readonly, preserves_flags),
                    );
                } else {
                    asm!(
                        "vmovdqa {low}, [{weights}]",
                        "vmovdqa {high}, [{weights} + 32]",
                        "vpbroadcastd {four}, [{first} + {input}]",
                        "vpmaddubsw {pairs}, {four}, {low}",
                        "vpmaddubsw {four}, {four}, {high}",
                        "vpaddw {a}, {a}, {pairs}",
                        "vpaddw {b}, {b}, {four}",
                        "vpbroadcastd {four}, [{second} + {input}]",
                        "vpmaddubsw {pairs}, {four}, {low}",
                        "vpmaddubsw {four}, {four}, {high}",
                        "vpaddw {c}, {c}, {pairs}",
                        "vpaddw {d}, {d}, {four}",
                        "vpbroadcastd {four}, [{third} + {input}]",
                        "vpmaddubsw {pairs}, {four}, {low}",
                        "vpmaddubsw {four}, {four}, {high}",
                        "vpaddw {e}, {e}, {pairs}",
                        "vpaddw {f}, {f}, {four}",
                        weights = in(reg) weights,
                        input = in(reg) input,
                        first = in(reg) rows[0].as_ptr(),
                        second = in(reg) rows[1].as_ptr(),
                        third = in(reg) rows[2].as_ptr(),
                        low = out(ymm_reg) _, high = out(ymm_reg) _, four = out(ymm_reg) _, pairs = out(ymm_reg) _,
                        a = inout(ymm_reg) a, b = inout(ymm_reg) b, c = inout(ymm_reg) c,
                        d = inout(ymm_reg) d, e = inout(ymm_reg) e, f = inout(ymm_reg) f,
                        options(nostack, readonly, preserves_flags),
                    );
                }
            }
        }
        let ones = _mm256_set1_epi16(1);
        for (sums, pairs) in sums.iter_mut().zip(&[[a, b], [c, d], [e, f]]) {
            for (sum, &pairs) in sums.iter_mut().zip(pairs) {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
            }
        }
    }

    /// Eight outputs of a token, from `column` on.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    fn widen(sum: __m256i, token: &impl Token, reading: &Reading<'_>, column: usize, output: &mut [f32]) {
        let scales = &reading.scales[column..][..LANES];
        let totals = &reading.totals[column..][..LANES];
        let bias = &reading.bias[column..][..LANES];
        let output = &mut output[..LANES];
        // SAFETY: each slice has eight numbers of 32 bits.
        unsafe {
            let totals = _mm256_loadu_si256(totals.as_ptr().cast());
            let sum = _mm256_sub_epi32(sum, _mm256_mullo_epi32(_mm256_set1_epi32(token.zero()), totals));
            let scale = _mm256_mul_ps(_mm256_loadu_ps(scales.as_ptr()), _mm256_set1_ps(token.scale()));
            let bias = _mm256_loadu_ps(bias.as_ptr());
            _mm256_storeu_ps(output.as_mut_ptr(), _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), scale, bias));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{PANEL, Panels, Reading, STEP, Token};
    use proptest::prelude::*;

    impl Token for (f32, i32) {
        fn scale(&self) -> f32 {
            self.0
        }
        fn zero(&self) -> i32 {
            self.1
        }
    }

    /// The outputs by a plain loop, with scales and biases that leave integers as they are.
    fn check(weights: &[i8], inputs: usize, values: &[u8], zeros: &[i32]) {
        let outputs = weights.len() / inputs;
        let Some(panels) = Panels::new(weights, inputs) else {
            assert!(!super::runs(), "whole panels and steps");
            return;
        };
        let totals: Vec<i32> =
            weights.chunks(inputs).map(|row| row.iter().map(|&w| i32::from(w)).sum()).collect();
        let bias: Vec<f32> = (0..outputs).map(|n| n as f32).collect();
        let reading = Reading { scales: &vec![0.5; outputs], totals: &totals, bias: &bias };
        let tokens: Vec<(f32, i32)> = zeros.iter().map(|&zero| (2.0, zero)).collect();
        let mut output = vec![f32::NAN; zeros.len() * outputs];
        panels.forward(values, &tokens, &reading, &mut output);
        let plain = values.chunks(inputs).zip(zeros).flat_map(|(values, zero)| {
            weights.chunks(inputs).zip(&bias).map(move |(row, bias)| {
                let products = row.iter().zip(values).map(|(&w, &v)| i32::from(w) * (i32::from(v) - zero));
                products.sum::<i32>() as f32 + bias
            })
        });
        assert_eq!(output, plain.collect::<Vec<f32>>());
    }

    proptest! {
        #[test]
        fn the_kernel_gives_the_integers_of_a_plain_loop(
            (weights, values, zeros, steps) in (1_usize..40, 1_usize..4, 0_usize..9).prop_flat_map(|(steps, panels, tokens)| (
                prop::collection::vec(any::<i8>(), steps * STEP * panels * PANEL),
                prop::collection::vec(0_u8..=128, steps * STEP * tokens),
                prop::collection::vec(0_i32..=127, tokens),
                Just(steps),
            )),
            calm in 1_i8..=64,
        ) {
            check(&weights, steps * STEP, &values, &zeros);
            // Small weights make long runs.
            let weights: Vec<i8> = weights.iter().map(|weight| weight / calm).collect();
            check(&weights, steps * STEP, &values, &zeros);
        }
    }

    #[test]
    fn the_greatest_products_fit() {
        for weight in [-128, -127, 64, 127] {
            check(&[weight; 64 * PANEL], 64, &[128; 64 * 4], &[0, 1, 64, 127]);
        }
    }
}
