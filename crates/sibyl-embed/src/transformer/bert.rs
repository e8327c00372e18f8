//! BERT's forward pass (Devlin et al., NAACL 2019) over weights stored int8.

use candle_core::{D, DType, Device, Error, Result, Tensor};
use candle_nn::{LayerNorm, Module as _};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use serde::Deserialize;

#[derive(Deserialize)]
struct Config {
    hidden_act: String,
    hidden_size: usize,
    layer_norm_eps: f64,
    num_attention_heads: usize,
    num_hidden_layers: usize,
}

/// A loaded network.
pub(super) struct Bert {
    words: Rows,
    /// Position embeddings with the first token type's added: no text has a second one.
    positions: Tensor,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Query, key and value beside each other.
    attention: Dense,
    attended: Dense,
    attention_norm: LayerNorm,
    intermediate: Dense,
    output: Dense,
    output_norm: LayerNorm,
    heads: usize,
}

/// `input · weight + bias`.
struct Dense {
    /// One row for each input. The matrix product reads it as it lies; the other way round, which is how models are
    /// stored, it would be copied at each call, which for a query takes longer than the product itself.
    weight: Tensor,
    bias: Tensor,
}

impl Dense {
    /// From (texts, tokens, inputs) to (texts, tokens, outputs).
    fn forward(&self, input: &Tensor) -> Result<Tensor> {
        let (texts, tokens, width) = input.dims3()?;
        let product = input.reshape((texts * tokens, width))?.matmul(&self.weight)?;
        product.broadcast_add(&self.bias)?.reshape((texts, tokens, ()))
    }
}

/// A table of int8 rows, widened as they are read: it holds half of all weights and a text needs a few rows of it.
struct Rows {
    values: Vec<u8>,
    scales: Vec<f32>,
    width: usize,
}

impl Rows {
    /// The rows `ids` in f32, one after the other.
    fn of(&self, ids: &[u32]) -> Result<Vec<f32>> {
        let mut all = Vec::with_capacity(ids.len() * self.width);
        for &id in ids {
            let row = self.values.chunks_exact(self.width).nth(id as usize);
            let (Some(row), Some(scale)) = (row, self.scales.get(id as usize)) else {
                return Err(Error::msg(format!(
                    "there is no word piece {id}; the model has {}",
                    self.scales.len()
                )));
            };
            all.extend(row.iter().map(|value| f32::from(value.cast_signed()) * scale));
        }
        Ok(all)
    }
}

impl Bert {
    pub fn load(config: &[u8], weights: &[u8]) -> Result<Self> {
        let config: Config =
            serde_json::from_slice(config).map_err(|e| Error::msg(format!("config.json: {e}")))?;
        let (hidden, heads) = (config.hidden_size, config.num_attention_heads);
        if config.hidden_act != "gelu" || heads == 0 || !hidden.is_multiple_of(heads) {
            return Err(Error::msg(
                "config.json: gelu and a hidden size that is a multiple of the heads were expected",
            ));
        }
        let weights = Weights {
            tensors: SafeTensors::deserialize(weights)
                .map_err(|e| Error::msg(format!("model.safetensors: {e}")))?,
            epsilon: config.layer_norm_eps,
        };
        let first_type = weights.tensor("embeddings.token_type_embeddings.weight")?.narrow(0, 0, 1)?;
        let layers = (0..config.num_hidden_layers)
            .map(|n| Layer::load(&weights, &format!("encoder.layer.{n}"), heads))
            .collect::<Result<_>>()?;
        Ok(Self {
            words: weights.rows("embeddings.word_embeddings.weight")?,
            positions: weights.tensor("embeddings.position_embeddings.weight")?.broadcast_add(&first_type)?,
            norm: weights.norm("embeddings.LayerNorm")?,
            layers,
        })
    }

