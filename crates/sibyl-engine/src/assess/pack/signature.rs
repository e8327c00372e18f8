//! Signatures of packs, as minisign makes them: a file beside the pack, by a key that the user keeps in the
//! keychain.

use crate::error::{Error, Result};
use crate::http::ApiKey;
use crate::library::Assessing;
use crate::secret::{Secret, SecretSource};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use minisign::{KeyPair, PublicKey, SecretKey, SecretKeyBox, SignatureBox};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::Cursor;

/// What precedes the public key in the trusted comment of a signature.
const STATED: &str = "key:";
/// Where the checksum of a secret key begins: its last 32 bytes.
const CHECKSUM: usize = 126;
const NO_KEY: &str = "there is no signing key; make one with `sibyl assess key new`";

/// The public half of the key that packs are signed with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SigningKey {
    /// The public key in minisign's form (Base64); whoever has it can check signatures.
    pub public_key: String,
    /// Where the secret half is kept.
    pub source: SecretSource,
}

/// A signature of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PackSignature {
    /// Content of the file beside the pack, which has its name and `.minisig`.
    pub signature: String,
    /// The public key that it is checked with (Base64).
    pub public_key: String,
}

/// What the check of a signature found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignatureState {
    /// The file is the one that was signed with the key.
    Matches,
    /// The file was changed after it was signed, or the signature was.
    Changed,
    /// It was signed with another key than the one that it was to be checked with.
    OtherKey,
    /// It states no key, none was given, and this machine's own key is a different one.
    UnknownKey,
}

/// Whose key a signature was checked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KeyOrigin {
    /// The key that was given.
    Given,
    /// The one that packs are signed with here.
    Own,
    /// The key that the signature states, which anybody may have made. It must be compared with the one that its
    /// owner publishes.
    Stated,
}

/// The check of a signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignatureCheck {
    /// The result of the check.
    pub state: SignatureState,
    /// The public key that it was checked with (Base64); `None` if there was none.
    pub public_key: Option<String>,
    /// Whose that is.
    pub origin: Option<KeyOrigin>,
    /// The number of the key that signed, as minisign prints it (16 hexadecimal digits).
    pub key_id: String,
}

