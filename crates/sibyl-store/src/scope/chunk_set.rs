//! Sets of chunks.

use roaring::RoaringTreemap;

/// A set of chunks by their keys, such as those that a search may look at. How it stores them is the store's
/// business.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChunkSet {
    pub(crate) rows: RoaringTreemap,
    pub(crate) before: u64,
}

impl ChunkSet {
    /// The chunks with these `keys`, out of `before` chunks ahead of the filters.
    pub fn new(keys: impl IntoIterator<Item = i64>, before: u64) -> Self {
        Self { rows: keys.into_iter().filter_map(|key| u64::try_from(key).ok()).collect(), before }
    }

    /// How many chunks are in it.
    pub fn len(&self) -> u64 {
        self.rows.len()
    }

    /// Whether no chunk is in it.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Chunks that there were before the filters.
    pub const fn before(&self) -> u64 {
        self.before
    }

    /// Whether the chunk with this key is in it.
    pub fn holds(&self, key: i64) -> bool {
        u64::try_from(key).is_ok_and(|row| self.rows.contains(row))
    }

    /// How many chunks are in both.
    pub fn shared(&self, other: &Self) -> u64 {
        self.rows.intersection_len(&other.rows)
    }

    /// Those that are in `other` too.
    #[must_use]
    pub fn within(&self, other: &Self) -> Self {
        Self { rows: &self.rows & &other.rows, before: self.before }
    }

    /// Those that are not in `other`.
    #[must_use]
    pub fn without(&self, other: &Self) -> Self {
        Self { rows: &self.rows - &other.rows, before: self.before }
    }

    /// These and those of `other`.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        Self { rows: &self.rows | &other.rows, before: self.before }
    }

    /// `count` keys, spread evenly over all; all of them if there are no more.
    pub fn evenly(&self, count: usize) -> impl Iterator<Item = i64> {
        let all = self.rows.len();
        let taken = all.min(count as u64);
        (0..taken).filter_map(move |at| {
            let row = self.rows.select((u128::from(at) * u128::from(all) / u128::from(taken)) as u64)?;
            i64::try_from(row).ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_spread_over_all_chunks() {
        let chunks = ChunkSet::new(0..1_000, 1_000);
        assert_eq!(chunks.evenly(4).collect::<Vec<_>>(), [0, 250, 500, 750]);
        assert_eq!(chunks.evenly(5_000).count(), 1_000);
        assert_eq!(chunks.evenly(0).count(), 0);
    }
}
