//! Headings become sections.

use crate::document::{Section, Span};

/// Sections as their headings come, each in the one whose heading has a higher level.
#[derive(Debug, Default)]
pub(in crate::format) struct Outline {
    sections: Vec<Section>,
    /// Those that are open, outermost first.
    open: Vec<usize>,
}

impl Outline {
    /// Adds the section that a heading begins.
    pub(in crate::format) fn add(&mut self, level: u8, title: String, heading: Span) {
        self.close(level, heading.start);
        let parent = self.open.last().copied();
        self.open.push(self.sections.len());
        self.sections.push(Section { level, title, heading, span: heading, parent });
    }

    /// All sections of a body that ends at byte `end`.
    pub(in crate::format) fn finish(mut self, end: usize) -> Vec<Section> {
        self.close(0, end);
        self.sections
    }

    fn close(&mut self, level: u8, end: usize) {
        while let Some(last) = self.open.pop_if(|open| self.sections[*open].level >= level) {
            self.sections[last].span.end = end;
        }
    }
}
