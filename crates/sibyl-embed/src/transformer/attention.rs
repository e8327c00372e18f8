//! Scaled dot-product attention of several heads (Vaswani et al., Attention Is All You Need, NeurIPS 2017) over one
//! text: `softmax(query · keyᵀ / √size) · value` for each head.

use super::NetworkError;
use rten_gemm::{GemmExecutor, GemmInputA, GemmInputB, GemmOptions};
use rten_simd::SimdOp as _;
use rten_tensor::Matrix;
use rten_vecmath::Softmax;

/// The heads of a layer.
pub(super) struct Attention {
    heads: usize,
    /// Numbers of a head.
    size: usize,
}

/// Room for the numbers of one head.
#[derive(Default)]
pub(super) struct Room {
    scores: Vec<f32>,
    attended: Vec<f32>,
}

impl Attention {
    pub fn new(heads: usize, hidden: usize) -> Self {
        Self { heads, size: hidden / heads }
    }

    /// Writes to `output` what each token of a text takes from the others. `projected` has its query, key and
    /// value, token after token.
    pub fn forward(
        &self,
        projected: &[f32],
        room: &mut Room,
        output: &mut [f32],
    ) -> Result<(), NetworkError> {
        let (size, hidden) = (self.size, self.heads * self.size);
        let tokens = output.len() / hidden;
        room.scores.resize(tokens * tokens, 0.0);
        room.attended.resize(tokens * size, 0.0);
        let gemm = GemmExecutor::<f32>::default();
        for head in 0..self.heads {
            let part = |n: usize, shape, strides| {
                Matrix::from_slice_with_strides(shape, &projected[n * hidden + head * size..], strides)
                    .map_err(|error| NetworkError::Product(format!("{error:?}")))
            };
            let query = part(0, [tokens, size], [3 * hidden, 1])?;
            let key = part(1, [size, tokens], [1, 3 * hidden])?;
            let value = part(2, [tokens, size], [3 * hidden, 1])?;
            let scaled = GemmOptions { alpha: (size as f32).sqrt().recip(), ..GemmOptions::default() };
            let (a, b) = (GemmInputA::Unpacked(query), GemmInputB::Unpacked(key));
            gemm.gemm(&mut room.scores, a, b, scaled).map_err(NetworkError::product)?;
            for row in room.scores.chunks_exact_mut(tokens) {
                Softmax::new_mut(row).dispatch();
            }
            let scores = Matrix::from_data([tokens, tokens], room.scores.as_slice());
            let (a, b) = (GemmInputA::Unpacked(scores), GemmInputB::Unpacked(value));
            gemm.gemm(&mut room.attended, a, b, GemmOptions::default()).map_err(NetworkError::product)?;
            let rows = output.chunks_exact_mut(hidden).zip(room.attended.chunks_exact(size));
            for (output, attended) in rows {
                output[head * size..][..size].copy_from_slice(attended);
            }
        }
        Ok(())
    }
}
