//! Bearer tokens. A file has a line for each: its scope and the token, or its SHA-256 if the server made the
//! token.

use parking_lot::RwLock;
use sha2::{Digest as _, Sha256};
use sibyl_api::{ApiError, Scope};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The tokens of a library, in its data folder.
const FILE: &str = "server-tokens";
/// Prefix of tokens that the server makes, so that scanners for secrets recognise them.
const PREFIX: &str = "sibyl_";
/// What the digest of a token begins with in a file.
const DIGEST: &str = "sha256:";

/// Minimum number of characters of a token, so that nobody can guess one.
const SHORTEST: usize = 20;

/// The tokens that sign in, as their file has them now: an added or removed token takes effect at once.
pub struct Tokens {
    path: PathBuf,
    known: RwLock<Known>,
}

/// The tokens of a file, and the file when they were read.
struct Known {
    tokens: Vec<Token>,
    file: Option<(SystemTime, u64)>,
}

struct Token {
    scope: Scope,
    digest: [u8; 32],
}

impl Tokens {
    /// The tokens of the data folder `folder`. The first time, one with every scope is made. It is returned with
    /// the others and stored nowhere else.
    ///
    /// # Errors
    /// `io` if the file cannot be read or written. `invalid` if others than its owner can read it or a line is no
    /// token.
    pub fn of_folder(folder: &Path) -> Result<(Self, Option<String>), ApiError> {
        let path = Self::file_of(folder);
        // A token that a full disk left without a line was never shown to anybody.
        if std::fs::metadata(&path).is_ok_and(|file| file.len() > 0) {
            return Ok((Self::of_file(&path)?, None));
        }
        let token = Self::make(&path, Scope::Spend)?;
        Ok((Self::of_file(&path)?, Some(token)))
    }

    /// The file of the tokens of the data folder `folder`.
    pub fn file_of(folder: &Path) -> PathBuf {
        folder.join(FILE)
    }

    /// Makes a token with `scope`, keeps its digest in the file at `path`, and returns it.
    ///
    /// # Errors
    /// `read_only` and `io` where the file cannot be written.
    pub fn make(path: &Path, scope: Scope) -> Result<String, ApiError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)
            .map_err(|error| ApiError::new("io", format!("the system gives no random bytes: {error}")))?;
        let token = format!("{PREFIX}{}", hex::encode(bytes));
        let mut options = std::fs::OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // The last line of a file that somebody wrote by hand may have no end.
        let line = format!("\n{} {DIGEST}{}\n", scope.name(), hex::encode(digest(&token)));
        let written = options.open(path).and_then(|mut file| file.write_all(line.as_bytes()));
        written.map_err(|error| match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => ApiError::new(
                "read_only",
                format!(
                    "no token can be added to {}, which is write-protected; write one into a file elsewhere that only \
                     you can read, and name it with --token-file",
                    path.display()
                ),
            ),
            _ => ApiError::new("io", format!("{}: {error}", path.display())),
        })?;
        Ok(token)
    }

    /// The tokens of a file.
    ///
    /// # Errors
    /// As [`Tokens::of_folder`].
    pub fn of_file(path: &Path) -> Result<Self, ApiError> {
        Ok(Self { path: path.to_owned(), known: RwLock::new(read(path)?) })
    }

    /// The digest and scope of the token `given`.
    pub(crate) fn find(&self, given: &str) -> Option<([u8; 32], Scope)> {
        self.follow();
        // Digests are compared, so the time this takes reveals nothing about a token.
        let given = digest(given);
        let known = self.known.read();
        known.tokens.iter().find(|token| token.digest == given).map(|token| (given, token.scope))
    }

    /// Reads the file again if it has changed. If it cannot be used, that is logged and the former tokens stay.
    fn follow(&self) {
        let now = state(&self.path);
        if self.known.read().file == now {
            return;
        }
        let read = read(&self.path);
        let mut known = self.known.write();
        match read {
            Ok(read) => *known = read,
            Err(error) => {
                tracing::warn!(code = error.code, "the tokens stay as they were: {error}");
                known.file = now;
            }
        }
    }
}

/// When a file was changed last, and its length.
fn state(path: &Path) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

