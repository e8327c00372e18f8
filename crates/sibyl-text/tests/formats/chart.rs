//! Native charts of Office files: each value is stored under its series and category, as a person sees it.

use crate::office::{archive, parts_of};
use crate::sheet::{row, text_cell, workbook};
use crate::shown::with_part;
use crate::{codes, read};

const FRAME: &str = "<p:graphicFrame><a:graphic><a:graphicData uri='x/chart'><c:chart xmlns:c='c' r:id='c1'/></a:graphicData></a:graphic></p:graphicFrame>";

/// The text of a slide with a chart that has `title` and the series and axes `plot`.
fn drawn(title: &str, plot: &str) -> String {
    let title = titled(title);
    slide(&format!("<c:chart>{title}<c:plotArea>{plot}</c:plotArea></c:chart>"), "chart")
}

fn slide(space: &str, kind: &str) -> String {
    let part = format!("<c:chartSpace xmlns:c='c' xmlns:a='a'>{space}</c:chartSpace>");
    let link = format!("<Relationship Id='c1' Type='t/{kind}' Target='../charts/chart1.xml'/>");
    let slide = crate::pptx::made(&[(FRAME, true, "")]);
    let document = read(
        "a.pptx",
        &with_part(&slide, "ppt/charts/chart1.xml", &part, "ppt/slides/_rels/slide1.xml.rels", &link),
    );
    assert_eq!(codes(&document), [""; 0]);
    document.text
}

fn titled(title: &str) -> String {
    format!("<c:title><c:tx><c:rich><a:p><a:r><a:t>{title}</a:t></a:r></a:p></c:rich></c:tx></c:title>")
}

fn points(texts: &[&str]) -> String {
    let point = |(at, text): (usize, &&str)| format!("<c:pt idx='{at}'><c:v>{text}</c:v></c:pt>");
    texts.iter().enumerate().map(point).collect()
}

fn names(texts: &[&str]) -> String {
    format!("<c:strRef><c:strCache>{}</c:strCache></c:strRef>", points(texts))
}

/// Numbers of the cells that `formula` names, with their number format.
fn numbers(formula: &str, code: &str, texts: &[&str]) -> String {
    format!(
        "<c:numRef><c:f>{formula}</c:f><c:numCache><c:formatCode>{code}</c:formatCode>{}</c:numCache></c:numRef>",
        points(texts)
    )
}

/// A series with its categories and values.
fn series(name: &str, categories: &[&str], values: &str) -> String {
    format!(
        "<c:ser><c:tx>{}</c:tx><c:cat>{}</c:cat><c:val>{values}</c:val></c:ser>",
        names(&[name]),
        names(categories)
    )
}

fn axis(kind: &str, id: u32, title: &str, more: &str) -> String {
    format!("<c:{kind}><c:axId val='{id}'/>{}{more}</c:{kind}>", titled(title))
}

const YEARS: [&str; 2] = ["2023", "2024"];

#[test]
fn each_series_of_a_chart_with_two_axes_has_the_unit_of_its_own() {
    let plot = format!(
        "<c:barChart>{}<c:axId val='1'/><c:axId val='2'/></c:barChart><c:lineChart>{}<c:axId val='3'/><c:axId val='4'/></c:lineChart>{}{}{}",
        series("Heat", &YEARS, &numbers("", "0", &["412", "390"])),
        series("Intensity", &YEARS, &numbers("", "0.0", &["1.25", "1.1"])),
        axis("valAx", 2, "GWh", ""),
        axis("catAx", 1, "Year", ""),
        axis("valAx", 4, "MWh per t", ""),
    );
    assert_eq!(
        drawn("Energy", &plot),
        "Energy\n\n| Year | Heat (GWh) | Intensity (MWh per t) |\n| --- | --- | --- |\n| 2023 | 412 | 1.3 |\n| 2024 | 390 | 1.1 |\n"
    );
}

