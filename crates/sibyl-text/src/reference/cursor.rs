//! A reading position in a text, shared by the detectors.

/// Reads a text from left to right. Copies are cheap: a parser keeps one to go back to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    /// The byte that is read next.
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor before the byte `at`, which is on a character boundary.
    pub(crate) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// What is still to be read.
    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The next character.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Everything before the next byte.
    pub(crate) fn read_so_far(&self) -> &'a str {
        self.text.get(..self.at).unwrap_or_default()
    }

    /// The character just read.
    pub(crate) fn before(&self) -> Option<char> {
        self.read_so_far().chars().next_back()
    }

    /// Reads one character that `wanted` accepts.
    pub(crate) fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let next = self.peek().filter(|&c| wanted(c))?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Reads `wanted`.
    pub(crate) fn eat(&mut self, wanted: char) -> bool {
        self.take(|c| c == wanted).is_some()
    }

    /// Reads white space with at most one line break and says how much there was (bytes).
    pub(crate) fn spaces(&mut self) -> usize {
        let start = self.at;
        let mut breaks = 0;
        while let Some(c) = self.peek() {
            breaks += usize::from(c == '\n');
            if !c.is_whitespace() || breaks > 1 {
                break;
            }
            self.at += c.len_utf8();
        }
        self.at - start
    }

    /// Reads a run of at most `most` ASCII digits; a longer run is not read.
    pub(crate) fn digits(&mut self, most: usize) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        (1..=most).contains(&length).then(|| {
            self.at += length;
            &rest[..length]
        })
    }

    /// Reads a run of letters and digits, empty if there is none.
    pub(crate) fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Reads the next run of letters and digits if it is one of `wanted`, in any case.
    pub(crate) fn word_of(&mut self, wanted: &[&str]) -> Option<&'a str> {
        let mut ahead = *self;
        let word = ahead.word();
        if word.is_empty() || !wanted.iter().any(|w| w.eq_ignore_ascii_case(word)) {
            return None;
        }
        self.at = ahead.at;
        Some(word)
    }

    /// Whether a letter or digit follows.
    pub(crate) fn in_word(&self) -> bool {
        self.peek().is_some_and(char::is_alphanumeric)
    }
}

/// Starts of words and signs in `text`: positions not preceded by a letter, digit or underscore.
pub(crate) fn starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    let mut inside = false;
    text.char_indices().filter_map(move |(at, c)| {
        let start = !inside && !c.is_whitespace();
        inside = c.is_alphanumeric() || c == '_';
        start.then_some(at)
    })
}

/// Characters that are written for a hyphen or for "to".
pub(crate) fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '\u{2012}' | '–' | '—' | '\u{2212}')
}
