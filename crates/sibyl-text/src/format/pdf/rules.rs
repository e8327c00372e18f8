//! Tables that only horizontal rules mark: the missing verticals, from breaks in the rules or from the gutters
//! between the words.

use super::geometry::{Rect, bounds};
use super::gutters::{gutters, names_columns, over};
use super::line::{Line, rows};
use super::metrics::{CELL_STEP, ROW_REACH};
use super::ruling::{Ruling, join};
use super::word::{Turn, Word, is_dash, is_numeric, is_years};
use crate::language::sum::is_sum;

/// Shortest rule of a table (points): shorter ones underline words.
const MIN_RULE: f32 = 100.0;
/// Distance within which the ends of two rules agree (points).
const SAME_END: f32 = 6.0;
/// Fewest rules of a table.
const MIN_RULES: usize = 3;
/// Distance of the heights of two rules that are one, broken between groups of columns, and widest such break (points).
const SAME_HEIGHT: f32 = 1.5;
/// Widest gap or overlap between two parts of a rule that meet, and least distance of that place from its ends (points).
const JOINT: f32 = 3.0;
const AT_END: f32 = 8.0;
const BROKEN: f32 = 60.0;
/// Words per cell from which columns are prose and not a table.
const PROSE: usize = 60;
/// Ratio to the usual letters between rules from which a word is part of a heading.
const HEADING: f32 = 1.25;
/// Gap between two words that are no phrase (em).
const BESIDE_EACH_OTHER: f32 = 1.5;
/// Free height over text between two rules, beyond the usual one, from which the text begins another table (in letter
/// sizes).
const APART: f32 = 1.3;
/// Words of a first column, on average, from which it names no rows where those beside it hold fewer than the other.
const FIRST: usize = 40;
const BESIDE: usize = 12;

/// Height over the baseline at which a line strikes words out, and at which it underlines them (in letter sizes).
const STRIKE: std::ops::Range<f32> = 0.12..0.5;
const UNDER: std::ops::Range<f32> = -0.3..-0.01;
/// Share of such a line that words take, and distance of its ends from theirs (points).
const MARKED: f32 = 0.7;
/// Ratio of letter sizes up to which small letters are a mark.
const MARK: f32 = 0.85;
const AT_WORD: f32 = 2.0;
/// Rulings of a page beyond which it is a drawing and none is taken for a mark of the text.
const MAX_MARKS: usize = 4_000;

/// The rulings that a page's horizontal rules and words imply.
pub(super) fn implied(rulings: &[Ruling], words: &[Word]) -> Vec<Ruling> {
    let down = join(rulings, false, 1.5, 3.0);
    let free = |rule: &Ruling| {
        rule.to - rule.from >= MIN_RULE
            && !down.iter().any(|v| {
                v.at > rule.from - 3.0
                    && v.at < rule.to + 3.0
                    && v.from < rule.at + 3.0
                    && v.to > rule.at - 3.0
            })
    };
    let across: Vec<Ruling> = join(rulings, true, 1.5, 3.0).into_iter().filter(free).collect();
    let mut out = Vec::new();
    let groups = beside(groups(&across, rulings), words);
    for group in groups.into_iter().flat_map(|group| unheaded(group, words)) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let rect = Rect { left: first.from, top: first.at, right: first.to, bottom: last.at };
        let inside: Vec<Word> = words
            .iter()
            .filter(|w| w.turn == Turn::Level && rect.holds(w.rect.center(), 0.0))
            .cloned()
            .collect();
        if inside.is_empty() {
            continue;
        }
        let count = inside.len();
        let mut rect = rect;
        let text_rows = rows(inside);
        let broken = breaks(rulings, &group);
        let sure = !broken.is_empty();
        let mut edges = if sure { broken } else { gutters(&text_rows, &rect) };
        for (from, to) in group.first().map(|rule| wide_breaks(rule, &across)).unwrap_or_default() {
            if !edges.iter().any(|edge| (from - SAME_END..to + SAME_END).contains(edge)) {
                edges.push((from + to) / 2.0);
            }
        }
        edges.sort_by(f32::total_cmp);
        let cells = (edges.len() + 1) * (group.len() - 1).max(1);
        if edges.is_empty()
            || (!sure && (count / cells > PROSE || captioned(&text_rows, &edges, group.len() - 1)))
        {
            continue;
        }
        let bands: Vec<Vec<&Line>> = group
            .windows(2)
            .map(|pair| {
                let between = pair[0].at..pair[1].at;
                text_rows.iter().filter(|row| between.contains(&row.rect.center().1)).collect()
            })
            .collect();
        let bound = bands.iter().all(|band| !holds_rows(band, &edges));
        for (at, band) in bands.iter().enumerate() {
            // The lines of a header may be rows, of which one names several columns of the next.
            let header = at == 0 && band.iter().all(|row| names_columns(row));
            split(band, &edges, bound && !header, &rect, &mut out);
        }
        out.extend(group.iter().filter(|rule| is_broken(rule, &across)).copied());
        if let Some(bottom) = last_row(words, &group, &edges) {
            rect.bottom = bottom;
            out.push(Ruling { horizontal: true, at: bottom, from: rect.left, to: rect.right });
        }
        for &at in &edges {
            // A name over several columns stands in one cell.
            let from = over(&text_rows, at).map_or(rect.top, |pair| {
                let cut = (pair[0].rect.bottom + pair[1].rect.top) / 2.0;
                let rule = group.iter().map(|rule| rule.at);
                let mut between =
                    rule.filter(|at| (pair[0].rect.center().1..pair[1].rect.center().1).contains(at));
                between.next().unwrap_or_else(|| {
                    out.push(Ruling { horizontal: true, at: cut, from: rect.left, to: rect.right });
                    cut
                })
            });
            out.push(Ruling { horizontal: false, at, from, to: rect.bottom });
        }
    }
    out
}

