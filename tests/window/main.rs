//! The real window, walked as a person walks it: each screen's main task on real files.
#![allow(clippy::unwrap_used, reason = "tests fail by panicking")]

mod accessible;
mod ask;
mod assess;
mod chunk_lab;
mod damage;
mod evaluate;
mod first_start;
mod formats;
mod library;
mod link;
mod locale;
mod screens;
mod search_lab;
mod settings;
mod standards;
mod stream;

/// The number in the digits of `text`; 0 if there is none.
fn digits(text: &str) -> u64 {
    text.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}
