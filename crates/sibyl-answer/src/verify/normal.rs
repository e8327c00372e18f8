//! Text as it is compared with quotes: white space, hyphens, quotation marks and emphasis do not count.

use sibyl_text::Span;

/// Minimum length of a text that is looked for, in characters.
const SHORTEST: usize = 3;

/// A text that knows the place in its source of every character.
pub struct Normal {
    characters: Vec<char>,
    places: Vec<usize>,
    /// Bytes of each in the source.
    widths: Vec<usize>,
}

impl Normal {
    /// `text`, normalised.
    pub fn of(text: &str) -> Self {
        Self::of_span(text, Span::new(0, text.len()))
    }

    /// The stretch `span` of `text`, normalised; places are those in `text`.
    pub fn of_span(text: &str, span: Span) -> Self {
        let mut normal = Self { characters: Vec::new(), places: Vec::new(), widths: Vec::new() };
        for (at, c) in span.of(text).char_indices() {
            let (at, width) = (span.start + at, c.len_utf8());
            let c = match c {
                '*' | '_' | '\u{ad}' | '\u{200b}' | '\u{feff}' | '`' => continue,
                '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
                '\u{2018}' | '\u{2019}' | '\u{201a}' | '\u{2032}' => '\'',
                '\u{201c}'..='\u{201f}' | '\u{ab}' | '\u{bb}' | '\u{2033}' => '"',
                c if c.is_whitespace() => continue,
                c => c,
            };
            normal.characters.push(c);
            normal.places.push(at);
            normal.widths.push(width);
        }
        normal
    }

    /// Whether nothing is left of it.
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// Where `wanted` occurs as whole words, in bytes of the text this was made of.
    pub fn find(&self, wanted: &Self) -> Option<Span> {
        let length = wanted.characters.len();
        if length < SHORTEST || length > self.characters.len() {
            return None;
        }
        let mut all = 0..=self.characters.len() - length;
        let touches = |a: char, b: char| a.is_alphanumeric() && b.is_alphanumeric();
        let whole = |at: usize| {
            // With white space between them in the text, two words do not touch.
            let before = at > 0
                && self.places[at - 1] + self.widths[at - 1] == self.places[at]
                && touches(self.characters[at - 1], self.characters[at]);
            let last = at + length - 1;
            let after = last + 1 < self.characters.len()
                && self.places[last] + self.widths[last] == self.places[last + 1]
                && touches(self.characters[last], self.characters[last + 1]);
            !before && !after
        };
        let at = all.find(|&at| self.characters[at..at + length] == wanted.characters[..] && whole(at))?;
        let last = at + length - 1;
        Some(Span::new(self.places[at], self.places[last] + self.widths[last]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_found_with_its_place() {
        let text = "He said: “the **well‑known**\nplan” is good.";
        let normal = Normal::of(text);
        let found = normal.find(&Normal::of("\"the well-known plan\" is")).unwrap();
        assert_eq!(found.of(text), "“the **well‑known**\nplan” is");
        assert!(normal.find(&Normal::of("the unknown plan")).is_none());
    }

    #[test]
    fn half_a_word_or_figure_is_not_found() {
        let normal = Normal::of("output of 195 GWh");
        assert!(normal.find(&Normal::of("95 GWh")).is_none());
        assert!(normal.find(&Normal::of("195 GW")).is_none());
        assert!(normal.find(&Normal::of("195 GWh")).is_some());
    }
}
