//! Indexes as companies lay them out, each read by the real reader of its format, and tables that are no indexes.

use super::*;
use sibyl_text::format::{Format as _, Input, html::Html, markdown::Markdown};

/// What an index says, a line for each code: `GRI 305-1: pages 64–66`.
fn said(name: &str, text: &str) -> Vec<String> {
    let input = Input { name, bytes: text.as_bytes(), page_metadata: None };
    let document = if name.ends_with(".html") { Html.read(&input) } else { Markdown.read(&input) };
    let entries = read(&document);
    assert!(entries.iter().all(|entry| !entry.places.is_empty() && !entry.words.is_empty()));
    entries.iter().map(line).collect()
}

fn line(entry: &IndexEntry) -> String {
    let place = |place: &Place| {
        let named = match &place.named {
            Named::Pages(pages) => {
                let range = |(first, last): &(String, String)| {
                    if first == last { first.clone() } else { format!("{first}–{last}") }
                };
                format!("pages {}", pages.iter().map(range).collect::<Vec<_>>().join(", "))
            }
            Named::Section(name) => format!("section {name}"),
            Named::Document => "whole".to_owned(),
            Named::LeftOut => format!("left out {}", place.words),
            Named::Answer => format!("answer {}", place.words),
        };
        place.document.iter().fold(named, |named, document| format!("{named} of {document}"))
    };
    let places = entry.places.iter().map(place).collect::<Vec<_>>().join("; ");
    format!("{} {}: {places}", entry.framework.label(), entry.code)
}

#[test]
fn a_gri_index_names_pages_sections_and_what_is_omitted() {
    let text = "# GRI content index\n\n\
        | GRI Standard | Disclosure | Location | Reason for omission |\n| --- | --- | --- | --- |\n\
        | **General disclosures** | | | |\n\
        | GRI 2: General Disclosures 2021 | 2-9 Governance structure and composition | 12–14 | - |\n\
        | GRI 2: General Disclosures 2021 | 2-19 Remuneration policies | Remuneration Report 2023, p. 8 | |\n\
        | GRI 305: Emissions 2016 | 305-1 Direct (Scope 1) GHG emissions | 64, 71 | |\n\
        | GRI 305: Emissions 2016 | 305-2 Energy indirect (Scope 2) GHG emissions | Our climate data | |\n\
        | GRI 305: Emissions 2016 | 305-3 Other indirect (Scope 3) GHG emissions | | Information unavailable: suppliers do not report yet |\n\
        | GRI 305: Emissions 2016 | 305-5 Reduction of GHG emissions | pp. 64-6 and 80 | |\n";
    assert_eq!(
        said("index.md", text),
        [
            "GRI 2-9: pages 12–14",
            "GRI 2-19: pages 8 of Remuneration Report 2023",
            "GRI 305-1: pages 64, 71",
            "GRI 305-2: section climate data",
            "GRI 305-3: left out Information unavailable: suppliers do not report yet",
            "GRI 305-5: pages 64–66, 80",
        ]
    );
    let input = Input { name: "a.md", bytes: text.as_bytes(), page_metadata: None };
    let first = read(&Markdown.read(&input)).into_iter().next().unwrap();
    assert_eq!(
        (first.title.as_str(), first.words.as_str()),
        ("2-9 Governance structure and composition", "12–14")
    );
    assert!(first.span.of(text).starts_with("| GRI 2: General") && first.span.of(text).ends_with("| - |"));
}

