//! Charts that a page draws with text (SVG 2, chapters 8 and 11): values and what they are of, paired by their places.

mod series;

use super::{attribute, name};
use crate::format::table::{Cell, Kind, Table};
use dom_query::NodeRef;

/// Most texts of a drawing that are read, and elements around each that may move it.
const MOST: usize = 400;
const AROUND: usize = 64;
/// Fewest texts of a drawing that says something.
const LEAST: usize = 3;
/// How far texts of one line may lie apart, in heights of a letter, and a value from its label, in distances of two labels.
const OF_LINE: f64 = 0.4;
const OF_LABEL: f64 = 0.25;
/// Height of letters that have none of their own.
const LETTER: f64 = 12.0;

/// What a drawing says.
#[derive(Debug, PartialEq)]
pub(super) enum Drawing {
    /// A chart: its name, and each label with its value.
    Chart(String, Vec<(String, String)>),
    /// A chart of several series, and what else it says.
    Series(String, Table),
    /// Texts in reading order, and whether there are values among them.
    Texts(Vec<String>, bool),
}

/// A text where it is drawn.
#[derive(Debug, Clone)]
struct Drawn {
    text: String,
    /// Where it is tied to: `start`, `middle` or `end` of it.
    anchor: String,
    x: f64,
    y: f64,
    height: f64,
}

/// The directions in which a value may lie from its label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Along {
    /// Over or below it, as in a chart of columns.
    Column,
    /// Beside it, as in a chart of bars.
    Row,
}

/// Whether a drawing has as many texts as one that says something.
pub(super) fn speaks(node: &NodeRef<'_>) -> bool {
    node.descendants_it().filter(|inner| name(inner) == "text").nth(LEAST - 1).is_some()
}

/// Reads a drawing; `None` where it says nothing.
pub(super) fn read(node: &NodeRef<'_>) -> Option<Drawing> {
    let texts = node.descendants_it().filter(|inner| name(inner) == "text").take(MOST);
    let placed: Vec<(String, Option<Drawn>)> = texts
        .map(|text| (words(&text.text()), drawn(node, &text)))
        .filter(|(text, _)| !text.is_empty())
        .collect();
    if placed.len() < LEAST {
        return None;
    }
    let all: Option<Vec<Drawn>> = placed.iter().map(|(_, drawn)| drawn.clone()).collect();
    let valued = placed.iter().any(|(text, _)| is_value(text) || with_value(text).is_some());
    let titled = || node.children_it(false).find(|child| name(child) == "title").map(|title| title.text());
    let title = || {
        let title = attribute(node, "aria-label").or_else(|| titled().map(|title| title.to_string()));
        title.map(|title| words(&title))
    };
    if let Some(pairs) = all.as_ref().and_then(|all| pairs(all)) {
        // What else is written there, such as a title with its unit or the names of axes.
        let told = |text: &str| pairs.iter().any(|(label, value)| label == text || value == text);
        let rest = placed.iter().map(|(text, _)| text.as_str());
        let rest = rest.filter(|text| !told(text) && !is_value(text) && with_value(text).is_none());
        let title = title().into_iter().chain(rest.map(str::to_owned));
        return Some(Drawing::Chart(title.collect::<Vec<_>>().join(" · "), pairs));
    }
    if let Some((rest, table)) = all.as_ref().and_then(|all| series::table(node, all)) {
        let said: Vec<String> = title().into_iter().chain(rest.into_iter().map(str::to_owned)).collect();
        return Some(Drawing::Series(said.join(" · "), table));
    }
    let mut texts = all.unwrap_or_default();
    texts.sort_by(|one, other| one.y.total_cmp(&other.y).then(one.x.total_cmp(&other.x)));
    let texts: Vec<String> = texts.into_iter().map(|drawn| drawn.text).collect();
    let as_written = || placed.into_iter().map(|(text, _)| text).collect();
    Some(Drawing::Texts(if texts.is_empty() { as_written() } else { texts }, valued))
}

