//! Which rows name the columns of a table, and what belongs to a number.

use crate::office::archive;
use crate::sheet::{row, text_cell, workbook};
use crate::{chunks, codes, read};

/// The text of a page with a table of `rows`. Cells are separated by `|`, and a number before a colon gives the
/// columns that they span.
fn table(rows: &[&str]) -> String {
    let cell = |cell: &str| match cell.split_once(':') {
        Some((columns, text)) if columns.len() == 1 => format!("<td colspan={columns}>{text}</td>"),
        _ => format!("<td>{cell}</td>"),
    };
    let row = |row: &&str| format!("<tr>{}</tr>", row.split('|').map(cell).collect::<String>());
    let page =
        format!("<html><body><table>{}</table></body></html>", rows.iter().map(row).collect::<String>());
    read("page.html", page.as_bytes()).text
}

/// Lines of a table as they are written, cells apart by `|`.
fn lines(text: &str) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with('|') && !line.starts_with("| ---"));
    rows.map(|row| row[1..row.len() - 1].split('|').map(str::trim).collect::<Vec<_>>().join("|")).collect()
}

#[test]
fn a_name_may_begin_with_a_digit() {
    for names in [
        "|2024*|2023*",
        "|2024 (1)|2023",
        "|31.12.2024|31.12.2023",
        "|1H 2024|1H 2023",
        "|2024 kt|2023 kt",
        "|2024A|2025E",
        "|2024 actual|2025 guidance",
        "|FY23|FY22",
        "Region|30 June 2024|30 June 2023",
        "|Year ended 31 March 2025|Year ended 31 March 2024",
        "|2024年度|2023年度",
    ] {
        assert_eq!(lines(&table(&[names, "Oslo|1,200|1,300", "Kiel|400|500"]))[0], names);
    }
}

#[test]
fn rows_above_the_first_number_are_data_once_the_columns_have_names() {
    for rows in [
        &["Aim|First year|Last year", "Zero|2018|2045", "Half|2018|2032", "Cut|0%|50%"][..],
        &["|2024|2023", "Mean life|5.4 years|5.4 years", "Upstream|–|–", "Direct|1,200|1,300"],
        &["|2024|2023", "Certified|yes|yes", "Direct|1,200|1,300"],
        &["Lease|2024", "Ships|6 years", "Cranes|12 months", "Cost|1,300"],
    ] {
        assert_eq!(lines(&table(rows)), rows);
    }
}

#[test]
fn names_stand_in_several_rows_and_may_be_long() {
    let long = "What may yet be bought under the plans or programmes that the board announced in the course of the year (1)";
    let names = format!("Month|Bought|{long}");
    assert_eq!(lines(&table(&[&names, "July|67,990|$56,353", "August|40,004|$51,713"]))[0], names);
    assert_eq!(
        lines(&table(&[
            "|2:2024|2:2023",
            "Site|Plan|Actual|Plan|Actual",
            "|kt|kt|kt|kt",
            "Oslo|1.5|2.5|3.5|4.5"
        ])),
        [
            "Site|2024 / Plan / kt|2024 / Actual / kt|2023 / Plan / kt|2023 / Actual / kt",
            "Oslo|1.5|2.5|3.5|4.5"
        ]
    );
    assert_eq!(
        lines(&table(&["|||Change", "|2024|2023|2024 to 2023", "Sales|7,107|7,341|(3)%"])),
        ["|2024|2023|Change / 2024 to 2023", "Sales|7,107|7,341|(3)%"],
        "a name above one column is not that of others"
    );
}

#[test]
fn signs_units_and_room_between_columns_take_no_column() {
    assert_eq!(
        lines(&table(&[
            "3:|9:2024",
            "3:|3:Cost|3:|3:Value",
            "3:Cash|$|17,773||3:|$|17,775|",
            "3:Notes|2:2,171||3:|2:2,173|"
        ])),
        ["|2024 / Cost|2024 / Value", "Cash|$17,773|$17,775", "Notes|2,171|2,173"]
    );
    assert_eq!(
        lines(&table(&["3:|3:2024", "3:Held:|3:", "3:Notes|$|16,270|", "3:Debt|$|(21,033)|"])),
        ["|2024", "Held:|", "Notes|$16,270", "Debt|$(21,033)"],
        "one name, and a row that heads others"
    );
    assert_eq!(
        lines(&table(&["|2:2024|2:2023", "Waste|415|kt|398|kt", "Water|12|Ml|11|Ml"])),
        ["|2024|2023", "Waste|415 kt|398 kt", "Water|12 Ml|11 Ml"]
    );
}

