//! A layer `weight · x + bias` with int8 weights over tokens in seven bits.

use super::NetworkError;
use super::kernel::{Panels, Reading, is_fastest};
use super::quantised::{Outlier, Quantised};
use super::weights::{Rows, Weights};
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions, PackedBMatrix};
use rten_simd::ops::{BitOps as _, Extend as _, NumOps as _, ToFloat as _};
use rten_simd::{Isa, SimdOp};
use rten_tensor::Matrix;

/// Outputs are a multiple of this, which every processor's vectors divide.
const ALIGNED: usize = 64;

/// One column for each output, as the kernel for this processor reads them. Both give the same integers.
enum Weight {
    Own(Panels),
    Library(PackedBMatrix<i8>),
}

impl Weight {
    /// The matrix of `rows`, each of `inputs` weights, for the product of `rten-gemm`.
    fn library(rows: &[i8], inputs: usize) -> Result<Self, String> {
        Matrix::from_slice_with_strides([inputs, rows.len() / inputs], rows, [1, inputs])
            .map(|matrix| Self::Library(gemm().prepack_b(matrix)))
            .map_err(|error| format!("{error:?}"))
    }
}

/// A dense layer.
pub(super) struct Dense {
    weight: Weight,
    /// The same for the outliers among the inputs, one row of outputs for each input.
    columns: Vec<i8>,
    /// What a step of a weight is worth, for each output.
    scales: Vec<f32>,
    /// Sum of the weights, for each output: what a step of an activation's zero point adds. The product could
    /// subtract it itself, but rten-gemm 0.27 can do so only if all tokens have one zero point.
    totals: Vec<i32>,
    bias: Vec<f32>,
}

impl Dense {
    /// The layer `names`, each of `inputs` and `outputs` numbers; several are joined side by side.
    pub fn load(
        weights: &Weights<'_>,
        names: &[String],
        inputs: usize,
        outputs: usize,
    ) -> Result<Self, NetworkError> {
        let mut bias = Vec::new();
        let mut rows = Rows { values: Vec::new(), scales: Vec::new(), width: inputs };
        for name in names {
            bias.extend(weights.vector(&format!("{name}.bias"), outputs)?);
            rows = rows.and(weights.rows(&format!("{name}.weight"), inputs)?);
        }
        if rows.height() != bias.len() || !outputs.is_multiple_of(ALIGNED) {
            let message = format!("a multiple of {ALIGNED} outputs was expected and {} came", rows.height());
            return Err(NetworkError::tensor(&names.concat(), message));
        }
        let own = is_fastest().then(|| Panels::new(&rows.values, inputs)).flatten();
        let weight = match own {
            Some(panels) => Weight::Own(panels),
            None => Weight::library(&rows.values, inputs)
                .map_err(|message| NetworkError::tensor(&names.concat(), message))?,
        };
        Ok(Self::of(weight, rows, bias))
    }

    /// The layer of `rows`, which are also in `weight`.
    fn of(weight: Weight, rows: Rows, bias: Vec<f32>) -> Self {
        let inputs = rows.width;
        let total = |row: &[i8]| row.iter().map(|&weight| i32::from(weight)).sum();
        let column = |input: usize| rows.values.iter().skip(input).step_by(inputs);
        Self {
            weight,
            columns: (0..inputs).flat_map(column).copied().collect(),
            totals: rows.values.chunks_exact(inputs).map(total).collect(),
            scales: rows.scales,
            bias,
        }
    }

    /// Number of its outputs for each token.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// The outputs for `tokens`, token after token, in `output`; `sums` is room for the products.
    pub fn forward(
        &self,
        tokens: &Quantised,
        sums: &mut Vec<i32>,
        output: &mut [f32],
    ) -> Result<(), NetworkError> {
        match &self.weight {
            Weight::Own(panels) => {
                let reading = Reading { scales: &self.scales, totals: &self.totals, bias: &self.bias };
                panels.forward(&tokens.values, &tokens.tokens, &reading, output);
            }
            Weight::Library(weight) => {
                let shape = [tokens.tokens.len(), weight.rows()];
                sums.resize(shape[0] * self.outputs(), 0);
                let input = Matrix::from_data(shape, tokens.values.as_slice());
                let (a, b) = (GemmInputA::Unpacked(input), GemmInputB::Packed(weight));
                gemm().gemm(sums, a, b, GemmOptions::default()).map_err(NetworkError::product)?;
                let rows = sums.chunks_exact(self.outputs()).zip(output.chunks_exact_mut(self.outputs()));
                for ((sums, output), token) in rows.zip(&tokens.tokens) {
                    let (scale, zero) = (token.scale, i32::from(token.zero));
                    Widen { layer: self, sums, scale, zero, output }.dispatch();
                }
            }
        }
        let rows = output.chunks_exact_mut(self.outputs()).zip(tokens.outliers());
        for (output, outliers) in rows.filter(|(_, outliers)| !outliers.is_empty()) {
            Add { layer: self, outliers, output }.dispatch();
        }
        Ok(())
    }
}

/// Chooses its kernel by the processor that it runs on.
fn gemm() -> GemmExecutor<u8, i8, i32> {
    GemmExecutor::default()
}