#[test]
fn a_unit_of_all_series_stands_in_the_title_and_that_of_an_axis_without_one_is_no_unit() {
    let plot = |more: &str| {
        format!(
            "<c:barChart>{}<c:axId val='1'/><c:axId val='2'/></c:barChart>{}{}",
            series("Heat", &YEARS, &numbers("", "General", &["412000", "390000"])),
            "<c:catAx><c:axId val='1'/></c:catAx>",
            axis("valAx", 2, "MWh", more),
        )
    };
    let text = |title: &str, values: [&str; 2]| {
        format!("{title}\n\n| | Heat |\n| --- | --- |\n| 2023 | {} |\n| 2024 | {} |\n", values[0], values[1])
    };
    assert_eq!(drawn("Energy", &plot("")), text("Energy (MWh)", ["412000", "390000"]));
    assert_eq!(drawn("Energy", &plot("<c:delete val='1'/>")), text("Energy", ["412000", "390000"]));
    let divided = "<c:dispUnits><c:builtInUnit val='thousands'/><c:dispUnitsLbl/></c:dispUnits>";
    assert_eq!(drawn("Energy", &plot(divided)), text("Energy (MWh, Thousands)", ["412", "390"]));
}

#[test]
fn a_value_is_shown_as_its_label_shows_it() {
    let shares = |linked: u8| {
        let series = series("Heat", &["Bark", "Gas"], &numbers("", "General", &["0.71", "0.29"]));
        format!(
            "<c:pieChart>{series}<c:dLbls><c:numFmt formatCode='0%' sourceLinked='{linked}'/><c:showVal val='1'/></c:dLbls></c:pieChart>"
        )
    };
    assert!(drawn("Fuel", &shares(0)).ends_with("| Bark | 71% |\n| Gas | 29% |\n"));
    assert!(drawn("Fuel", &shares(1)).ends_with("| Bark | 0.71 |\n| Gas | 0.29 |\n"));
}

#[test]
fn categories_on_two_levels_are_told_apart_by_both() {
    let level = |pairs: &[(u32, &str)]| {
        let point = |(at, text): &(u32, &str)| format!("<c:pt idx='{at}'><c:v>{text}</c:v></c:pt>");
        format!("<c:lvl>{}</c:lvl>", pairs.iter().map(point).collect::<String>())
    };
    let categories =
        level(&[(0, "Heat"), (1, "Power"), (2, "Heat"), (3, "Power")]) + &level(&[(0, "Oslo"), (2, "Kiel")]);
    let plot = format!(
        "<c:barChart><c:ser><c:tx>{}</c:tx><c:cat><c:multiLvlStrRef><c:multiLvlStrCache>{categories}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat>\
         <c:val>{}</c:val></c:ser></c:barChart>",
        names(&["GWh"]),
        numbers("", "0", &["1", "2", "3", "4"])
    );
    assert!(
        drawn("Use", &plot).ends_with(
            "| Oslo | Heat | 1 |\n| Oslo | Power | 2 |\n| Kiel | Heat | 3 |\n| Kiel | Power | 4 |\n"
        )
    );
}

#[test]
fn points_of_other_places_are_tables_of_their_own_and_dates_are_dates() {
    let one = |name: &str, across: &str, up: &str| {
        format!(
            "<c:ser><c:tx>{}</c:tx><c:xVal>{across}</c:xVal><c:yVal>{up}</c:yVal></c:ser>",
            names(&[name])
        )
    };
    let plot = format!(
        "<c:scatterChart>{}{}<c:axId val='1'/><c:axId val='2'/></c:scatterChart>{}{}",
        one("Oslo", &numbers("", "0", &["5", "9"]), &numbers("", "0", &["50", "90"])),
        one("Kiel", &numbers("", "mmm yyyy", &["45292", "45323"]), &numbers("", "0", &["60", "80"])),
        axis("valAx", 1, "Load", ""),
        axis("valAx", 2, "kWh", ""),
    );
    assert_eq!(
        drawn("Use", &plot),
        "Use (kWh)\n\n| Load | Oslo |\n| --- | --- |\n| 5 | 50 |\n| 9 | 90 |\n\nUse (kWh)\n\n| Load | Kiel |\n| --- | --- |\n\
         | Jan 2024 | 60 |\n| Feb 2024 | 80 |\n"
    );
}

