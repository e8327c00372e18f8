//! Lines of judged sets, one at a time, with their numbers; a broken line never stops the ones after it.

use crate::error::{Error, Result};
use serde::de::DeserializeOwned;
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Longest line read, in bytes. A text of a collection is on one line.
const MAX_LINE: u64 = 64 << 20;

/// A line that is not blank.
#[derive(Debug, PartialEq)]
pub struct Line<T> {
    /// Its number, from 1.
    pub number: u64,
    /// Its content, or what is wrong with it.
    pub content: std::result::Result<T, String>,
}

/// The lines of a file that are not blank, without their line ends and without a byte order mark.
pub struct Lines<R> {
    reader: R,
    path: PathBuf,
    number: u64,
    failed: bool,
}

impl Lines<BufReader<File>> {
    /// The lines of the file at `path`.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be opened.
    pub fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| Error::io(path, error))?;
        Ok(Self::new(BufReader::new(file), path))
    }
}

impl<R: BufRead> Lines<R> {
    /// The lines of `reader`; `path` is named in errors.
    pub fn new(reader: R, path: &Path) -> Self {
        Self { reader, path: path.to_owned(), number: 0, failed: false }
    }

    /// The lines, each read as JSON.
    pub fn json<T: DeserializeOwned>(self) -> impl Iterator<Item = Result<Line<T>>> {
        self.map(|line| {
            let Line { number, content } = line?;
            let content =
                content.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
            Ok(Line { number, content })
        })
    }

    fn read(&mut self) -> std::io::Result<Option<std::result::Result<String, String>>> {
        let mut bytes = Vec::new();
        if (&mut self.reader).take(MAX_LINE).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.number += 1;
        if bytes.len() as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
            self.reader.skip_until(b'\n')?;
            return Ok(Some(Err(format!("it is longer than {} MB", MAX_LINE >> 20))));
        }
        let marked = if self.number == 1 { bytes.strip_prefix(b"\xef\xbb\xbf") } else { None };
        let line = marked.unwrap_or(&bytes).trim_ascii_end();
        Ok(Some(String::from_utf8(line.to_vec()).map_err(|_| "it is not UTF-8".to_owned())))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Line<String>>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            match self.read() {
                Ok(None) => return None,
                Ok(Some(Ok(text))) if text.trim().is_empty() => {}
                Ok(Some(content)) => return Some(Ok(Line { number: self.number, content })),
                Err(error) => {
                    self.failed = true;
                    return Some(Err(Error::io(&self.path, error)));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_numbers_and_broken_ones_stop_nothing() {
        let bytes = b"\xef\xbb\xbf1\r\n\n  \n2\n\xff\nx\n3";
        let lines = Lines::new(&bytes[..], Path::new("set.jsonl")).json::<u8>();
        let read: Vec<_> =
            lines.map(|line| line.unwrap()).map(|line| (line.number, line.content.ok())).collect();
        assert_eq!(read, [(1, Some(1)), (4, Some(2)), (5, None), (6, None), (7, Some(3))]);
    }
}
