//! Charts of Office files as tables: a row for each category and a column for each series.
//!
//! Sources: ECMA-376, part 1, 21.2; for charts of newer kinds, such as waterfalls, MS-ODRAWXML, 2.24.3.

use super::words;
use crate::format::number_format;
use crate::format::office::{attribute, below, element, elements};
use crate::format::table::{Cell, Table};
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet};

/// Most points of a chart that are read.
const MOST: usize = 10_000;
/// Charts whose points have a place on both axes.
const OF_TWO_VALUES: [&str; 2] = ["scatterChart", "bubbleChart"];
/// What the numbers of an axis may be divided by (ECMA-376, part 1, 21.2.3.5), as the program calls it.
const DIVISORS: [(&str, f64, &str); 9] = [
    ("hundreds", 1e2, "Hundreds"),
    ("thousands", 1e3, "Thousands"),
    ("tenThousands", 1e4, "x 10000"),
    ("hundredThousands", 1e5, "x 100000"),
    ("millions", 1e6, "Millions"),
    ("tenMillions", 1e7, "x 10000000"),
    ("hundredMillions", 1e8, "x 100000000"),
    ("billions", 1e9, "Billions"),
    ("trillions", 1e12, "Trillions"),
];

/// A chart as the tables of its figures.
#[derive(Debug, Clone)]
pub(in crate::format) struct Chart {
    /// A title and a table for each set of categories.
    pub(super) tables: Vec<(String, Table)>,
    /// Names of the sheets whose cells it shows; an empty one where its figures come from elsewhere.
    pub(super) sheets: BTreeSet<String>,
}

/// What is at each point, by its number.
type Points = BTreeMap<usize, String>;

/// The figures of one name.
#[derive(Debug, Clone, Default)]
struct Series {
    name: String,
    /// Names of the categories, the outermost level first.
    labels: Vec<Points>,
    values: Points,
    /// The axis of the categories, and what they are.
    axis: String,
    across: String,
    unit: String,
}

/// Reads a chart from the root of its part; `None` where it shows no figure.
pub(super) fn read(root: Node<'_, '_>) -> Option<Chart> {
    let chart = element(root, "chart")?;
    let plot = element(chart, "plotArea")?;
    let (mut series, sheets) = match element(root, "chartData") {
        Some(data) => newer(data, plot),
        None => usual(plot, element(root, "date1904").is_some_and(is_set)),
    };
    series.retain(|one| !one.values.is_empty());
    let titled = element(chart, "title");
    let plain = || titled.and_then(|title| below(title, &["tx", "txData", "v"])).and_then(|text| text.text());
    let title = titled.map(words).filter(|title| !title.is_empty());
    let title = title.or_else(|| plain().map(|title| title.trim().to_owned())).unwrap_or_default();
    let tables = tables(&title, series);
    (!tables.is_empty()).then_some(Chart { tables, sheets })
}

/// Whether a switch is on: it is where it names no value.
fn is_set(switch: Node<'_, '_>) -> bool {
    !matches!(attribute(switch, "val"), Some("0" | "false"))
}

