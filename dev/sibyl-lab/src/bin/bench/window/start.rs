//! From the start of the process to a first screen that takes input.

use super::{WindowTable, goal};
use crate::Outcome;
use crate::timing::Times;
use sibyl_tests::desktop::Desktop;
use sibyl_tests::program::Sibyl;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

const RUNS: usize = 9;
const FRESH_RUNS: usize = 3;

/// When the Library was on screen, in milliseconds of Unix time. The page marks the first task after the frame
/// that paints it, when it takes input again.
const SHOWN: &str = "const [mark] = performance.getEntriesByName('library'); \
                     return mark && performance.timeOrigin + mark.startTime";

pub async fn measure(report: &mut WindowTable) -> Outcome<()> {
    let sibyl = Sibyl::with_standards();
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        times.push(once(sibyl.folder()).await?);
    }
    let times: Times = times.into_iter().collect();
    report.times("start to the Library with the shipped standards", &times, Some(goal::START));
    let mut times = Vec::with_capacity(FRESH_RUNS);
    for _ in 0..FRESH_RUNS {
        times.push(once(Sibyl::fresh().folder()).await?);
    }
    let times: Times = times.into_iter().collect();
    report.times("first start, on an empty folder", &times, None);
    Ok(())
}

async fn once(folder: &Path) -> Outcome<f64> {
    let desktop = Desktop::open(folder).await;
    let shown = desktop.until(SHOWN, &[]).await.as_f64().unwrap_or(f64::NAN);
    let start = started(desktop.process())?;
    desktop.close().await;
    Ok(shown - start)
}

/// When the process `id` was started, in milliseconds of Unix time. Asking the driver for a window takes longer
/// than the window itself, and the kernel knows when the program began. The kernel counts from the boot in ticks
/// of 10 ms, so a time may be wrong by that much.
fn started(id: u32) -> Outcome<f64> {
    const TICK: f64 = 10.0;
    let path = format!("/proc/{id}/stat");
    let stat = std::fs::read_to_string(&path)?;
    // "PID (NAME) STATE …"; the name may have spaces. The start is the 22nd field.
    let ticks = stat.rsplit_once(") ").and_then(|(_, fields)| fields.split(' ').nth(19));
    let ticks: f64 = ticks.ok_or_else(|| format!("{path} tells no start"))?.parse()?;
    let uptime = std::fs::read_to_string("/proc/uptime")?;
    let uptime: f64 = uptime.split(' ').next().unwrap_or_default().parse()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    Ok(now.as_secs_f64() * 1e3 - uptime * 1e3 + ticks * TICK)
}