/// The table of a chart's pairs.
pub(super) fn table(title: String, pairs: Vec<(String, String)>) -> Table {
    let declared = usize::from(!title.is_empty());
    let head = (declared > 0).then(|| vec![Cell::new(""), Cell::new(title)]);
    let rows = pairs.into_iter().map(|(label, value)| vec![Cell::new(label), Cell::new(value)]);
    Table { rows: head.into_iter().chain(rows).collect(), declared, complete: true, sheet: false }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_value(text: &str) -> bool {
    Kind::of_text(text) == Kind::Value
}

/// A text that is a label with its value behind it: `Bark 71%`.
fn with_value(text: &str) -> Option<(String, String)> {
    let at = text.find(|c: char| c.is_ascii_digit())?;
    let start = text[..at].rfind(' ')? + 1;
    let label = text[..start].trim_end_matches([' ', ':', ',', '–', '-']);
    let named = Kind::of_text(label) == Kind::Text && label.chars().any(char::is_alphabetic);
    (named && is_value(&text[start..])).then(|| (label.to_owned(), text[start..].to_owned()))
}

/// Each label with its value, where the places leave no other reading.
fn pairs(all: &[Drawn]) -> Option<Vec<(String, String)>> {
    let (values, others): (Vec<&Drawn>, Vec<&Drawn>) = all.iter().partition(|drawn| is_value(&drawn.text));
    if values.is_empty() {
        let both: Vec<_> = others.iter().filter_map(|drawn| with_value(&drawn.text)).collect();
        return (both.len() > 1 && both.len() == others.len()).then_some(both);
    }
    let column = along(Along::Column, &values, &others);
    let row = along(Along::Row, &values, &others);
    match (column, row) {
        (Some(pairs), None) | (None, Some(pairs)) => Some(pairs),
        _ => None,
    }
}

/// The pairs of value and label that lie `along` each other. Each label of the longest line of labels has one value
/// at most. Values without a label are the numbers of an axis, in a line by themselves.
fn along(along: Along, values: &[&Drawn], others: &[&Drawn]) -> Option<Vec<(String, String)>> {
    // Across is where labels differ, and the line is where they agree.
    let across = |drawn: &Drawn| if along == Along::Column { drawn.x } else { drawn.y };
    let line = |drawn: &Drawn| if along == Along::Column { drawn.y } else { drawn.x };
    let alike = |one: &Drawn, other: &Drawn| {
        (line(one) - line(other)).abs() <= OF_LINE * one.height && one.anchor == other.anchor
    };
    let lines =
        others.iter().map(|first| others.iter().filter(|other| alike(first, other)).collect::<Vec<_>>());
    let mut labels = lines.reduce(|best, next| if next.len() > best.len() { next } else { best })?;
    labels.sort_by(|one, other| across(one).total_cmp(&across(other)));
    let apart = labels.windows(2).map(|pair| across(pair[1]) - across(pair[0])).reduce(f64::min)?;
    let near = OF_LABEL * apart;
    // The middle of a text is not at its start.
    let comparable = |value: &Drawn, label: &Drawn| along == Along::Row || value.anchor == label.anchor;
    let of_label = |value: &&Drawn| {
        labels
            .iter()
            .position(|label| comparable(value, label) && (across(value) - across(label)).abs() <= near)
    };
    let mut found: Vec<Option<&str>> = vec![None; labels.len()];
    let mut axis: Vec<&Drawn> = Vec::new();
    for value in values {
        match of_label(value) {
            Some(at) if found[at].is_none() => found[at] = Some(&value.text),
            Some(_) => return None,
            None => axis.push(value),
        }
    }
    let in_line =
        axis.windows(2).all(|pair| (across(pair[0]) - across(pair[1])).abs() <= OF_LINE * pair[0].height);
    let pairs: Vec<_> = labels
        .iter()
        .zip(found)
        .filter_map(|(label, value)| Some((label.text.clone(), value?.to_owned())))
        .collect();
    (in_line && axis.len() != 1 && pairs.len() > 1).then_some(pairs)
}

/// Where `text` is drawn in `drawing`; `None` where it is turned, or nobody says where.
fn drawn(drawing: &NodeRef<'_>, text: &NodeRef<'_>) -> Option<Drawn> {
    let first = text.children_it(false).find(|child| name(child) == "tspan");
    let own =
        |key: &str| attribute(text, key).or_else(|| first.as_ref().and_then(|part| attribute(part, key)));
    let number = |key: &str| own(key).map_or(Some(0.0), |value| numbers(&value).first().copied());
    let (x, y) = moved(drawing, text, (number("x")?, number("y")?))?;
    let around = || {
        [*text].into_iter().chain(text.ancestors_it(Some(AROUND)).take_while(|outer| outer.id != drawing.id))
    };
    let inherited = |key: &str| around().find_map(|node| said(&node, key));
    let height = inherited("font-size").and_then(|size| numbers(&size).first().copied());
    let anchor = inherited("text-anchor").unwrap_or_else(|| "start".to_owned());
    let height = height.filter(|height| *height > 0.0).unwrap_or(LETTER);
    Some(Drawn { text: words(&text.text()), anchor, x, y, height })
}

/// Where in `drawing` a place of `node` is; `None` where it is turned or lies deeper than is followed.
fn moved(drawing: &NodeRef<'_>, node: &NodeRef<'_>, (mut x, mut y): (f64, f64)) -> Option<(f64, f64)> {
    let mut around = vec![*node];
    for outer in node.ancestors_it(Some(AROUND)) {
        if outer.id == drawing.id {
            break;
        }
        around.push(outer);
    }
    if around.len() > AROUND {
        return None;
    }
    for node in &around {
        let moves = attribute(node, "transform").unwrap_or_default();
        for step in moves.rsplit(')').skip(1) {
            let (kind, by) = step.split_once('(')?;
            let by = numbers(by);
            match (kind.trim_matches([' ', ',', '\n']), by.as_slice()) {
                ("translate", [right]) => x += right,
                ("translate", [right, down]) => (x, y) = (x + right, y + down),
                ("scale", [by]) => (x, y) = (x * by, y * by),
                ("scale", [across, down]) => (x, y) = (x * across, y * down),
                ("matrix", [a, b, c, d, e, f]) if *b == 0.0 && *c == 0.0 => (x, y) = (a * x + e, d * y + f),
                _ => return None,
            }
        }
    }
    (x.is_finite() && y.is_finite()).then_some((x, y))
}

/// What `node` says of `key`, as an attribute or in its style.
fn said(node: &NodeRef<'_>, key: &str) -> Option<String> {
    let style = || {
        let style = attribute(node, "style")?;
        let mut parts = style.split(';').filter_map(|part| part.split_once(':'));
        parts.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim().to_owned())
    };
    attribute(node, key).or_else(style)
}

