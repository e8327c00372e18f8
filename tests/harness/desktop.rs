//! The real window, driven through WebDriver under a private X server.

use crate::program::built;
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use thirtyfour::prelude::*;

const PATIENCE: Duration = Duration::from_secs(60);
const BEAT: Duration = Duration::from_millis(100);

/// A process that ends with its owner.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An open window on a data folder.
pub struct Desktop {
    /// The driver of its page.
    pub driver: WebDriver,
    _server: Process,
    _screen: Process,
}

/// A data folder that outlives the windows opened on it.
pub fn data_folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

impl Desktop {
    /// Opens the window on `folder`.
    pub async fn open(folder: &Path) -> Self {
        let (screen, display) = screen();
        let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port").port();
        let server = Command::new("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .env("DISPLAY", display)
            .env("SIBYL_DATA_DIR", folder)
            .env("SIBYL_SHIPPED_DIR", crate::root().join("data"))
            .env("TAURI_AUTOMATION", "true")
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("WEBKIT_DISABLE_DMABUF_RENDERER", "1")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("NO_AT_BRIDGE", "1")
            .env("LANG", "en_US.UTF-8")
            .env("XDG_CONFIG_HOME", folder.join("config"))
            .env("XDG_CACHE_HOME", folder.join("cache"))
            .env_remove("OPENROUTER_API_KEY")
            .stdout(Stdio::null())
            .spawn()
            .expect("WebKitWebDriver (package webkit2gtk-driver)");
        let server = Process(server);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < PATIENCE, "the driver does not listen");
            tokio::time::sleep(BEAT).await;
        }
        // The engine's HTTP client brings no provider of its own; a second window finds one installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut capabilities = Capabilities::new();
        let options = serde_json::json!({ "binary": built("sibyl-desktop"), "args": [] });
        capabilities.set("webkitgtk:browserOptions", options).expect("capabilities are JSON");
        let url = format!("http://127.0.0.1:{port}");
        let driver = WebDriver::new(url, capabilities).await.expect("the window opens");
        Self { driver, _server: server, _screen: screen }
    }

    /// Shows the screen at `address`, such as `#/settings`.
    pub async fn go(&self, address: &str) {
        let arguments = vec![serde_json::json!(address)];
        self.driver
            .execute("window.location.hash = arguments[0]", arguments)
            .await
            .expect("the window moves");
    }

    /// Waits until the text of `css` is as wanted, and returns it.
    pub async fn wait_for(&self, css: &str, wanted: impl Fn(&str) -> bool) -> String {
        let start = Instant::now();
        let mut last = String::new();
        while start.elapsed() < PATIENCE {
            if let Ok(element) = self.driver.find(By::Css(css)).await {
                last = element.prop("textContent").await.ok().flatten().unwrap_or_default();
                if wanted(&last) {
                    return last;
                }
            }
            tokio::time::sleep(BEAT).await;
        }
        panic!("{css}: last seen {last:?}");
    }

    /// Keeps a picture of the window in the ignored folder `screenshots`.
    pub async fn picture(&self, name: &str) {
        let folder: PathBuf = crate::root().join("screenshots");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        self.driver.screenshot(&folder.join(format!("{name}.png"))).await.expect("a picture");
    }

    /// Closes the window.
    pub async fn close(self) {
        self.driver.quit().await.expect("the window closes");
    }
}

/// A private X server on a display that it chooses itself.
fn screen() -> (Process, String) {
    let mut server = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "+extension", "GLX"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb (package xvfb)");
    let mut line = String::new();
    let out = server.stdout.take().expect("its output is piped");
    BufReader::new(out).read_line(&mut line).expect("Xvfb names its display");
    (Process(server), format!(":{}", line.trim()))
}
