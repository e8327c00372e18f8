//! The real window, driven through WebDriver under a private X server.

use crate::built;
use crate::program::Sibyl;
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::io::{BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use thirtyfour::prelude::*;

pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
/// The longest that a script may measure.
const MEASURING: Duration = Duration::from_secs(300);
pub(crate) const BEAT: Duration = Duration::from_millis(50);

/// Keeps errors that nobody caught and breaches of the content security policy. A second measurement of an element
/// within one frame is reported as an error, but it is none: the browser reports its new size with the next frame.
const TROUBLE: &str = r#"() => {
    const kept = (window.sibylTrouble = []);
    window.addEventListener("error", ({ message }) =>
        message.startsWith("ResizeObserver loop") || kept.push(`error: ${message}`));
    window.addEventListener("unhandledrejection", (event) => kept.push(`unhandled: ${event.reason?.message ?? JSON.stringify(event.reason)}`));
    document.addEventListener("securitypolicyviolation", (event) =>
        kept.push(`policy: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`));
}"#;

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
    server: Process,
    _screen: Screen,
    surroundings: Surroundings,
}

/// Environment variables of a window.
#[derive(Clone)]
struct Surroundings(Vec<(String, OsString)>);

impl Surroundings {
    fn new(folder: &Path, screen: &Screen, further: &[(&str, &str)]) -> Self {
        let own: [(&str, OsString); 12] = [
            ("DISPLAY", screen.display.as_str().into()),
            ("SIBYL_DATA_DIR", folder.into()),
            ("SIBYL_SHIPPED_DIR", crate::root().join("data").into()),
            ("TAURI_AUTOMATION", "true".into()),
            ("TAURI_WEBVIEW_AUTOMATION", "true".into()),
            ("WEBKIT_DISABLE_DMABUF_RENDERER", "1".into()),
            ("LIBGL_ALWAYS_SOFTWARE", "1".into()),
            ("NO_AT_BRIDGE", "1".into()),
            ("LANG", "en_US.UTF-8".into()),
            ("XDG_CONFIG_HOME", folder.join("config").into()),
            ("XDG_CACHE_HOME", folder.join("cache").into()),
            ("XDG_DATA_HOME", folder.join("window").into()),
        ];
        // No keychain and no other window except those of a test.
        let bus = ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus");
        let further =
            std::iter::once(&bus).chain(further).map(|(name, value)| (*name, OsString::from(value)));
        Self(own.into_iter().chain(further).map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn around(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_remove("OPENROUTER_API_KEY").env_remove("COHERE_API_KEY").stdout(Stdio::null());
        command.envs(self.0.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// A data folder that outlives the windows opened on it.
pub fn data_folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

impl Desktop {
    /// Opens the window on `folder` as the system does when it opens `link`.
    pub async fn open(folder: &Path) -> Self {
        Self::with(folder, &[]).await
    }

    /// Opens the window on `folder` with further environment variables. Everything that the window keeps outside the
    /// library is kept below the folder too.
    pub async fn with(folder: &Path, environment: &[(&str, &str)]) -> Self {
        Self::started(folder, environment, &[]).await
    }

    /// Opens the window on `folder` as the system does that opens `link`.
    pub async fn at_link(folder: &Path, link: &str) -> Self {
        Self::started(folder, &[], &[link]).await
    }

    async fn started(folder: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Self {
        let screen = Screen::start();
        let surroundings = Surroundings::new(folder, &screen, environment);
        let port = TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port").port();
        let server = surroundings
            .around("WebKitWebDriver")
            .arg(format!("--port={port}"))
            .spawn()
            .expect("WebKitWebDriver (package webkit2gtk-driver)");
        let server = Process(server);
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(start.elapsed() < PATIENCE, "the driver does not listen");
            tokio::time::sleep(BEAT).await;
        }
        // The engine's HTTP client brings no provider of its own; for a second window one is installed already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut capabilities = Capabilities::new();
        let options = json!({ "binary": built("sibyl-desktop"), "args": arguments });
        capabilities.set("webkitgtk:browserOptions", options).expect("capabilities are JSON");
        let url = format!("http://127.0.0.1:{port}");
        let driver = WebDriver::new(url, capabilities).await.expect("the window opens");
        let desktop = Self { driver, server, _screen: screen, surroundings };
        desktop.script(&format!("({TROUBLE})()"), []).await;
        desktop
    }

    /// Starts the program once more with `arguments` beside this window, and returns how it ended.
    pub fn start_again(&self, arguments: &[&str]) -> ExitStatus {
        let program = built("sibyl-desktop");
        let child = self.surroundings.around(&program).args(arguments).spawn();
        let mut process = Process(child.expect("the program starts"));
        let start = Instant::now();
        loop {
            if let Some(status) = process.0.try_wait().expect("the program can be asked") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "a second window stays open");
            std::thread::sleep(BEAT);
        }
    }

    /// Id of the program's process.
    pub fn process(&self) -> u32 {
        *children(self.server.0.id()).first().expect("the program runs")
    }

    /// Shows the screen at `address`, such as `#/settings`.
    pub async fn go(&self, address: &str) {
        self.script("window.location.hash = arguments[0]", [json!(address)]).await;
    }

    /// Runs `script` in the page and gives what it returns.
    pub async fn script(&self, script: &str, arguments: impl IntoIterator<Item = Value>) -> Value {
        let arguments: Vec<Value> = arguments.into_iter().collect();
        match self.driver.execute(script, arguments).await {
            Ok(answer) => answer.json().clone(),
            Err(error) => panic!("{script}: {error}"),
        }
    }

    /// Runs `script`, the body of an asynchronous function, and returns its result. The page is left alone
    /// meanwhile, so that its measurements are not disturbed.
    pub async fn measured(&self, script: &str, arguments: impl IntoIterator<Item = Value>) -> Value {
        let told = format!(
            "const tell = arguments[arguments.length - 1]; \
             (async () => {{ {script} }})().then(tell, (error) => tell({{ failed: String(error) }}))"
        );
        self.driver.set_script_timeout(MEASURING).await.expect("the driver waits for a script");
        let arguments: Vec<Value> = arguments.into_iter().collect();
        let answer = match self.driver.execute_async(told, arguments).await {
            Ok(answer) => answer.json().clone(),
            Err(error) => panic!("{script}: {error}"),
        };
        assert!(answer["failed"].is_null(), "{script}: {}", answer["failed"]);
        answer
    }

    /// Keeps a picture of the window in the ignored folder `screenshots`.
    pub async fn picture(&self, name: &str) {
        let folder: PathBuf = crate::root().join("screenshots");
        std::fs::create_dir_all(&folder).expect("a folder for pictures");
        // A picture is taken with the next frame, and an idle window draws none by itself.
        let stir = "const style = document.body.style; let frames = 0; const stir = () => { \
                    style.opacity = frames % 2 ? '' : '0.999'; \
                    if (++frames < 60) requestAnimationFrame(stir); }; stir()";
        self.script(stir, []).await;
        self.driver.screenshot(&folder.join(format!("{name}.png"))).await.expect("a picture");
    }

    /// What went wrong in the page since it opened: errors nobody caught and breaches of the security policy.
    pub async fn trouble(&self) -> Value {
        self.script("return window.sibylTrouble", []).await
    }

    /// Ends the program by its key, as a person does. Nothing may have gone wrong in its page.
    pub async fn close(self) {
        assert_eq!(self.trouble().await, json!([]), "the page had trouble");
        let programs = children(self.server.0.id());
        // The program may be gone before the driver has reported the key.
        let _ = self
            .driver
            .action_chain()
            .key_down(Key::Control)
            .send_keys("q")
            .key_up(Key::Control)
            .perform()
            .await;
        let start = Instant::now();
        while programs.iter().any(|id| Path::new(&format!("/proc/{id}/exe")).exists()) {
            assert!(start.elapsed() < PATIENCE, "the program does not end");
            tokio::time::sleep(BEAT).await;
        }
    }

    /// Ends the program without a warning, as a power cut does.
    pub fn kill(self) {
        for program in children(self.server.0.id()) {
            let ended = Command::new("kill").args(["-KILL", &program.to_string()]).status();
            assert!(ended.expect("kill").success(), "the program had ended before");
        }
    }
}

/// Processes that `parent` started.
fn children(parent: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("/proc").flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    ids.filter(|id| {
        // "PID (NAME) STATE PARENT …"; the name may have spaces.
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let rest = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
        rest.split_whitespace().nth(1).and_then(|word| word.parse().ok()) == Some(parent)
    })
    .collect()
}

/// A private X server on a display that it chooses itself.
pub struct Screen {
    _server: Process,
    display: String,
}

impl Screen {
    /// Starts one; it ends with its owner.
    pub fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "+extension", "GLX"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb (package xvfb)");
        let mut line = String::new();
        let out = server.stdout.take().expect("its output is piped");
        BufReader::new(out).read_line(&mut line).expect("Xvfb names its display");
        Self { _server: Process(server), display: format!(":{}", line.trim()) }
    }
}

/// A window that nobody drives.
pub struct Unattended(Process);

impl Unattended {
    /// Opens the window on the library of `sibyl` in its environment.
    pub fn start(screen: &Screen, sibyl: &Sibyl) -> Self {
        let environment = sibyl.environment();
        let further: Vec<(&str, &str)> =
            environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let surroundings = Surroundings::new(sibyl.folder(), screen, &further);
        let child = surroundings.around(built("sibyl-desktop")).stderr(Stdio::null()).spawn();
        Self(Process(child.expect("the program starts")))
    }

    /// `kill -9`; whether the window was still open then.
    pub fn kill(&mut self) -> bool {
        let open = self.0.0.try_wait().is_ok_and(|ended| ended.is_none());
        // It may have ended by itself.
        let _ = self.0.0.kill();
        let _ = self.0.0.wait();
        open
    }
}
