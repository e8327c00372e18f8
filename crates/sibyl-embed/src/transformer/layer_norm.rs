//! Layer normalisation (Ba, Kiros and Hinton, 2016): each token is shifted and scaled to mean 0 and variance 1,
//! then scaled and shifted number by number.

use super::NetworkError;
use super::weights::Weights;
use rten_simd::SimdOp as _;
use rten_vecmath::{Normalize, NormalizeOptions, Sum, SumSquareSub};

/// A normalisation.
pub(super) struct LayerNorm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    /// Added to the variance.
    epsilon: f32,
}

impl LayerNorm {
    /// The normalisation `name` of tokens of `width` numbers.
    pub fn load(weights: &Weights<'_>, name: &str, width: usize, epsilon: f32) -> Result<Self, NetworkError> {
        let weight = weights.vector(&format!("{name}.weight"), width)?;
        Ok(Self { weight, bias: weights.vector(&format!("{name}.bias"), width)?, epsilon })
    }

    /// Normalises `tokens` in place.
    pub fn forward(&self, tokens: &mut [f32]) {
        for token in tokens.chunks_exact_mut(self.weight.len()) {
            let width = token.len() as f32;
            let mean = Sum::new(token).dispatch() / width;
            let variance = SumSquareSub::new(token, mean).dispatch() / width;
            let options = NormalizeOptions {
                pre_scale_bias: mean,
                scale: (variance + self.epsilon).sqrt().recip(),
                element_scale: Some(&self.weight),
                element_bias: Some(&self.bias),
                ..NormalizeOptions::default()
            };
            Normalize::new_mut(token, options).dispatch();
        }
    }
}
