//! Bearer tokens. A file holds a line for each: its scope and the token, or the SHA-256 of it where the server made it.

use sha2::{Digest as _, Sha256};
use sibyl_api::{ApiError, Scope};
use std::io::Write as _;
use std::path::Path;

/// The tokens of a library, in its data folder.
const FILE: &str = "server-tokens";
/// What tokens that the server makes begin with, so that scanners for secrets know them.
const PREFIX: &str = "sibyl_";
/// What the digest of a token begins with in a file.
const DIGEST: &str = "sha256:";

/// Characters that a token has at least: nobody guesses one.
const SHORTEST: usize = 20;

/// The tokens that sign in.
pub struct Tokens(Vec<Token>);

struct Token {
    scope: Scope,
    digest: [u8; 32],
}

impl Tokens {
    /// The tokens of the data folder `folder`. The first time one with every scope is made; it comes back beside them
    /// and is kept nowhere else.
    ///
    /// # Errors
    /// `io` where the file cannot be read or written, `invalid` where others than its owner can read it or a line is
    /// no token.
    pub fn of_folder(folder: &Path) -> Result<(Self, Option<String>), ApiError> {
        let path = folder.join(FILE);
        if path.exists() {
            return Ok((Self::of_file(&path)?, None));
        }
        let token = Self::make(folder, Scope::Spend)?;
        Ok((Self::of_file(&path)?, Some(token)))
    }

    /// Makes a token with `scope`, keeps its digest in `folder`, and gives it.
    ///
    /// # Errors
    /// `io` where the file cannot be written.
    pub fn make(folder: &Path, scope: Scope) -> Result<String, ApiError> {
        let path = folder.join(FILE);
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)
            .map_err(|error| ApiError::new("io", format!("the system gives no random bytes: {error}")))?;
        let token = format!("{PREFIX}{}", hex::encode(bytes));
        let mut options = std::fs::OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let line = format!("{} {DIGEST}{}\n", scope.name(), hex::encode(digest(&token)));
        let written = options.open(&path).and_then(|mut file| file.write_all(line.as_bytes()));
        written.map_err(|error| ApiError::new("io", format!("{}: {error}", path.display())))?;
        Ok(token)
    }

    /// The tokens of a file.
    ///
    /// # Errors
    /// As [`Tokens::of_folder`].
    pub fn of_file(path: &Path) -> Result<Self, ApiError> {
        let unread = |error: std::io::Error| ApiError::new("io", format!("{}: {error}", path.display()));
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
                ApiError::invalid(format!(
                    "{path}: a line is `SCOPE TOKEN`, where SCOPE is read, write or spend"
                ))
            })
        });
        let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
        if tokens.is_empty() {
            return Err(ApiError::invalid(format!("{} holds no token", path.display())));
        }
        Ok(Self(tokens))
    }

    /// Position and scope of the token that `given` is.
    pub(crate) fn find(&self, given: &str) -> Option<(usize, Scope)> {
        // Digests are compared: how long that takes tells nothing of a token.
        let given = digest(given);
        self.0.iter().position(|token| token.digest == given).map(|at| (at, self.0[at].scope))
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }
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
        assert_eq!(tokens.find(&made), Some((0, Scope::Spend)));
        assert_eq!(tokens.find("sibyl_"), None);
        let kept = std::fs::read_to_string(folder.path().join(FILE)).unwrap();
        assert!(!kept.contains(&made) && kept.starts_with("spend sha256:"), "{kept}");
        let reader = Tokens::make(folder.path(), Scope::Read).unwrap();
        let (tokens, again) = Tokens::of_folder(folder.path()).unwrap();
        assert_eq!((again, tokens.count()), (None, 2));
        assert_eq!(tokens.find(&reader), Some((1, Scope::Read)));
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
        assert_eq!(
            (tokens.find(first), tokens.find(second)),
            (Some((0, Scope::Read)), Some((1, Scope::Spend)))
        );
    }
}
