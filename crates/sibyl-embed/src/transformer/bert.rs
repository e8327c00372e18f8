//! BERT's forward pass (Devlin et al., NAACL 2019) with int8 weights and seven-bit activations.
//!
//! The tokens of a batch follow each other without padding: all layers except attention process one token at a
//! time, and attention one text.

use super::NetworkError;
use super::attention::{self, Attention};
use super::dense::Dense;
use super::layer_norm::LayerNorm;
use super::quantised::Quantised;
use super::weights::{Rows, Weights};
use rten_simd::SimdUnaryOp as _;
use rten_vecmath::Gelu;
use serde::Deserialize;

#[derive(Deserialize)]
struct Config {
    hidden_act: String,
    hidden_size: usize,
    intermediate_size: usize,
    layer_norm_eps: f32,
    num_attention_heads: usize,
    num_hidden_layers: usize,
}

/// A loaded network.
pub(super) struct Bert {
    words: Rows,
    /// Position embeddings with the first token type's added: no text has a second one.
    positions: Vec<f32>,
    norm: LayerNorm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Query, key and value next to each other.
    projection: Dense,
    attention: Attention,
    attended: Dense,
    attention_norm: LayerNorm,
    intermediate: Dense,
    output: Dense,
    output_norm: LayerNorm,
}

/// Tokens whose numbers between two layers stay near the processor.
const BLOCK: usize = 48;

/// Room for the numbers between two layers, used again by each and by the next texts.
#[derive(Default)]
pub(super) struct Room {
    quantised: Quantised,
    sums: Vec<i32>,
    projected: Vec<f32>,
    attention: attention::Room,
    attended: Vec<f32>,
    inner: Vec<f32>,
}

impl Bert {
    /// The network that `config.json` and `model.safetensors` describe.
    pub fn load(config: &[u8], weights: &[u8]) -> Result<Self, NetworkError> {
        let config: Config =
            serde_json::from_slice(config).map_err(|error| NetworkError::Config(error.to_string()))?;
        let (hidden, heads) = (config.hidden_size, config.num_attention_heads);
        if config.hidden_act != "gelu" || heads == 0 || hidden == 0 || !hidden.is_multiple_of(heads) {
            return Err(NetworkError::Config(format!(
                "gelu and a hidden size that is a multiple of the heads were expected; {}, {hidden} and {heads} came",
                config.hidden_act
            )));
        }
        let weights = Weights::new(weights)?;
        let layers = (0..config.num_hidden_layers).map(|n| Layer::load(&weights, n, &config));
        Ok(Self {
            words: weights.rows("embeddings.word_embeddings.weight", hidden)?,
            positions: positions(&weights, hidden)?,
            norm: LayerNorm::load(&weights, "embeddings.LayerNorm", hidden, config.layer_norm_eps)?,
            layers: layers.collect::<Result<_, _>>()?,
        })
    }

    /// One vector of length 1 for each list of token ids, marks included; it depends on that list alone. `room` is for the
    /// numbers on the way.
    pub fn embed(&self, texts: &[&[u32]], room: &mut Room) -> Result<Vec<Vec<f32>>, NetworkError> {
        let width = self.words.width;
        let mut hidden = Vec::with_capacity(width * texts.iter().map(|ids| ids.len()).sum::<usize>());
        for text in texts {
            self.look_up(text, &mut hidden)?;
        }
        self.norm.forward(&mut hidden);
        let lengths: Vec<usize> = texts.iter().map(|text| text.len() * width).collect();
        for layer in &self.layers {
            layer.forward(&mut hidden, &lengths, room)?;
        }
        let mut rest = hidden.as_slice();
        Ok(lengths.iter().map(|&length| mean(rest.split_off(..length).unwrap_or_default(), width)).collect())
    }