/// The same groups, but those that stand side by side at the same heights become one if the right one does not name
/// its rows. The rules of one table may be broken between its groups of columns.
fn beside(mut groups: Vec<Vec<Ruling>>, words: &[Word]) -> Vec<Vec<Ruling>> {
    groups.sort_by(|a, b| a[0].from.total_cmp(&b[0].from));
    let mut out: Vec<Vec<Ruling>> = Vec::new();
    for right in groups {
        let left = out.iter_mut().find(|left| {
            let gap = right[0].from - left[0].to;
            let same = |rule: &&Ruling| left.iter().any(|other| (other.at - rule.at).abs() <= SAME_HEIGHT);
            let shared = right.iter().filter(same).count();
            (0.0..BROKEN).contains(&gap)
                && shared >= MIN_RULES
                && shared * 4 >= right.len().max(left.len()) * 3
                && names_no_rows(&right, words)
        });
        match left {
            Some(left) => {
                let to = right[0].to;
                left.iter_mut().for_each(|rule| rule.to = to);
            }
            None => out.push(right),
        }
    }
    out.sort_by(|a, b| a[0].at.total_cmp(&b[0].at));
    out
}

/// The breaks in a rule that is drawn in parts.
fn wide_breaks(rule: &Ruling, across: &[Ruling]) -> Vec<(f32, f32)> {
    let within = |one: &&Ruling| {
        (one.at - rule.at).abs() <= SAME_HEIGHT
            && one.from >= rule.from - AT_WORD
            && one.to <= rule.to + AT_WORD
    };
    let mut parts: Vec<&Ruling> = across.iter().filter(within).collect();
    parts.sort_by(|a, b| a.from.total_cmp(&b.from));
    parts.windows(2).map(|pair| (pair[0].to, pair[1].from)).filter(|(from, to)| from < to).collect()
}

/// Whether a rule is drawn in parts with a wide break between them.
fn is_broken(rule: &Ruling, across: &[Ruling]) -> bool {
    !across.iter().any(|one| {
        (one.at - rule.at).abs() <= SAME_HEIGHT
            && one.from <= rule.from + AT_WORD
            && one.to >= rule.to - AT_WORD
    })
}

/// Whether what stands first between most rules of a group is a number.
fn names_no_rows(group: &[Ruling], words: &[Word]) -> bool {
    let first = |pair: &[Ruling]| {
        let held = words.iter().filter(|word| {
            let (x, y) = word.rect.center();
            y > pair[0].at && y < pair[1].at && x > pair[0].from && x < pair[0].to
        });
        held.min_by(|a, b| a.rect.left.total_cmp(&b.rect.left))
    };
    let firsts: Vec<&Word> = group.windows(2).filter_map(first).collect();
    let numbers = firsts.iter().filter(|word| is_numeric(&word.text) || is_dash(&word.text)).count();
    !firsts.is_empty() && numbers * 4 >= firsts.len() * 3
}

