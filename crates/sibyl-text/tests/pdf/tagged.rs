//! Pages with tags: what these decide, and what is corrected in tags that programs guess.

use crate::read;
use crate::writer::{File, Page};
use sibyl_text::{BlockKind, Document};

/// A page whose contents are tagged one after the other.
#[derive(Default)]
struct Tagged {
    page: Page,
    tree: String,
    count: usize,
}

impl Tagged {
    /// Draws something that is an element of `role`.
    fn element(mut self, role: &str, draw: impl FnOnce(Page) -> Page) -> Self {
        let item = self.draw(draw);
        self.tree += &format!("<< /S /{role} /Pg 6 0 R /K {item} >> ");
        self
    }

    /// A table of `rows`, the left sides of whose columns are `lefts`, each line 20 points below the one before.
    fn table(mut self, lefts: &[f32], top: f32, rows: &[&[&str]]) -> Self {
        let mut tree = String::new();
        for (row, cells) in rows.iter().enumerate() {
            tree += "<< /S /TR /K [";
            for (cell, left) in cells.iter().zip(lefts) {
                let item = self.draw(|page| page.text(*left, top + 20.0 * row as f32, 10.0, cell));
                tree += &format!("<< /S /TD /Pg 6 0 R /K {item} >> ");
            }
            tree += "] >> ";
        }
        self.tree += &format!("<< /S /Table /K [{tree}] >> ");
        self
    }

    /// A table of one row that holds the tables and elements which `left` and `right` draw.
    fn side_by_side(mut self, left: impl FnOnce(Self) -> Self, right: impl FnOnce(Self) -> Self) -> Self {
        let before = std::mem::take(&mut self.tree);
        let mut left = left(self);
        let cell = std::mem::take(&mut left.tree);
        let mut out = right(left);
        out.tree = format!(
            "{before}<< /S /Table /K [<< /S /TR /K [<< /S /TD /K [{cell}] >> << /S /TD /K [{}] >>] >>] >> ",
            out.tree
        );
        out
    }

    fn draw(&mut self, draw: impl FnOnce(Page) -> Page) -> usize {
        let item = self.count;
        self.count += 1;
        let page = std::mem::take(&mut self.page).raw(&format!("/P << /MCID {item} >> BDC"));
        self.page = draw(page).raw("EMC");
        item
    }

    fn read(self) -> Document {
        let file = File::default().page(self.page);
        let file = file.catalog("/MarkInfo << /Marked true >> /StructTreeRoot 5 0 R");
        read(&file.object(&format!("<< /K [{}] >>", self.tree)).bytes())
    }
}

impl Tagged {
    /// A table of rows of cells, each with its left side, its attributes and its text; rows stand 20 points apart.
    fn cells(mut self, top: f32, rows: &[&[(f32, &str, &str)]]) -> Self {
        let mut tree = String::new();
        for (row, cells) in rows.iter().enumerate() {
            tree += "<< /S /TR /K [";
            for (left, spans, cell) in *cells {
                let item = self.draw(|page| page.text(*left, top + 20.0 * row as f32, 10.0, cell));
                tree += &format!("<< /S /TD /Pg 6 0 R /A << /O /Table {spans} >> /K {item} >> ");
            }
            tree += "] >> ";
        }
        self.tree += &format!("<< /S /Table /K [{tree}] >> ");
        self
    }
}

/// What the figures of a document are called, with their years.
fn told(document: &Document) -> Vec<String> {
    let all = sibyl_text::figure::figures(document);
    let shown = all.iter().map(|figure| {
        let year = figure.year.map_or_else(|| "-".to_owned(), |year| year.to_string());
        format!(
            "{} | {} | {year} | {}",
            figure.label.join(" › "),
            figure.column,
            figure.printed(&document.text)
        )
    });
    shown.collect()
}

/// Columns over years with their values above them, each label an element of its own.
fn columns(page: Tagged, left: f32, values: &[(&str, &str)]) -> Tagged {
    values.iter().enumerate().fold(page, |page, (at, (year, value))| {
        let (x, long) = (left + 50.0 * at as f32, 40.0 + 9.0 * at as f32);
        let bar = format!("0.2 0.4 0.8 rg {x} {} 24 {long} re f 0 g", 800.0 - 330.0);
        let page = page.element("P", |page| page.raw(&bar).text(x + 2.0, 326.0 - long, 8.0, value));
        page.element("P", |page| page.text(x + 2.0, 341.0, 8.0, year))
    })
}

