//! The structured form: AND, OR, NOT, "phrases", prefix* and parentheses, with errors that say where.
//!
//! NOT binds closest, then AND, then OR, as in FTS5; parts next to each other are joined with AND. AND NOT, which
//! FTS5 refuses but people write, excludes from everything before it.

use crate::error::{Error, Result};
use crate::store::keyword::{Clause, Phrase};

/// Parentheses inside parentheses that are read.
const DEEPEST: usize = 50;

/// A phrase of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub phrase: Phrase,
    /// Whether it is looked for (or kept out by NOT).
    pub wanted: bool,
    /// Its place in the query, in characters.
    pub at: usize,
}

/// A query read to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Structured {
    pub clause: Clause,
    /// Its phrases in the order of the clause.
    pub phrases: Vec<Asked>,
}

/// Reads `query`.
///
/// # Errors
/// [`Error::QuerySyntax`] with the character where it went wrong.
pub(super) fn parse(query: &str) -> Result<Structured> {
    let tokens = tokens(query)?;
    let mut parser = Parser { tokens: &tokens, at: 0, end: query.chars().count(), phrases: Vec::new() };
    let clause = parser.or(true, 0)?;
    match parser.peek() {
        None => Ok(Structured { clause, phrases: parser.phrases }),
        Some((_, at)) => Err(syntax(*at, "a closing parenthesis has no opening one; remove it")),
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    And,
    Or,
    Not,
    Phrase { text: String, prefix: bool },
}

fn syntax(at: usize, message: impl Into<String>) -> Error {
    Error::QuerySyntax { at, message: message.into() }
}

fn tokens(query: &str) -> Result<Vec<(Token, usize)>> {
    let characters: Vec<char> = query.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(&c) = characters.get(at) {
        let start = at;
        at += 1;
        let token = match c {
            c if c.is_whitespace() => continue,
            '(' => Token::Open,
            ')' => Token::Close,
            '"' => {
                let length = characters[at..].iter().position(|&c| c == '"').ok_or_else(|| {
                    syntax(start, "a quotation mark is opened here and never closed; close it or remove it")
                })?;
                let text = characters[at..at + length].iter().collect();
                at += length + 1;
                phrase(&characters, text, &mut at, start)?
            }
            '*' => return Err(syntax(start, "a * goes after the beginning of a word, as in climat*")),
            _ => {
                while characters.get(at).is_some_and(|c| !c.is_whitespace() && !"()\"*".contains(*c)) {
                    at += 1;
                }
                match characters[start..at].iter().collect::<String>() {
                    word if word == "AND" => Token::And,
                    word if word == "OR" => Token::Or,
                    word if word == "NOT" => Token::Not,
                    word => phrase(&characters, word, &mut at, start)?,
                }
            }
        };
        tokens.push((token, start));
    }
    Ok(tokens)
}

fn phrase(characters: &[char], text: String, at: &mut usize, start: usize) -> Result<Token> {
    if !text.chars().any(char::is_alphanumeric) {
        return Err(syntax(start, format!("`{text}` has no letter or digit to search for")));
    }
    let prefix = characters.get(*at) == Some(&'*');
    *at += usize::from(prefix);
    Ok(Token::Phrase { text, prefix })
}

struct Parser<'a> {
    tokens: &'a [(Token, usize)],
    at: usize,
    end: usize,
    phrases: Vec<Asked>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&(Token, usize)> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, wanted: &Token) -> bool {
        let found = self.peek().is_some_and(|(token, _)| token == wanted);
        self.at += usize::from(found);
        found
    }

    fn or(&mut self, wanted: bool, depth: usize) -> Result<Clause> {
        let mut parts = vec![self.and(wanted, depth)?];
        while self.take(&Token::Or) {
            parts.push(self.and(wanted, depth)?);
        }
        Ok(joined(parts, Clause::Should))
    }

    fn and(&mut self, wanted: bool, depth: usize) -> Result<Clause> {
        let mut parts = vec![self.not(wanted, depth)?];
        loop {
            let and = self.take(&Token::And);
            if self.take(&Token::Not) {
                let kept = joined(parts, Clause::Must);
                parts = vec![without(kept, self.primary(!wanted, depth)?)];
            } else if and || matches!(self.peek(), Some((Token::Phrase { .. } | Token::Open, _))) {
                parts.push(self.not(wanted, depth)?);
            } else {
                return Ok(joined(parts, Clause::Must));
            }
        }
    }

    fn not(&mut self, wanted: bool, depth: usize) -> Result<Clause> {
        let mut clause = self.primary(wanted, depth)?;
        while self.take(&Token::Not) {
            clause = without(clause, self.primary(!wanted, depth)?);
        }
        Ok(clause)
    }

    fn primary(&mut self, wanted: bool, depth: usize) -> Result<Clause> {
        let Some((token, at)) = self.peek().cloned() else {
            return Err(syntax(
                self.end,
                "expected a word, a \"phrase\" or a parenthesis, but the query ends",
            ));
        };
        self.at += 1;
        match token {
            Token::Phrase { text, prefix } => {
                let known = Phrase::new(text);
                let phrase = Phrase { prefix: prefix || known.prefix, ..known };
                self.phrases.push(Asked { phrase: phrase.clone(), wanted, at });
                Ok(Clause::Phrase(phrase))
            }
            Token::Open if depth >= DEEPEST => {
                Err(syntax(at, format!("more than {DEEPEST} parentheses are nested")))
            }
            Token::Open => {
                let inner = self.or(wanted, depth + 1)?;
                if self.take(&Token::Close) {
                    return Ok(inner);
                }
                Err(syntax(at, "a parenthesis is opened here and never closed"))
            }
            Token::Close => Err(syntax(at, "expected a word or a \"phrase\" before the closing parenthesis")),
            Token::Not => Err(syntax(at, "NOT excludes something and needs a word before it, as in a NOT b")),
            Token::And | Token::Or => {
                let name = if token == Token::And { "AND" } else { "OR" };
                Err(syntax(
                    at,
                    format!(
                        "{name} goes between two parts; write \"{}\" to search for the word",
                        name.to_lowercase()
                    ),
                ))
            }
        }
    }
}

