//! A provider's key: saved in a real keychain, used, refused, and never seen again.

use sibyl_loopback::{Behaviour, Options, Provider};
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use sibyl_tests::secret_service::SecretService;
use std::path::Path;
use thirtyfour::prelude::*;

const KEY: &str = "sk-or-v1-9c41e6b0d2f7a853";
/// The whole text of the page.
const HELD: &str = "return [document.documentElement.outerHTML, ...[...document.querySelectorAll('input, textarea')] \
    .map((each) => each.value), JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href].join('\\n')";

/// Files below `folder` that hold `needle`.
fn holds(folder: &Path, needle: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holds(&path, needle));
        } else if std::fs::read(&path)
            .is_ok_and(|all| all.windows(needle.len()).any(|part| part == needle.as_bytes()))
        {
            found.push(path.display().to_string());
        }
    }
    found
}

async fn unseen(desktop: &Desktop, folder: &Path) {
    let held = desktop.script(HELD, []).await;
    assert!(!held.as_str().unwrap().contains(KEY), "the page holds the key");
    assert_eq!(holds(folder, KEY), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_is_saved_in_the_keychain_used_and_its_refusal_is_told_with_a_cure() {
    let service = SecretService::start();
    let provider = Provider::start(Options { key: Some(KEY.to_owned()), ..Options::default() }).unwrap();
    let sibyl = Sibyl::with_instant_vectors();
    let papers = tempfile::tempdir().unwrap();
    std::fs::write(papers.path().join("harbours.md"), "# Harbours\n\nQuays are raised before the tide is.\n")
        .unwrap();
    let run = sibyl.run(&["ingest", &papers.path().to_string_lossy(), "--corpus", "harbours", "--remote"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let log = ("SIBYL_LOG", "debug");
    let bus = ("DBUS_SESSION_BUS_ADDRESS", service.address());
    let desktop = Desktop::with(sibyl.folder(), &[bus, log]).await;
    desktop.go("#/settings/models").await;
    desktop.says("[data-row=openrouter]", "No key is set").await;
    desktop.fill("Provider", &format!("{}\n", provider.url())).await;
    desktop.says("[data-row=base_url]", "Saved").await;
    desktop.fill("Dimensions", "64\n").await;
    desktop.says("[data-row=embedding_model]", "Saved").await;
    desktop.fill("OpenRouter key, new value", &format!("{KEY}\n")).await;
    desktop.says("[data-row=openrouter]", "In the keychain").await;
    unseen(&desktop, sibyl.folder()).await;

    // It works, and it is what the provider received.
    desktop.press_in("[data-row=openrouter]", "Test").await;
    desktop.says("[data-row=openrouter]", "64 dimensions").await;
    assert_eq!(provider.requests().last().unwrap().authorization, Some(format!("Bearer {KEY}")));
    desktop.press_css("[aria-label='Embedding model'] [role=radio]").await;
    desktop.says("[data-row=coverage]", "remote").await;
    desktop.press("Embed the remaining chunks").await;
    desktop.says("[aria-modal=true]", "will be sent to the provider").await;
    assert!(!provider.texts().iter().any(|text| text.contains("Quays")), "the price comes first");
    desktop.press_in("[aria-modal=true]", "Embed").await;
    desktop.says("[data-row=coverage]", "1 vector").await;
    desktop.picture("settings-key").await;
    assert!(provider.texts().iter().any(|text| text.contains("Quays")));
    unseen(&desktop, sibyl.folder()).await;

    // The provider refuses, and repeats the key in its answer.
    provider.always(Behaviour::EchoKey);
    desktop.press_in("[data-row=openrouter]", "Test").await;
    let told = desktop.says("[data-row=openrouter]", "The provider rejected the key").await;
    println!("{told}");
    unseen(&desktop, sibyl.folder()).await;
    desktop.go("#/search-lab?q=quays&corpus=harbours").await;
    desktop.says("[aria-label='Fused list']", "Quays").await;
    desktop.field("Query").await;
    desktop.keys(Key::Enter + "").await;
    let told = desktop.says("[aria-label=Results]", "rejected").await;
    println!("{told}");
    desktop.says("[aria-label='Fused list']", "Quays").await;
    desktop.picture("search-lab-refused").await;

    // And then it is gone altogether.
    drop(provider);
    desktop.go("#/settings/models").await;
    desktop.press_in("[data-row=openrouter]", "Test").await;
    let told = desktop.says("[data-row=openrouter]", "can’t be reached").await;
    println!("{told}");
    assert!(desktop.count("nav [aria-current]").await > 0, "the window is still whole");
    unseen(&desktop, sibyl.folder()).await;
    let script = "return window.__TAURI_INTERNALS__.invoke('rpc', { command: 'secret.status', input: {}, requestId: 'test', workspace: 'default' })";
    let status = desktop.script(script, []).await;
    assert!(!status.to_string().contains(KEY) && status.to_string().contains("keychain"), "{status}");
    desktop.close().await;

    let again = Desktop::with(sibyl.folder(), &[bus]).await;
    again.go("#/settings/models").await;
    again.says("[data-row=openrouter]", "In the keychain").await;
    again.says("[data-row=coverage]", "1 vector").await;
    unseen(&again, sibyl.folder()).await;
    again.close().await;
}
