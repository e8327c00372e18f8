//! What is said of files that a password locks.

use crate::document::{Notice, Severity};

/// The notice of `what` (such as `a PDF`), which none of `tried` passwords opened.
pub(super) fn locked(what: &str, tried: usize) -> Notice {
    if tried == 0 {
        let message = format!(
            "expected {what} that opens without a password, found one that needs a password; enter its password, or \
             save a copy without one"
        );
        return Notice::new(Severity::Error, "password_needed", message);
    }
    let came = if tried == 1 { "one that does not".to_owned() } else { format!("{tried} that do not") };
    let message = format!(
        "expected the password of {what}, found {came} open it; check upper and lower case and enter it again, or save \
         a copy without a password"
    );
    Notice::new(Severity::Error, "password_wrong", message)
}