fn joined(mut parts: Vec<Clause>, with: fn(Vec<Clause>) -> Clause) -> Clause {
    if parts.len() == 1 { parts.remove(0) } else { with(parts) }
}

fn without(kept: Clause, excluded: Clause) -> Clause {
    Clause::MustNot(Box::new([kept, excluded]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A clause with all its parentheses.
    fn shown(clause: &Clause) -> String {
        let parts = |parts: &[Clause], operator: &str| {
            format!("({})", parts.iter().map(shown).collect::<Vec<_>>().join(operator))
        };
        match clause {
            Clause::Phrase(phrase) => format!("\"{}\"{}", phrase.text, if phrase.prefix { " *" } else { "" }),
            Clause::Should(all) => parts(all, " OR "),
            Clause::Must(all) => parts(all, " AND "),
            Clause::MustNot(two) => parts(two.as_slice(), " NOT "),
        }
    }

    #[test]
    fn queries_are_read() {
        for (query, clause) in [
            ("climate", "\"climate\""),
            ("climate risk", "(\"climate\" AND \"risk\")"),
            ("climate OR risk AND plan", "(\"climate\" OR (\"risk\" AND \"plan\"))"),
            ("(climate OR risk) AND plan", "((\"climate\" OR \"risk\") AND \"plan\")"),
            ("plan NOT climate risk", "((\"plan\" NOT \"climate\") AND \"risk\")"),
            ("plan AND NOT climate", "(\"plan\" NOT \"climate\")"),
            ("a AND b AND NOT c d", "(((\"a\" AND \"b\") NOT \"c\") AND \"d\")"),
            ("\"transition plan\" climat*", "(\"transition plan\" AND \"climat\" *)"),
            ("\"net ze\"*", "\"net ze\" *"),
            ("S2.14(a)", "(\"S2.14\" AND \"a\")"),
            ("and or not", "(\"and\" AND \"or\" AND \"not\")"),
        ] {
            assert_eq!(shown(&parse(query).unwrap().clause), clause, "{query}");
        }
        let wanted: Vec<bool> = parse("a NOT (b OR c) d").unwrap().phrases.iter().map(|p| p.wanted).collect();
        assert_eq!(wanted, [true, false, false, true]);
    }

    #[test]
    fn errors_say_where() {
        for (query, expected) in [
            ("", 0),
            ("climate AND", 11),
            ("AND climate", 0),
            ("climate OR OR risk", 11),
            ("NOT climate", 0),
            ("risk OR NOT climate", 8),
            ("risk AND NOT", 12),
            ("(climate", 0),
            ("climate)", 7),
            ("a \"b", 2),
            ("över \"--\"", 5),
            ("*", 0),
            ("climate ()", 9),
        ] {
            match parse(query) {
                Err(Error::QuerySyntax { at, .. }) => assert_eq!(at, expected, "{query}"),
                other => panic!("{query}: {other:?}"),
            }
        }
        assert!(matches!(parse(&"(".repeat(10_000)), Err(Error::QuerySyntax { at: DEEPEST, .. })));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(query in "\\PC{0,60}|[()\"*ANDORT a]{0,40}") {
            if let Ok(read) = parse(&query) {
                prop_assert!(!read.phrases.is_empty());
            }
        }
    }
}
