//! The tensors of `model.safetensors`: vectors in f32, matrices in int8 with one scale a row.

use super::NetworkError;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

/// The tensors of a file, by name.
pub(super) struct Weights<'a>(SafeTensors<'a>);

/// An int8 matrix; a row's numbers are its values times its scale.
pub(super) struct Rows {
    /// Row after row.
    pub values: Vec<i8>,
    /// One for each row.
    pub scales: Vec<f32>,
    /// Length of a row.
    pub width: usize,
}

impl<'a> Weights<'a> {
    /// Reads the list of tensors in `bytes`.
    pub fn new(bytes: &'a [u8]) -> Result<Self, NetworkError> {
        let unreadable = |error| NetworkError::tensor("model.safetensors", format!("{error}"));
        Ok(Self(SafeTensors::deserialize(bytes).map_err(unreadable)?))
    }

    /// The vector `name` of `length` numbers.
    pub fn vector(&self, name: &str, length: usize) -> Result<Vec<f32>, NetworkError> {
        let view = self.view(name, Dtype::F32, &[length])?;
        Ok(view.data().as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect())
    }

    /// The matrix `name` with rows of `width` numbers.
    pub fn rows(&self, name: &str, width: usize) -> Result<Rows, NetworkError> {
        let height = self.tensor(name)?.shape().first().copied().unwrap_or(0);
        let view = self.view(name, Dtype::I8, &[height, width])?;
        let values = view.data().iter().map(|byte| byte.cast_signed()).collect();
        Ok(Rows { values, scales: self.vector(&format!("{name}.scale"), height)?, width })
    }

    fn view(&self, name: &str, dtype: Dtype, shape: &[usize]) -> Result<TensorView<'_>, NetworkError> {
        let view = self.tensor(name)?;
        if view.dtype() != dtype || view.shape() != shape {
            let (found, there) = (view.dtype(), view.shape());
            return Err(NetworkError::tensor(
                name,
                format!("{dtype:?} in the shape {shape:?} was expected and {found:?} in {there:?} came"),
            ));
        }
        Ok(view)
    }

    fn tensor(&self, name: &str) -> Result<TensorView<'_>, NetworkError> {
        self.0.tensor(name).map_err(|error| NetworkError::tensor(name, format!("{error}")))
    }
}

impl Rows {
    /// Number of rows.
    pub fn height(&self) -> usize {
        self.scales.len()
    }

    /// The numbers of row `n`; `None` beyond the last.
    pub fn row(&self, n: usize) -> Option<impl Iterator<Item = f32>> {
        let scale = *self.scales.get(n)?;
        let values = self.values.get(n * self.width..(n + 1) * self.width)?;
        Some(values.iter().map(move |&value| f32::from(value) * scale))
    }

    /// The rows of `self` followed by those of `other`, which are as wide.
    pub fn and(mut self, other: Self) -> Self {
        self.values.extend(other.values);
        self.scales.extend(other.scales);
        self
    }
}