#[test]
fn a_sasb_table_answers_in_its_cells_or_points_to_pages() {
    let text = "## SASB\n\n\
        | Topic | Metric | Category | Unit of measure | Code | Response |\n| --- | --- | --- | --- | --- | --- |\n\
        | Greenhouse gas emissions | Gross Scope 1 emissions | Quantitative | t CO2-e | TR-AL-110a.1 | 1,204,300 |\n\
        | Greenhouse gas emissions | Strategy to manage Scope 1 | Discussion | n/a | TR-AL-110a.2 | See page 31. |\n\
        | Labour practices | Work stoppages | Quantitative | Number | TR-AL-310a.2 | Not applicable: there were none. |\n\
        | Activity | Load factor | Quantitative | Rate | TR-AL-000.C | See “Fleet and network”, p. 9 |\n";
    assert_eq!(
        said("sasb.md", text),
        [
            "SASB TR-AL-110a.1: answer 1,204,300",
            "SASB TR-AL-110a.2: pages 31",
            "SASB TR-AL-310a.2: left out Not applicable: there were none.",
            "SASB TR-AL-000.C: pages 9",
        ]
    );
}

#[test]
fn a_tcfd_index_is_read_by_the_words_of_its_recommendations() {
    let text = "| Pillar | Recommended disclosure | Page |\n| --- | --- | --- |\n\
        | Governance | a) Describe the board's oversight of climate-related risks and opportunities. | 18 |\n\
        | Governance | b) Describe management’s role in assessing and managing climate-related risks. | 19-20 |\n\
        | Strategy | c) Describe the resilience of the organization’s strategy, taking climate scenarios into account. | 33 |\n\
        | Metrics & Targets | b) Disclose Scope 1, Scope 2 and, if appropriate, Scope 3 emissions. | 64 |\n";
    assert_eq!(
        said("tcfd.md", text),
        [
            "TCFD Governance (a): pages 18",
            "TCFD Governance (b): pages 19–20",
            "TCFD Strategy (c): pages 33",
            "TCFD Metrics and Targets (b): pages 64",
        ]
    );
}

#[test]
fn a_tcfd_index_is_read_by_pillars_and_letters() {
    let text = "# TCFD index\n\n| Recommendation | Where to find it |\n| --- | --- |\n\
        | Governance (a) | Board oversight |\n| Governance – b | Management |\n| **Risk management** | |\n\
        | (a) | Climate Report 2023, pages 4–5; 9 |\n| c) | p. 22 |\n| Metrics and targets a) | CDP Climate Change response C6.1 |\n";
    assert_eq!(
        said("tcfd.md", text),
        [
            "TCFD Governance (a): section Board oversight",
            "TCFD Governance (b): section Management",
            "TCFD Risk Management (a): pages 4–5 of Climate Report 2023; pages 9 of Climate Report 2023",
            "TCFD Risk Management (c): pages 22",
            "TCFD Metrics and Targets (a): whole of CDP Climate Change response C6.1",
        ]
    );
    let numbered = "| Code | TCFD recommended disclosure | Our disclosure |\n| --- | --- | --- |\n\
        | TCFD 1(a) | The board | The board meets four times a year. |\n| TCFD 4(b) | Emissions | 12,300 t |\n";
    assert_eq!(
        said("numbered.md", numbered),
        [
            "TCFD Governance (a): answer The board meets four times a year.",
            "TCFD Metrics and Targets (b): answer 12,300 t"
        ]
    );
}

#[test]
fn an_ifrs_index_gives_paragraphs_without_their_standard() {
    let text = "## IFRS S2 index\n\n| Paragraph | Requirement | Section | Page |\n| --- | --- | --- | --- |\n\
        | 6(a)(i) | Mandates | Governance | 12 |\n| 6(b) | Management’s role | Governance | 13 |\n\
        | 29(a)(i)–(ii) | Emissions | Metrics | 64–66 |\n| 22 | Resilience | Strategy | A-3 |\n";
    assert_eq!(
        said("s2.md", text),
        [
            "IFRS S2 S2.6(a)(i): section Governance; pages 12",
            "IFRS S2 S2.6(b): section Governance; pages 13",
            "IFRS S2 S2.29(a)(i): section Metrics; pages 64–66",
            "IFRS S2 S2.29(a)(ii): section Metrics; pages 64–66",
            "IFRS S2 S2.22: section Strategy; pages A-3",
        ]
    );
}

