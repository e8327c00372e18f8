//! Vectors that ship for the shipped documents, so that they are searchable by meaning at once. They are a cache,
//! identified by the SHA-256 of the text. They are what the model would make, and a test compares them with it.
//!
//! File `vectors/<space id>.vec`: magic, dimensions and count (u32 little endian). Then come records in order of
//! their hash: 32 bytes of hash, then the vector in f32 little endian.

use crate::{Error, Result};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"SIBYVEC1";
const HEADER: usize = MAGIC.len() + 8;
const HASH: usize = 32;

/// Shipped vectors of one space.
pub struct ShippedVectors {
    dimensions: usize,
    records: Vec<u8>,
}

/// Where the vectors of `space` are below the shipped folder `shipped`.
pub fn path(shipped: &Path, space: &str) -> PathBuf {
    shipped.join("vectors").join(format!("{space}.vec"))
}

impl ShippedVectors {
    /// The vectors that ship for `space`; `None` if none do.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::Damaged`] for a file that is cut short or of another length.
    pub fn open(shipped: &Path, space: &str, dimensions: usize) -> Result<Option<Self>> {
        let path = path(shipped, space);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(path, error)),
        };
        let damaged = || Error::Damaged { path: path.clone() };
        let number = |at: usize| -> Option<usize> {
            let four: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
            usize::try_from(u32::from_le_bytes(four)).ok()
        };
        let count = number(MAGIC.len() + 4).ok_or_else(damaged)?;
        let length = HEADER + count * (HASH + dimensions * 4);
        if !bytes.starts_with(MAGIC) || number(MAGIC.len()) != Some(dimensions) || bytes.len() != length {
            return Err(damaged());
        }
        Ok(Some(Self { dimensions, records: bytes[HEADER..].to_vec() }))
    }

    /// Writes `vectors` (hash of the text and vector) as the file that ships for `space`.
    ///
    /// # Errors
    /// [`Error::Io`], and [`Error::Invalid`] for vectors of different lengths.
    pub fn write(shipped: &Path, space: &str, mut vectors: Vec<([u8; 32], Vec<f32>)>) -> Result<PathBuf> {
        vectors.sort_by_key(|(hash, _)| *hash);
        let dimensions = vectors.first().map_or(0, |(_, vector)| vector.len());
        if vectors.iter().any(|(_, vector)| vector.len() != dimensions) {
            return Err(Error::Invalid("vectors of one space have one length".to_owned()));
        }
        let mut bytes = MAGIC.to_vec();
        for number in [dimensions, vectors.len()] {
            bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
        }
        for (hash, vector) in &vectors {
            bytes.extend(hash);
            bytes.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
        }
        let path = path(shipped, space);
        let folder = shipped.join("vectors");
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(folder, e))?;
        std::fs::write(&path, bytes).map_err(|e| Error::io(&path, e))?;
        Ok(path)
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.records.len() / self.size()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The vector of the text with this SHA-256.
    pub fn get(&self, hash: &[u8; 32]) -> Option<Vec<f32>> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            let record = &self.records[middle * self.size()..][..self.size()];
            match record[..HASH].cmp(hash) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(floats(&record[HASH..])),
            }
        }
        None
    }

    const fn size(&self) -> usize {
        HASH + self.dimensions * 4
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks().0.iter().map(|&four| f32::from_le_bytes(four)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_found_by_its_hash() {
        let folder = tempfile::tempdir().unwrap();
        let vectors: Vec<([u8; 32], Vec<f32>)> =
            (0..50_u8).map(|n| ([n.wrapping_mul(37); 32], vec![f32::from(n), -1.5, 0.25])).collect();
        ShippedVectors::write(folder.path(), "space", vectors.clone()).unwrap();
        let shipped = ShippedVectors::open(folder.path(), "space", 3).unwrap().unwrap();
        assert_eq!(shipped.len(), 50);
        for (hash, vector) in vectors {
            assert_eq!(shipped.get(&hash), Some(vector));
        }
        assert_eq!(shipped.get(&[255; 32]), None);
        assert!(ShippedVectors::open(folder.path(), "other", 3).unwrap().is_none());
        assert!(matches!(ShippedVectors::open(folder.path(), "space", 4), Err(Error::Damaged { .. })));
    }
}