impl Assessing<'_> {
    /// The public half of the key that packs are signed with; `None` if there is none.
    ///
    /// # Errors
    /// [`Error::Keychain`] if no keychain answers and the environment has no key. [`Error::Invalid`] for a key
    /// that is no secret minisign key without a password.
    pub async fn signing_key(&self) -> Result<Option<SigningKey>> {
        let found = self.library.keys().find(Secret::Signing).await;
        match (found.key, found.keychain_error) {
            (Some(key), _) => {
                let public_key = public(&secret(&key)?)?.to_base64();
                Ok(Some(SigningKey { public_key, source: found.source }))
            }
            (None, Some(cause)) => Err(Error::Keychain(cause)),
            (None, None) => Ok(None),
        }
    }

    /// Makes a key to sign packs with, and keeps it in the keychain.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is one and `replace` is not set. [`Error::Keychain`] if no keychain answers.
    pub async fn new_signing_key(&self, replace: bool) -> Result<SigningKey> {
        let known = if replace { None } else { self.signing_key().await? };
        if let Some(known) = known {
            return Err(Error::Invalid(format!(
                "there is already a signing key, {}; `--replace` makes a new one in its place, and the old one is lost",
                known.public_key
            )));
        }
        let pair = KeyPair::generate_unencrypted_keypair().map_err(|error| unsigned(&error))?;
        let kept = STANDARD.encode(pair.sk.to_bytes());
        let kept = ApiKey::new(&kept).ok_or_else(|| unsigned(&"the key that was made is empty"))?;
        self.library.keys().set(Secret::Signing, kept).await?;
        Ok(SigningKey { public_key: pair.pk.to_base64(), source: SecretSource::Keychain })
    }

    /// Signs `file`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is no key, and as [`Assessing::signing_key`].
    pub async fn sign(&self, file: Vec<u8>) -> Result<PackSignature> {
        let found = self.library.keys().find(Secret::Signing).await;
        let key = match (found.key, found.keychain_error) {
            (Some(key), _) => key,
            (None, Some(cause)) => return Err(Error::Keychain(cause)),
            (None, None) => return Err(Error::Invalid(NO_KEY.to_owned())),
        };
        let work = move || {
            let secret = secret(&key)?;
            let public = public(&secret)?;
            let stated = format!("{STATED}{} {}", public.to_base64(), crate::store::now());
            let comment = "signature of an evidence pack by Sibyl";
            let signed =
                minisign::sign(Some(&public), &secret, Cursor::new(file), Some(&stated), Some(comment));
            let signature = signed.map_err(|error| unsigned(&error))?.into_string();
            Ok(PackSignature { signature, public_key: public.to_base64() })
        };
        tokio::task::spawn_blocking(work).await?
    }

    /// Checks `signature`, the text of a minisign file, against `file`. It uses `key` if given, else the user's
    /// own key if that signed, else the key that the signature states.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a text that is no minisign signature or public key.
    pub async fn check_signature(
        &self,
        file: Vec<u8>,
        signature: &str,
        key: Option<&str>,
    ) -> Result<SignatureCheck> {
        let signature = SignatureBox::from_string(signature).map_err(|error| {
            Error::Invalid(format!(
                "this is not a minisign signature ({error}); choose the file that was written beside the pack, with `.minisig` \
                 after its name"
            ))
        })?;
        let key_id: String = signature.keynum().iter().rev().map(|byte| format!("{byte:02X}")).collect();
        let signed = |key: &PublicKey| key.keynum() == signature.keynum();
        // A signature can be checked without a keychain.
        let own = self.library.keys().find(Secret::Signing).await.key.and_then(|key| secret(&key).ok());
        let own = own.and_then(|secret| public(&secret).ok());
        let (key, origin) = match (key, own.filter(&signed), stated(&signature)) {
            (Some(given), _, _) => (self::given(given)?, KeyOrigin::Given),
            (None, Some(own), _) => (own, KeyOrigin::Own),
            (None, None, Some(stated)) => (stated, KeyOrigin::Stated),
            (None, None, None) => {
                let state = SignatureState::UnknownKey;
                return Ok(SignatureCheck { state, public_key: None, origin: None, key_id });
            }
        };
        let public_key = Some(key.to_base64());
        let state = if signed(&key) {
            let work =
                move || minisign::verify(&key, &signature, Cursor::new(file), true, false, false).is_ok();
            let matches = tokio::task::spawn_blocking(work).await?;
            if matches { SignatureState::Matches } else { SignatureState::Changed }
        } else {
            SignatureState::OtherKey
        };
        Ok(SignatureCheck { state, public_key, origin: Some(origin), key_id })
    }
}

fn unsigned(error: &impl std::fmt::Display) -> Error {
    Error::Invalid(format!(
        "the signature cannot be made: {error}; make another key with `sibyl assess key new --replace`"
    ))
}

/// The secret key that is kept as `key`. No error repeats any of it.
fn secret(key: &ApiKey) -> Result<SecretKey> {
    let file = format!("untrusted comment: secret key\n{}\n", key.reveal());
    let read = SecretKeyBox::from_string(&file).and_then(SecretKey::from_unencrypted_box);
    read.ok().or_else(|| unchecked(key.reveal())).ok_or_else(|| {
        Error::Invalid(format!(
            "the signing key, from the keychain or from {}, is not a minisign secret key without a password; make \
             another with `sibyl assess key new --replace`",
            Secret::Signing.variable()
        ))
    })
}

/// The secret key in `text` (Base64), if it has no password and no checksum, as `minisign -G -W` writes it.
fn unchecked(text: &str) -> Option<SecretKey> {
    let bytes = STANDARD.decode(text).ok()?;
    let (plain, checksum) = (bytes.starts_with(b"Ed\0\0B2"), bytes.get(CHECKSUM..)?);
    let whole = bytes.len() == CHECKSUM + 32 && checksum.iter().all(|byte| *byte == 0);
    if plain && whole { SecretKey::from_bytes(&bytes).ok() } else { None }
}

fn public(secret: &SecretKey) -> Result<PublicKey> {
    PublicKey::from_secret_key(secret).map_err(|error| unsigned(&error))
}

fn given(key: &str) -> Result<PublicKey> {
    PublicKey::from_base64(key.trim()).map_err(|_| {
        Error::Invalid(format!(
            "`{key}` is not a minisign public key; give the line that begins with RW, as `sibyl assess key show` prints it"
        ))
    })
}

