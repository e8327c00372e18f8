//! The stems of words, as the keyword index makes them.

use crate::error::Result;
use parking_lot::Mutex;
use rusqlite::Connection;
use sibyl_text::language::runs::indexed;

/// Splits text into the tokens of a keyword index.
pub trait Stemmer: Send + Sync {
    /// The tokens of each of `texts`, in order; none for a text without letters or digits.
    ///
    /// # Errors
    /// Storage errors.
    fn tokens(&self, texts: &[String]) -> Result<Vec<Vec<String>>>;
}

/// The stemmer of SQLite's index: a temporary FTS5 table with the same tokenizer, read through `fts5vocab`.
pub struct PorterStemmer(Mutex<Connection>);

impl PorterStemmer {
    /// A stemmer in memory.
    ///
    /// # Errors
    /// Storage errors.
    pub fn new() -> Result<Self> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(
            "CREATE VIRTUAL TABLE word USING fts5 (text, content = '', tokenize = 'porter unicode61');
             CREATE VIRTUAL TABLE token USING fts5vocab (word, instance);",
        )?;
        Ok(Self(Mutex::new(connection)))
    }
}

impl Stemmer for PorterStemmer {
    fn tokens(&self, texts: &[String]) -> Result<Vec<Vec<String>>> {
        let mut connection = self.0.lock();
        // Never committed, so that each call starts with an empty table.
        let transaction = connection.transaction()?;
        {
            let mut insert = transaction.prepare_cached("INSERT INTO word (rowid, text) VALUES (?1, ?2)")?;
            for (row, text) in texts.iter().enumerate() {
                insert.execute((row, indexed(text)))?;
            }
        }
        let mut tokens: Vec<Vec<(i64, String)>> = vec![Vec::new(); texts.len()];
        {
            let mut select = transaction.prepare_cached("SELECT doc, offset, term FROM token")?;
            let mut rows = select.query([])?;
            while let Some(row) = rows.next()? {
                let document: usize = row.get(0)?;
                if let Some(list) = tokens.get_mut(document) {
                    list.push((row.get(1)?, row.get(2)?));
                }
            }
        }
        let in_order = |mut list: Vec<(i64, String)>| {
            list.sort_unstable();
            list.into_iter().map(|(_, term)| term).collect()
        };
        Ok(tokens.into_iter().map(in_order).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{PorterStemmer, Stemmer as _};

    #[test]
    fn stems_are_those_of_porter_and_keep_their_order() {
        let stemmer = PorterStemmer::new().unwrap();
        for (text, expected) in [
            ("emissions", &["emiss"][..]),
            ("S2.14(a)(iv)", &["s2", "14", "a", "iv"]),
            ("Källa åtgärder", &["kalla", "atgard"]),
            ("§ — ()", &[]),
            ("ＥＳＧ相關債券", &["esg", "相關", "關債", "債券"]),
            ("", &[]),
        ] {
            let tokens = stemmer.tokens(&[text.to_owned()]).unwrap();
            assert_eq!(tokens, [expected], "{text}");
        }
    }

    #[test]
    fn calls_do_not_see_each_other() {
        let stemmer = PorterStemmer::new().unwrap();
        let once = stemmer.tokens(&["one two".to_owned(), "three".to_owned()]).unwrap();
        assert_eq!(once, stemmer.tokens(&["one two".to_owned(), "three".to_owned()]).unwrap());
        assert_eq!(once, [vec!["on".to_owned(), "two".to_owned()], vec!["three".to_owned()]]);
    }
}
