//! Items inside a paragraph: where a label may appear, and where an item ends.

use super::super::line::{Form, Line, Opening, readings};
use super::{Item, Scan};
use crate::document::Span;
use crate::reference::ifrs::id::Class;

/// An item that the next lines may belong to or follow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Level {
    pub(super) item: usize,
    class: Class,
    ordinal: u16,
    form: Form,
    pub(super) open: bool,
}

impl Scan<'_> {
    /// Reads the line as an item if its label may appear here.
    pub(super) fn item(&mut self, line: &Line, form: Form) -> bool {
        let Some((labels, rest)) = line.labels(self.text, form) else { return false };
        if self.unit.opening.is_none() || !(form.listed || line.opens_block || line.after_clause) {
            return false;
        }
        let mut taken = false;
        for (n, (label, at)) in labels.iter().enumerate() {
            let start = if n == 0 {
                line.span.start + self.text[line.span.start..].find(|c: char| !c.is_whitespace()).unwrap_or(0)
            } else {
                *at
            };
            let Some((class, ordinal, keep)) = self.fit(label, form, form.listed || line.opens_block) else {
                break;
            };
            let parent = keep.checked_sub(1).map(|n| self.levels[n].item);
            let above = parent.map_or_else(
                || self.unit.opening.as_ref().map(|o| o.id.clone()),
                |p| Some(self.unit.items[p].id.clone()),
            );
            let id = format!("{}({label})", above.unwrap_or_default());
            if !self.seen.insert(id.clone()) {
                break;
            }
            self.leave(keep, start);
            let last = n + 1 == labels.len();
            let title = (last && form.bold)
                .then(|| self.bold_title(form, rest))
                .flatten()
                .map(|t| Span::new(*at, t.end));
            let words = if last { rest } else { labels[n + 1].1 };
            self.unit.items.push(Item { id, span: Span::new(start, start), title, words, parent });
            self.levels.push(Level { item: self.unit.items.len() - 1, class, ordinal, form, open: true });
            taken = true;
        }
        taken
    }

    /// The place of an item labelled `label`: its kind, its ordinal and how many levels stay open above it. The
    /// next of a running list comes first, then the first of a list inside the last item. If the line is set
    /// apart, a list with gaps comes third.
    fn fit(&self, label: &str, form: Form, apart: bool) -> Option<(Class, u16, usize)> {
        let readings = readings(label);
        let next = readings.iter().find_map(|&(class, n)| {
            let level = self.levels.iter().rposition(|l| l.class == class && l.ordinal + 1 == n)?;
            Some((class, n, level))
        });
        let inside = |first: bool| {
            let last = self.levels.last();
            readings.iter().copied().find_map(|(class, n)| {
                let fits = last.is_none_or(|l| l.open && l.class < class) && (n == 1 || !first);
                let known = self.levels.iter().any(|l| l.class == class);
                (fits && !known).then_some((class, n, self.levels.len()))
            })
        };
        let child = inside(true);
        match (next, child) {
            (Some(next), Some(child)) => {
                let sibling = &self.levels[next.2];
                let deeper = form.indent > sibling.form.indent + 1
                    || form.indent == sibling.form.indent && self.expects_list();
                Some(if deeper { child } else { next })
            }
            (Some(found), None) | (None, Some(found)) => Some(found),
            (None, None) if apart => {
                let gap = readings.iter().find_map(|&(class, n)| {
                    let level = self.levels.iter().rposition(|l| l.class == class && l.ordinal < n)?;
                    Some((class, n, level))
                });
                gap.or_else(|| inside(false))
            }
            (None, None) => None,
        }
    }

    /// Whether the words before end in a colon.
    fn expects_list(&self) -> bool {
        self.levels.last().is_some_and(|l| {
            let item = &self.unit.items[l.item];
            self.text[item.words..].lines().next().is_some_and(|line| line.trim_end().ends_with(':'))
        })
    }

    /// An item that is named in full.
    pub(super) fn item_by_id(&mut self, opening: &Opening, start: usize, title: Option<Span>, form: Form) {
        let labels: Vec<&str> =
            opening.id[opening.base().len()..].trim_matches(['(', ')']).split(")(").collect();
        let own = self.unit.opening.as_ref().map_or(0, |o| o.id.matches('(').count());
        let depth = labels.len().saturating_sub(own + 1);
        let keep = self
            .levels
            .iter()
            .take(depth)
            .take_while(|l| opening.id.starts_with(&self.unit.items[l.item].id))
            .count();
        let class = [Class::Letter, Class::Roman, Class::Digit][(labels.len() - 1).min(2)];
        let ordinal =
            labels.last().and_then(|l| readings(l).into_iter().find(|r| r.0 == class)).map_or(1, |r| r.1);
        let at = start + self.text[start..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
        self.leave(keep, at);
        let parent = keep.checked_sub(1).map(|n| self.levels[n].item);
        self.seen.insert(opening.id.clone());
        self.unit.items.push(Item {
            id: opening.id.clone(),
            span: Span::new(at, at),
            title,
            words: opening.rest,
            parent,
        });
        self.levels.push(Level { item: self.unit.items.len() - 1, class, ordinal, form, open: true });
    }

    /// Ends the items below the first `keep` levels at `at`; those above continue, even where other words seemed
    /// to have ended them.
    pub(super) fn leave(&mut self, keep: usize, at: usize) {
        for level in self.levels.drain(keep.min(self.levels.len())..).filter(|l| l.open) {
            self.unit.items[level.item].span.end = at;
        }
        for level in &mut self.levels {
            level.open = true;
        }
    }

    /// Ends the items that a new block no longer belongs to. A list item contains what is indented further; an
    /// item without a list marker ends with its sentence.
    pub(super) fn leave_items(&mut self, line: &Line, form: Form) {
        let words = &self.text[form.words..line.span.end];
        for n in (0..self.levels.len()).rev() {
            let level = self.levels[n];
            if !level.open {
                continue;
            }
            let ends = if level.form.listed {
                form.indent <= level.form.indent
            } else {
                let before = self.text[..line.span.start].trim_end();
                !form.listed
                    && form.indent <= level.form.indent
                    && (words.starts_with('*') || before.ends_with(['.', '!', '?']))
            };
            if !ends {
                break;
            }
            self.levels[n].open = false;
            self.unit.items[level.item].span.end = line.span.start;
        }
    }
}
