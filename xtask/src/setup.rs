//! What a fresh machine lacks: system packages and UI packages.

use crate::process::{Failure, Step, found, root};
use std::path::Path;
use std::process::{Command, Stdio};

/// What the system packages are for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum Need {
    /// Building and running the desktop program.
    Build,
    /// Testing the engine and its doors as well.
    Engine,
    /// Testing the window too.
    Test,
}

const BUILD: &[&str] = &["build-essential", "pkg-config", "libwebkit2gtk-4.1-dev"];
const ENGINE: &[&str] = &["tesseract-ocr"];
const TEST: &[&str] = &["xvfb", "xauth", "webkit2gtk-driver", "dbus", "gnome-keyring", "locales", "faketime"];
/// Names under which a Chromium is found.
const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// Installs missing system packages on Debian and Ubuntu, as root or through sudo; elsewhere it names what is missing.
pub fn system(need: Need) -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Ok(()); // macOS and Windows bring their own web view.
    }
    let wanted = BUILD.iter().chain(if need >= Need::Engine { ENGINE } else { &[] });
    let wanted = wanted.chain(if need == Need::Test { TEST } else { &[] });
    if !Path::new("/etc/debian_version").exists() {
        let missing: Vec<_> =
            probes(need).into_iter().filter(|(there, _)| !there).map(|(_, name)| name).collect();
        return if missing.is_empty() {
            Ok(())
        } else {
            Err(Failure(format!(
                "these are missing: {}. Install them with your package manager (Fedora: webkit2gtk4.1-devel, \
                 tesseract, xorg-x11-server-Xvfb, webkit2gtk-driver, gnome-keyring, libfaketime; Arch: webkit2gtk-4.1, tesseract, \
                 tesseract-data-eng, xorg-server-xvfb, gnome-keyring, libfaketime)",
                missing.join(", ")
            )))
        };
    }
    let missing: Vec<&str> = wanted.copied().filter(|package| !installed(package)).collect();
    install(&missing)
}

/// Installs Chromium on Debian if neither it nor Chrome is there; on other systems it names what is missing.
pub fn browser() -> Result<(), Failure> {
    if BROWSERS.iter().any(|name| found(name)) {
        return Ok(());
    }
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    // Ubuntu has no package of it.
    if release.lines().any(|line| line == "ID=debian") {
        return install(&["chromium"]);
    }
    Err(Failure(format!("a browser is missing: put one of {} on the path", BROWSERS.join(", "))))
}

fn install(missing: &[&str]) -> Result<(), Failure> {
    if missing.is_empty() {
        return Ok(());
    }
    println!("These system packages are missing and will be installed: {}", missing.join(" "));
    let root = Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.trim_ascii() == b"0");
    if !root && !found("sudo") {
        return Err(Failure(format!(
            "run as root: apt-get install --no-install-recommends {}",
            missing.join(" ")
        )));
    }
    let apt = |words: &[&str]| {
        let mut all = if root { vec![] } else { vec!["sudo"] };
        all.extend(["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
        all.extend(words);
        Step::new("install system packages").run(all[0], &all[1..])
    };
    apt(&["update", "-qq"])?;
    let mut words = vec!["install", "-y", "-qq", "--no-install-recommends"];
    words.extend(missing);
    apt(&words)
}

fn installed(package: &str) -> bool {
    Command::new("dpkg-query")
        .args(["-W", "-f=${Status}", package])
        .stderr(Stdio::null())
        .output()
        .is_ok_and(|out| out.stdout.ends_with(b"install ok installed"))
}

fn probes(need: Need) -> Vec<(bool, &'static str)> {
    let library = Command::new("pkg-config").args(["--exists", "webkit2gtk-4.1"]).status();
    let mut all = vec![(library.is_ok_and(|s| s.success()), "the WebKitGTK 4.1 development files")];
    if need >= Need::Engine {
        all.push((found("tesseract"), "Tesseract"));
    }
    if need == Need::Test {
        all.push((found("Xvfb"), "Xvfb"));
        all.push((found("WebKitWebDriver"), "WebKitWebDriver"));
        all.push((found("gnome-keyring-daemon"), "gnome-keyring"));
        all.push((found("dbus-run-session"), "dbus-run-session"));
        all.push((found("localedef"), "localedef"));
        all.push((found("faketime"), "libfaketime"));
    }
    all
}

/// Installs the UI packages if they are missing or outdated, and builds the UI.
pub fn ui() -> Result<(), Failure> {
    packages()?;
    Step::new("build the interface").within("ui").run(npm(), &["run", "--silent", "build"])
}

/// Installs the UI packages if they are missing or outdated.
pub fn packages() -> Result<(), Failure> {
    let age = |path: &str| root().join(path).metadata().and_then(|m| m.modified()).ok();
    if age("ui/node_modules/.package-lock.json") < age("ui/package-lock.json") {
        Step::new("install interface packages")
            .within("ui")
            .run(npm(), &["ci", "--no-audit", "--no-fund"])?;
    }
    Ok(())
}

/// The npm program of this system.
pub const fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}