#[test]
fn an_esrs_index_names_requirements_of_topics_and_of_esrs_2() {
    let text = "| ESRS disclosure requirement | Title | Page |\n| --- | --- | --- |\n\
        | ESRS 2 GOV-1 | The role of the administrative bodies | 40 |\n| E1.GOV-3 | Incentive schemes | 41 |\n\
        | E1-6 | Gross Scopes 1, 2, 3 and total GHG emissions | 88 et seq. p. 90 |\n| S1-14 | Health and safety | 102–104 |\n";
    assert_eq!(
        said("esrs.md", text),
        [
            "ESRS GOV-1: pages 40",
            "ESRS E1.GOV-3: pages 41",
            "ESRS E1-6: pages 90",
            "ESRS S1-14: pages 102–104",
        ]
    );
}

#[test]
fn one_cell_gives_several_codes_and_one_table_several_frameworks() {
    let text = "| Topic | GRI | SASB | Reference |\n| --- | --- | --- | --- |\n\
        | Emissions | 305-1<br>305-2 | EM-CM-110a.1 | p. 52 |\n| Energy | 302-1 to 302-3 | EM-CM-130a.1 | pp. 48–50 |\n\
        | Board | 2-9, 2-12 | - | Annual Report 2023: Corporate governance |\n";
    assert_eq!(
        said("both.md", text),
        [
            "GRI 305-1: pages 52",
            "GRI 305-2: pages 52",
            "SASB EM-CM-110a.1: pages 52",
            "GRI 302-1: pages 48–50",
            "GRI 302-2: pages 48–50",
            "GRI 302-3: pages 48–50",
            "SASB EM-CM-130a.1: pages 48–50",
            "GRI 2-9: section Corporate governance of Annual Report 2023",
            "GRI 2-12: section Corporate governance of Annual Report 2023",
        ]
    );
}

#[test]
fn cells_of_html_that_span_rows_and_columns_are_read_once() {
    let text = "<html><body><h1>GRI index</h1><table><tr><th>Standard</th><th>Disclosure</th><th>Page</th><th>Omission</th></tr>\
        <tr><td rowspan=2>GRI 302</td><td>302-1 Energy consumption</td><td>44</td><td></td></tr>\
        <tr><td>302-3 Energy intensity</td><td colspan=2>Not disclosed</td></tr>\
        <tr><td>GRI 305</td><td>GRI 305-1 Direct emissions</td><td>45–47</td><td></td></tr></table></body></html>";
    assert_eq!(
        said("index.html", text),
        ["GRI 302-1: pages 44", "GRI 302-3: left out Not disclosed", "GRI 305-1: pages 45–47"]
    );
}

#[test]
fn an_index_goes_on_in_a_table_without_names_of_columns() {
    let text = "# GRI content index\n\n| Code | Disclosure | Page |\n| --- | --- | --- |\n\
        | 302-1 | Energy consumption | 44 |\n| 302-3 | Energy intensity | 45 |\n\n\
        | 305-1 | Direct emissions | 64 |\n| --- | --- | --- |\n| 305-2 | Indirect emissions | 65 |\n";
    assert_eq!(
        said("index.md", text),
        ["GRI 302-1: pages 44", "GRI 302-3: pages 45", "GRI 305-1: pages 64", "GRI 305-2: pages 65"]
    );
}

#[test]
fn codes_at_the_end_of_a_table_of_years_are_answered_by_the_latest() {
    let text = "| Metric | 2023 | 2022 | GRI indicator | SASB code |\n| --- | --- | --- | --- | --- |\n\
        | EMISSIONS | | | | |\n| Scope 1 (t) | 297,630 | 292,755 | 305-1 | RT-AE-130a.1 |\n\
        | How energy is managed | 2023 Sustainability Report: Energy management | - | 103-2 | - |\n\
        | Scope 2 (t) | 391,320 | 497,780 | 305-2 | - |\n\
        | Directors | 2023 Sustainability Report: Our board 2023 Annual Report/Form 10-K: Directors and officers of the mills \
        2023 Proxy Statement: Nominees and what each of them has learned before | - | 2-9 | - |\n";
    assert_eq!(
        said("years.md", text),
        [
            "GRI 305-1: answer 297,630",
            "SASB RT-AE-130a.1: answer 297,630",
            "GRI 305-2: answer 391,320",
            "GRI 2-9: \
        section Our board of 2023 Sustainability Report; section Directors and officers of the mills of 2023 Annual Report/Form 10-K; \
        section Nominees and what each of them has learned before of 2023 Proxy Statement"
        ]
    );
}

