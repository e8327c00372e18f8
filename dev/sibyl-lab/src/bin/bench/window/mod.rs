//! The real window of the release build, driven through WebDriver under a private X server without a graphics card.

mod bundle;
mod chunk_lab;
mod document;
mod scroll;
mod search_lab;
mod start;

use crate::Outcome;
use crate::timing::Times;
use sibyl_lab::table::Table;

/// What the window must keep to, in milliseconds.
mod goal {
    pub const START: f64 = 1_000.0;
    pub const CUT: f64 = 50.0;
    pub const CHUNKING: f64 = 16.0;
    pub const SEARCH: f64 = 50.0;
    pub const FRAME: f64 = 50.0;
}

/// Everything measured of the window; if it cannot be driven, a sentence that says what is missing.
pub async fn measure() -> Outcome<String> {
    let missing: Vec<&str> =
        ["Xvfb", "WebKitWebDriver"].into_iter().filter(|program| !on_path(program)).collect();
    if !cfg!(target_os = "linux") || !missing.is_empty() {
        return Ok(
            "Left out: the window is driven on Linux only, with Xvfb and WebKitWebDriver.\n".to_owned()
        );
    }
    let mut report = WindowTable(Table::new(&["what", "runs", "median ms", "p99 ms", "worst ms", "goal"]));
    start::measure(&mut report).await?;
    chunk_lab::measure(&mut report).await?;
    search_lab::measure(&mut report).await;
    let scrolled = scroll::measure(&mut report).await?;
    Ok(format!("{}\n{scrolled}\n\n{}", report.0.markdown(), bundle::measure()?))
}

/// The table as it grows.
struct WindowTable(Table);

impl WindowTable {
    /// Adds the `times` of something, and the limit in milliseconds if there is one.
    fn times(&mut self, what: &str, times: &Times, goal: Option<f64>) {
        self.0.row([
            what.to_owned(),
            times.count().to_string(),
            format!("{:.1}", times.p50()),
            format!("{:.1}", times.p99()),
            format!("{:.1}", times.worst()),
            goal.map_or_else(String::new, |goal| format!("< {goal:.0} ms")),
        ]);
    }
}

/// The numbers called `name` in a list of measurements.
fn column(measured: &serde_json::Value, name: &str) -> Times {
    measured.as_array().into_iter().flatten().filter_map(|each| each[name].as_f64()).collect()
}

fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}