#[test]
fn a_table_right_below_another_keeps_its_names_and_one_with_a_title_does_not() {
    let first = "<table><tr><td></td><td>2024</td><td>2023</td></tr><tr><td>Goods</td><td>61</td><td>60</td></tr></table>";
    let second = "<table><tr><td>Share:</td><td></td><td></td></tr><tr><td>Goods</td><td>31.5%</td><td>32.2%</td></tr></table>";
    let page = |between: &str| {
        read("a.html", format!("<html><body>{first}{between}{second}</body></html>").as_bytes()).text
    };
    assert_eq!(lines(&page(""))[2..], ["|2024|2023", "Share:||", "Goods|31.5%|32.2%"]);
    assert_eq!(lines(&page("<p>Other figures</p>"))[2..], ["||", "Share:||", "Goods|31.5%|32.2%"]);
}

#[test]
fn other_years_further_down_begin_another_table() {
    let text = table(&["Water|2024|2023", "Oslo|5.5|6.5", "Waste|2022|2021", "Oslo|7.5|8.5"]);
    assert_eq!(lines(&text), ["Water|2024|2023", "Oslo|5.5|6.5", "Waste|2022|2021", "Oslo|7.5|8.5"]);
    assert_eq!(text.matches("\n| --- |").count(), 2);
}

#[test]
fn a_table_in_a_cell_does_not_dissolve_the_one_around_it() {
    let page = "<html><body><table><tr><td>Site</td><td>2024</td><td>2023</td></tr><tr><td>Oslo</td><td>5.5</td><td>6.5</td></tr>\
                <tr><td>Kiel <table><tr><td>north</td><td>quay</td></tr></table></td><td>7.5</td><td>8.5</td></tr></table></body></html>";
    let text = read("a.html", page.as_bytes()).text;
    assert_eq!(lines(&text), ["Site|2024|2023", "Oslo|5.5|6.5", "Kiel<br>north quay|7.5|8.5"]);
}

/// The text of a workbook of one sheet: rows with their numbers, cells apart by `|` from column A on.
fn sheet(rows: &[(u32, &str)], merged: &str) -> String {
    let cells = |number: u32, cells: &str| {
        let cells = cells.split('|').zip('A'..).filter(|(text, _)| !text.is_empty());
        let cells: Vec<String> =
            cells.map(|(text, column)| text_cell(&format!("{column}{number}"), text)).collect();
        row(number, &cells)
    };
    let rows: String = rows.iter().map(|(number, text)| cells(*number, text)).collect();
    let merged: String =
        merged.split_whitespace().map(|range| format!("<mergeCell ref=\"{range}\"/>")).collect();
    let merged = if merged.is_empty() { merged } else { format!("<mergeCells>{merged}</mergeCells>") };
    read("a.xlsx", &workbook(&[("S", "visible", &rows, &merged)])).text
}

#[test]
fn a_sheet_gives_each_table_its_own_names_and_title() {
    let text = sheet(
        &[
            (1, "Energy (MWh)"),
            (2, "Site|2024|2023"),
            (3, "Oslo|1120|1200"),
            (5, "Heads at the end of the half-year"),
            (6, "Site|30 Jun 2024|31 Dec 2024"),
            (7, "Oslo|61|64"),
            (9, "Aims"),
            (10, "Oslo|2030|2045"),
            (11, "Kiel|2035|2050"),
        ],
        "",
    );
    assert_eq!(
        text,
        "# S\n\n## Energy (MWh)\n\n| Site | 2024 | 2023 |\n| --- | --- | --- |\n| Oslo | 1120 | 1200 |\n\n## Heads at the end of the \
         half-year\n\n| Site | 30 Jun 2024 | 31 Dec 2024 |\n| --- | --- | --- |\n| Oslo | 61 | 64 |\n\n## Aims\n\n| | | |\n| --- | --- \
         | --- |\n| Oslo | 2030 | 2045 |\n| Kiel | 2035 | 2050 |\n"
    );
}

#[test]
fn a_blank_row_below_names_parts_nothing_and_a_lone_period_speaks_for_all_columns() {
    let text = sheet(
        &[
            (1, "In millions of SEK|||January–June 2024"),
            (2, "|Sales|Profit|Costs"),
            (4, "North|12,553|2,713|(44)"),
            (5, "South|9,467|1,570|(140)"),
        ],
        "",
    );
    assert_eq!(
        lines(&text)[..2],
        [
            "In millions of SEK|January–June 2024 / Sales|January–June 2024 / Profit|January–June 2024 / Costs",
            "North|12,553|2,713|(44)"
        ]
    );
}