    /// One vector of length 1 for each list of token ids, marks included.
    pub fn embed(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>> {
        let longest = texts.iter().map(|ids| ids.len()).max().unwrap_or(0);
        let (mut ids, mut mask) = (Vec::new(), Vec::new());
        for text in texts {
            ids.extend_from_slice(text);
            ids.resize(ids.len() + longest - text.len(), 0);
            mask.extend((0..longest).map(|n| if n < text.len() { 1_f32 } else { 0.0 }));
        }
        let shape = (texts.len(), longest);
        let mask = Tensor::from_vec(mask, shape, &Device::Cpu)?;
        let hidden =
            Tensor::from_vec(self.words.of(&ids)?, (texts.len(), longest, self.words.width), &Device::Cpu)?;
        let mut hidden = self.norm.forward(&hidden.broadcast_add(&self.positions.narrow(0, 0, longest)?)?)?;
        let padded = texts.iter().any(|ids| ids.len() < longest);
        // Added to the scores: nothing attends to padding.
        let bias =
            if padded { Some(mask.affine(1e9, -1e9)?.reshape((texts.len(), 1, 1, longest))?) } else { None };
        for layer in &self.layers {
            hidden = layer.forward(&hidden, bias.as_ref())?;
        }
        let sum = hidden.broadcast_mul(&mask.unsqueeze(2)?)?.sum(1)?;
        let length = sum.sqr()?.sum_keepdim(D::Minus1)?.sqrt()?;
        sum.broadcast_div(&length)?.to_vec2()
    }
}

impl Layer {
    fn load(weights: &Weights<'_>, name: &str, heads: usize) -> Result<Self> {
        Ok(Self {
            attention: weights
                .dense(&["query", "key", "value"].map(|part| format!("{name}.attention.self.{part}")))?,
            attended: weights.dense(&[format!("{name}.attention.output.dense")])?,
            attention_norm: weights.norm(&format!("{name}.attention.output.LayerNorm"))?,
            intermediate: weights.dense(&[format!("{name}.intermediate.dense")])?,
            output: weights.dense(&[format!("{name}.output.dense")])?,
            output_norm: weights.norm(&format!("{name}.output.LayerNorm"))?,
            heads,
        })
    }

    fn forward(&self, input: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
        let (texts, tokens, hidden) = input.dims3()?;
        let size = hidden / self.heads;
        let parts = self.attention.forward(input)?.reshape((texts, tokens, 3, self.heads, size))?;
        let part = |n| parts.narrow(2, n, 1)?.squeeze(2)?.transpose(1, 2)?.contiguous();
        let (query, key, value) = (part(0)?, part(1)?, part(2)?);
        let mut scores = query.matmul(&key.t()?)?.affine(1.0 / (size as f64).sqrt(), 0.0)?;
        if let Some(bias) = bias {
            scores = scores.broadcast_add(bias)?;
        }
        let attended = candle_nn::ops::softmax_last_dim(&scores)?.matmul(&value)?;
        let attended = attended.transpose(1, 2)?.reshape((texts, tokens, hidden))?;
        let input = self.attention_norm.forward(&(self.attended.forward(&attended)? + input)?)?;
        let inner = self.intermediate.forward(&input)?.gelu_erf()?;
        self.output_norm.forward(&(self.output.forward(&inner)? + input)?)
    }
}

struct Weights<'a> {
    tensors: SafeTensors<'a>,
    epsilon: f64,
}

impl Weights<'_> {
    /// The layers called `names`, side by side.
    fn dense(&self, names: &[String]) -> Result<Dense> {
        let all = |part: &str| -> Result<Vec<Tensor>> {
            names.iter().map(|name| self.tensor(&format!("{name}.{part}"))).collect()
        };
        let weight = Tensor::cat(&all("weight")?, 0)?.t()?.contiguous()?;
        Ok(Dense { weight, bias: Tensor::cat(&all("bias")?, 0)? })
    }

    fn norm(&self, name: &str) -> Result<LayerNorm> {
        let (weight, bias) = (self.tensor(&format!("{name}.weight"))?, self.tensor(&format!("{name}.bias"))?);
        Ok(LayerNorm::new(weight, bias, self.epsilon))
    }

    /// The int8 matrix `name` with one scale a row.
    fn rows(&self, name: &str) -> Result<Rows> {
        let view = self.view(name)?;
        let scales = self.tensor(&format!("{name}.scale"))?.to_vec1::<f32>()?;
        let width = view.shape().last().copied().unwrap_or(1).max(1);
        if view.dtype() != Dtype::I8 || view.data().len() != scales.len() * width {
            return Err(Error::msg(format!("{name}: int8 rows with one scale each were expected")));
        }
        Ok(Rows { values: view.data().to_vec(), scales, width })
    }

    /// The tensor `name` in f32; an int8 one is multiplied by its rows' scales.
    fn tensor(&self, name: &str) -> Result<Tensor> {
        let view = self.view(name)?;
        match view.dtype() {
            Dtype::F32 => Tensor::from_raw_buffer(view.data(), DType::F32, view.shape(), &Device::Cpu),
            Dtype::I8 => {
                let rows = self.rows(name)?;
                let ids: Vec<u32> = (0..).take(rows.scales.len()).collect();
                Tensor::from_vec(rows.of(&ids)?, view.shape(), &Device::Cpu)
            }
            other => Err(Error::msg(format!("{name}: int8 or f32 was expected and {other:?} came"))),
        }
    }

    fn view(&self, name: &str) -> Result<TensorView<'_>> {
        self.tensors.tensor(name).map_err(|e| Error::msg(format!("{name}: {e}")))
    }
}