/// The series of a chart of bars, lines, sectors, areas or points.
fn usual(plot: Node<'_, '_>, from_1904: bool) -> (Vec<Series>, BTreeSet<String>) {
    let (mut found, mut sheets): (Vec<Series>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
    let mut count = 0;
    for kind in plot.children().filter(Node::is_element) {
        let points = OF_TWO_VALUES.contains(&kind.tag_name().name());
        let Axes { id, across, upwards } = Axes::of(plot, kind, points);
        for one in elements(kind, "ser") {
            count += 1;
            let plain = Shown { code: None, divisor: 1.0, from_1904 };
            let shown = Shown { code: code_of_labels(one, kind), divisor: upwards.divisor, ..plain };
            let name = element(one, "tx").map(|text| plain.points(text)).unwrap_or_default();
            let name = name.into_values().collect::<Vec<_>>().join(" ");
            let name = if name.is_empty() { format!("Series {count}") } else { name };
            let labels = element(one, "cat").or_else(|| element(one, "xVal"));
            let values = element(one, "val").or_else(|| element(one, "yVal"));
            let formula = values.and_then(|values| below(values, &["numRef", "f"])).and_then(|f| f.text());
            sheets.insert(formula.map(sheet_of).unwrap_or_default());
            let labels = labels.map(|labels| plain.levels(labels)).unwrap_or_default();
            // The categories of an axis are those of its first series.
            let axis = || found.iter().find(|other| other.axis == id && !other.labels.is_empty());
            let labels = match axis() {
                Some(first) if !points => first.labels.clone(),
                _ => labels,
            };
            let sizes = element(one, "bubbleSize").map(|sizes| plain.points(sizes)).unwrap_or_default();
            let of = Series { labels, axis: id.clone(), across: across.clone(), ..Series::default() };
            let sizes = Series { name: format!("{name}, size"), values: sizes, ..of.clone() };
            let values = values.map(|values| shown.points(values)).unwrap_or_default();
            found.extend([Series { name, values, unit: upwards.unit.clone(), ..of }, sizes]);
        }
    }
    (found, sheets)
}

/// The axes of the series of one kind.
struct Axes {
    /// Which is that of the categories, and what they are.
    id: String,
    across: String,
    upwards: Upwards,
}

/// In what the values are.
struct Upwards {
    unit: String,
    divisor: f64,
}

impl Axes {
    /// Those that `kind` refers to; of `points`, the first is the one across.
    fn of(plot: Node<'_, '_>, kind: Node<'_, '_>, points: bool) -> Self {
        let id = |node| element(node, "axId").and_then(|id| attribute(id, "val"));
        let axes = elements(kind, "axId").filter_map(|own| {
            let own = attribute(own, "val")?;
            let is_axis = |node: &Node<'_, '_>| node.is_element() && node.tag_name().name().ends_with("Ax");
            plot.children().filter(is_axis).find(|axis| id(*axis) == Some(own))
        });
        let axes: Vec<Node<'_, '_>> = axes.collect();
        let named = |axis: &Node<'_, '_>, names: &[&str]| names.contains(&axis.tag_name().name());
        let across = axes.iter().find(|axis| points || named(axis, &["catAx", "dateAx"]));
        let upwards = axes.iter().rfind(|axis| named(axis, &["valAx"]));
        Self {
            id: across.and_then(|axis| id(*axis)).unwrap_or_default().to_owned(),
            across: across.map(|axis| title_of(*axis)).unwrap_or_default(),
            upwards: upwards.map_or(Upwards { unit: String::new(), divisor: 1.0 }, |axis| Upwards::of(*axis)),
        }
    }
}

/// The title of an axis that is shown.
fn title_of(axis: Node<'_, '_>) -> String {
    let removed = element(axis, "delete").is_some_and(is_set);
    element(axis, "title").filter(|_| !removed).map(words).unwrap_or_default()
}

impl Upwards {
    /// As `axis` says it. Its numbers are divided where it says by what, or its title may.
    fn of(axis: Node<'_, '_>) -> Self {
        let title = title_of(axis);
        let Some(units) = element(axis, "dispUnits") else { return Self { unit: title, divisor: 1.0 } };
        let named = |name| element(units, name).and_then(|unit| attribute(unit, "val"));
        let known = named("builtInUnit").and_then(|unit| DIVISORS.iter().find(|(name, ..)| *name == unit));
        let own = || named("custUnit").and_then(|divisor| divisor.parse().ok());
        let divisor = known.map(|(_, divisor, _)| *divisor).or_else(own).filter(|divisor| *divisor > 0.0);
        let label = element(units, "dispUnitsLbl").map(|label| {
            let said = words(label);
            if said.is_empty() {
                known.map(|(.., name)| (*name).to_owned()).unwrap_or_default()
            } else {
                said
            }
        });
        let told: Vec<String> =
            [Some(title), label].into_iter().flatten().filter(|t| !t.is_empty()).collect();
        let divisor = divisor.filter(|_| !told.is_empty()).unwrap_or(1.0);
        Self { unit: told.join(", "), divisor }
    }
}

/// How the values of a series are shown.
#[derive(Clone, Copy)]
struct Shown<'t> {
    /// The number format that the chart itself has for them.
    code: Option<&'t str>,
    divisor: f64,
    from_1904: bool,
}

