//! Size of the interface: what the window loads at first, and what comes with its pages.

use crate::Outcome;
use sibyl_lab::table::Table;
use std::path::Path;
use std::process::Command;

/// The scripts of the interface as built, in kilobytes.
pub fn measure() -> Outcome<String> {
    let dist = sibyl_tests::root().join("ui/dist");
    let first = std::fs::read_to_string(dist.join("index.html"))?;
    let mut sizes = [(0, 0), (0, 0)];
    for entry in std::fs::read_dir(dist.join("assets"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "js") {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let (plain, packed) = (path.metadata()?.len(), gzip(&path)?);
            let parts = if first.contains(&*name) { 0..2 } else { 1..2 };
            for size in &mut sizes[parts] {
                *size = (size.0 + plain, size.1 + packed);
            }
        }
    }
    let mut table = Table::new(&["scripts of the interface", "kB", "gzip kB"]);
    for (name, (plain, packed)) in ["loaded before the first screen", "all pages"].into_iter().zip(sizes) {
        table.row([name.to_owned(), (plain / 1_000).to_string(), (packed / 1_000).to_string()]);
    }
    Ok(table.markdown())
}

fn gzip(path: &Path) -> Outcome<u64> {
    let packed = Command::new("gzip").args(["--best", "--stdout"]).arg(path).output()?;
    Ok(packed.stdout.len() as u64)
}