fn read(path: &Path) -> Result<Known, ApiError> {
    let unread = |error: std::io::Error| ApiError::new("io", format!("{}: {error}", path.display()));
    // Before it is read: what is written meanwhile is seen the next time.
    let file = state(path);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if std::fs::metadata(path).map_err(unread)?.permissions().mode() & 0o077 != 0 {
            let path = path.display();
            let message = format!("others can read the tokens in {path}; run `chmod 600 {path}`");
            return Err(ApiError::invalid(message));
        }
    }
    let text = std::fs::read_to_string(path).map_err(unread)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let tokens = lines.map(|line| {
        Token::of_line(line).ok_or_else(|| {
            let path = path.display();
            ApiError::invalid(format!("{path}: a line is `SCOPE TOKEN`, where SCOPE is read, write or spend"))
        })
    });
    let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
    if tokens.is_empty() {
        return Err(ApiError::invalid(format!("{} has no token", path.display())));
    }
    Ok(Known { tokens, file })
}

impl Token {
    fn of_line(line: &str) -> Option<Self> {
        let (scope, token) = match line.split_once(char::is_whitespace) {
            Some((scope, token)) => (Scope::named(scope)?, token.trim()),
            None => (Scope::Spend, line),
        };
        let digest = match token.strip_prefix(DIGEST) {
            Some(hex) => {
                let mut digest = [0; 32];
                hex::decode_to_slice(hex, &mut digest).ok()?;
                digest
            }
            None if token.contains(char::is_whitespace) || token.len() < SHORTEST => return None,
            None => digest(token),
        };
        Some(Self { scope, digest })
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_shown_once_and_kept_as_its_digest() {
        let folder = tempfile::tempdir().unwrap();
        let (tokens, made) = Tokens::of_folder(folder.path()).unwrap();
        let made = made.unwrap();
        let scope = |token: &str| tokens.find(token).map(|(_, scope)| scope);
        assert_eq!((scope(&made), scope("sibyl_")), (Some(Scope::Spend), None));
        let kept = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(!kept.contains(&made) && kept.trim_start().starts_with("spend sha256:"), "{kept}");
        let reader = Tokens::make(&Tokens::file_of(folder.path()), Scope::Read).unwrap();
        assert_eq!(scope(&reader), Some(Scope::Read), "at once, and the first one still");
        assert_eq!(scope(&made), Some(Scope::Spend));
        // After one written by hand, whose line has no end.
        let path = folder.path().join("mine");
        let by_hand = "a-token-of-twenty-letters";
        std::fs::write(&path, format!("write {by_hand}")).unwrap();
        #[cfg(unix)]
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        let mine = Tokens::make(&path, Scope::Read).unwrap();
        let of_file = Tokens::of_file(&path).unwrap();
        let scope_there = |token: &str| of_file.find(token).map(|(_, scope)| scope);
        assert_eq!((scope_there(&mine), scope_there(by_hand)), (Some(Scope::Read), Some(Scope::Write)));
        let (_, again) = Tokens::of_folder(folder.path()).unwrap();
        assert_eq!(again, None);
        let path = folder.path().join(FILE);
        std::fs::write(&path, "nonsense\n").unwrap();
        assert_eq!(scope(&reader), Some(Scope::Read), "what cannot be read changes nothing");
        std::fs::write(&path, kept).unwrap();
        assert_eq!((scope(&reader), scope(&made)), (None, Some(Scope::Spend)), "what is taken away is out");
    }

    #[test]
    fn an_empty_file_that_a_full_disk_left_is_filled() {
        let folder = tempfile::tempdir().unwrap();
        let mut options = std::fs::OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        drop(options.open(folder.path().join(FILE)).unwrap());
        let (tokens, made) = Tokens::of_folder(folder.path()).unwrap();
        assert_eq!(tokens.find(&made.unwrap()).map(|(_, scope)| scope), Some(Scope::Spend));
    }

    #[test]
    fn a_file_that_others_read_or_that_holds_no_token_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens");
        for (text, fits) in [
            ("read abcdefghijklmnopqrst\n# one\nbbcdefghijklmnopqrst\n", true),
            ("root abcdefghijklmnopqrst\n", false),
            ("read short\n", false),
            ("\n", false),
        ] {
            std::fs::write(&path, text).unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
                let Err(error) = Tokens::of_file(&path) else { panic!("others can read it") };
                assert!(error.message.contains("chmod 600"), "{error}");
                std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
            }
            assert_eq!(Tokens::of_file(&path).is_ok(), fits, "{text}");
        }
        let (first, second) = ("abcdefghijklmnopqrst", "bbcdefghijklmnopqrst");
        std::fs::write(&path, format!("read {first}\n{second}\n")).unwrap();
        let tokens = Tokens::of_file(&path).unwrap();
        let scope = |token: &str| tokens.find(token).map(|(_, scope)| scope);
        assert_eq!((scope(first), scope(second)), (Some(Scope::Read), Some(Scope::Spend)));
    }
}