/// `output = (sums - zero · totals) · scale · scales + bias`, for one token.
struct Widen<'a> {
    layer: &'a Dense,
    sums: &'a [i32],
    scale: f32,
    zero: i32,
    output: &'a mut [f32],
}

impl SimdOp for Widen<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let (int, float) = (isa.i32(), isa.f32());
        let (wide, scale, zero) = (float.len(), float.splat(self.scale), int.splat(self.zero));
        let Dense { scales, totals, bias, .. } = self.layer;
        let tokens = self.output.chunks_exact_mut(wide).zip(self.sums.chunks_exact(wide));
        let columns = scales.chunks_exact(wide).zip(totals.chunks_exact(wide)).zip(bias.chunks_exact(wide));
        for ((output, sums), ((scales, totals), bias)) in tokens.zip(columns) {
            let sum = int.sub(int.load(sums), int.mul(zero, int.load(totals)));
            let scale = float.mul(float.load(scales), scale);
            float.store(float.mul_add(int.to_float(sum), scale, float.load(bias)), output);
        }
    }
}

/// `output += number · weights · scales`, for each of the outliers of one token.
struct Add<'a> {
    layer: &'a Dense,
    outliers: &'a [Outlier],
    output: &'a mut [f32],
}

impl SimdOp for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn eval<I: Isa>(self, isa: I) {
        let (byte, short, int, float) = (isa.i8(), isa.i16(), isa.i32(), isa.f32());
        let Dense { columns, scales, .. } = self.layer;
        let width = scales.len();
        let places = self.output.chunks_exact_mut(byte.len()).zip(scales.chunks_exact(byte.len()));
        for (n, (output, scales)) in places.enumerate() {
            let scales = float.load_many::<4>(scales);
            let mut sums = float.load_many::<4>(output);
            for Outlier { place, number } in self.outliers {
                let weights = byte.load(&columns[place * width + n * byte.len()..][..byte.len()]);
                let (low, high) = (byte.extend_low(weights), byte.extend_high(weights));
                let quarters = [
                    short.extend_low(low),
                    short.extend_high(low),
                    short.extend_low(high),
                    short.extend_high(high),
                ];
                let number = float.splat(*number);
                for quarter in 0..quarters.len() {
                    let weights = float.mul(int.to_float(quarters[quarter]), scales[quarter]);
                    sums[quarter] = float.mul_add(weights, number, sums[quarter]);
                }
            }
            for (output, sum) in output.chunks_exact_mut(float.len()).zip(sums) {
                float.store(sum, output);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const INPUTS: usize = 128;
    const TOKENS: usize = 5;

    /// The outputs for `tokens` by a plain loop in f64, of weights that are worth 0.01 a step and a bias of 0.5.
    fn plain(weights: &[i8], tokens: &Quantised) -> Vec<f64> {
        let values = tokens.values.chunks_exact(INPUTS).zip(&tokens.tokens).zip(tokens.outliers());
        let outputs = values.flat_map(|((values, token), outliers)| {
            let number = move |place: usize| -> f64 {
                let kept = outliers.iter().find(|outlier| outlier.place == place);
                let steps = f64::from(values[place]) - f64::from(token.zero);
                kept.map_or(steps * f64::from(token.scale), |outlier| f64::from(outlier.number))
            };
            let product = move |row: &[i8]| -> f64 {
                row.iter().enumerate().map(|(place, &weight)| f64::from(weight) * number(place)).sum()
            };
            weights.chunks_exact(INPUTS).map(move |row| 0.01 * product(row) + 0.5)
        });
        outputs.collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        /// That of `rten-gemm` is the one it chooses for the present processor: VNNI or AVX2 on x86-64, NEON on
        /// ARM, else a portable one.
        #[test]
        fn every_kernel_of_this_machine_gives_the_numbers_of_a_plain_loop(
            weights in prop::collection::vec(any::<i8>(), INPUTS * ALIGNED),
            mut numbers in prop::collection::vec(-3.0_f32..3.0, INPUTS * TOKENS),
            far in prop::collection::vec((0..INPUTS * TOKENS, 30.0_f32..60.0), 0..6),
        ) {
            for (place, number) in far {
                numbers[place] = number;
            }
            let mut tokens = Quantised::default();
            tokens.set(&numbers, INPUTS);
            let expected = plain(&weights, &tokens);
            let own = Panels::new(&weights, INPUTS).map(Weight::Own);
            for weight in own.into_iter().chain([Weight::library(&weights, INPUTS).unwrap()]) {
                let rows = Rows { values: weights.clone(), scales: vec![0.01; ALIGNED], width: INPUTS };
                let layer = Dense::of(weight, rows, vec![0.5; ALIGNED]);
                let mut output = vec![f32::NAN; TOKENS * ALIGNED];
                layer.forward(&tokens, &mut Vec::new(), &mut output).unwrap();
                for (given, expected) in output.iter().zip(&expected) {
                    let error = (f64::from(*given) - expected).abs();
                    prop_assert!(error <= 1e-4 * expected.abs().max(1.0), "{given} and {expected}");
                }
            }
        }
    }
}
