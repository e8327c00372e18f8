//! Every screen under the locales of servers, of containers, and of people who write numbers and lines in other ways.

use crate::screens::SCREENS;
use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use std::path::Path;
use std::process::Command;

/// Whether `text` has a number with separated thousands.
fn groups(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    letters.windows(5).any(|five| {
        let digit = |at: usize| five[at].is_numeric();
        digit(0) && !five[1].is_alphanumeric() && digit(2) && digit(3) && digit(4)
    })
}

/// Makes `locale`, such as `sv_SE.UTF-8`, known to programs whose LOCPATH is `folder`. Systems have few by
/// themselves, and a program that is given an unknown one uses none.
fn compile(locale: &str, folder: &Path) {
    let name = locale.trim_end_matches(".UTF-8");
    let status = Command::new("localedef")
        .args(["--no-archive", "-i", name, "-f", "UTF-8"])
        .arg(folder.join(locale))
        .status()
        .expect("localedef");
    assert!(status.success(), "localedef {locale}: {status}");
}

/// Opens every screen under `locale`, which the page knows as `language`, and returns the problems of each.
async fn walk(locale: &str, language: Option<&str>) -> Vec<String> {
    let sibyl = Sibyl::with_instant_vectors();
    let locales = tempfile::tempdir().expect("a folder");
    if language.is_some() {
        compile(locale, locales.path());
    }
    let path = locales.path().to_string_lossy().into_owned();
    let environment = [("LANG", locale), ("LC_ALL", locale), ("LANGUAGE", ""), ("LOCPATH", &path)];
    let desktop = Desktop::with(sibyl.folder(), &environment).await;
    if let Some(language) = language {
        desktop.until("return navigator.language === arguments[0]", &[json!(language)]).await;
    }
    let mut found = Vec::new();
    for (address, css, words) in SCREENS {
        desktop.go(address).await;
        desktop.says(css, words).await;
        desktop.until("return !document.querySelector('main [aria-busy=true]')", &[]).await;
        let trouble = desktop.trouble().await;
        if trouble != json!([]) {
            found.push(format!("{address}: {trouble}"));
        }
    }
    desktop.go("#/settings/language").await;
    desktop.wait_for("[data-row=format]", groups).await;
    let trouble = desktop.trouble().await;
    if trouble != json!([]) {
        found.push(format!("settings/language: {trouble}"));
    }
    desktop.close().await;
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_screen_opens_under_every_locale() {
    // Nothing is an unset locale.
    for locale in ["C.UTF-8", "POSIX", ""] {
        assert_eq!(walk(locale, None).await, [""; 0], "{locale}");
    }
    for (locale, language) in [("en_GB.UTF-8", "en-GB"), ("sv_SE.UTF-8", "sv-SE"), ("ar_EG.UTF-8", "ar-EG")] {
        assert_eq!(walk(locale, Some(language)).await, [""; 0], "{locale}");
    }
}
