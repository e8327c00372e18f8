//! Converts byte offsets of the engine to UTF-16 offsets of the editor.

use sibyl_text::Span;

/// Maps byte offsets of one text to UTF-16 code units.
pub struct Utf16 {
    /// At every 1,024th byte or the next boundary: byte offset and code units before it.
    marks: Vec<(usize, usize)>,
    text: String,
}

const STRIDE: usize = 1024;

impl Utf16 {
    /// Prepares the map in one pass over `text`.
    pub fn new(text: String) -> Self {
        let mut marks = vec![(0, 0)];
        let (mut units, mut next) = (0, STRIDE);
        for (byte, character) in text.char_indices() {
            if byte >= next {
                marks.push((byte, units));
                next = byte + STRIDE;
            }
            units += character.len_utf16();
        }
        Self { marks, text }
    }

    /// Code units before the byte offset `byte`, which lies on a character boundary.
    pub fn offset(&self, byte: usize) -> usize {
        let mark = self.marks.partition_point(|&(at, _)| at <= byte).saturating_sub(1);
        let (at, units) = self.marks[mark];
        units + self.text[at..byte].chars().map(char::len_utf16).sum::<usize>()
    }

    /// The byte offset after `units` code units. It is the end of a shorter text, and the start of a character
    /// that the offset falls into.
    pub fn byte(&self, units: usize) -> usize {
        let mark = self.marks.partition_point(|&(_, before)| before <= units).saturating_sub(1);
        let (start, mut before) = self.marks[mark];
        for (at, character) in self.text[start..].char_indices() {
            before += character.len_utf16();
            if before > units {
                return start + at;
            }
        }
        self.text.len()
    }

    /// The span in code units: first and one past the last.
    pub fn span(&self, span: Span) -> (usize, usize) {
        (self.offset(span.start), self.offset(span.end))
    }

    /// The text itself.
    pub fn into_text(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_utf_16() {
        let text = "aé漢🌍 ".repeat(700);
        let map = Utf16::new(text.clone());
        for (byte, _) in text.char_indices() {
            let units = text[..byte].encode_utf16().count();
            assert_eq!(map.offset(byte), units);
            assert_eq!(map.byte(units), byte);
        }
        let units = text.encode_utf16().count();
        assert_eq!(map.offset(text.len()), units);
        assert_eq!((map.byte(units), map.byte(units + 9)), (text.len(), text.len()));
    }

    #[test]
    fn an_offset_inside_a_character_is_its_start() {
        assert_eq!(Utf16::new("a🌍b".to_owned()).byte(2), 1);
    }
}
