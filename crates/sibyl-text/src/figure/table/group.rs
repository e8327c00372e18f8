//! Groups of rows: names that are given once, and apply to the rows below them.

use crate::language::sum;
use crate::language::words::is_stop;
use std::collections::HashSet;

/// The names that apply to the next rows, from the outermost down.
#[derive(Debug, Default)]
pub(super) struct Groups {
    open: Vec<Group>,
    /// Whether figures followed the last heading.
    begun: bool,
    /// The last row with figures that is not part of another, by its own name.
    whole: Option<String>,
    /// The names of the rows with figures since the last heading, in lower case.
    told: HashSet<String>,
    /// Names that several rows have, as the sums of groups do and that of the table does not.
    repeated: HashSet<String>,
}

#[derive(Debug)]
struct Group {
    /// Its column.
    column: usize,
    /// How far it is indented there.
    depth: usize,
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A separate row above those that it names. `filled` says whether some followed, `indented` whether these
    /// begin further right.
    Heading { filled: bool, indented: bool },
    /// A row with figures: it applies to rows below that are indented further.
    Whole,
    /// A cell of a row with figures: it applies to rows below with this column blank.
    Cell,
}

/// A cell that names a row, with its column.
pub(super) type Label = (usize, String);

impl Groups {
    /// None yet, in a table of which several rows have each of the `repeated` names.
    pub(super) fn among(repeated: HashSet<String>) -> Self {
        Self { repeated, ..Self::default() }
    }

    /// Opens the group that a row without figures names, which is indented `depth` times.
    pub(super) fn open(&mut self, labels: Vec<Label>, depth: usize) {
        let Some((first, _)) = labels.first() else { return };
        // A second one in a row is inside the first.
        if std::mem::take(&mut self.begun) {
            self.open.retain(|group| group.column < *first || group.column == *first && group.depth < depth);
        }
        self.told.clear();
        let kind = Kind::Heading { filled: false, indented: false };
        self.open.extend(labels.into_iter().map(|(column, name)| Group { column, depth, name, kind }));
    }

    /// The names of a row with figures: its groups, and its `labels`, which are indented `depth` times. A row without labels
    /// that differs from the one above by its unit or period (`repeats`) is about the same thing.
    pub(super) fn path(&mut self, labels: &[Label], depth: usize, repeats: bool) -> Vec<String> {
        self.begun = true;
        let Some((_, name)) = labels.first() else {
            let headings = |group: &&Group| matches!(group.kind, Kind::Heading { .. });
            let held = self.open.iter().filter(|group| repeats || headings(group));
            let mut path: Vec<String> = held.map(|group| group.name.clone()).collect();
            path.dedup();
            return path;
        };
        self.close(labels, depth);
        self.told.extend(words_of(name));
        // A sum is that of the rows above it, and no part of one of them.
        let applies = |group: &&Group| group.kind != Kind::Whole || !sum::is_sum(name);
        let mut path: Vec<String> =
            self.open.iter().filter(applies).map(|group| group.name.clone()).collect();
        match (&self.whole, part_of_another(name)) {
            (Some(whole), Some(part)) => {
                path.extend([whole.clone(), part.to_owned()]);
                path.dedup();
                path.extend(labels[1..].iter().map(|(_, name)| name.clone()));
                return path;
            }
            _ => self.whole = labels.last().map(|(_, name)| name.clone()),
        }
        path.extend(
            labels
                .iter()
                .map(|(_, name)| name)
                .filter(|name| !path.contains(name))
                .cloned()
                .collect::<Vec<_>>(),
        );
        // A sum is that of the rows above it, unless it names rows itself.
        if !sum::is_bare(name) || labels.len() > 1 {
            let cell = |(column, name): &Label| Group {
                column: *column,
                depth,
                name: name.clone(),
                kind: Kind::Cell,
            };
            self.open.extend(labels.iter().map(cell));
            let whole = labels.last().filter(|(_, name)| !sum::is_bare(name));
            let whole = whole.map(|label| Group { kind: Kind::Whole, ..cell(label) });
            self.open.extend(whole);
        }
        path
    }

    /// Ends the groups that do not apply to a row with these `labels`, the last of which is indented `depth` times.
    fn close(&mut self, labels: &[Label], depth: usize) {
        let [(first, name), ..] = labels else { return };
        let last = labels.last().map_or(*first, |(column, _)| *column);
        let first = *first;
        self.open.retain(|group| match group.kind {
            Kind::Whole => group.column == last && group.depth < depth,
            Kind::Heading { .. } => group.column < last || group.depth <= depth,
            Kind::Cell => true,
        });
        self.open.retain(|group| group.kind != Kind::Cell || group.column < first);
        // A row that begins further left than a heading ends its group. So does one that begins at the same place,
        // below rows that began further right, and a total of something else. Right below a heading, a total is of
        // what the heading names.
        self.open.retain(|group| {
            let ended = match group.kind {
                Kind::Heading { indented: true, .. } => true,
                Kind::Heading { filled, .. } => {
                    filled && !self.repeated.contains(name) && is_total_of_else(name, &group.name, &self.told)
                }
                Kind::Whole | Kind::Cell => false,
            };
            group.column < first || group.column == first && !ended
        });
        let cells: Vec<usize> =
            self.open.iter().filter(|group| group.kind == Kind::Cell).map(|group| group.column).collect();
        for group in &mut self.open {
            if let Kind::Heading { filled, indented } = &mut group.kind {
                *filled = true;
                *indented |= group.column < first && !cells.contains(&group.column);
            }
        }
    }
}

/// The part of the row above that `name` denotes: `fuel oil` of `– fuel oil`, `of which fuel oil`.
fn part_of_another(name: &str) -> Option<&str> {
    const MARKS: [&str; 9] =
        ["– ", "- ", "— ", "• ", "of which ", "of which: ", "thereof ", "davon ", "varav "];
    let mark = MARKS
        .iter()
        .find(|mark| name.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark)))?;
    Some(name[mark.len()..].trim()).filter(|part| !part.is_empty())
}

/// Whether `name` is a total, but not that of the group `own`, whose rows have the words `told` in their names.
fn is_total_of_else(name: &str, own: &str, told: &HashSet<String>) -> bool {
    let own: HashSet<String> = words_of(own).collect();
    let known = |word: &String| told.contains(word) || own.contains(word);
    let says = |word: &&String| {
        word.chars().count() > 1
            && !word.chars().all(char::is_numeric)
            && (!is_stop(word) || own.contains(*word))
    };
    sum::summed(name).is_some_and(|rest| !rest.is_empty() && !rest.iter().filter(says).any(known))
}

/// The words of a name, in lower case.
fn words_of(name: &str) -> impl Iterator<Item = String> {
    let lower = name.to_lowercase();
    let words: Vec<String> = lower.split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
    words.into_iter().filter(|word| !word.is_empty())
}
