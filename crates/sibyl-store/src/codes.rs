//! The code file of a space: every vector rounded to int8, in a file that is mapped into memory and scanned.
//!
//! It is derived from the vectors and rebuilt whenever it is absent, stale or damaged. A file never changes: a
//! new one is written under a temporary name, renamed to a name of its own, and the old one deleted.
//!
//! Layout, little endian: 64 bytes of header, then for each slot its codes (padded to [`LANES`]), then the vector
//! row ids (i64), then the scales (f32). A vector is its codes times its scale.

use super::kernel::LANES;
use crate::error::{Error, Result};
use memmap2::Mmap;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{BufWriter, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"SIBYLCOD";
const VERSION: u32 = 1;
const HEADER: usize = 64;

/// Folder of the code files, inside the data folder.
pub const FOLDER: &str = "codes";

/// Bytes of the codes of a vector of `dimensions`, padding included.
pub(super) fn stride(dimensions: usize) -> usize {
    dimensions.next_multiple_of(LANES)
}

/// Rounds `vector` to codes from -127 to 127, appended to `codes` with their padding. Returns the scale: a vector
/// of zeros has scale 0.
pub(super) fn quantise(
    vector: impl Iterator<Item = f32> + Clone,
    dimensions: usize,
    codes: &mut Vec<i8>,
) -> f32 {
    let largest = vector.clone().fold(0.0, |largest: f32, x| largest.max(x.abs()));
    let factor = if largest > 0.0 { 127.0 / largest } else { 0.0 };
    let end = codes.len() + stride(dimensions);
    // The cast rounds half away from zero like `round`, but in one instruction.
    codes.extend(vector.map(|x| (x * factor + 0.5_f32.copysign(x)) as i8));
    codes.resize(end, 0);
    largest / 127.0
}

/// What a code file says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    /// Length of a vector.
    pub dimensions: usize,
    /// Vectors in it.
    pub count: usize,
    /// The last vector row of the file, which has every vector of its space up to there.
    pub last: i64,
    /// Generation of the vectors when it was written.
    pub generation: i64,
    /// First bytes of the text hash of row `last`, by which a library that was put back to an older state is
    /// noticed.
    pub witness: u64,
}

/// A code file, mapped into memory.
pub(super) struct CodeFile {
    map: Mmap,
    stamp: Stamp,
    body_sum: [u8; 8],
}

impl CodeFile {
    /// The newest readable code file of space `space` in the data folder.
    pub fn open_newest(data: &Path, space: &str) -> Option<Self> {
        let mut files = files_of(data, space);
        files.sort_by_key(|(last, _)| std::cmp::Reverse(*last));
        files.into_iter().find_map(|(_, path)| match Self::open(&path) {
            Ok(file) => Some(file),
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "a code file cannot be used and is rebuilt");
                None
            }
        })
    }

    fn open(path: &Path) -> std::result::Result<Self, String> {
        let file = File::open(path).map_err(|e| e.to_string())?;
        // SAFETY: a code file is never changed once it has its name, only renamed into place and deleted.
        let map = unsafe { Mmap::map(&file) }.map_err(|e| e.to_string())?;
        let header = map.first_chunk::<HEADER>().ok_or("it is shorter than its header")?;
        if header[..8] != MAGIC[..] || header[56..64] != checksum(&header[..56]) {
            return Err("its header is damaged".to_owned());
        }
        let word = |at: usize| u64::from_le_bytes(header[at..at + 8].try_into().unwrap_or_default());
        let half = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap_or_default());
        if half(8) != VERSION {
            return Err(format!("it has version {} instead of {VERSION}", half(8)));
        }
        let stamp = Stamp {
            dimensions: half(12) as usize,
            count: usize::try_from(word(16)).map_err(|e| e.to_string())?,
            last: word(24).cast_signed(),
            generation: word(32).cast_signed(),
            witness: word(40),
        };
        let expected = stamp.count.checked_mul(stride(stamp.dimensions) + 12).map(|body| body + HEADER);
        if expected != Some(map.len()) {
            return Err(format!("it has {} bytes instead of {expected:?}", map.len()));
        }
        let body_sum = header[48..56].try_into().unwrap_or_default();
        Ok(Self { map, stamp, body_sum })
    }

    /// What it says about itself.
    pub fn stamp(&self) -> &Stamp {
        &self.stamp
    }

    /// All codes, one row of [`stride`] after the other.
    pub fn codes(&self) -> &[i8] {
        let bytes = &self.map[HEADER..HEADER + self.stamp.count * stride(self.stamp.dimensions)];
        // SAFETY: i8 and u8 have the same size and alignment, and every bit pattern is a value of both.
        unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
    }

    /// The vector row id of each slot, ascending.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = i64> {
        let start = HEADER + self.stamp.count * stride(self.stamp.dimensions);
        self.map[start..start + 8 * self.stamp.count]
            .as_chunks()
            .0
            .iter()
            .map(|&bytes| i64::from_le_bytes(bytes))
    }

    /// The scale of each slot.
    pub fn scales(&self) -> impl ExactSizeIterator<Item = f32> {
        let start = HEADER + self.stamp.count * (stride(self.stamp.dimensions) + 8);
        self.map[start..].as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes))
    }

    /// Whether its bytes are those that were written.
    pub fn is_whole(&self) -> bool {
        checksum(&self.map[HEADER..]) == self.body_sum
    }
}