#[test]
fn of_two_titles_in_a_row_the_first_is_that_of_the_rows_and_references_name_nothing() {
    let text = sheet(
        &[
            (1, "Emissions (in t)||Targets (in t)"),
            (2, "30||54(b)|54(a)|54(d)"),
            (3, "N/A|26-45|152-158|152-158|152-158"),
            (4, "|Current period|Base year|Target year|Share of base"),
            (5, "Year|2026|2020|2030"),
            (6, "Direct|100|150|75|-50%"),
            (7, "Bought|50|75|15|-80%"),
        ],
        "A1:B1 C1:E1",
    );
    assert!(text.starts_with("# S\n\n## Emissions (in t)\n\n30, 54(b)"), "{text}");
    assert_eq!(
        lines(&text),
        [
            "Year|Current period / 2026|Targets (in t) / Base year / 2020|Targets (in t) / Target year / 2030|Targets (in t) / Share of base",
            "Direct|100|150|75|-50%",
            "Bought|50|75|15|-80%",
        ]
    );
}

#[test]
fn tables_side_by_side_with_labels_of_their_own_are_two() {
    let text = sheet(
        &[
            (1, "Energy (MWh)|||Water (m3)"),
            (2, "Site|2024||Site|2024"),
            (3, "Oslo|11||Kiel|22"),
            (4, "Rome|33||Bari|44"),
        ],
        "",
    );
    assert_eq!(
        text,
        "# S\n\n## Energy (MWh)\n\n| Site | 2024 |\n| --- | --- |\n| Oslo | 11 |\n| Rome | 33 |\n\n## Water (m3)\n\n| Site | 2024 |\n\
         | --- | --- |\n| Kiel | 22 |\n| Bari | 44 |\n"
    );
}

#[test]
fn hidden_rows_and_columns_are_left_out_and_told() {
    let bytes = workbook(&[(
        "S",
        "visible",
        &(row(1, &[text_cell("A1", "Site"), text_cell("B1", "Draft"), text_cell("C1", "2024")])
            + &row(2, &[text_cell("A2", "Oslo"), text_cell("B2", "999"), text_cell("C2", "112")])
            + &row(3, &[text_cell("A3", "Riga"), text_cell("C3", "777")])
                .replace("<row ", "<row hidden=\"1\" ")
            + &row(4, &[text_cell("A4", "Kiel"), text_cell("C4", "210")])),
        "",
    )]);
    let hidden = "<cols><col min=\"2\" max=\"2\" hidden=\"1\"/></cols><sheetData>";
    let parts = crate::office::parts_of(&bytes);
    let parts: Vec<(String, String)> =
        parts.into_iter().map(|(name, text)| (name, text.replace("<sheetData>", hidden))).collect();
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let document = read("a.xlsx", &archive(&parts));
    assert_eq!(lines(&document.text), ["Site|2024", "Oslo|112", "Kiel|210"]);
    assert_eq!(codes(&document), ["hidden_cells"]);
    assert!(document.notices[0].message.contains("1 row and 1 column"), "{}", document.notices[0].message);
}

#[test]
fn a_chunk_that_begins_inside_a_table_repeats_title_header_and_band() {
    let block = |name: &str| {
        let rows: String = (0..120)
            .map(|n| format!("<tr><td>Site number {n} of the group</td><td>{n}.5</td><td>{n}.25</td></tr>"))
            .collect();
        format!("<tr><td>{name}</td><td></td><td></td></tr>{rows}")
    };
    let page = format!(
        "<html><body><p>Use by site, in thousands</p><table><tr><td>Site</td><td>2024</td><td>2023</td></tr>{}{}{}</table></body></html>",
        block("Energy"),
        block("Water"),
        block("Waste")
    );
    let document = read("a.html", page.as_bytes());
    let chunks = chunks(&document);
    assert!(chunks.len() > 3);
    let mut band = String::new();
    for chunk in &chunks {
        let text = chunk.text(&document.text);
        assert!(text.contains("Use by site, in thousands\n\n| Site | 2024 | 2023 |\n| --- |"), "{text}");
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).skip(2).collect();
        assert!(rows[0].ends_with("| | |"), "the rows of a chunk are named: {text}");
        let first = rows[0].trim_matches(['|', ' ']).to_owned();
        assert!(band.is_empty() || first == band || rows[1].contains("number 0 "), "{band}: {text}");
        band = rows
            .iter()
            .rev()
            .find(|row| row.ends_with("| | |"))
            .map(|row| row.trim_matches(['|', ' ']).to_owned())
            .unwrap();
    }
}

