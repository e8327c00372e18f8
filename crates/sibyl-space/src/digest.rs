//! SHA-256, in full and shortened.

use sha2::{Digest as _, Sha256};

/// SHA-256 of `bytes`.
pub fn hash(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// Lower-case hex of `bytes`.
pub fn hex(bytes: &[u8]) -> String {
    hex::encode(bytes)
}

/// First 16 hex digits of the SHA-256 over `parts`. Each is prefixed with its length, so that no two lists of
/// parts give the same bytes.
pub fn short_hash(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    hex(&digest.finalize()[..8])
}