/// The numbers of a list, whatever parts them and whatever unit they have.
fn numbers(text: &str) -> Vec<f64> {
    let parts = text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty());
    let number = |part: &str| part.trim_end_matches(|c: char| c.is_alphabetic() || c == '%').parse().ok();
    parts.filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dom_query::Document as Tree;

    fn drawing(texts: &str) -> Option<Drawing> {
        let tree = Tree::from(format!("<body><svg aria-label='Water reused'>{texts}</svg></body>"));
        tree.select("svg").nodes().first().and_then(read)
    }

    /// Texts in the middle of their places.
    fn drawn(texts: &[(f64, f64, &str)]) -> String {
        let one = |(x, y, text): &(f64, f64, &str)| format!("<text x='{x}' y='{y}'>{text}</text>");
        format!("<g text-anchor='middle' font-size='12'>{}</g>", texts.iter().map(one).collect::<String>())
    }

    fn chart(pairs: &[(&str, &str)]) -> Option<Drawing> {
        let pairs = pairs.iter().map(|(label, value)| ((*label).to_owned(), (*value).to_owned()));
        Some(Drawing::Chart("Water reused".to_owned(), pairs.collect()))
    }

    /// Boxes: left, top, width, height and colour.
    fn boxes(all: &[(f64, f64, f64, f64, &str)]) -> String {
        let one = |(x, y, width, height, fill): &(f64, f64, f64, f64, &str)| {
            format!("<rect x='{x}' y='{y}' width='{width}' height='{height}' fill='{fill}'/>")
        };
        all.iter().map(one).collect()
    }

    /// The rows of a chart of several series.
    fn rows(drawing: Option<Drawing>) -> Vec<Vec<String>> {
        let Some(Drawing::Series(_, table)) = drawing else { return Vec::new() };
        table.rows.into_iter().map(|row| row.into_iter().map(|cell| cell.text).collect()).collect()
    }

    const LEGEND: &str = "<rect x='20' y='190' width='10' height='10' fill='navy'/><text x='34' y='199'>Mobile</text>\
                          <rect x='100' y='190' width='10' height='10' fill='teal'/><text x='114' y='199'>Fixed</text>";

    #[test]
    fn columns_of_several_colours_are_series_of_their_names() {
        let expected = [["", "Mobile", "Fixed"], ["Q1", "211", "104"], ["Q2", "218", "97"]];
        let beside = boxes(&[
            (20., 40., 30., 120., "navy"),
            (54., 100., 30., 60., "teal"),
            (120., 36., 30., 124., "navy"),
            (154., 103., 30., 57., "teal"),
        ]);
        let said = [
            (35., 36., "211"),
            (69., 96., "104"),
            (135., 32., "218"),
            (169., 99., "97"),
            (52., 175., "Q1"),
            (152., 175., "Q2"),
        ];
        assert_eq!(rows(drawing(&(beside.clone() + &drawn(&said) + LEGEND))), expected);
        let stacked = boxes(&[
            (20., 100., 30., 60., "navy"),
            (20., 40., 30., 60., "teal"),
            (120., 90., 30., 70., "navy"),
            (120., 50., 30., 40., "teal"),
        ]);
        let inside = [
            (35., 130., "211"),
            (35., 70., "104"),
            (135., 120., "218"),
            (135., 72., "97"),
            (35., 175., "Q1"),
            (135., 175., "Q2"),
        ];
        assert_eq!(rows(drawing(&(stacked + &drawn(&inside) + LEGEND))), expected);
        // A value that is of no bar leaves open what the others are.
        let more = [&said[..], &[(100., 20., "7")]].concat();
        assert!(unpaired(drawing(&(beside.clone() + &drawn(&more) + LEGEND)).as_ref()));
        assert!(unpaired(drawing(&(beside + &drawn(&said))).as_ref()));
    }

    #[test]
    fn level_bars_of_several_colours_are_series_of_their_names() {
        let bars = boxes(&[
            (60., 20., 120., 12., "navy"),
            (60., 34., 60., 12., "teal"),
            (60., 70., 124., 12., "navy"),
            (60., 84., 57., 12., "teal"),
        ]);
        let values = [
            (195., 30., "211"),
            (135., 44., "104"),
            (199., 80., "218"),
            (132., 94., "97"),
            (30., 37., "Q1"),
            (30., 87., "Q2"),
        ];
        let expected = [["", "Mobile", "Fixed"], ["Q1", "211", "104"], ["Q2", "218", "97"]];
        assert_eq!(rows(drawing(&(bars + &drawn(&values) + LEGEND))), expected);
    }

    fn unpaired(drawing: Option<&Drawing>) -> bool {
        matches!(drawing, Some(Drawing::Texts(_, true)))
    }

    #[test]
    fn a_value_over_the_name_of_its_column_is_of_that_column() {
        let texts = [
            (37., 72., "37"),
            (97., 66., "41"),
            (217., 44., "55"),
            (37., 158., "FY22"),
            (97., 158., "FY23"),
            (217., 158., "FY30 goal"),
        ];
        let pairs = [("FY22", "37"), ("FY23", "41"), ("FY30 goal", "55")];
        assert_eq!(drawing(&drawn(&texts)), chart(&pairs));
        // Moved by what is around it, and with the numbers of an axis.
        let axis = "<g text-anchor='end'><text x='5' y='150'>0</text><text x='5' y='90'>50</text><text x='5' y='30'>100</text></g>";
        let moved = format!("<g transform='translate(20, 5) scale(2)'>{}</g>{axis}", drawn(&texts));
        assert_eq!(drawing(&moved), chart(&pairs));
    }

    #[test]
    fn a_value_beside_the_name_of_its_bar_is_of_that_bar() {
        let bars = "<g><text x='80' y='20' text-anchor='end'>Oslo mill</text><text x='190' y='21'>12%</text>\
                    <text x='80' y='50' text-anchor='end'>Kiel</text><text x='120' y='51'>4%</text></g>";
        assert_eq!(drawing(bars), chart(&[("Oslo mill", "12%"), ("Kiel", "4%")]));
    }

    #[test]
    fn a_label_with_its_value_is_a_pair() {
        let sectors = drawn(&[(10., 10., "Bark 71%"), (60., 90., "Gas: 12 %"), (5., 50., "Oil 17%")]);
        assert_eq!(drawing(&sectors), chart(&[("Bark", "71%"), ("Gas", "12 %"), ("Oil", "17%")]));
    }

    #[test]
    fn what_places_leave_open_is_not_paired() {
        // Two values of one column, a value between two columns, one value without a column, and turned texts.
        let labels = [(40., 150., "Oslo"), (100., 150., "Kiel")];
        for values in [
            &[(40., 20., "12"), (40., 60., "7"), (100., 20., "9")][..],
            &[(70., 20., "12"), (100., 20., "9")],
            &[(40., 20., "12"), (100., 20., "9"), (300., 20., "5")],
        ] {
            let drawing = drawing(&drawn(&[&labels[..], values].concat()));
            assert!(unpaired(drawing.as_ref()), "{drawing:?}");
        }
        let turned = format!(
            "<g transform='rotate(90)'>{}</g>",
            drawn(&[(40., 20., "12"), (40., 150., "Oslo"), (9., 9., "7")])
        );
        assert!(unpaired(drawing(&turned).as_ref()));
        assert_eq!(drawing("<text x='1' y='1'>Logo</text>"), None);
    }
}