#[test]
fn what_a_chart_filters_out_is_not_shown() {
    let hidden = series("Draft", &YEARS, &numbers("", "0", &["7", "8"]));
    let plot = format!(
        "<c:barChart>{}<c:extLst><c:ext><c:filteredBarSeries>{hidden}</c:filteredBarSeries></c:ext></c:extLst></c:barChart>",
        series("Final", &YEARS, &numbers("", "0", &["5", "6"]))
    );
    assert_eq!(drawn("Use", &plot), "Use\n\n| | Final |\n| --- | --- |\n| 2023 | 5 |\n| 2024 | 6 |\n");
}

#[test]
fn a_chart_of_a_newer_kind_is_read() {
    let level = |texts: &[&str]| {
        let point = |(at, text): (usize, &&str)| format!("<c:pt idx='{at}'>{text}</c:pt>");
        texts.iter().enumerate().map(point).collect::<String>()
    };
    let space = format!(
        "<c:chartData><c:data id='0'><c:strDim type='cat'><c:lvl>{}</c:lvl></c:strDim><c:numDim type='val'><c:lvl formatCode='#,##0'>{}</c:lvl>\
         </c:numDim></c:data></c:chartData><c:chart><c:title><c:tx><c:txData><c:v>From 2019 to 2024</c:v></c:txData></c:tx></c:title><c:plotArea>\
         <c:plotAreaRegion><c:series><c:tx><c:txData><c:v>kt</c:v></c:txData></c:tx><c:dataId val='0'/></c:series></c:plotAreaRegion>\
         </c:plotArea></c:chart>",
        level(&["2019", "Growth", "Wind"]),
        level(&["1500", "200", "-310"])
    );
    assert_eq!(
        slide(&space, "chartEx"),
        "From 2019 to 2024\n\n| | kt |\n| --- | --- |\n| 2019 | 1,500 |\n| Growth | 200 |\n| Wind | -310 |\n"
    );
}

#[test]
fn a_chart_of_a_workbook_is_read_where_no_sheet_that_is_read_has_its_cells() {
    let cells = row(1, &[text_cell("A1", "Site"), text_cell("B1", "Use")]);
    let book = workbook(&[("Shown", "visible", &cells, ""), ("It's data", "hidden", &cells, "")]);
    for (formula, read_here) in
        [("Shown!$B$2:$B$3", false), ("'It''s data'!$B$2:$B$3", true), ("[1]Shown!$B$2:$B$3", true)]
    {
        let series = series("Heat", &YEARS, &numbers(formula, "0", &["5", "6"]));
        let chart = format!(
            "<c:chartSpace xmlns:c='c' xmlns:a='a'><c:chart>{}<c:plotArea><c:barChart>{series}</c:barChart></c:plotArea></c:chart></c:chartSpace>",
            titled("Heat used")
        );
        let link = |kind: &str, target: &str| {
            format!("<Relationships><Relationship Id='d' Type='t/{kind}' Target='{target}'/></Relationships>")
        };
        let mut parts = parts_of(&book);
        parts.extend(
            [
                ("xl/worksheets/_rels/sheet1.xml.rels", link("drawing", "../drawings/drawing1.xml")),
                ("xl/drawings/drawing1.xml", "<d/>".to_owned()),
                ("xl/drawings/_rels/drawing1.xml.rels", link("chart", "../charts/chart1.xml")),
                ("xl/charts/chart1.xml", chart),
            ]
            .map(|(name, text)| (name.to_owned(), text)),
        );
        let parts: Vec<(&str, &str)> =
            parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let document = read("a.xlsx", &archive(&parts));
        let table = "Heat used\n\n| | Heat |\n| --- | --- |\n| 2023 | 5 |\n| 2024 | 6 |\n";
        assert_eq!(document.text.ends_with(table), read_here, "{formula}: {}", document.text);
    }
}
