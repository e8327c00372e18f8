//! Corrections to what was read of a document: title, issuer and year. They stay with the document when it is
//! ingested again.

use super::{DocumentRow, row_of};
use crate::error::{Error, Result};
use crate::report::YEARS;
use crate::{SqliteStore, touch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum number of characters of a title and of the name of an issuer.
pub const LONGEST_DETAIL: usize = 300;

/// Title, issuer and year of a document, each if known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Details {
    /// Title.
    pub title: Option<String>,
    /// Who issued it.
    pub issuer: Option<String>,
    /// Year that it is about.
    pub year: Option<u16>,
}

impl Details {
    /// These, supplemented by those of `read`.
    pub(super) fn or(self, read: &Self) -> Self {
        Self {
            title: self.title.or_else(|| read.title.clone()),
            issuer: self.issuer.or_else(|| read.issuer.clone()),
            year: self.year.or(read.year),
        }
    }

    /// These without those that `read` says as well.
    fn beside(self, read: &Self) -> Self {
        Self {
            title: self.title.filter(|title| Some(title) != read.title.as_ref()),
            issuer: self.issuer.filter(|issuer| Some(issuer) != read.issuer.as_ref()),
            year: self.year.filter(|year| Some(*year) != read.year),
        }
    }

    fn checked(self) -> Result<Self> {
        if let Some(year) = self.year.filter(|year| !YEARS.contains(year)) {
            let (first, last) = (YEARS.start(), YEARS.end());
            return Err(Error::Invalid(format!("enter a year from {first} to {last}, not {year}")));
        }
        Ok(Self { title: line("title", self.title)?, issuer: line("issuer", self.issuer)?, year: self.year })
    }
}

/// `text` on one line; none if it is empty.
fn line(what: &str, text: Option<String>) -> Result<Option<String>> {
    let text = text.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let length = text.chars().count();
    if length > LONGEST_DETAIL {
        return Err(Error::Invalid(format!(
            "the {what} has {length} characters, but at most {LONGEST_DETAIL} are allowed; shorten it"
        )));
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

impl SqliteStore {
    pub(crate) async fn correct_document(
        &self,
        workspace: i64,
        id: i64,
        details: Details,
    ) -> Result<DocumentRow> {
        let details = details.checked()?;
        self.pool
            .write(move |tx| {
                tx.execute("DELETE FROM correction WHERE document = ?1", [id])?;
                let row = row_of(tx, workspace, id)?;
                let read = Details { title: Some(row.title), issuer: row.issuer, year: row.year };
                let said = details.beside(&read);
                if said != Details::default() {
                    tx.execute(
                        "INSERT INTO correction (document, title, issuer, year) VALUES (?1, ?2, ?3, ?4)",
                        (id, said.title, said.issuer, said.year),
                    )?;
                }
                touch(tx, "chunk")?;
                row_of(tx, workspace, id)
            })
            .await
    }
}