/// Where the row ends that stands below the last rule of a group, if there is one. Its lines begin beside each other
/// in the first column and another one. They have letters like those above, and keep to the columns.
fn last_row(words: &[Word], group: &[Ruling], edges: &[f32]) -> Option<f32> {
    let last = group.last()?;
    let inside = |word: &&Word| {
        word.turn == Turn::Level
            && word.rect.left > last.from - AT_WORD
            && word.rect.right < last.to + AT_WORD
    };
    let band = |top: f32, bottom: f32| {
        words
            .iter()
            .filter(inside)
            .filter(move |word| word.rect.center().1 > top && word.rect.center().1 < bottom)
    };
    let above = group.windows(2).last()?;
    let known: Vec<&Word> = band(above[0].at, above[1].at).collect();
    let bands: Vec<Vec<&Word>> =
        group.windows(2).map(|pair| band(pair[0].at, pair[1].at).collect()).collect();
    let column = |word: &Word| edges.partition_point(|edge| *edge <= word.rect.center().0);
    let face = |words: &[&Word], at: usize| {
        words.iter().find(|word| column(word) == at).map(|word| (word.bold, word.size))
    };
    let height = group.windows(2).map(|pair| pair[1].at - pair[0].at).fold(0.0, f32::max);
    // Distance of the first line from the rule above it, and the widest of two lines below each other.
    let heights = |words: &[&Word]| {
        let large = words.iter().map(|word| word.size).fold(0.0, f32::max);
        let mut out: Vec<f32> =
            words.iter().filter(|word| word.size > MARK * large).map(|word| word.baseline).collect();
        out.sort_by(f32::total_cmp);
        out.dedup_by(|next, at| *next - *at < 1.0);
        out
    };
    let own = heights(&known);
    let room = own.first()? - above[0].at;
    let step = own.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f32::max);
    let mut found: Vec<&Word> = band(last.at, last.at + 2.0 * height).collect();
    let lines = heights(&found);
    let size = found.first()?.size;
    let reach = step.max(CELL_STEP * size) + 1.0;
    if (lines.first()? - last.at - room).abs() > 0.6 * size {
        return None;
    }
    let ends = lines.windows(2).position(|pair| pair[1] - pair[0] > reach).map_or(lines.len(), |at| at + 1);
    let end = lines[ends - 1];
    found.retain(|word| word.baseline <= end + 1.0);
    let first: Vec<&Word> =
        found.iter().copied().filter(|word| word.baseline < lines[0] + 0.3 * size).collect();
    let mut columns: Vec<usize> = first.iter().map(|word| column(word)).collect();
    columns.sort_unstable();
    columns.dedup();
    let crossed = found
        .iter()
        .any(|word| edges.iter().any(|edge| word.rect.left < edge - 1.0 && word.rect.right > edge + 1.0));
    let name: Vec<&str> =
        first.iter().filter(|word| column(word) == 0).map(|word| word.text.as_str()).collect();
    // A sum is often set in bold, whatever it is called.
    let numbers = first
        .iter()
        .filter(|word| column(word) > 0)
        .all(|word| is_numeric(&word.text) && !is_years(&word.text) || is_dash(&word.text));
    let sum = is_sum(&name.join(" ")) || numbers && columns.len() > 2;
    let same = |a: (bool, f32), b: (bool, f32)| (sum || a.0 == b.0) && (a.1 - b.1).abs() < 0.1 * b.1;
    let alike = columns.iter().all(|&at| {
        let own = face(&found, at);
        own.is_some_and(|own| bands.iter().any(|band| face(band, at).is_some_and(|known| same(known, own))))
    });
    (columns.first() == Some(&0) && columns.len() >= 2 && !crossed && alike)
        .then(|| found.iter().map(|word| word.rect.bottom).fold(last.at, f32::max) + 1.0)
}

/// The rulings without those that strike words out or underline them: they belong to the text.
pub(super) fn of_page(rulings: Vec<Ruling>, words: &[Word]) -> Vec<Ruling> {
    if rulings.len() > MAX_MARKS {
        return rulings;
    }
    let level: Vec<&Word> = words.iter().filter(|word| word.turn == Turn::Level).collect();
    rulings.into_iter().filter(|rule| !rule.horizontal || !marks_words(rule, &level)).collect()
}

fn marks_words(rule: &Ruling, words: &[&Word]) -> bool {
    let (mut struck, mut over) = (0.0, 0.0);
    let (mut from, mut to) = (f32::MAX, f32::MIN);
    for word in words {
        let shared = rule.to.min(word.rect.right) - rule.from.max(word.rect.left);
        let height = (word.baseline - rule.at) / word.size;
        if shared <= 0.0 {
            continue;
        }
        if STRIKE.contains(&height) {
            struck += shared;
        } else if UNDER.contains(&height) {
            over += shared;
            (from, to) = (from.min(word.rect.left), to.max(word.rect.right));
        }
    }
    let length = rule.to - rule.from;
    let ends = (from - rule.from).abs() <= AT_WORD && (to - rule.to).abs() <= AT_WORD;
    struck >= MARKED * length || over >= MARKED * length && ends
}