/// The number format of the values beside their points, where they are shown and have one of their own.
fn code_of_labels<'t>(series: Node<'t, '_>, kind: Node<'t, '_>) -> Option<&'t str> {
    let labels = element(series, "dLbls").or_else(|| element(kind, "dLbls"))?;
    let format = element(labels, "numFmt")?;
    let linked = matches!(attribute(format, "sourceLinked"), Some("1" | "true"));
    let shown = element(labels, "showVal").is_some_and(is_set) && !linked;
    attribute(format, "formatCode").filter(|_| shown)
}

impl Shown<'_> {
    /// The points that a chart keeps below `node`, of several levels the innermost. A text that it keeps instead is the
    /// first.
    fn points(self, node: Node<'_, '_>) -> Points {
        self.levels(node).pop().unwrap_or_default()
    }

    /// The points of each level below `node`, the outermost first. A point of an outer level speaks for those up to its
    /// next.
    fn levels(self, node: Node<'_, '_>) -> Vec<Points> {
        let named =
            |name: &'static str| node.descendants().filter(move |inner| inner.tag_name().name() == name);
        let numeric =
            node.descendants().any(|inner| matches!(inner.tag_name().name(), "numCache" | "numLit"));
        let code = named("formatCode").next().and_then(|code| code.text()).unwrap_or("General");
        let code = if numeric { Some(code) } else { None };
        let mut levels: Vec<Points> = named("lvl").map(|level| self.level(level, code)).collect();
        if levels.is_empty() {
            levels.push(self.level(node, code));
        }
        let most = levels[0].keys().next_back().copied().unwrap_or_default();
        for level in levels.iter_mut().skip(1) {
            let whole = (0..=most.min(MOST))
                .filter_map(|at| level.range(..=at).next_back().map(|(_, text)| (at, text.clone())));
            *level = whole.collect();
        }
        levels.reverse();
        let written = element(node, "v").and_then(|value| value.text()).map(|text| text.trim().to_owned());
        if let (Some(text), Some(last)) = (written, levels.last_mut().filter(|last| last.is_empty())) {
            last.insert(0, text);
        }
        levels.retain(|level| !level.is_empty());
        levels
    }

    /// The points below `holder`, which are numbers where they have a format `code`.
    fn level(self, holder: Node<'_, '_>, code: Option<&str>) -> Points {
        let points = holder.descendants().filter(|inner| inner.tag_name().name() == "pt").take(MOST);
        let found = points.filter_map(|point| {
            let value = element(point, "v").unwrap_or(point).text()?.trim();
            let own = attribute(point, "formatCode").or(code);
            let number = value.parse::<f64>().ok().map(|number| number / self.divisor);
            let shown = own.zip(number).map(|(own, number)| {
                let as_label = self.code.map(|code| number_format::point(number, code, self.from_1904));
                let as_label = as_label.filter(|shown| shown.contains(|c: char| c.is_ascii_digit()));
                as_label.unwrap_or_else(|| number_format::point(number, own, self.from_1904))
            });
            Some((attribute(point, "idx")?.parse().ok()?, shown.unwrap_or_else(|| value.to_owned())))
        });
        found.filter(|(_, text)| !text.is_empty()).collect()
    }
}

