//! Lints as part of the build. Cargo calls this program as its compiler, which lets clippy compile the crates of the
//! workspace. Cargo does not count such a wrapper among what a crate is built from, so a plain build shares all of it.

use crate::process::{Failure, Step, cargo, compiled, root, target};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::time::SystemTime;

/// Has this program, called as a compiler, lint with the clippy that the variable names.
pub const LINT: &str = "SIBYL_LINT";

/// The wrapper of somebody who has one, through which all other crates go on being compiled.
const THROUGH: &str = "SIBYL_LINT_THROUGH";

/// What clippy leaves in the list of what a crate was built from.
const LINTED: &str = "# env-dep:CLIPPY_ARGS";

/// Acts as the compiler that cargo calls: the first word is the compiler itself.
pub fn compile(clippy: &str, words: &[&str]) -> ExitCode {
    let [compiler, rest @ ..] = words else { return ExitCode::from(2) };
    // Cargo also asks the compiler about itself, and caps the lints of crates from elsewhere.
    let ours = rest.contains(&"--crate-name")
        && !rest.iter().any(|word| *word == "--cap-lints" || word.starts_with("--print"));
    if ours {
        let cure = "; `rustup component add clippy` installs clippy";
        compiled(Command::new(clippy).args(words).arg("-Dwarnings"), cure)
    } else {
        match std::env::var(THROUGH).ok().filter(|wrapper| !wrapper.is_empty()) {
            Some(wrapper) => compiled(Command::new(wrapper).args(words), ""),
            None => compiled(Command::new(compiler).args(rest), ""),
        }
    }
}

/// A step that lints the crates of the workspace as it builds them; a warning fails it. Clippy beside the build would
/// read every dependency and every crate a second time.
pub fn step(name: &str) -> Result<Step<'_>, Failure> {
    static WRAPPER: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let wrapper = WRAPPER.get_or_init(|| copied().map_err(|error| format!("lint: {error}")));
    let wrapper = wrapper.as_ref().map_err(|why| Failure(why.clone()))?;
    // Each toolchain has its own beside its cargo; otherwise it is on the path.
    let beside = Path::new(&cargo()).with_file_name("clippy-driver");
    let clippy = if beside.exists() { beside } else { "clippy-driver".into() };
    Ok(Step::new(name)
        .with("RUSTC_WRAPPER", &wrapper.to_string_lossy())
        .with(LINT, &clippy.to_string_lossy())
        .with(THROUGH, &std::env::var("RUSTC_WRAPPER").unwrap_or_default()))
}

/// A copy of this program, which a build may replace while it needs it.
fn copied() -> io::Result<PathBuf> {
    let copy = target().join(format!("lint{}", std::env::consts::EXE_SUFFIX));
    fs::create_dir_all(target())?;
    if copy.exists() {
        fs::remove_file(&copy)?; // One that is running cannot be written over.
    }
    fs::copy(std::env::current_exe()?, &copy)?;
    Ok(copy)
}

/// Builds and lints the workspace in `folder`.
pub fn workspace(folder: &Path) -> Result<(), Failure> {
    let folder = &root().join(folder);
    let last = built(folder).join("linted");
    let began = SystemTime::now();
    let since = last.metadata().and_then(|file| file.modified()).ok();
    forget(folder, since).map_err(|error| Failure(format!("lint: {error}")))?;
    // In one go: what uses only one core is built beside the rest.
    let build = ["build", "--workspace", "--all-targets"];
    step("build and lint programs and tests")?.within(folder).cargo(&build)?;
    File::create(&last)
        .and_then(|file| file.set_modified(began))
        .map_err(|error| Failure(format!("{}: {error}", last.display())))
}

/// Where a build of the workspace in `folder` is put.
fn built(folder: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| folder.join("target"), PathBuf::from)
}

/// Removes what was built without lints `since` then: cargo would count it as built.
fn forget(folder: &Path, since: Option<SystemTime>) -> io::Result<()> {
    let newer =
        |path: &Path| since.is_none() || path.metadata().and_then(|file| file.modified()).ok() > since;
    let debug = built(folder).join("debug");
    let mut places = entries(&debug.join("build"))?;
    places.extend(["deps", "examples"].map(|place| debug.join(place)));
    for place in places {
        for list in entries(&place)? {
            if list.extension().is_none_or(|extension| extension != "d") || !newer(&list) {
                continue;
            }
            let text = fs::read_to_string(&list)?.replace("\\ ", " ");
            // The compiler works in the workspace's folder and names its sources from there, one a line.
            let mut sources = text.lines().filter_map(|line| line.strip_suffix(':')).map(Path::new);
            let ours = sources.any(Path::is_relative);
            let built: Vec<&Path> =
                text.lines().filter_map(|line| Some(Path::new(line.split_once(": ")?.0))).collect();
            // What an editor checks is no part of a build.
            let checked = |file: &&Path| file.extension().is_some_and(|end| end == "rmeta" || end == "d");
            if ours && !text.contains(LINTED) && !built.iter().all(checked) {
                for file in built.iter().filter(|file| file.is_file()) {
                    fs::remove_file(file)?;
                }
            }
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}
