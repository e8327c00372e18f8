//! Passwords of locked files. They are kept in memory as long as the library is open, and nowhere else.

use super::Library;
use parking_lot::Mutex;

/// Maximum number of passwords kept; the oldest goes first. Each is tried on each locked file, which takes a
/// moment.
const MOST: usize = 32;

/// Passwords that were entered since the library was opened. Nothing prints them.
#[derive(Default)]
pub(crate) struct Passwords(Mutex<Vec<String>>);

impl Passwords {
    fn add(&self, passwords: Vec<String>) {
        let mut kept = self.0.lock();
        for password in passwords.into_iter().filter(|password| !password.is_empty()) {
            kept.retain(|known| *known != password);
            kept.insert(0, password);
        }
        kept.truncate(MOST);
    }

    /// All that are kept, the newest first.
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().clone()
    }
}

impl Library {
    /// Tries `passwords` on every locked file from now on, until the library is closed.
    pub fn try_passwords(&self, passwords: Vec<String>) {
        self.0.passwords.add(passwords);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_passwords_come_first_and_each_once() {
        let passwords = Passwords::default();
        passwords.add(vec!["old".to_owned(), String::new(), "new".to_owned()]);
        passwords.add(vec!["old".to_owned()]);
        assert_eq!(passwords.all(), ["old", "new"]);
        passwords.add((0..100).map(|number| number.to_string()).collect());
        assert_eq!((passwords.all().len(), passwords.all()[0].as_str()), (MOST, "99"));
    }
}
