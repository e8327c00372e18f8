//! Office files that a password locks (MS-OFFCRYPTO 2.3.4.10 to 2.3.4.15, agile encryption: Office 2010 and later).

use aes::cipher::{Block, BlockModeDecrypt as _, KeyIvInit as _};
use aes::{Aes128, Aes192, Aes256};
use base64::prelude::{BASE64_STANDARD, Engine as _};
use roxmltree::Node;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::{Sha256, Sha384, Sha512};
use std::io::{Cursor, Read as _};

/// Turns of the hash that a password is put through: Office writes 100,000.
const MOST_TURNS: u32 = 1_000_000;
/// Bytes that are encrypted together.
const SEGMENT: usize = 4096;
/// What the keys for the check of a password and for the package are made with.
const CHECK_INPUT: [u8; 8] = [0xFE, 0xA7, 0xD2, 0x76, 0x3B, 0x4B, 0x9E, 0x79];
const CHECK_VALUE: [u8; 8] = [0xD7, 0xAA, 0x0F, 0x6D, 0x30, 0x61, 0x34, 0x4E];
const PACKAGE_KEY: [u8; 8] = [0x14, 0x6E, 0x0B, 0xE7, 0xAB, 0xAC, 0xD0, 0xD6];

/// A locked file.
pub(super) struct Locked {
    password: Cipher,
    package: Cipher,
    turns: u32,
    check_input: Vec<u8>,
    check_value: Vec<u8>,
    key: Vec<u8>,
    /// Size of the archive inside, and its encrypted bytes.
    size: usize,
    bytes: Vec<u8>,
}

/// A cipher as the file declares it.
struct Cipher {
    salt: Vec<u8>,
    hash: Hash,
    /// Bytes of a key.
    key: usize,
}

#[derive(Clone, Copy)]
enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Locked {
    /// Opens the container; `None` where it is damaged or of another encryption.
    pub(super) fn open(bytes: &[u8]) -> Option<Self> {
        let mut container = cfb::CompoundFile::open(Cursor::new(bytes)).ok()?;
        let mut stream = |name: &str| {
            let mut read = Vec::new();
            // No stream is larger than the file that holds it.
            container.open_stream(name).ok()?.take(bytes.len() as u64).read_to_end(&mut read).ok()?;
            Some(read)
        };
        let info = stream("/EncryptionInfo")?;
        let xml = std::str::from_utf8(info.strip_prefix(&[4, 0, 4, 0])?.get(4..)?).ok()?;
        let mut bytes = stream("/EncryptedPackage")?;
        let size = usize::try_from(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?)).ok()?;
        bytes.drain(..8);
        let tree = roxmltree::Document::parse(xml).ok()?;
        let node = |name| tree.descendants().find(|node| node.tag_name().name() == name);
        let (data, password) = (node("keyData")?, node("encryptedKey")?);
        let turns = password.attribute("spinCount")?.parse().ok().filter(|turns| *turns <= MOST_TURNS)?;
        (size <= bytes.len()).then_some(())?;
        Some(Self {
            turns,
            check_input: binary(password, "encryptedVerifierHashInput")?,
            check_value: binary(password, "encryptedVerifierHashValue")?,
            key: binary(password, "encryptedKeyValue")?,
            password: Cipher::of(password)?,
            package: Cipher::of(data)?,
            size,
            bytes,
        })
    }

    /// The archive inside; `None` where `password` does not open it.
    pub(super) fn unlocked(&self, password: &str) -> Option<Vec<u8>> {
        let cipher = &self.password;
        let turned = self.turned(password);
        let decrypted = |purpose: &[u8], bytes: &[u8]| {
            let mut key = cipher.hash.of(&[&turned, purpose]);
            key.resize(cipher.key, 0x36);
            decrypted(&key, &cipher.salt, bytes)
        };
        let input = decrypted(&CHECK_INPUT, &self.check_input)?;
        let expected = decrypted(&CHECK_VALUE, &self.check_value)?;
        let hash = cipher.hash.of(&[input.get(..cipher.salt.len())?]);
        if !expected.starts_with(&hash) {
            return None;
        }
        let mut key = decrypted(&PACKAGE_KEY, &self.key)?;
        key.truncate(self.package.key);
        let mut archive = Vec::with_capacity(self.bytes.len());
        for (number, segment) in (0_u32..).zip(self.bytes.chunks(SEGMENT)) {
            let start = self.package.hash.of(&[&self.package.salt, &number.to_le_bytes()]);
            archive.extend(self::decrypted(&key, &start, segment)?);
        }
        archive.truncate(self.size);
        Some(archive)
    }

    /// The hash of a password after all turns.
    fn turned(&self, password: &str) -> Vec<u8> {
        let letters: Vec<u8> = password.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let hash = self.password.hash;
        let first = hash.of(&[&self.password.salt, &letters]);
        (0..self.turns).fold(first, |last, turn| hash.of(&[&turn.to_le_bytes(), &last]))
    }
}

impl Cipher {
    fn of(node: Node<'_, '_>) -> Option<Self> {
        let says = |name, value| node.attribute(name) == Some(value);
        let hash = match node.attribute("hashAlgorithm")? {
            "SHA1" | "SHA-1" => Hash::Sha1,
            "SHA256" | "SHA-256" => Hash::Sha256,
            "SHA384" | "SHA-384" => Hash::Sha384,
            "SHA512" | "SHA-512" => Hash::Sha512,
            _ => return None,
        };
        let bits: usize = node.attribute("keyBits")?.parse().ok()?;
        let known = says("cipherAlgorithm", "AES") && says("cipherChaining", "ChainingModeCBC");
        known.then_some(Self { salt: binary(node, "saltValue")?, hash, key: bits / 8 })
    }
}

impl Hash {
    fn of(self, parts: &[&[u8]]) -> Vec<u8> {
        fn digest<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
            let mut digest = D::new();
            parts.iter().for_each(|part| digest.update(part));
            digest.finalize().to_vec()
        }
        match self {
            Self::Sha1 => digest::<Sha1>(parts),
            Self::Sha256 => digest::<Sha256>(parts),
            Self::Sha384 => digest::<Sha384>(parts),
            Self::Sha512 => digest::<Sha512>(parts),
        }
    }
}

fn binary(node: Node<'_, '_>, name: &str) -> Option<Vec<u8>> {
    BASE64_STANDARD.decode(node.attribute(name)?).ok()
}

/// Whole blocks of `bytes` without their encryption (AES in CBC mode); `None` for a key of no known length.
fn decrypted(key: &[u8], start: &[u8], bytes: &[u8]) -> Option<Vec<u8>> {
    let mut start = start.to_vec();
    start.resize(16, 0x36);
    match key.len() {
        16 => blocks::<Aes128>(key, &start, bytes),
        24 => blocks::<Aes192>(key, &start, bytes),
        32 => blocks::<Aes256>(key, &start, bytes),
        _ => None,
    }
}

fn blocks<C>(key: &[u8], start: &[u8], bytes: &[u8]) -> Option<Vec<u8>>
where
    C: aes::cipher::BlockCipherDecrypt + aes::cipher::KeyInit,
    cbc::Decryptor<C>: aes::cipher::BlockModeDecrypt + aes::cipher::KeyIvInit,
{
    let mut cipher = cbc::Decryptor::<C>::new_from_slices(key, start).ok()?;
    let mut out = bytes.to_vec();
    for block in out.chunks_exact_mut(16) {
        let block: &mut Block<cbc::Decryptor<C>> = block.try_into().ok()?;
        cipher.decrypt_block(block);
    }
    Some(out)
}
