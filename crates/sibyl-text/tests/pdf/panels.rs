//! Cards and panels: content side by side in them is read piece by piece, each figure with its own name.

use crate::kinds::text as fixture;
use crate::writer::Page;
use crate::{in_order, text};

#[test]
fn cards_with_the_same_parts_are_read_card_by_card() {
    in_order(
        &fixture("scope-columns-in-cards"),
        &[
            "Scope 1:",
            "0.18%",
            "2020: 97,398",
            "162,958",
            "Chestnut emissions",
            "Scope 2:",
            "0.8%",
            "2020: 431,395*",
            "1,295,064*",
            "Scope 3:",
            "99.02%",
            "2020: 53,704,901",
            "49,802,177",
        ],
    );
}

#[test]
fn pieces_of_a_panel_are_read_one_after_the_other() {
    let text = fixture("key-figures-in-panels");
    in_order(
        &text,
        &[
            "Sustainable",
            "100%",
            "Electricity and gas consumption for Halden office from renewable sources",
            "Decrease in our global emissions our FOR since 2021 16%",
            "£250m Allocated to",
            "13 insurers and brokers",
            "Resilient",
            "7,300 Total Saffronin report againstor in 2022",
            "100 ships",
            "chestnut this kiln 2.3 million tonnes of grain from Compass above",
            "Inclusive",
            "5% lagoon chestnut underneathkiln in leadership positions ladder the market",
            "1% this in lagoon chestnut chisel",
            "Women in leadership positions ladder the market and increased to 30%\n",
            "75% of Boards kiln for Culture as an agenda upon",
        ],
    );
    assert!(!text.contains('|'), "{text}");
}

/// A name, a share, the figures of two years and what it holds.
type Card = (&'static str, &'static str, [&'static str; 2], &'static [&'static str]);

const CARDS: [Card; 3] = [
    ("Road freight", "12%", ["4,120", "5,300"], &["Vans of our own", "Hired lorries"]),
    ("Rail freight", "31%", ["10,655", "11,020"], &["Goods trains"]),
    ("Ocean freight", "57%", ["19,870", "24,310"], &["Container ships", "Ferries", "Barges"]),
];

/// Cards of the width `width`, `step` apart, each over the boxes that `fills` give as top and height.
fn cards(count: usize, step: f32, fills: &[(f32, f32)]) -> Page {
    CARDS.iter().take(count).enumerate().fold(Page::default(), |page, (i, (name, share, years, holds))| {
        let x = 40.0 + step * i as f32;
        let page = fills.iter().fold(page, |page, (top, height)| {
            page.raw(&format!("0.9 0.9 0.6 rg {x} {} 170 {height} re f 0 g", 800.0 - top - height))
        });
        let x = x + 8.0;
        let page = page
            .bold(x, 106.0, 11.0, name)
            .text(x, 120.0, 9.0, "Carried by others for us.")
            .bold(x, 152.0, 20.0, share)
            .text(x, 168.0, 9.0, "of all that we emit")
            .bold(x, 214.0, 9.0, "Tonnes of carbon dioxide")
            .text(x, 236.0, 9.0, &format!("2022: {}", years[0]))
            .text(x, 250.0, 9.0, &format!("2018 (base year): {}", years[1]))
            .bold(x, 285.0, 9.0, "What it holds");
        holds
            .iter()
            .enumerate()
            .fold(page, |page, (j, line)| page.text(x, 308.0 + 13.0 * j as f32, 9.0, line))
    })
}

#[test]
fn each_figure_of_a_card_follows_the_name_of_the_card_whatever_lies_behind_it() {
    let bands = [(90.0, 40.0), (200.0, 20.0), (270.0, 24.0)];
    let pages = [
        cards(3, 170.0, &bands),
        cards(3, 170.0, &[(90.0, 270.0)]),
        cards(2, 182.0, &[(90.0, 270.0)]),
        cards(3, 170.0, &[]),
        cards(2, 190.0, &[]),
    ];
    for (page, count) in pages.into_iter().zip([3, 3, 2, 3, 2]) {
        let text = text(page);
        let parts = CARDS.iter().take(count).flat_map(|(name, share, years, holds)| {
            [*name, *share].into_iter().chain(*years).chain(holds.iter().copied())
        });
        in_order(&text, &parts.collect::<Vec<_>>());
        assert!(!text.contains('|'), "{text}");
    }
}

#[test]
fn a_table_whose_rows_are_shaded_cell_by_cell_stays_one() {
    let rows = [
        ["Risk", "What it does", "Our answer"],
        ["Drought", "Rivers fall", "Stores for a month"],
        ["Fire", "Shafts close", "A second way out"],
        ["Price", "Ore is sold low", "A third is sold ahead"],
        ["Flood", "Pits fill up", "Pumps at each pit"],
        ["Frost", "Pipes burst", "Heated lines"],
    ];
    let page = rows.iter().enumerate().fold(Page::default(), |page, (r, row)| {
        let y = 90.0 + 22.0 * r as f32;
        row.iter().zip([(40.0, 120.0), (160.0, 160.0), (320.0, 160.0)]).fold(
            page,
            |page, (cell, (x, width))| {
                let shade = format!("0.8 0.9 0.8 rg {x} {} {width} 22 re f 0 g", 800.0 - y - 22.0);
                let page = if r % 2 == 0 { page.raw(&shade) } else { page };
                page.text(x + 6.0, y + 15.0, 10.0, cell)
            },
        )
    });
    let text = text(page);
    for row in rows {
        assert!(text.contains(&format!("| {} |", row.join(" | "))), "{text}");
    }
}

/// Lines 11 points apart over a whole page.
fn squared(page: Page) -> Page {
    let page = (1..72).fold(page, |page, i| page.rule((2.0, 11.0 * i as f32), (598.0, 11.0 * i as f32)));
    (1..54).fold(page, |page, i| page.rule((11.0 * i as f32, 2.0), (11.0 * i as f32, 798.0)))
}

#[test]
fn squared_paper_behind_a_page_changes_nothing_of_its_text() {
    let grid = fixture("background-grid");
    assert!(
        grid.contains("with slipper to barley for carbon outside (AS2) emissions that for bracken"),
        "{grid}"
    );
    assert!(
        grid.contains("on our bracken of underneath, as we over to savanna our from-chestnut copper"),
        "{grid}"
    );
    let left = [
        "The brook that feeds the mill has",
        "been measured at its weir since",
        "the spring of 1998 and fell once",
        "below the mark that was set.",
    ];
    let right = [
        "Waste goes to the kiln of a man",
        "who burns it for lime, which was",
        "a third of all the waste that we",
        "made in the year before.",
    ];
    let plain = || {
        let page = Page::default().lines(50.0, 100.0, &left).lines(320.0, 106.0, &right);
        let page =
            [200.0, 220.0, 240.0, 260.0].into_iter().fold(page, |page, y| page.rule((50.0, y), (450.0, y)));
        let rows = [["Fuel", "2022", "2023"], ["Coal", "412", "388"], ["Oil", "77", "81"]];
        rows.iter().enumerate().fold(page, |page, (r, row)| {
            let cells = row.iter().zip([54.0, 254.0, 354.0]);
            cells.fold(page, |page, (cell, x)| page.text(x, 214.0 + 20.0 * r as f32, 10.0, cell))
        })
    };
    let expected = text(plain());
    assert!(expected.contains(&left.join(" ")) && expected.contains(&right.join(" ")), "{expected}");
    assert!(expected.contains("| Coal | 412 | 388 |"), "{expected}");
    assert_eq!(text(squared(plain())), expected);
}
