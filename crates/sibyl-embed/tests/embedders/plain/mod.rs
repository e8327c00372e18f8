//! BERT's forward pass in f64, written for plainness: the arithmetic that the embedded network is held against.
//! Whether the input of a dense layer is rounded to seven bits first.

use safetensors::{Dtype, SafeTensors};

const HIDDEN: usize = 384;
const HEADS: usize = 12;
const LAYERS: usize = 6;

/// The weights, by name.
pub struct Network<'a> {
    tensors: SafeTensors<'a>,
    rounds: bool,
}

type Rows = Vec<Vec<f64>>;

impl<'a> Network<'a> {
    /// Reads `model.safetensors`; `rounds` says whether activations are rounded.
    pub fn new(bytes: &'a [u8], rounds: bool) -> Self {
        Self { tensors: SafeTensors::deserialize(bytes).unwrap(), rounds }
    }

    /// The vector of a text's token ids, marks included.
    pub fn embed(&self, ids: &[usize]) -> Vec<f64> {
        let row = |name: &str, n: usize| self.row(&format!("embeddings.{name}_embeddings.weight"), n);
        let sums = ids.iter().enumerate().map(|(n, &id)| {
            let (word, position, first_type) = (row("word", id), row("position", n), row("token_type", 0));
            (0..HIDDEN).map(|d| word[d] + position[d] + first_type[d]).collect()
        });
        let mut hidden = self.norm("embeddings.LayerNorm", sums.collect());
        for layer in 0..LAYERS {
            hidden = self.layer(&format!("encoder.layer.{layer}"), hidden);
        }
        let sum: Vec<f64> = (0..HIDDEN).map(|d| hidden.iter().map(|token| token[d]).sum()).collect();
        let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
        sum.into_iter().map(|x| x / length).collect()
    }

    fn layer(&self, name: &str, input: Rows) -> Rows {
        let [query, key, value] = ["query", "key", "value"]
            .map(|part| self.linear(&format!("{name}.attention.self.{part}"), &input));
        let size = HIDDEN / HEADS;
        let mut attended = vec![vec![0.0; HIDDEN]; input.len()];
        for head in 0..HEADS {
            let part = head * size..(head + 1) * size;
            for (token, out) in attended.iter_mut().enumerate() {
                let score = |other: &Vec<f64>| {
                    let dot: f64 = part.clone().map(|d| query[token][d] * other[d]).sum();
                    (dot / (size as f64).sqrt()).exp()
                };
                let scores: Vec<f64> = key.iter().map(score).collect();
                let total: f64 = scores.iter().sum();
                for d in part.clone() {
                    out[d] = value.iter().zip(&scores).map(|(v, score)| v[d] * score / total).sum();
                }
            }
        }
        let attended = self.linear(&format!("{name}.attention.output.dense"), &attended);
        let input = self.norm(&format!("{name}.attention.output.LayerNorm"), add(attended, &input));
        let mut inner = self.linear(&format!("{name}.intermediate.dense"), &input);
        inner.iter_mut().flatten().for_each(|x| *x = *x / 2.0 * (1.0 + erf(*x / 2.0_f64.sqrt())));
        let output = self.linear(&format!("{name}.output.dense"), &inner);
        self.norm(&format!("{name}.output.LayerNorm"), add(output, &input))
    }

    fn linear(&self, name: &str, input: &Rows) -> Rows {
        let (weight, bias) = (self.rows(&format!("{name}.weight")), self.values(&format!("{name}.bias")));
        let dot = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let rounded: Rows =
            input.iter().map(|token| if self.rounds { round(token) } else { token.clone() }).collect();
        rounded
            .iter()
            .map(|token| weight.iter().zip(&bias).map(|(w, b)| dot(w, token) + b).collect())
            .collect()
    }

    fn norm(&self, name: &str, input: Rows) -> Rows {
        let (weight, bias) = (self.values(&format!("{name}.weight")), self.values(&format!("{name}.bias")));
        let one = |token: Vec<f64>| {
            let mean = token.iter().sum::<f64>() / HIDDEN as f64;
            let variance = token.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / HIDDEN as f64;
            let scaled = token.iter().map(|x| (x - mean) / (variance + 1e-12).sqrt());
            scaled.zip(weight.iter().zip(&bias)).map(|(x, (w, b))| x * w + b).collect()
        };
        input.into_iter().map(one).collect()
    }

    fn values(&self, name: &str) -> Vec<f64> {
        let tensor = self.tensors.tensor(name).unwrap();
        assert_eq!(tensor.dtype(), Dtype::F32);
        tensor.data().as_chunks().0.iter().map(|&four| f64::from(f32::from_le_bytes(four))).collect()
    }

    /// The rows of an int8 matrix, each times its scale.
    fn rows(&self, name: &str) -> Rows {
        (0..self.tensors.tensor(name).unwrap().shape()[0]).map(|n| self.row(name, n)).collect()
    }

    fn row(&self, name: &str, n: usize) -> Vec<f64> {
        let (tensor, scales) =
            (self.tensors.tensor(name).unwrap(), self.tensors.tensor(&format!("{name}.scale")).unwrap());
        assert_eq!((tensor.dtype(), scales.dtype()), (Dtype::I8, Dtype::F32));
        let width = tensor.shape()[1];
        let scale = f64::from(f32::from_le_bytes(scales.data().as_chunks().0[n]));
        tensor.data()[n * width..][..width].iter().map(|&x| f64::from(x as i8) * scale).collect()
    }
}

/// Rounds each number to the nearest of 127 steps between the least, or 0, and the greatest, or 0. Numbers above
/// four times the root mean square are left out of this and stay as they are.
fn round(token: &[f64]) -> Vec<f64> {
    let far = 4.0 * (token.iter().map(|x| x * x).sum::<f64>() / token.len() as f64).sqrt();
    let near = token.iter().filter(|x| x.abs() <= far);
    let (least, most) = near.fold((0.0, 0.0), |(a, b): (f64, f64), &x| (x.min(a), x.max(b)));
    let step = (most - least) / 127.0;
    token.iter().map(|&x| if x.abs() > far { x } else { (x / step).round_ties_even() * step }).collect()
}

fn add(mut a: Rows, b: &Rows) -> Rows {
    a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a += b);
    a
}

/// The error function by its Taylor series near 0 and its continued fraction beyond (Abramowitz and Stegun, 7.1.5
/// and 7.1.14).
fn erf(x: f64) -> f64 {
    let root_pi = std::f64::consts::PI.sqrt();
    if x.abs() < 3.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..80 {
            term *= -x * x / f64::from(n);
            sum += term / f64::from(2 * n + 1);
        }
        return sum * 2.0 / root_pi;
    }
    let fraction = (1..60).rev().fold(x.abs(), |below, n| x.abs() + f64::from(n) / 2.0 / below);
    (1.0 - (-x * x).exp() / root_pi / fraction).copysign(x)
}