#[test]
fn places_stand_at_the_ends_of_titles_and_lines() {
    let titles = "# GRI\n\n| Disclosure |\n| --- |\n| 305-1 Direct emissions (p. 64) |\n| 305-2 Indirect emissions, page 65 |\n\
        | 305-3 Other emissions …… 66 |\n";
    assert_eq!(
        said("titles.md", titles),
        ["GRI 305-1: pages 64", "GRI 305-2: pages 65", "GRI 305-3: pages 66"]
    );
    let lines = "# GRI content index\n\n305-1 Direct emissions ........ 64\n305-2 Indirect emissions ...... 65–66\n\
        305-3 Other emissions ......... 70, 72\n";
    assert_eq!(
        said("lines.md", lines),
        ["GRI 305-1: pages 64", "GRI 305-2: pages 65–66", "GRI 305-3: pages 70, 72"]
    );
}

#[test]
fn what_is_no_index_gives_nothing() {
    let none = [
        (
            "contents",
            "# Contents\n\n| Chapter | Page |\n| --- | --- |\n| Governance | 4 |\n| Strategy | 9 |\n| Risk management | 14 |\n",
        ),
        (
            "lines of contents",
            "# Contents\n\nGovernance ........ 4\nStrategy .......... 9\nRisk management ... 14\n",
        ),
        (
            "glossary",
            "# Glossary\n\n| Term | Meaning |\n| --- | --- |\n| GRI | Global Reporting Initiative |\n| Scope 1 | Direct emissions, see page 4 |\n",
        ),
        (
            "figures",
            "| Year | Sites | Energy (GWh) |\n| --- | --- | --- |\n| 2022 | 305 | 302 |\n| 2023 | 306 | 305-310 |\n",
        ),
        (
            "codes without places",
            "# GRI\n\n| Code | Title |\n| --- | --- |\n| 305-1 | Direct emissions |\n| 305-2 | Indirect emissions |\n| 305-3 | Other emissions |\n",
        ),
        (
            "codes with topics",
            "# GRI\n\n| Code | Title | Material topic |\n| --- | --- | --- |\n| 305-1 | Direct | Climate |\n| 305-2 | Indirect | Climate |\n",
        ),
        ("ranges of years", "| Period | Page |\n| --- | --- |\n| 2021-22 | 4 |\n| 2022-23 | 5 |\n"),
        ("ages", "| Age | Share | Page |\n| --- | --- | --- |\n| 18-24 | 12% | 4 |\n| 25-30 | 30% | 5 |\n"),
        (
            "one code alone",
            "| Note | Page |\n| --- | --- |\n| GRI 305-1 | 4 |\n| Other | 5 |\n| More | 6 |\n| Last | 7 |\n",
        ),
    ];
    for (name, text) in none {
        assert_eq!(said("none.md", text), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn a_code_is_cited_with_the_name_of_its_framework() {
    for (framework, code, cited) in [
        (Framework::IfrsS1, "S1.27(b)", "IFRS S1 27(b)"),
        (Framework::IfrsS2, "S2.29(a)(vi)(1)", "IFRS S2 29(a)(vi)(1)"),
        (Framework::Sasb, "IF-EU-110a.1", "SASB IF-EU-110a.1"),
        (Framework::Gri, "305-1", "GRI 305-1"),
        (Framework::Tcfd, "Governance (a)", "TCFD Governance (a)"),
        (Framework::Esrs, "E1-1", "ESRS E1-1"),
    ] {
        assert_eq!(framework.cited(code), cited);
    }
}
