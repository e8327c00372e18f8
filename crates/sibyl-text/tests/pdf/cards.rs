//! Cards side by side, each with a name and a text of its own.

use crate::writer::{Page, width};
use crate::{in_order, text};

/// A name, an office, the lines about a member of the board, and how its text begins and ends.
type Card = (&'static str, &'static str, &'static [&'static str], &'static str);

const CARDS: [Card; 6] = [
    (
        "Amelia Thornbury",
        "Chair",
        &[
            "She has led the council since the",
            "spring of 2019 and was head of two",
            "ports before that. She",
        ],
        "She has led the council since the spring of 2019 and was head of two ports before that. She",
    ),
    (
        "Joachim Lindqvist",
        "Chief Executive",
        &["He came to the company from a", "maker of bridges and has built its", "plants in the north."],
        "He came to the company from a maker of bridges and has built its plants in the north.",
    ),
    (
        "Priya Raghunathan",
        "Senior Director",
        &[
            "Until last year she taught how to",
            "judge the risks of new mines and",
            "still writes about them.",
        ],
        "Until last year she taught how to judge the risks of new mines and still writes about them.",
    ),
    (
        "Helen Sullivan",
        "Director",
        &["A lawyer for the rights of those", "who live where ore is found, she", "heads the audit."],
        "A lawyer for the rights of those who live where ore is found, she heads the audit.",
    ),
    (
        "Kwame Boateng",
        "Director",
        &["He was the first to buy power", "from a wind farm for a smelter and", "counts what it saves."],
        "He was the first to buy power from a wind farm for a smelter and counts what it saves.",
    ),
    (
        "Ines Carvalho",
        "Director",
        &["The staff of all the plants in the", "south have chosen her twice to", "speak for them here."],
        "The staff of all the plants in the south have chosen her twice to speak for them here.",
    ),
];

#[test]
fn cards_are_read_one_after_the_other() {
    let page = CARDS.iter().enumerate().fold(Page::default(), |page, (i, (name, office, lines, _))| {
        let (x, y) = (50.0 + 180.0 * (i % 3) as f32, 100.0 + 110.0 * (i / 3) as f32);
        page.bold(x, y, 10.0, name).text(x, y + 12.0, 10.0, office).lines(x, y + 24.0, lines)
    });
    // The first has more to say than the others.
    let text = text(page.lines(50.0, 160.0, &["likes to sail."]));
    let mut parts: Vec<&str> =
        CARDS.iter().flat_map(|(name, office, _, whole)| [*name, *office, *whole]).collect();
    parts.insert(3, "likes to sail.");
    in_order(&text, &parts);
    assert!(!text.contains('|'), "{text}");
}

#[test]
fn texts_in_most_rows_are_those_of_a_table() {
    let rows: [[&[&str]; 3]; 4] = [
        [&["Risk"], &["What it may do"], &["What we do"]],
        [
            &["Drought"],
            &["Rivers may fall so low that", "no ship can reach the plants"],
            &["Stores hold ore for a month", "and trains stand ready"],
        ],
        [
            &["Fire"],
            &["A fire in a shaft may close", "the mine for half of a year"],
            &["Each shaft has a second way", "out and its own pumps"],
        ],
        [
            &["Price"],
            &["Ore may be sold for less than", "it costs to bring it up"],
            &["A third is sold ahead at the", "price of the day"],
        ],
    ];
    let page = rows.iter().enumerate().fold(Page::default(), |page, (r, row)| {
        row.iter().enumerate().fold(page, |page, (c, lines)| {
            page.lines(50.0 + 160.0 * c as f32, 100.0 + 30.0 * r as f32, lines)
        })
    });
    let text = text(page);
    in_order(
        &text,
        &["Drought", "reach the plants", "trains stand ready", "Fire", "half of a year", "Price"],
    );
}

#[test]
fn a_large_line_close_below_the_text_of_a_card_belongs_to_it() {
    let figures =
        ["11m meals given", "A third less sugar", "96 wells dug", "Pay rose by a tenth", "All on track"];
    let page = figures.iter().zip(CARDS).enumerate().fold(Page::default(), |page, (i, (figure, card))| {
        let (x, y) = (50.0 + 180.0 * (i % 3) as f32, 100.0 + 130.0 * (i / 3) as f32);
        page.bold(x, y, 10.0, card.0).lines(x, y + 12.0, card.2).bold(x, y + 58.0, 18.0, figure)
    });
    let text = text(page);
    let parts: Vec<&str> =
        figures.iter().zip(CARDS).flat_map(|(figure, card)| [card.0, card.3, *figure]).collect();
    in_order(&text, &parts);
}

