//! Links from outside, and the one window that follows them.

use serde_json::json;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use sibyl_tests::secret_service::SecretService;

const AT: &str = "return location.hash === arguments[0]";

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_leads_the_first_window_to_the_link_and_ends() {
    let service = SecretService::start();
    let sibyl = Sibyl::with_words();
    let bus = ("DBUS_SESSION_BUS_ADDRESS", service.address());
    let desktop = Desktop::with(sibyl.folder(), &[bus]).await;
    desktop.says("[data-testid=library-corpora]", "sasb").await;
    let window = desktop.process();

    assert!(desktop.start_again(&["sibyl://standards/S2.14(a)(iv)"]).success());
    desktop.until(AT, &[json!("#/standards/S2.14(a)(iv)")]).await;
    desktop.says("#standards-title", "Climate transition plan").await;

    // Without a link it only shows the window; with one that doesn’t match anything it says so.
    assert!(desktop.start_again(&[]).success());
    assert!(desktop.start_again(&["sibyl://nowhere/at-all"]).success());
    desktop.says("ol[aria-live=polite]", "doesn’t match anything").await;
    assert!(desktop.script(AT, [json!("#/standards/S2.14(a)(iv)")]).await.as_bool().unwrap());
    assert_eq!(desktop.process(), window);
    desktop.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_opens_the_window_at_its_place() {
    let sibyl = Sibyl::with_words();
    let desktop = Desktop::at_link(sibyl.folder(), "sibyl://standards/S2.6(a)").await;
    desktop.until(AT, &[json!("#/standards/S2.6(a)")]).await;
    desktop.says("#standards-title", "6(a)").await;
    desktop.close().await;
}