    /// Adds the embeddings of the tokens `ids` to `hidden`.
    fn look_up(&self, ids: &[u32], hidden: &mut Vec<f32>) -> Result<(), NetworkError> {
        let positions = self.positions.chunks_exact(self.words.width);
        if ids.len() > positions.len() {
            return Err(NetworkError::TooLong { tokens: ids.len(), most: positions.len() });
        }
        for (&id, position) in ids.iter().zip(positions) {
            let word = self
                .words
                .row(id as usize)
                .ok_or_else(|| NetworkError::Piece { id, pieces: self.words.height() })?;
            hidden.extend(word.zip(position).map(|(word, position)| word + position));
        }
        Ok(())
    }
}

impl Layer {
    fn load(weights: &Weights<'_>, number: usize, config: &Config) -> Result<Self, NetworkError> {
        let (hidden, inner) = (config.hidden_size, config.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let norm = |part: &str| LayerNorm::load(weights, &name(part), hidden, config.layer_norm_eps);
        let projections = ["query", "key", "value"].map(|part| name(&format!("attention.self.{part}")));
        Ok(Self {
            projection: Dense::load(weights, &projections, hidden, hidden)?,
            attention: Attention::new(config.num_attention_heads, hidden),
            attended: Dense::load(weights, &[name("attention.output.dense")], hidden, hidden)?,
            attention_norm: norm("attention.output.LayerNorm")?,
            intermediate: Dense::load(weights, &[name("intermediate.dense")], hidden, inner)?,
            output: Dense::load(weights, &[name("output.dense")], inner, hidden)?,
            output_norm: norm("output.LayerNorm")?,
        })
    }

    /// Passes the tokens of texts of these `lengths` (in numbers) through the layer, in place.
    fn forward(&self, hidden: &mut [f32], lengths: &[usize], room: &mut Room) -> Result<(), NetworkError> {
        let Room { quantised, sums, projected, attention, attended, inner } = room;
        let width = self.attended.outputs();
        let tokens = hidden.len() / width;
        projected.resize(tokens * self.projection.outputs(), 0.0);
        attended.resize(hidden.len(), 0.0);

        quantised.set(hidden, width);
        self.projection.forward(quantised, sums, projected)?;
        let mut start = 0;
        for &length in lengths {
            let text = start..start + length;
            self.attention.forward(
                &projected[3 * text.start..3 * text.end],
                attention,
                &mut attended[text],
            )?;
            start += length;
        }

        let blocks = hidden.chunks_mut(BLOCK * width).zip(attended.chunks_mut(BLOCK * width));
        for (hidden, attended) in blocks {
            quantised.set(attended, width);
            self.attended.forward(quantised, sums, attended)?;
            add(hidden, attended);
            self.attention_norm.forward(hidden);

            quantised.set(hidden, width);
            inner.resize(hidden.len() / width * self.intermediate.outputs(), 0.0);
            self.intermediate.forward(quantised, sums, inner)?;
            Gelu {}.map_mut(inner);
            quantised.set(inner, self.intermediate.outputs());
            self.output.forward(quantised, sums, attended)?;
            add(hidden, attended);
            self.output_norm.forward(hidden);
        }
        Ok(())
    }
}

/// The embeddings of all positions, with that of the first token type added.
fn positions(weights: &Weights<'_>, width: usize) -> Result<Vec<f32>, NetworkError> {
    let first_type: Vec<f32> = weights
        .rows("embeddings.token_type_embeddings.weight", width)?
        .row(0)
        .ok_or_else(|| NetworkError::tensor("embeddings.token_type_embeddings.weight", "it is empty"))?
        .collect();
    let rows = weights.rows("embeddings.position_embeddings.weight", width)?;
    let all = (0..rows.height()).filter_map(|n| rows.row(n));
    Ok(all.flat_map(|row| row.zip(&first_type).map(|(a, b)| a + b).collect::<Vec<f32>>()).collect())
}

fn add(to: &mut [f32], other: &[f32]) {
    to.iter_mut().zip(other).for_each(|(to, other)| *to += other);
}

/// The mean of `tokens`, brought to length 1 (Reimers and Gurevych, Sentence-BERT, EMNLP 2019).
fn mean(tokens: &[f32], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0; width];
    for token in tokens.chunks_exact(width) {
        add(&mut sum, token);
    }
    super::normalise(&mut sum);
    sum
}