#[test]
fn big_numbers_in_circles_keep_their_units_and_captions() {
    let cards = [
        ("31.4", "million", &["passengers served", "across four airports"][..]),
        ("52,300", "t CO2e", &["Scope 1 and 2", "emissions"]),
        ("1.67", "kg CO2e", &["emissions", "per passenger"]),
    ];
    let page = Page::default().bold(50.0, 60.0, 18.0, "Our footprint in 2024");
    let page = cards.iter().enumerate().fold(page, |page, (at, (number, unit, caption))| {
        let middle = 110.0 + 180.0 * at as f32;
        let centred = |page: Page, y: f32, size: f32, text: &str| {
            page.text(middle - width(text, size) / 2.0, y, size, text)
        };
        let page = centred(centred(page, 140.0, 22.0, number), 156.0, 9.0, unit);
        caption
            .iter()
            .enumerate()
            .fold(page, |page, (line, text)| centred(page, 172.0 + 9.0 * line as f32, 7.5, text))
    });
    let text = text(page.lines(50.0, 260.0, &["What follows is about what we burn."]));
    for (number, unit, caption) in cards {
        let card = format!("{number} {unit} {}", caption.join(" "));
        assert!(text.lines().any(|line| line == card), "{card:?} is not a line of:\n{text}");
    }
}

/// Asserts that each of `lines` is a line of what a page says.
fn says(page: Page, lines: &[&str]) {
    let text = text(page);
    for line in lines {
        assert!(text.lines().any(|other| other == *line), "{line:?} is not a line of:\n{text}");
    }
}

#[test]
fn cards_keep_what_stands_at_their_far_side_and_below() {
    let cards = [
        ("Water treated", "612", "million litres", "2023: 598 million litres", "+2.3%"),
        ("Leakage", "81.4", "litres a day", "2023: 86.0 litres a day", "–5.3%"),
    ];
    let page = Page::default().bold(50.0, 60.0, 18.0, "Our year in figures");
    let page = cards.iter().enumerate().fold(page, |page, (at, (caption, number, unit, before, change))| {
        let x = 50.0 + 260.0 * at as f32;
        let page = page.bold(x, 92.0, 9.0, caption).bold(x, 122.0, 24.0, number);
        let page = page.text(x + width(number, 26.0) + 10.0, 122.0, 8.0, unit).text(x, 136.0, 7.0, before);
        page.bold(x + 180.0, 136.0, 7.0, change)
    });
    says(
        page.lines(50.0, 260.0, &["What follows is about the water that we lose."]),
        &[
            "612 million litres Water treated",
            "2023: 598 million litres",
            "81.4 litres a day Leakage",
            "2023: 86.0 litres a day",
        ],
    );
}

/// A row of cards 180 points apart, each with lines around its middle: how far down, how large, and what they say.
fn row(cards: &[&[(f32, f32, &str)]]) -> Page {
    cards.iter().enumerate().fold(Page::default(), |page, (at, lines)| {
        let middle = 110.0 + 180.0 * at as f32;
        lines
            .iter()
            .fold(page, |page, (y, size, said)| page.text(middle - width(said, *size) / 2.0, *y, *size, said))
    })
}

#[test]
fn captions_below_circles_belong_to_the_numbers_inside_of_them() {
    let page = row(&[
        &[(140.0, 16.0, "20.7 %"), (190.0, 8.0, "Recycled stone"), (200.0, 7.0, "Target 2028: 30.0 %")],
        &[
            (140.0, 16.0, "4.71"),
            (150.0, 7.0, "kg CO2e per tonne"),
            (190.0, 8.0, "Carbon intensity"),
            (200.0, 7.0, "2023: 5.02"),
        ],
        &[
            (140.0, 16.0, "1,148"),
            (150.0, 7.0, "employees"),
            (190.0, 8.0, "At year end"),
            (200.0, 7.0, "2023: 1,131"),
        ],
    ]);
    says(
        page.lines(50.0, 260.0, &["What follows is about the stone that we break."]),
        &[
            "20.7 % Recycled stone",
            "Target 2028: 30.0 %",
            "4.71 kg CO2e per tonne Carbon intensity",
            "2023: 5.02",
            "1,148 employees At year end",
            "2023: 1,131",
        ],
    );
}

#[test]
fn texts_far_below_a_row_of_numbers_are_no_captions() {
    let page = row(&[
        &[(140.0, 16.0, "20.7 %"), (190.0, 8.0, "Recycled stone")],
        &[(140.0, 16.0, "4.71 kt"), (215.0, 8.0, "Carbon from kilns")],
    ]);
    let text = text(page);
    assert!(!text.contains("20.7 % Recycled stone"), "{text}");
}