/// The parts of a group of rules between which no heading stands and no room is left: two tables may have rules of the
/// same length.
fn unheaded(group: Vec<Ruling>, words: &[Word]) -> Vec<Vec<Ruling>> {
    let (Some(first), Some(last)) = (group.first().copied(), group.last().copied()) else {
        return Vec::new();
    };
    let inside = |top: f32, bottom: f32| {
        words.iter().filter(move |word| {
            let (x, y) = word.rect.center();
            y > top && y < bottom && x > first.from && x < first.to
        })
    };
    let mut sizes: Vec<f32> = inside(first.at, last.at).map(|word| word.size).collect();
    sizes.sort_by(f32::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or(0.0);
    // Free height above and below the text between two rules.
    let room = |top: f32, bottom: f32| {
        let text = bounds(inside(top, bottom).map(|word| &word.rect))?;
        Some((text.top - top, bottom - text.bottom))
    };
    let mut above_text: Vec<f32> =
        group.windows(2).filter_map(|pair| Some(room(pair[0].at, pair[1].at)?.0)).collect();
    above_text.sort_by(f32::total_cmp);
    let usual_room = above_text.get(above_text.len() / 2).copied().unwrap_or(0.0);
    let apart = |top: f32, bottom: f32| {
        room(top, bottom).is_some_and(|(over, under)| over > usual_room.max(under) + APART * usual)
            || widest_gap(inside(top, bottom)) > (ROW_REACH - 1.0) * usual
    };
    let mut out = vec![Vec::new()];
    let mut above: Option<f32> = None;
    for rule in group {
        // Between the first two rules stand the names of its own columns.
        let names = out.last().is_some_and(|part: &Vec<Ruling>| part.len() > 1);
        let headed = above.is_some_and(|top| {
            let large: Vec<Word> =
                inside(top, rule.at).filter(|word| word.size > HEADING * usual).cloned().collect();
            // What stands side by side in large letters is a row of figures.
            let row = rows(large.clone()).iter().any(|line| line.parts(BESIDE_EACH_OTHER).len() > 1);
            apart(top, rule.at) || !large.is_empty() && !row || names && names_anew(inside(top, rule.at))
        });
        if headed {
            out.push(Vec::new());
        }
        if let Some(part) = out.last_mut() {
            part.push(rule);
        }
        above = Some(rule.at);
    }
    out.retain(|part| part.len() >= MIN_RULES);
    out
}

/// The greatest free height between words that stand one above the other (points).
fn widest_gap<'w>(words: impl Iterator<Item = &'w Word>) -> f32 {
    let mut places: Vec<Rect> = words.map(|word| word.rect).collect();
    places.sort_by(|a, b| a.top.total_cmp(&b.top));
    let mut bottom = places.first().map_or(0.0, |place| place.bottom);
    places.iter().fold(0.0, |widest: f32, place| {
        let gap = place.top - bottom;
        bottom = bottom.max(place.bottom);
        widest.max(gap)
    })
}

/// Whether the last line between two rules holds nothing but years, below others: it names the columns of another table.
fn names_anew<'w>(words: impl Iterator<Item = &'w Word>) -> bool {
    let lines = rows(words.filter(|word| word.turn == Turn::Level).cloned().collect());
    let [.., _, last] = lines.as_slice() else { return false };
    last.words.len() > 1 && last.words.iter().all(|word| is_years(&word.text))
}

/// Whether the first column holds text and the others little: text beside pictures with their captions.
fn captioned(rows: &[Line], edges: &[f32], cells: usize) -> bool {
    let words = rows.iter().flat_map(|row| &row.words);
    let (first, rest): (Vec<&Word>, Vec<&Word>) = words.partition(|word| word.rect.center().0 < edges[0]);
    first.len() > FIRST * cells && rest.len() < BESIDE * cells
}

