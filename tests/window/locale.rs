//! Every screen under the locales of servers, of containers, and of people who write numbers and lines in other ways.

use crate::screens::SCREENS;
use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;

/// Whether `text` has a number whose thousands are set apart.
fn groups(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    letters.windows(5).any(|five| {
        let digit = |at: usize| five[at].is_numeric();
        digit(0) && !five[1].is_alphanumeric() && digit(2) && digit(3) && digit(4)
    })
}

/// Opens every screen under `locale` and gives the trouble of each.
async fn walk(locale: &str) -> Vec<String> {
    let sibyl = Sibyl::with_instant_vectors();
    let environment = [("LANG", locale), ("LC_ALL", locale), ("LANGUAGE", "")];
    let desktop = Desktop::with(sibyl.folder(), &environment).await;
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
    desktop.close().await;
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_screen_opens_under_every_locale() {
    for locale in ["C.UTF-8", "POSIX", "en_GB.UTF-8", "sv_SE.UTF-8", "ar_EG.UTF-8"] {
        assert_eq!(walk(locale).await, [""; 0], "{locale}");
    }
}
