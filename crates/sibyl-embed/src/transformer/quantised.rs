//! Activations in seven bits, with a scale and a zero point for each token.
//!
//! A token's numbers `x` are kept as `q = round(x / scale) + zero`: its smallest number is 0 and its greatest 127.
//! (Jacob et al., Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only Inference,
//! CVPR 2018.) The few outliers would make the steps of all others coarse, so they are kept as they are (Dettmers
//! et al., LLM.int8(), NeurIPS 2022).
//!
//! Only the token itself decides, so a text's vector does not depend on the rest of its batch. The eighth bit
//! stays free: AVX2 adds two products of a u8 and an i8 in 16 bits, where 128 · 127 just fits twice. So every
//! processor computes the same integers.

use super::kernel::Token;
use rten_simd::SimdOp as _;
use rten_vecmath::{ExtendInit as _, MinMax, Quantize, SumSquare};

/// Steps between a token's smallest and greatest number.
const STEPS: f32 = 127.0;
/// Multiple of a token's root mean square above which a number is an outlier.
const FAR: f32 = 4.0;
/// Number of values that are checked together for an outlier.
const LOOKED_AT: usize = 32;

/// Tokens, one after the other.
#[derive(Default)]
pub(super) struct Quantised {
    /// Token after token.
    pub values: Vec<u8>,
    /// How to read each token.
    pub tokens: Vec<Reading>,
    /// Outliers, token after token; their values stand for 0.
    outliers: Vec<Outlier>,
    /// A token without its outliers.
    rest: Vec<f32>,
}

/// How to read a token's values.
pub(super) struct Reading {
    /// What a step is worth.
    pub scale: f32,
    /// The value that stands for 0.
    pub zero: u8,
    /// Where its outliers end.
    end: usize,
}

/// An outlier.
pub(super) struct Outlier {
    /// Its place in the token.
    pub place: usize,
    /// The number.
    pub number: f32,
}

impl Token for Reading {
    fn scale(&self) -> f32 {
        self.scale
    }

    fn zero(&self) -> i32 {
        i32::from(self.zero)
    }
}

impl Quantised {
    /// Reads `tokens`, each of `width` numbers, in place of its former contents.
    pub fn set(&mut self, tokens: &[f32], width: usize) {
        let Self { values, tokens: readings, outliers, rest } = self;
        values.clear();
        readings.clear();
        outliers.clear();
        values.reserve(tokens.len());
        for token in tokens.chunks_exact(width) {
            let far = FAR * (SumSquare::new(token).dispatch() / width as f32).sqrt();
            rest.clear();
            rest.extend_from_slice(token);
            for (n, numbers) in rest.chunks_mut(LOOKED_AT).enumerate() {
                // Without an early exit: such a loop runs in vectors, and few chunks have an outlier.
                if numbers.iter().fold(false, |any, number| any | (number.abs() > far)) {
                    for (place, number) in
                        numbers.iter_mut().enumerate().filter(|(_, number)| number.abs() > far)
                    {
                        outliers
                            .push(Outlier { place: n * LOOKED_AT + place, number: std::mem::take(number) });
                    }
                }
            }
            let (least, most) = MinMax::new(rest).dispatch();
            let (least, most) = (least.min(0.0), most.max(0.0));
            let scale = if most > least { (most - least) / STEPS } else { 1.0 };
            let zero = (-least / scale).round() as u8;
            values.extend_init(|room| {
                let (place, _) = room.split_at_mut(width);
                Quantize::new(rest, place, scale.recip(), zero).dispatch()
            });
            readings.push(Reading { scale, zero, end: outliers.len() });
        }
    }

    /// The outliers of each token.
    pub fn outliers(&self) -> impl Iterator<Item = &[Outlier]> {
        let mut start = 0;
        self.tokens
            .iter()
            .map(move |token| &self.outliers[std::mem::replace(&mut start, token.end)..token.end])
    }
}