/// The public key that `signature` states.
fn stated(signature: &SignatureBox) -> Option<PublicKey> {
    let comment = signature.trusted_comment().ok()?;
    let key = comment.strip_prefix(STATED)?.split_whitespace().next()?;
    PublicKey::from_base64(key).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::{Library, OpenOptions};
    use crate::secret::{FoundKey, KeyFuture, KeyStore};
    use std::sync::{Arc, Mutex};

    /// Keeps one key in memory.
    #[derive(Debug, Default)]
    struct Kept(Mutex<Option<ApiKey>>);

    impl KeyStore for Kept {
        fn find(&self, _: Secret) -> KeyFuture<'_, FoundKey> {
            let key = self.0.lock().unwrap().clone();
            Box::pin(async { FoundKey { key, source: SecretSource::Keychain, keychain_error: None } })
        }

        fn set(&self, _: Secret, key: ApiKey) -> KeyFuture<'_, Result<()>> {
            *self.0.lock().unwrap() = Some(key);
            Box::pin(async { Ok(()) })
        }

        fn clear(&self, _: Secret) -> KeyFuture<'_, Result<()>> {
            *self.0.lock().unwrap() = None;
            Box::pin(async { Ok(()) })
        }
    }

    async fn opened(keys: Arc<dyn KeyStore>) -> (Library, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let options = OpenOptions { keys, ..OpenOptions::new(folder.path()) };
        (Library::open(options).await.unwrap(), folder)
    }

    #[tokio::test]
    async fn a_signature_matches_its_file_and_no_other() {
        let (library, _folder) = opened(Arc::new(Kept::default())).await;
        let assess = library.assess();
        let refused = assess.sign(b"pack".to_vec()).await.unwrap_err().to_string();
        assert!(refused.contains("sibyl assess key new"), "{refused}");
        let key = assess.new_signing_key(false).await.unwrap();
        let again = assess.new_signing_key(false).await.unwrap_err().to_string();
        assert!(again.contains("--replace"), "{again}");
        let signed = assess.sign(b"pack".to_vec()).await.unwrap();
        assert_eq!(signed.public_key, key.public_key);
        let check = async |file: &[u8], key: Option<&str>| {
            assess.check_signature(file.to_vec(), &signed.signature, key).await.unwrap()
        };
        let own = check(b"pack", None).await;
        assert_eq!((own.state, own.origin), (SignatureState::Matches, Some(KeyOrigin::Own)));
        assert_eq!(check(b"pick", None).await.state, SignatureState::Changed);
        // If one's own key is another, the stated key is reported as stated only.
        let other = assess.new_signing_key(true).await.unwrap();
        let stated = check(b"pack", None).await;
        assert_eq!((stated.state, stated.origin), (SignatureState::Matches, Some(KeyOrigin::Stated)));
        assert_eq!(check(b"pack", Some(&other.public_key)).await.state, SignatureState::OtherKey);
        let given = check(b"pack", Some(&key.public_key)).await;
        assert_eq!((given.state, given.origin), (SignatureState::Matches, Some(KeyOrigin::Given)));
        // The stated key is covered by the signature: another cannot be put in its place.
        let forged = signed.signature.replace(&key.public_key, &other.public_key);
        let forged = assess.check_signature(b"pack".to_vec(), &forged, Some(&key.public_key)).await.unwrap();
        assert_eq!(forged.state, SignatureState::Changed);
        for (text, key) in [("no signature", None), (signed.signature.as_str(), Some("RWno"))] {
            let error = assess.check_signature(Vec::new(), text, key).await.unwrap_err().to_string();
            assert!(error.contains("a minisign"), "{error}");
        }
    }

    #[tokio::test]
    async fn a_key_that_the_program_minisign_made_signs() {
        let pair = KeyPair::generate_unencrypted_keypair().unwrap();
        let mut bytes = pair.sk.to_bytes();
        bytes[CHECKSUM..].fill(0);
        let kept = Kept(Mutex::new(ApiKey::new(&STANDARD.encode(&bytes))));
        let (library, _folder) = opened(Arc::new(kept)).await;
        let signed = library.assess().sign(b"pack".to_vec()).await.unwrap();
        assert_eq!(signed.public_key, pair.pk.to_base64());
        bytes.pop();
        assert!(unchecked(&STANDARD.encode(&bytes)).is_none());
    }

    #[tokio::test]
    async fn no_error_repeats_what_is_kept_in_place_of_a_key() {
        let kept = Kept(Mutex::new(ApiKey::new("a-password-in-the-wrong-place")));
        let (library, _folder) = opened(Arc::new(kept)).await;
        for error in [
            library.assess().signing_key().await.unwrap_err(),
            library.assess().sign(Vec::new()).await.unwrap_err(),
        ] {
            assert!(!error.to_string().contains("password-in"), "{error}");
        }
    }
}