#[test]
fn values_of_another_half_year_belong_to_the_cards_over_them() {
    let page = row(&[
        &[(120.0, 20.0, "NOK 4,812m"), (140.0, 9.0, "Operating revenue"), (156.0, 8.0, "+6.1% vs 1H 2023")],
        &[(120.0, 20.0, "11.4%"), (140.0, 9.0, "EBIT margin"), (156.0, 8.0, "1H 2023: 10.2%")],
        &[(120.0, 20.0, "NOK 1.85"), (140.0, 9.0, "Dividend per share"), (156.0, 8.0, "1H 2023: NOK 1.85")],
    ]);
    let document = crate::read(&crate::writer::File::default().page(page).bytes());
    let figures = sibyl_text::figure::figures(&document);
    let before: Vec<String> = figures
        .iter()
        .filter(|figure| figure.year == Some(2023))
        .map(|figure| format!("{} {}", figure.label.join(" "), figure.printed(&document.text)))
        .collect();
    assert_eq!(before, ["EBIT margin 10.2", "Dividend per share 1.85"], "{}", document.text);
}

#[test]
fn a_bold_name_over_a_number_is_its_caption_and_not_the_unit_below() {
    let cards = [
        ("Water taken", "4.92", "million tonnes (2022: 5.37)"),
        ("Complaints", "17", "of which noise: 11"),
        ("Injuries", "1.8", "per million hours (2023:"),
    ];
    let page = cards.iter().enumerate().fold(Page::default(), |page, (at, (name, number, below))| {
        let x = 60.0 + 160.0 * at as f32;
        page.bold(x, 100.0, 8.0, name).bold(x, 122.0, 20.0, number).text(x, 134.0, 8.0, below)
    });
    let page = page.text(60.0 + 160.0 * 2.0, 143.0, 8.0, "2.2)");
    let document = crate::read(&crate::writer::File::default().page(page).bytes());
    let told: Vec<(String, String, Option<String>)> = sibyl_text::figure::figures(&document)
        .into_iter()
        .map(|figure| (figure.label.join(" "), figure.printed(&document.text).to_owned(), figure.unit))
        .collect();
    let unit = || Some("million tonnes".to_owned());
    let injuries = "per million hours Injuries";
    for (name, number, unit) in [
        ("Water taken", "4.92", unit()),
        ("Water taken", "5.37", unit()),
        ("Complaints", "17", None),
        (injuries, "1.8", None),
        (injuries, "2.2", None),
    ] {
        assert!(
            told.contains(&(name.to_owned(), number.to_owned(), unit)),
            "{name} {number} is not in {told:?}"
        );
    }
}

#[test]
fn numbers_below_each_other_have_the_captions_beside_them() {
    let cards = [
        ("97%", "of beaches rated good"),
        ("68%", "of sludge put on fields"),
        ("41%", "of vans run on power"),
    ];
    let right = cards.iter().enumerate().fold(Page::default(), |page, (at, (number, caption))| {
        let y = 120.0 + 70.0 * at as f32;
        page.bold(60.0, y, 14.0 + at as f32, number).text(120.0, y - 8.0, 8.0, caption).text(
            120.0,
            y + 2.0,
            8.0,
            "this year",
        )
    });
    let whole: Vec<String> =
        cards.iter().map(|(number, caption)| format!("{number} {caption} this year")).collect();
    says(right, &whole.iter().map(String::as_str).collect::<Vec<_>>());
    let left = cards.iter().enumerate().fold(Page::default(), |page, (at, (number, caption))| {
        let y = 120.0 + 40.0 * at as f32;
        let page = page.text(60.0, y, 9.0, caption).bold(230.0, y, 16.0, number);
        page.text(290.0, y, 8.0, &format!("{}% in 2023", 30 + at))
    });
    let whole: Vec<String> = cards.iter().map(|(number, caption)| format!("{number} {caption}")).collect();
    says(left, &[&whole.iter().map(String::as_str).collect::<Vec<_>>()[..], &["30% in 2023"]].concat());
}

#[test]
fn steps_that_are_numbered_are_no_cards() {
    let steps = ["Measure what we burn", "Set a goal for it", "Report how we do"];
    let page = steps.iter().enumerate().fold(Page::default(), |page, (at, step)| {
        let x = 60.0 + 180.0 * at as f32;
        page.bold(x, 120.0, 24.0, &(at + 1).to_string()).text(x, 138.0, 9.0, step)
    });
    let document = crate::read(&crate::writer::File::default().page(page).bytes());
    let figures = sibyl_text::figure::figures(&document);
    assert!(figures.is_empty(), "{figures:?} of {}", document.text);
}

#[test]
fn what_a_number_counts_is_part_of_its_name_where_the_caption_goes_on() {
    let cards = [("9,100", "hours given to local schools"), ("5,018", "people employed")];
    let page = cards.iter().enumerate().fold(Page::default(), |page, (at, (number, caption))| {
        let x = 60.0 + 240.0 * at as f32;
        page.bold(x, 120.0, 24.0, number).text(x, 138.0, 9.0, caption)
    });
    let document = crate::read(&crate::writer::File::default().page(page).bytes());
    let names: Vec<String> =
        sibyl_text::figure::figures(&document).iter().map(|figure| figure.label.join(" ")).collect();
    assert_eq!(names, cards.map(|(_, caption)| caption));
}
