//! The origins of the bytes of files and documents. The database and the wire have a line of text for each.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Where a document was read from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum DocumentOrigin {
    /// A file of this machine: its path.
    Path(String),
    /// Bytes that came through a door; `upload` as text.
    Upload,
}

impl DocumentOrigin {
    const UPLOAD: &str = "upload";

    /// Path of the file; `None` for bytes that came through a door.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Path(path) => Some(path),
            Self::Upload => None,
        }
    }
}

impl From<String> for DocumentOrigin {
    fn from(text: String) -> Self {
        if text == Self::UPLOAD { Self::Upload } else { Self::Path(text) }
    }
}

impl fmt::Display for DocumentOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path().unwrap_or(Self::UPLOAD))
    }
}

/// Where the bytes of a file of a job are.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum FileOrigin {
    /// In a file of this machine: its path.
    Path(String),
    /// With the job, at this position among its uploads, from 0; `upload:POSITION` as text.
    Upload(usize),
    /// In the library, in this row of a document; `stored:ROW` as text.
    Stored(i64),
}

impl FileOrigin {
    /// What the text of every upload begins with.
    pub(crate) const UPLOAD: &str = "upload:";
    const STORED: &str = "stored:";

    /// Path of the file; `None` if the bytes are in no file.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Path(path) => Some(path),
            Self::Upload(_) | Self::Stored(_) => None,
        }
    }
}

impl From<String> for FileOrigin {
    /// Paths of files are absolute, so that none reads like one of the others.
    fn from(text: String) -> Self {
        let upload = text.strip_prefix(Self::UPLOAD).and_then(|position| position.parse().ok());
        let stored = text.strip_prefix(Self::STORED).and_then(|row| row.parse().ok());
        upload.map(Self::Upload).or(stored.map(Self::Stored)).unwrap_or(Self::Path(text))
    }
}

impl fmt::Display for FileOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => f.write_str(path),
            Self::Upload(position) => write!(f, "{}{position}", Self::UPLOAD),
            Self::Stored(row) => write!(f, "{}{row}", Self::STORED),
        }
    }
}

/// Has an origin read from and written to the database and the wire as its text.
macro_rules! as_text {
    ($($origin:ty),+) => {$(
        impl From<$origin> for String {
            fn from(origin: $origin) -> Self {
                origin.to_string()
            }
        }

        impl ToSql for $origin {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.to_string().into())
            }
        }

        impl FromSql for $origin {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                String::column_result(value).map(Self::from)
            }
        }
    )+};
}

as_text!(DocumentOrigin, FileOrigin);

#[cfg(test)]
mod tests {
    use super::{DocumentOrigin, FileOrigin};

    #[test]
    fn an_origin_is_the_same_after_it_was_text() {
        let path = || "/w/upload:1/stored:2.md".to_owned();
        for (origin, text) in [
            (FileOrigin::Path(path()), path()),
            (FileOrigin::Upload(3), "upload:3".to_owned()),
            (FileOrigin::Stored(17), "stored:17".to_owned()),
        ] {
            assert_eq!(origin.to_string(), text);
            assert_eq!(FileOrigin::from(text), origin);
        }
        for (origin, text) in
            [(DocumentOrigin::Path(path()), path()), (DocumentOrigin::Upload, "upload".to_owned())]
        {
            assert_eq!(serde_json::to_value(&origin).unwrap(), text.as_str());
            assert_eq!(DocumentOrigin::from(text), origin);
        }
    }
}