const OUTPUT: [(&str, &str); 4] = [("2021", "412"), ("2022", "398"), ("2023", "398"), ("2024", "455")];

#[test]
fn a_chart_of_a_tagged_page_is_a_table_where_the_tags_have_it() {
    let page = Tagged::default().element("H2", |page| page.bold(60.0, 240.0, 10.0, "Ore output (kt)"));
    let page = columns(page, 80.0, &OUTPUT)
        .element("P", |page| {
            page.text(60.0, 370.0, 10.0, "The mine at Lunde was closed for most of").text(
                330.0,
                240.0,
                10.0,
                "the spring.",
            )
        })
        .table(&[60.0, 200.0], 420.0, &[&["Plant", "Staff"], &["Lunde", "31"], &["Avell", "75"]]);
    let text = page.read().text;
    let (years, values): (Vec<&str>, Vec<&str>) = OUTPUT.into_iter().unzip();
    let parts = [
        "## Ore output (kt)",
        &format!("| {} |", years.join(" | ")),
        &format!("| {} |", values.join(" | ")),
        "The mine at Lunde was closed for most of the spring.",
        "| Plant | Staff |",
        "| Lunde | 31 |",
    ];
    crate::in_order(&text, &parts);
}

#[test]
fn a_chart_takes_no_word_out_of_an_element() {
    let sentence = "Output of the mines rose to";
    let (last, others) = OUTPUT.split_last().expect("columns");
    let page = columns(Tagged::default(), 80.0, others).element("P", |page| {
        let bar = "0.2 0.4 0.8 rg 230 470 24 90 re f 0 g";
        page.raw(bar).text(232.0, 236.0, 8.0, last.1).text(60.0, 400.0, 10.0, sentence)
    });
    let text = page.element("P", |page| page.text(232.0, 341.0, 8.0, last.0)).read().text;
    assert!(!text.contains("| 2021"), "{text}");
    crate::in_order(&text, &[last.1, sentence]);
}

#[test]
fn cards_of_a_tagged_page_keep_number_and_caption() {
    let cards = [("31.4", "million passengers"), ("52", "airports served"), ("1.9", "tonnes of waste")];
    let page = cards.iter().enumerate().fold(Tagged::default(), |page, (at, (number, caption))| {
        let x = 60.0 + 160.0 * at as f32;
        page.element("P", |page| page.bold(x, 120.0, 24.0, number))
            .element("H3", |page| page.text(x, 138.0, 9.0, caption))
    });
    let text =
        page.element("P", |page| page.text(60.0, 240.0, 10.0, "What follows is a sentence.")).read().text;
    for (number, caption) in cards {
        let card = format!("{number} {caption}");
        assert!(text.lines().any(|line| line == card), "{card:?} is not a line of:\n{text}");
    }
}

#[test]
fn tags_decide_over_place() {
    // Drawn and placed second first; the tree says otherwise and names the heading.
    let page = Page::default()
        .raw("/P << /MCID 0 >> BDC")
        .text(50.0, 100.0, 10.0, "It meets four times a year.")
        .raw("EMC /P << /MCID 1 >> BDC")
        .text(50.0, 200.0, 10.0, "The board")
        .raw("EMC /Artifact << /Type /Pagination >> BDC")
        .text(50.0, 780.0, 10.0, "Page 9")
        .raw("EMC");
    let file =
        File::default().page(page).catalog("/MarkInfo << /Marked true >> /StructTreeRoot 5 0 R").object(
            "<< /K [<< /S /Titel /Pg 6 0 R /K 1 >> << /S /P /Pg 6 0 R /K 0 >>] /RoleMap << /Titel /H2 >> >>",
        );
    assert_eq!(read(&file.bytes()).text, "## The board\n\nIt meets four times a year.\n");
}

/// A page of lines below each other, each tagged as a paragraph.
fn each_line_tagged(page: Tagged, top: f32, lines: &[&str]) -> Tagged {
    lines.iter().enumerate().fold(page, |page, (at, line)| {
        page.element("P", |page| page.text(50.0, top + 12.0 * at as f32, 10.0, line))
    })
}