/// The series of a chart of a newer kind, whose figures stand apart from what draws them.
fn newer(data: Node<'_, '_>, plot: Node<'_, '_>) -> (Vec<Series>, BTreeSet<String>) {
    let plain = Shown { code: None, divisor: 1.0, from_1904: false };
    let (mut found, mut sheets) = (Vec::new(), BTreeSet::new());
    let drawn = element(plot, "plotAreaRegion").map(|region| elements(region, "series").collect::<Vec<_>>());
    for (index, one) in drawn.unwrap_or_default().into_iter().enumerate() {
        let hidden = matches!(attribute(one, "hidden"), Some("1" | "true"));
        let id = element(one, "dataId").and_then(|id| attribute(id, "val"));
        let Some(own) = elements(data, "data").find(|own| !hidden && attribute(*own, "id") == id) else {
            continue;
        };
        // Without categories the figures are those of which the chart counts how many are alike.
        let Some((names, numbers)) = element(own, "strDim").zip(element(own, "numDim")) else { continue };
        let named = below(one, &["tx", "txData", "v"])
            .and_then(|name| name.text())
            .map(|name| name.trim().to_owned());
        let level = element(numbers, "lvl");
        let code = level.and_then(|level| attribute(level, "formatCode")).unwrap_or("General");
        sheets.insert(element(numbers, "f").and_then(|f| f.text()).map(sheet_of).unwrap_or_default());
        found.push(Series {
            name: named.unwrap_or_else(|| format!("Series {}", index + 1)),
            labels: plain.levels(names),
            values: level.map(|level| plain.level(level, Some(code))).unwrap_or_default(),
            ..Series::default()
        });
    }
    (found, sheets)
}

/// The sheet that a formula such as `'Data 2024'!$B$2:$B$6` names; empty where it names none of the same file.
fn sheet_of(formula: &str) -> String {
    let sheet = formula.rsplit_once('!').map(|(sheet, _)| sheet.trim_start_matches('('));
    let sheet = sheet.filter(|sheet| !sheet.contains('[')).unwrap_or_default();
    let quoted = sheet.strip_prefix('\'').and_then(|sheet| sheet.strip_suffix('\''));
    quoted.map_or_else(|| sheet.to_owned(), |sheet| sheet.replace("''", "'"))
}

/// The tables of a chart called `title`: series of the same categories stand side by side.
fn tables(title: &str, series: Vec<Series>) -> Vec<(String, Table)> {
    let alike = series.windows(2).all(|pair| pair[0].unit == pair[1].unit);
    let unit = series.first().filter(|_| alike).map(|first| first.unit.clone()).unwrap_or_default();
    let title = match (title.is_empty(), unit.is_empty()) {
        (false, false) => format!("{title} ({unit})"),
        (true, _) => unit,
        _ => title.to_owned(),
    };
    let labels = series.iter().map(|one| &one.labels).find(|labels| !labels.is_empty()).cloned();
    let mut groups: Vec<Vec<Series>> = Vec::new();
    for mut one in series {
        if one.labels.is_empty() {
            one.labels = labels.clone().unwrap_or_default();
        }
        if !(alike || one.unit.is_empty()) {
            one.name = format!("{} ({})", one.name, one.unit);
        }
        match groups.iter_mut().find(|group| group[0].labels == one.labels) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups.iter().filter_map(|group| Some((title.clone(), table(group)?))).collect()
}

/// The table of series with the same categories; `None` where it has too many cells.
fn table(group: &[Series]) -> Option<Table> {
    let Series { labels, across, .. } = group.first()?;
    let values = group.iter().flat_map(|one| one.values.keys());
    let rows: BTreeSet<usize> = values.chain(labels.iter().flat_map(BTreeMap::keys)).copied().collect();
    if rows.len() * group.len() > MOST {
        return None;
    }
    let outer = labels.len().saturating_sub(1);
    let over = std::iter::repeat_n(String::new(), outer).chain([across.clone()]);
    let head = over.chain(group.iter().map(|one| one.name.clone())).map(Cell::new).collect();
    let body = rows.iter().map(|row| {
        let named = labels.iter().map(|level| level.get(row).cloned().unwrap_or_default());
        let mut names: Vec<String> = named.collect();
        if names.iter().all(String::is_empty) {
            names = vec![String::new(); outer];
            names.push((row + 1).to_string());
        }
        let values = group.iter().map(|one| one.values.get(row).cloned().unwrap_or_default());
        names.into_iter().chain(values).map(Cell::new).collect()
    });
    let rows = std::iter::once(head).chain(body).collect();
    Some(Table { rows, declared: 1, complete: true, sheet: false })
}