/// A code file that is being written: it gets its name when it is finished.
pub(super) struct Writer {
    out: BufWriter<tempfile::NamedTempFile>,
    digest: Sha256,
    dimensions: usize,
    ids: Vec<i64>,
    scales: Vec<f32>,
    row: Vec<i8>,
    folder: PathBuf,
}

impl Writer {
    pub fn new(data: &Path, dimensions: usize) -> Result<Self> {
        let folder = data.join(FOLDER);
        let new = || {
            std::fs::create_dir_all(&folder)?;
            let mut out = BufWriter::with_capacity(1 << 20, tempfile::NamedTempFile::new_in(&folder)?);
            out.write_all(&[0; HEADER])?;
            Ok(out)
        };
        let out = new().map_err(|e| Error::io(&folder, e))?;
        let (ids, scales, row) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { out, digest: Sha256::new(), dimensions, ids, scales, row, folder })
    }

    /// Adds the vector of row `id`; rows come in ascending order.
    pub fn push(&mut self, id: i64, vector: impl Iterator<Item = f32> + Clone) -> Result<()> {
        self.row.clear();
        self.scales.push(quantise(vector, self.dimensions, &mut self.row));
        self.ids.push(id);
        // SAFETY: i8 and u8 have the same size and alignment, and every bit pattern is a value of both.
        let bytes = unsafe { std::slice::from_raw_parts(self.row.as_ptr().cast::<u8>(), self.row.len()) };
        self.digest.update(bytes);
        self.out.write_all(bytes).map_err(|e| Error::io(&self.folder, e))
    }

    /// Finishes the file of `space` and deletes older ones.
    pub fn finish(mut self, data: &Path, space: &str, generation: i64, witness: u64) -> Result<()> {
        let last = self.ids.last().copied().unwrap_or(0);
        let path = self.folder.join(format!("{space}-{last}.codes"));
        let count = self.ids.len() as u64;
        let mut write = || {
            let ids = self.ids.iter().flat_map(|id| id.to_le_bytes());
            let trailer: Vec<u8> =
                ids.chain(self.scales.iter().flat_map(|scale| scale.to_le_bytes())).collect();
            self.digest.update(&trailer);
            self.out.write_all(&trailer)?;
            let mut header = MAGIC.to_vec();
            header.extend(VERSION.to_le_bytes());
            header.extend((self.dimensions as u32).to_le_bytes());
            for word in [count, last.cast_unsigned(), generation.cast_unsigned(), witness] {
                header.extend(word.to_le_bytes());
            }
            header.extend(&self.digest.clone().finalize()[..8]);
            header.extend(checksum(&header));
            self.out.seek(SeekFrom::Start(0))?;
            self.out.write_all(&header)?;
            self.out.flush()?;
            self.out.get_ref().as_file().sync_all()
        };
        write().map_err(|e| Error::io(&path, e))?;
        let file = self.out.into_inner().map_err(|e| Error::io(&path, e.into_error()))?;
        file.persist(&path).map_err(|e| Error::io(&path, e.error))?;
        for (_, old) in files_of(data, space).into_iter().filter(|(_, other)| *other != path) {
            // Some systems keep a mapped file until its last reader ends; the next file deletes it then.
            if let Err(error) = std::fs::remove_file(&old) {
                tracing::debug!(path = %old.display(), %error, "an old code file is kept for now");
            }
        }
        Ok(())
    }
}

/// The code files of `space`, each with its last vector row.
fn files_of(data: &Path, space: &str) -> Vec<(i64, PathBuf)> {
    let entries = std::fs::read_dir(data.join(FOLDER)).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let last = name.strip_prefix(space)?.strip_prefix('-')?.strip_suffix(".codes")?.parse().ok()?;
            Some((last, entry.path()))
        })
        .collect()
}

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    digest.first_chunk().copied().unwrap_or_default()
}