#[test]
fn tags_do_not_tear_a_sentence_from_line_to_line() {
    let torn = [
        "The department now assesses what heat, storms and floods",
        "can do to the halls that it owns, and asks each of its five offices",
        "to tell what they need.",
        "It answers them within a year.",
    ];
    let sentences = "The department now assesses what heat, storms and floods can do to the halls that it owns, and \
                     asks each of its five offices to tell what they need.\n\nIt answers them within a year.\n";
    assert_eq!(each_line_tagged(Tagged::default(), 100.0, &torn).read().text, sentences);
    let listed = ["What is counted:", "fuel of ships", "power of halls and of the yards beside them"];
    let text = each_line_tagged(Tagged::default(), 100.0, &listed).read().text;
    assert_eq!(text.matches("\n\n").count(), 2, "a line that had room begins anew");
}

#[test]
fn wider_text_further_up_does_not_say_how_wide_a_torn_column_is() {
    let wide =
        "What the department does for its halls is told in this part of its report, and when it does so.";
    let torn = [
        "The department now assesses what",
        "heat, storms and floods can do to",
        "its halls, and tells what they need.",
    ];
    let page = Tagged::default().element("P", |page| page.text(50.0, 60.0, 10.0, wide));
    let text = each_line_tagged(page, 100.0, &torn).read().text;
    assert_eq!(text, format!("{wide}\n\n{}\n", torn.join(" ")));
}

const BODY: [&str; 3] = [
    "Water is scarce where three of the plants stand, and will",
    "be scarcer in ten years. Each of them has a plan that says",
    "how much it may take in a dry summer.",
];

fn body(page: Tagged, x: f32, y: f32) -> Tagged {
    page.element("P", |page| page.lines(x, y, &BODY))
}

fn heading_of(document: &Document, title: &str) -> Option<u8> {
    document.sections.iter().find(|section| section.title == title).map(|section| section.level)
}

#[test]
fn a_title_that_tags_call_a_figure_is_a_heading_where_it_heads_text() {
    let page = Tagged::default()
        .element("H1", |page| page.bold(50.0, 60.0, 20.0, "Our climate"))
        .element("Figure", |page| page.bold(50.0, 100.0, 14.0, "Water at the plants"));
    let page = body(page, 50.0, 120.0).element("H2", |page| page.bold(50.0, 200.0, 14.0, "Heat"));
    let document = body(page, 50.0, 220.0).read();
    assert_eq!(heading_of(&document, "Water at the plants"), Some(2), "{}", document.text);
    assert_eq!(heading_of(&document, "Heat"), Some(2));
}

#[test]
fn titles_of_boxes_side_by_side_stand_above_the_text_of_their_own() {
    let page = Tagged::default()
        .element("Figure", |page| page.bold(50.0, 100.0, 10.0, "WATER AT THE PLANTS"))
        .element("Figure", |page| page.bold(350.0, 100.0, 10.0, "HEAT AT THE PLANTS"));
    let text = body(body(page, 50.0, 120.0), 350.0, 120.0).read().text;
    let body = BODY.join(" ");
    assert_eq!(text, format!("# WATER AT THE PLANTS\n\n{body}\n\n# HEAT AT THE PLANTS\n\n{body}\n"));
}

#[test]
fn names_of_a_drawing_are_no_headings() {
    let names = |page: Tagged| {
        page.element("Figure", |page| page.bold(50.0, 100.0, 12.0, "Coal"))
            .element("Figure", |page| page.bold(150.0, 100.0, 12.0, "Water"))
            .element("Figure", |page| page.bold(250.0, 100.0, 12.0, "Wind"))
    };
    let document = body(names(Tagged::default()), 50.0, 130.0).read();
    assert!(document.sections.is_empty(), "{}", document.text);
}

#[test]
fn a_table_that_tags_cut_in_two_is_one() {
    let lefts = [50.0, 250.0, 350.0];
    let document = Tagged::default()
        .table(&lefts, 100.0, &[&["Vehicles", "2023", "2024"], &["Electric", "2,419", "8,154"]])
        .table(&lefts, 140.0, &[&["Others", "450,596", "454,543"], &["All", "453,015", "462,697"]])
        .read();
    let tables = document.blocks.iter().filter(|b| matches!(b.kind, BlockKind::Table { .. })).count();
    assert_eq!(tables, 1, "{}", document.text);
    assert!(document.text.contains("| Electric | 2,419 | 8,154 |\n| Others | 450,596 | 454,543 |"));
}

