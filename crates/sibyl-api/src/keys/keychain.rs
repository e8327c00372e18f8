//! The operating system's keychain: Keychain on macOS, Credential Manager on Windows, the Secret Service elsewhere.
//!
//! Its calls block, may wait for a person to unlock it, and may hang with its daemon. They run one after the other
//! on a thread of their own, which the first call starts. Callers wait only for a limited time.

use keyring_core::{CredentialStore, Error, Result};
use sibyl_engine::http::ApiKey;
use sibyl_engine::secret::Secret;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::Duration;
use tokio::sync::oneshot;

/// Service that the entries belong to.
const SERVICE: &str = "sibyl";
/// Time limit for reading.
const LOOK: Duration = Duration::from_secs(3);
/// Time limit for a change: the keychain may ask its owner for a password.
const CHANGE: Duration = Duration::from_secs(60);

type Store = Arc<CredentialStore>;
type Answer<T> = std::result::Result<T, String>;

/// The keychain, opened when it is first needed.
#[derive(Debug, Default)]
pub(super) struct Keychain(OnceLock<Answer<mpsc::Sender<Request>>>);

#[derive(Debug)]
struct Request {
    secret: Secret,
    task: Task,
    answer: oneshot::Sender<Answer<Option<String>>>,
    /// The span of the caller, so that the log shows whose request it is.
    span: tracing::Span,
}

#[derive(Debug)]
enum Task {
    Get,
    Set(ApiKey),
    Clear,
}

impl Keychain {
    /// What is kept as `secret`.
    pub(super) async fn get(&self, secret: Secret) -> Answer<Option<String>> {
        self.ask(secret, Task::Get, LOOK).await
    }

    /// Keeps `key` as `secret`.
    pub(super) async fn set(&self, secret: Secret, key: ApiKey) -> Answer<()> {
        self.ask(secret, Task::Set(key), CHANGE).await.map(drop)
    }

    /// Forgets `secret`.
    pub(super) async fn clear(&self, secret: Secret) -> Answer<()> {
        self.ask(secret, Task::Clear, CHANGE).await.map(drop)
    }

    async fn ask(&self, secret: Secret, task: Task, time: Duration) -> Answer<Option<String>> {
        let requests = self.0.get_or_init(start).as_ref().map_err(String::clone)?;
        let (answer, answered) = oneshot::channel();
        let ended = || "the thread that asks it has ended".to_owned();
        requests
            .send(Request { secret, task, answer, span: tracing::Span::current() })
            .map_err(|_| ended())?;
        match tokio::time::timeout(time, answered).await {
            Ok(answer) => answer.map_err(|_| ended())?,
            Err(_) => Err(format!("it did not answer within {} s; it may be locked", time.as_secs())),
        }
    }
}

fn start() -> Answer<mpsc::Sender<Request>> {
    let (requests, incoming) = mpsc::channel::<Request>();
    let serve = move || {
        let mut store = None;
        for request in incoming {
            // A caller that gave up was told that nothing happened; then nothing may happen.
            if !request.answer.is_closed() {
                let done = request.span.in_scope(|| {
                    perform(&mut store, request.secret, &request.task).map_err(|error| describe(&error))
                });
                // The caller may give up now, too.
                let _ = request.answer.send(done);
            }
        }
    };
    let thread = std::thread::Builder::new().name("keychain".to_owned()).spawn(serve);
    thread.map(|_| requests).map_err(|error| format!("no thread can be started for it: {error}"))
}

/// Performs `task`. If a store that was opened before has lost its daemon, it is opened again.
fn perform(store: &mut Option<Store>, secret: Secret, task: &Task) -> Result<Option<String>> {
    if let Some(known) = store {
        match perform_in(known, secret, task) {
            Err(Error::PlatformFailure(_) | Error::NoStorageAccess(_)) => *store = None,
            done => return done,
        }
    }
    let opened = open()?;
    let done = perform_in(&opened, secret, task);
    *store = Some(opened);
    done
}

fn perform_in(store: &Store, secret: Secret, task: &Task) -> Result<Option<String>> {
    let entry = store.build(SERVICE, secret.name(), None)?;
    match task {
        Task::Get => match entry.get_password() {
            Ok(kept) => Ok(Some(kept)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        },
        Task::Set(key) => entry.set_password(key.reveal()).map(|()| None),
        Task::Clear => match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        },
    }
}

#[cfg(target_os = "macos")]
fn open() -> Result<Store> {
    Ok(apple_native_keyring_store::keychain::Store::new()?)
}

#[cfg(windows)]
fn open() -> Result<Store> {
    Ok(windows_native_keyring_store::Store::new()?)
}

#[cfg(all(unix, not(target_os = "macos")))]
fn open() -> Result<Store> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

/// The cause, in words that reveal nothing of what is kept. The system's own message goes to the log.
fn describe(error: &Error) -> String {
    match error {
        Error::PlatformFailure(cause) => {
            tracing::debug!("the keychain service failed: {cause}");
            "the system's keychain service doesn't respond".to_owned()
        }
        Error::NoStorageAccess(cause) => {
            tracing::debug!("the keychain service gave no access: {cause}");
            "the system's keychain denies access; unlock it".to_owned()
        }
        Error::BadEncoding(_) | Error::BadDataFormat(..) => "its entry for Sibyl is not a key".to_owned(),
        Error::Ambiguous(_) => "it has more than one entry for Sibyl; remove all but one".to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cause_shows_what_is_kept() {
        let kept = || b"sk-or-v1-0123456789".to_vec();
        for error in [
            Error::BadEncoding(kept()),
            Error::BadDataFormat(kept(), "cannot be decrypted".into()),
            Error::PlatformFailure("no daemon".into()),
        ] {
            let words = describe(&error);
            assert!(!words.contains("sk-or") && !words.contains("115, 107"), "{words}");
        }
        let raw = "zbus error: failed to connect to unix:path=/run/user/1000/bus";
        assert_eq!(
            describe(&Error::PlatformFailure(raw.into())),
            "the system's keychain service doesn't respond"
        );
        let request = Task::Set(ApiKey::new("sk-or-v1-0123456789").unwrap());
        assert!(!format!("{request:?}").contains("0123456789"));
    }
}
