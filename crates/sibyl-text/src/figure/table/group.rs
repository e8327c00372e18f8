//! Groups of rows: names that are given once, and apply to the rows below them.

use crate::language::sum;

/// The names that apply to the next rows, from the outermost down.
#[derive(Debug, Default)]
pub(super) struct Groups {
    open: Vec<Group>,
    /// Whether figures followed the last heading.
    begun: bool,
    /// The last row with figures that is not part of another, by its own name.
    whole: Option<String>,
}

#[derive(Debug)]
struct Group {
    /// Its column.
    column: usize,
    name: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A separate row above those that it names. `filled` says whether some followed, `indented` whether these
    /// begin further right.
    Heading { filled: bool, indented: bool },
    /// A cell of a row with figures: it applies to rows below with this column blank.
    Cell,
}

/// A cell that names a row, with its column.
pub(super) type Label = (usize, String);

impl Groups {
    /// Opens the group that a row without figures names.
    pub(super) fn open(&mut self, labels: Vec<Label>) {
        let Some((first, _)) = labels.first() else { return };
        // A second one in a row is inside the first.
        if std::mem::take(&mut self.begun) {
            self.open.retain(|group| group.column < *first);
        }
        let kind = Kind::Heading { filled: false, indented: false };
        self.open.extend(labels.into_iter().map(|(column, name)| Group { column, name, kind }));
    }

    /// The names of a row with figures: its groups, and its `labels`. A row without labels that differs from the
    /// one above by its unit or period (`repeats`) is about the same thing.
    pub(super) fn path(&mut self, labels: &[Label], repeats: bool) -> Vec<String> {
        self.begun = true;
        let Some((first, name)) = labels.first() else {
            let held = self.open.iter().filter(|group| repeats || group.kind != Kind::Cell);
            return held.map(|group| group.name.clone()).collect();
        };
        self.close(*first, name);
        let mut path: Vec<String> = self.open.iter().map(|group| group.name.clone()).collect();
        match (&self.whole, part_of_another(name)) {
            (Some(whole), Some(part)) => {
                path.extend([whole.clone(), part.to_owned()]);
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
        // A sum is that of the rows above it.
        if !sum::is_bare(name) {
            let cell =
                |(column, name): &Label| Group { column: *column, name: name.clone(), kind: Kind::Cell };
            self.open.extend(labels.iter().map(cell));
        }
        path
    }

    /// Ends the groups that do not apply to a row called `name`, whose labels begin at the column `first`.
    fn close(&mut self, first: usize, name: &str) {
        self.open.retain(|group| group.kind != Kind::Cell || group.column < first);
        // A row that begins further left than a heading ends its group. So does one that begins at the same place,
        // below rows that began further right, and a total of something else. Right below a heading, a total is of
        // what the heading names.
        self.open.retain(|group| {
            let ended = match group.kind {
                Kind::Heading { indented: true, .. } => true,
                Kind::Heading { filled, .. } => filled && is_total_of_else(name, &group.name),
                Kind::Cell => false,
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

/// Whether `name` is a total, but not that of the group called `group`.
fn is_total_of_else(name: &str, group: &str) -> bool {
    let group = group.to_lowercase();
    let known = |word: &String| group.split(|c: char| !c.is_alphanumeric()).any(|known| known == word);
    sum::summed(name).is_some_and(|rest| !rest.is_empty() && !rest.iter().any(known))
}
