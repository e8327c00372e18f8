//! A fuzzing target, with its seeds and its mutations.

mod door;
mod reader;
mod server;

use libfuzzer_sys::fuzzer_mutate;
use sibyl_lab::fuzz::mutate;
use sibyl_lab::random::Random;
use std::path::{Path, PathBuf};

/// Maximum length of a text in bytes: long ones take most of the time and show little more than short ones.
const LONGEST_TEXT: usize = 4_096;

/// Something that reads bytes from outside.
pub trait Target: Send + Sync {
    /// Reads `data`; a wrong result is a panic.
    fn run(&self, data: &[u8]);
    /// Inputs to begin from.
    fn seeds(&self) -> Vec<Vec<u8>>;
    /// Changes `data[..size]` in place, within `most` bytes; returns its new size.
    fn mutate(&self, data: &mut [u8], size: usize, most: usize, seed: u32) -> usize {
        let mut random = Random::new(seed.into());
        if random.below(2) == 0 {
            return fuzzer_mutate(data, size, most);
        }
        let mut bytes = data[..size].to_vec();
        mutate(&mut bytes, &mut random);
        placed(data, bytes, most).unwrap_or_else(|| fuzzer_mutate(data, size, most))
    }
}

/// Replaces `data` by `bytes`, if they fit.
fn placed(data: &mut [u8], bytes: Vec<u8>, most: usize) -> Option<usize> {
    let size = bytes.len();
    let room = data.get_mut(..size).filter(|_| size <= most && size > 0)?;
    room.copy_from_slice(&bytes);
    Some(size)
}

/// The target that `SIBYL_FUZZ` names.
///
/// # Panics
/// If there is none of that name; the names are listed.
pub fn named() -> Box<dyn Target> {
    let name = std::env::var("SIBYL_FUZZ").unwrap_or_default();
    if name == "list" {
        let of = |kind: &str, name: &str, most: usize| println!("{kind} {name} {most}");
        reader::targets().for_each(|(name, most)| of("reader", name, most));
        door::names().for_each(|name| of("door", name, LONGEST_TEXT));
        std::process::exit(0);
    }
    door::named(&name).or_else(|| reader::named(&name)).unwrap_or_else(|| {
        let names: Vec<&str> = reader::targets().map(|(name, _)| name).chain(door::names()).collect();
        panic!("SIBYL_FUZZ names no target: `{name}`; there are {}", names.join(" "))
    })
}

/// Writes the target's seeds into the last folder on the command line, if it is empty.
pub fn plant_seeds(target: &dyn Target) {
    let Some(folder) = std::env::args_os().next_back().map(PathBuf::from).filter(|path| path.is_dir()) else {
        return;
    };
    if folder.read_dir().is_ok_and(|mut files| files.next().is_none()) {
        for (at, seed) in target.seeds().iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{at}")), seed).expect("a seed can be written");
        }
    }
}

/// Files in `folder` of the repository and below it whose names end in `.extension`, none longer than `longest` bytes.
fn files(folder: &str, extension: &str, longest: usize) -> Vec<Vec<u8>> {
    fn within(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
        for path in folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                within(&path, extension, found);
            } else if path.extension().is_some_and(|there| there == extension) {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    within(&sibyl_tests::root().join(folder), extension, &mut found);
    found.sort();
    found.iter().filter_map(|path| std::fs::read(path).ok()).filter(|bytes| bytes.len() <= longest).collect()
}