#[test]
fn a_table_in_a_row_that_lays_out_a_page_is_that_table_beside_its_text() {
    let table = [["Year", "Power", "Diesel"], ["2023", "22,715", "9,105"], ["2024", "24,068", "7,976"]];
    let rows: Vec<&[&str]> = table.iter().map(<[&str; 3]>::as_slice).collect();
    let text = "The cranes run on power since March.";
    let document = Tagged::default()
        .side_by_side(
            |page| page.element("P", |page| page.text(50.0, 100.0, 10.0, text)),
            |page| page.table(&[300.0, 380.0, 460.0], 100.0, &rows),
        )
        .read();
    let expected = "| Year | Power | Diesel |\n| --- | --- | --- |\n| 2023 | 22,715 | 9,105 |\n| 2024 | 24,068 | 7,976 |";
    assert!(document.text.contains(expected), "{}", document.text);
    assert!(document.text.lines().any(|line| line == text), "{}", document.text);
}

#[test]
fn names_over_several_columns_that_the_next_page_repeats_below_a_note_are_there_once() {
    const XS: [f32; 5] = [50.0, 200.0, 270.0, 340.0, 410.0];
    type Cells = [(&'static str, usize, usize)];
    let names: [&Cells; 2] = [
        &[("Source", 0, 1), ("Leeds", 1, 2), ("Ghent", 3, 2)],
        &[("", 0, 1), ("2023", 1, 1), ("2024", 2, 1), ("2023", 3, 1), ("2024", 4, 1)],
    ];
    let row = |cells: [&'static str; 5]| -> Vec<(&'static str, usize, usize)> {
        cells.into_iter().enumerate().map(|(c, cell)| (cell, c, 1)).collect()
    };
    let [gas, oil, power, steam] = [
        row(["Gas", "46,905", "45,118", "18,340", "17,902"]),
        row(["Oil", "1,804", "1,733", "341", "329"]),
        row(["Power", "4,251", "3,990", "1,084", "1,052"]),
        row(["Steam", "3,521", "3,480", "911", "930"]),
    ];
    let (mut rows, mut note) = (String::new(), String::new());
    let mut file = File::default();
    for (number, body) in [[&gas, &oil], [&power, &steam]].into_iter().enumerate() {
        let (mut page, mut item, object) = (Page::default(), 0, 6 + 2 * number);
        let lines = names.iter().copied().chain(body.into_iter().map(Vec::as_slice));
        for (r, cells) in lines.enumerate() {
            rows += "<< /S /TR /K [";
            for (text, column, span) in cells {
                let marked = page.raw(&format!("/P << /MCID {item} >> BDC"));
                page = marked.text(XS[*column], 100.0 + 20.0 * r as f32, 10.0, text).raw("EMC");
                rows +=
                    &format!("<< /S /TD /Pg {object} 0 R /K {item} /A << /O /Table /ColSpan {span} >> >> ");
                item += 1;
            }
            rows += "] >> ";
        }
        if number == 0 {
            let marked = page.raw(&format!("/P << /MCID {item} >> BDC"));
            page = marked.text(50.0, 700.0, 7.0, "a Measured at the gate.").raw("EMC");
            note = format!("<< /S /P /Pg {object} 0 R /K {item} >>");
        }
        file = file.page(page);
    }
    let file = file.catalog("/MarkInfo << /Marked true >> /StructTreeRoot 5 0 R");
    let document = read(&file.object(&format!("<< /K [<< /S /Table /K [{rows}] >> {note}] >>")).bytes());
    let table = "| Source | Leeds 2023 | Leeds 2024 | Ghent 2023 | Ghent 2024 |\n| --- | --- | --- | --- | --- |\n\
                 | Gas | 46,905 | 45,118 | 18,340 | 17,902 |\n| Oil | 1,804 | 1,733 | 341 | 329 |\n\
                 | Power | 4,251 | 3,990 | 1,084 | 1,052 |\n| Steam | 3,521 | 3,480 | 911 | 930 |";
    assert!(document.text.contains(table), "{}", document.text);
}

#[test]
fn rows_of_values_that_are_no_table_to_the_tags_are_one() {
    let rows =
        [["", "2024", "2023"], ["Electricity", "412", "388"], ["Gas", "655", "702"], ["Heat", "118", "97"]];
    let page = rows.iter().enumerate().fold(Tagged::default(), |page, (r, row)| {
        let cells = row.iter().zip([60.0, 260.0, 340.0]).filter(|(cell, _)| !cell.is_empty());
        cells.fold(page, |page, (cell, x)| {
            page.element("NonStruct", |page| page.text(x, 100.0 + 18.0 * r as f32, 10.0, cell))
        })
    });
    assert_eq!(
        told(&page.read()),
        [
            "Electricity |  | 2024 | 412",
            "Electricity |  | 2023 | 388",
            "Gas |  | 2024 | 655",
            "Gas |  | 2023 | 702",
            "Heat |  | 2024 | 118",
            "Heat |  | 2023 | 97",
        ]
    );
}

#[test]
fn a_change_of_letters_ends_no_line() {
    let mark = 60.0 + crate::writer::width("Figures of FY19", 10.0);
    let page = Tagged::default()
        .element("NonStruct", |page| page.text(60.0, 100.0, 10.0, "Figures of FY19"))
        .element("NonStruct", |page| page.text(mark, 97.0, 6.0, "b"))
        .element("NonStruct", |page| page.text(mark + 6.0, 100.0, 10.0, "are those of the base year."));
    let text = page.read().text;
    assert!(
        text.lines().any(|line| line.starts_with("Figures of FY19") && line.ends_with("base year.")),
        "{text}"
    );
}

#[test]
fn a_row_whose_empty_cells_the_tags_leave_out_stands_under_its_names() {
    // Over the middle of its three columns.
    let middle = 301.0 - crate::writer::width("Use of fuel in all works", 10.0) / 2.0;
    let page = Tagged::default().cells(
        100.0,
        &[
            &[
                (60.0, "/RowSpan 2", "Fuel"),
                (160.0, "/RowSpan 2", "Note"),
                (middle, "/ColSpan 3", "Use of fuel in all works"),
                (420.0, "/RowSpan 2", "Goal"),
            ],
            &[(220.0, "", "2024"), (290.0, "", "2023"), (360.0, "", "2022")],
            &[
                (60.0, "", "Gas"),
                (160.0, "", "1"),
                (220.0, "", "412"),
                (290.0, "", "398"),
                (360.0, "", "403"),
                (420.0, "", "380"),
            ],
            &[
                (60.0, "", "Oil"),
                (220.0, "", "121"),
                (290.0, "", "118"),
                (360.0, "", "120"),
                (420.0, "", "100"),
            ],
            &[(60.0, "", "Coal"), (220.0, "", "96"), (290.0, "", "93"), (360.0, "", "95"), (420.0, "", "80")],
        ],
    );
    let told = told(&page.read());
    for (name, values) in
        [("Gas", ["412", "398", "403"]), ("Oil", ["121", "118", "120"]), ("Coal", ["96", "93", "95"])]
    {
        for (year, value) in [2024, 2023, 2022].into_iter().zip(values) {
            assert!(
                told.contains(&format!("{name} | Use of fuel in all works | {year} | {value}")),
                "{told:#?}"
            );
        }
    }
}

#[test]
fn the_name_of_a_group_beside_a_remark_on_all_of_it_names_its_rows() {
    let page = Tagged::default().cells(
        100.0,
        &[
            &[(60.0, "", "Indicator"), (220.0, "", "2024"), (290.0, "", "2023"), (360.0, "", "Comment")],
            &[
                (60.0, "/ColSpan 3", "Energy"),
                (360.0, "/RowSpan 3", "Use rose with the new line in the north"),
            ],
            &[(60.0, "", "Gas"), (220.0, "", "412"), (290.0, "", "398")],
            &[(60.0, "", "Oil"), (220.0, "", "121"), (290.0, "", "118")],
            &[(60.0, "/ColSpan 3", "Water"), (360.0, "/RowSpan 3", "Measured at the wells of both works")],
            &[(60.0, "", "Wells"), (220.0, "", "65"), (290.0, "", "63")],
            &[(60.0, "", "Mains"), (220.0, "", "21"), (290.0, "", "20")],
        ],
    );
    let told = told(&page.read());
    assert!(told.contains(&"Energy › Oil |  | 2023 | 118".to_owned()), "{told:#?}");
    assert!(told.contains(&"Water › Wells |  | 2024 | 65".to_owned()), "{told:#?}");
}