#[test]
fn words_above_columns_of_ticks_name_them() {
    let table = |rows: &[[&str; 3]]| {
        let row =
            |cells: &[&str; 3]| format!("<tr>{}</tr>", cells.map(|cell| format!("<td>{cell}</td>")).concat());
        let page = format!("<p>A</p><table>{}</table>", rows.iter().map(row).collect::<String>());
        read("a.html", page.as_bytes()).text
    };
    let asked = [
        ["Criterion", "Yes", "No"],
        ["Policy in place", "✓", ""],
        ["Audit done", "", "✓"],
        ["Plan", "✓", ""],
    ];
    assert!(table(&asked).contains("| Criterion | Yes | No |\n| --- |"), "{}", table(&asked));
    let dated = [["Site", "2023", "2024"], ["Moss", "x", "x"], ["Ski", "–", "x"]];
    assert!(table(&dated).contains("| Site | 2023 | 2024 |\n| --- |"), "{}", table(&dated));
    let bare = [["Policy in place", "✓", ""], ["Audit done", "", "✓"]];
    assert!(table(&bare).contains("| | | |\n| --- |"), "ticks name nothing: {}", table(&bare));
}

#[test]
fn a_table_in_a_cell_stands_below_the_table_around_it() {
    let inner = "<table><tr><th>Kind</th><th>2024</th></tr><tr><td>Power</td><td>310</td></tr><tr><td>Heat</td><td>102</td></tr></table>";
    let page = format!(
        "<p>A</p><table><tr><th>Topic</th><th>Data</th><th>Owner</th></tr><tr><td>Energy</td><td>By kind: {inner}</td><td>Ops</td></tr>\
         <tr><td>Water</td><td>480 m³</td><td>Sites</td></tr></table>"
    );
    let text = read("a.html", page.as_bytes()).text;
    let expected = "A\n\n| Topic | Data | Owner |\n| --- | --- | --- |\n| Energy | By kind: | Ops |\n| Water | 480 m³ | Sites |\n\n\
                    Energy\n\n| Kind | 2024 |\n| --- | --- |\n| Power | 310 |\n| Heat | 102 |\n";
    assert_eq!(text, expected);
    // A table that holds nothing but tables puts them side by side.
    let beside = format!(
        "<p>A</p><table><tr><th>One</th><th>Two</th></tr><tr><td>{inner}</td><td>{inner}</td></tr></table>"
    );
    assert_eq!(read("a.html", beside.as_bytes()).text.matches("| Kind | 2024 |").count(), 2);
}

#[test]
fn the_raised_mark_of_a_note_is_no_digit_of_the_number_before_it() {
    let row = |cells: [&str; 3], cell: &dyn Fn(&str) -> String| cells.map(cell).concat();
    let rows = [["Item", "2024", "2023^2)"], ["Heat", "101^2)", "102"], ["Power", "55^(3)", "107^1)2)"]];
    let split = |text: &str| {
        let (number, mark) = text.split_once('^').unwrap_or((text, ""));
        (number.to_owned(), mark.to_owned())
    };
    let html = |text: &str| {
        let (number, mark) = split(text);
        format!("<td>{number}<sup>{mark}</sup></td>")
    };
    let word = |text: &str| {
        let (number, mark) = split(text);
        format!(
            "<w:tc><w:p><w:r><w:t>{number}</w:t></w:r><w:r><w:rPr><w:vertAlign w:val='superscript'/></w:rPr><w:t>{mark}</w:t></w:r>\
             </w:p></w:tc>"
        )
    };
    let page: String = rows.iter().map(|cells| format!("<tr>{}</tr>", row(*cells, &html))).collect();
    let body: String = rows.iter().map(|cells| format!("<w:tr>{}</w:tr>", row(*cells, &word))).collect();
    let expected =
        "| Item | 2024 | 2023² |\n| --- | --- | --- |\n| Heat | 101² | 102 |\n| Power | 55³ | 107¹,² |\n";
    let page = read("a.html", format!("<p>A</p><table>{page}</table>").as_bytes());
    assert_eq!(page.text, format!("A\n\n{expected}"));
    let document = read("a.docx", &crate::docx::made(&format!("<w:tbl>{body}</w:tbl>")));
    assert_eq!(document.text, expected);
    for document in [page, document] {
        let values: Vec<(f64, Option<u16>)> =
            sibyl_text::figure::figures(&document).iter().map(|figure| (figure.value, figure.year)).collect();
        assert_eq!(
            values,
            [(101.0, Some(2024)), (102.0, Some(2023)), (55.0, Some(2024)), (107.0, Some(2023))]
        );
    }
}