/// Rules that follow each other with the same ends, of which those drawn in parts meet at the same places.
fn groups(rules: &[Ruling], rulings: &[Ruling]) -> Vec<Vec<Ruling>> {
    let mut out: Vec<(Vec<Ruling>, Vec<f32>)> = Vec::new();
    for rule in rules {
        let own = joints(rulings, rule);
        let shared = |known: &[f32]| known.iter().any(|x| own.iter().any(|at| (at - x).abs() <= JOINT));
        let fits = |group: &&mut (Vec<Ruling>, Vec<f32>)| {
            let (rules, known) = &**group;
            let alike = rules.last().is_some_and(|last| {
                (last.from - rule.from).abs() <= SAME_END && (last.to - rule.to).abs() <= SAME_END
            });
            alike && (own.is_empty() || known.is_empty() || shared(known))
        };
        match out.iter_mut().rev().find(fits) {
            Some((group, known)) => {
                group.push(*rule);
                if !own.is_empty() {
                    *known = own;
                }
            }
            None => out.push((vec![*rule], own)),
        }
    }
    out.into_iter().map(|(group, _)| group).filter(|group| group.len() >= MIN_RULES).collect()
}

/// Places where most rules of a group are interrupted: writers draw each cell's border on its own.
fn breaks(rulings: &[Ruling], group: &[Ruling]) -> Vec<f32> {
    let mut found: Vec<(f32, usize)> = Vec::new();
    for at in group.iter().flat_map(|rule| joints(rulings, rule)) {
        match found.iter_mut().find(|(x, _)| (*x - at).abs() <= JOINT) {
            Some((_, count)) => *count += 1,
            None => found.push((at, 1)),
        }
    }
    let mut out: Vec<f32> =
        found.into_iter().filter(|(_, count)| *count * 2 >= group.len()).map(|(x, _)| x).collect();
    out.sort_by(f32::total_cmp);
    out
}

/// Where the parts meet in which a rule is drawn, away from its ends.
fn joints(rulings: &[Ruling], rule: &Ruling) -> Vec<f32> {
    let of_rule = |part: &&Ruling| {
        part.horizontal
            && (part.at - rule.at).abs() <= SAME_HEIGHT
            && part.from >= rule.from - SAME_END
            && part.to <= rule.to + SAME_END
    };
    let mut parts: Vec<&Ruling> = rulings.iter().filter(of_rule).collect();
    parts.sort_by(|a, b| a.from.total_cmp(&b.from));
    let meet = parts.windows(2).filter(|pair| (pair[1].from - pair[0].to).abs() <= JOINT);
    let places = meet.map(|pair| (pair[0].to + pair[1].from) / 2.0);
    places.filter(|at| at - rule.from >= AT_END && rule.to - at >= AT_END).collect()
}

/// The columns in which a row holds something, each with its words.
fn cells<'r>(row: &'r Line, edges: &[f32]) -> Vec<(usize, Vec<&'r Word>)> {
    let mut out: Vec<(usize, Vec<&Word>)> = Vec::new();
    for word in &row.words {
        let column = edges.partition_point(|edge| *edge <= word.rect.center().0);
        match out.last_mut() {
            Some((last, words)) if *last == column => words.push(word),
            _ => out.push((column, vec![word])),
        }
    }
    out
}

/// Whether several rows of a table stand between two rules: lines of which each has numbers in cells of their own. The lines
/// of one row have them once, and further numbers only in its text.
fn holds_rows(band: &[&Line], edges: &[f32]) -> bool {
    let numbered = |row: &&&Line| {
        let cells = cells(row, edges);
        let number = |words: &[&Word]| words.iter().all(|word| is_numeric(&word.text));
        cells.len() >= 2 && cells.iter().any(|(column, words)| *column > 0 && number(words))
    };
    band.iter().filter(numbered).count() > 1
}

/// Parts the lines of text between two rules where several rows of a table stand between them. Where each row of the table
/// stands between rules of its own, they are `bound`, and only the title of a group of rows is one beside them.
fn split(here: &[&Line], edges: &[f32], bound: bool, rect: &Rect, out: &mut Vec<Ruling>) {
    let columns = |row: &Line| cells(row, edges).into_iter().map(|(column, _)| column).collect::<Vec<_>>();
    let numeric = here
        .iter()
        .filter(|row| columns(row).len() >= 2 && row.words.iter().any(|w| is_numeric(&w.text)))
        .count();
    if here.len() < 2 || numeric * 2 < here.len() {
        return;
    }
    for pair in here.windows(2) {
        let filled = columns(pair[1]);
        let step = pair[1].baseline() - pair[0].baseline();
        let one_row = bound && pair[0].bold() == pair[1].bold() && step < CELL_STEP * pair[1].size();
        if !one_row && (filled.len() >= 2 || filled.first() == Some(&0)) {
            let at = (pair[0].rect.bottom + pair[1].rect.top) / 2.0;
            out.push(Ruling { horizontal: true, at, from: rect.left, to: rect.right });
        }
    }
}
