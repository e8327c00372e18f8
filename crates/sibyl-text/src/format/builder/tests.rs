//! What was handed over is what the document says, whatever its words look like.

use super::*;
use crate::format::markdown;
use proptest::prelude::*;

/// Words that a reader of Markdown takes for blocks of other kinds, or for marks.
const MISLEADING: &[&str] = &[
    "1. January",
    "12) of them",
    "# 1 supplier",
    "- 5 %",
    "* estimated",
    "---",
    "===",
    "> 90 %",
    "| Scope | 2024 |",
    "```",
    "~~~",
    ":::note",
    "<b> is bold",
    "import quotas from 'EU'",
    "export default risk",
    "[1]: see the notes",
    "Scope | 2024\n--- | ---\n1 | 2",
    "Total\n---",
    "*All* _sites_ & `labs` [here](there) &amp; C:\\data",
    "Grade A #",
];

fn document(add: impl FnOnce(&mut DocumentBuilder)) -> Document {
    let mut out = DocumentBuilder::default();
    add(&mut out);
    out.finish(None, Map::new(), Vec::new())
}

/// Text of a block without the backslashes that were put in.
fn bare(document: &Document, block: usize) -> String {
    document.blocks[block].span.of(&document.text).replace('\\', "")
}

#[test]
fn misleading_words_stay_what_they_were_handed_over_as() {
    for text in MISLEADING {
        let plain = text.replace('\\', "");
        let found = document(|out| {
            out.heading(2, *text);
            out.paragraph(*text);
            out.item(0, &Mark::Bullet, *text);
            out.continued(0, *text);
            out.item(0, &Mark::Label("(a)".to_owned()), *text);
            out.running(BlockKind::KeyFigure, *text);
        });
        let kinds: Vec<BlockKind> = found.blocks.iter().map(|block| block.kind).collect();
        let item = BlockKind::Item;
        assert_eq!(
            kinds,
            [BlockKind::Heading(2), BlockKind::Paragraph, item, item, item, BlockKind::KeyFigure],
            "{text}"
        );
        assert_eq!(found.sections.len(), 1);
        assert_eq!(found.sections[0].title, text.replace('\n', " "));
        assert_eq!((bare(&found, 1), bare(&found, 5)), (plain.clone(), plain.clone()));
        assert_eq!(bare(&found, 2), format!("- {}", plain.replace('\n', "\n  ")));
        assert_eq!(bare(&found, 4), format!("- (a) {}", plain.replace('\n', " ")));
    }
}

#[test]
fn an_item_is_one_whatever_its_number() {
    // In Markdown no list that begins with another number than 1 interrupts a paragraph.
    let found = document(|out| {
        out.item(0, &Mark::Bullet, "Sites");
        out.item(1, &Mark::Label("2.".to_owned()), "Mill");
    });
    let items: Vec<(u8, String)> =
        found.blocks.iter().enumerate().map(|(at, block)| (block.depth, bare(&found, at))).collect();
    assert_eq!(items, [(1, "- Sites".to_owned()), (2, "2. Mill".to_owned())]);
}

#[test]
fn a_cell_is_one_cell_whatever_stands_in_it() {
    for text in MISLEADING {
        let row = |cells: &[&str]| Row {
            cells: cells.iter().map(|cell| Words::from(*cell)).collect(),
            range: None,
        };
        let found =
            document(|out| out.rows(Some(&row(&["Name", text])), &[row(&["a", text]), row(&["", "b"])]));
        let [Block { kind: BlockKind::Table { header_end }, span, .. }] = found.blocks[..] else {
            panic!("{:?} of {text}", found.blocks)
        };
        let rows: Vec<&str> = span.of(&found.text).lines().collect();
        assert_eq!(rows.len(), 4, "{text}");
        let cells = |row: &str| row.replace("\\|", "").matches('|').count() - 1;
        assert!(rows.iter().all(|row| cells(row) == 2), "{rows:?}");
        assert_eq!(header_end, rows[0].len() + 1 + rows[1].len());
    }
}

#[test]
fn lines_keep_their_words_where_signs_were_put_between() {
    let line = |text: &str, words: &str, page| {
        let start = text.find(words).unwrap();
        Segment { span: Span::new(start, start + words.len()), source: None, page: Some(page), rect: None }
    };
    let words = |text: &str, lines: &[(&str, u32)]| Words {
        text: text.to_owned(),
        lines: lines.iter().map(|(words, page)| line(text, words, *page)).collect(),
    };
    let page = |number| Page { number, label: None, span: Span::default(), size: None, regions: Vec::new() };
    let mut out = DocumentBuilder::on_pages([page(1), page(2), page(3)].into_iter());
    out.turn(1);
    out.heading(1, words("Grade #", &[("Grade #", 1)]));
    out.paragraph(words("2. May was dry, as June was", &[("2. May was dry,", 1), ("as June was", 2)]));
    let cell = words("a | b\n12\n13", &[("a | b", 2), ("12", 2), ("13", 3)]);
    out.turn(2);
    out.rows(None, &[Row { cells: vec![cell, Words::default()], range: None }]);
    let found = out.finish(None, Map::new(), Vec::new());
    let lines: Vec<&str> = found.segments.iter().map(|line| line.span.of(&found.text)).collect();
    assert_eq!(lines, ["Grade \\#", "2\\. May was dry,", "as June was", "a \\| b", "12", "13"]);
    let pages: Vec<&str> = found.pages.iter().map(|page| page.span.of(&found.text)).collect();
    assert_eq!(pages[0], "# Grade \\#\n\n2\\. May was dry,");
    assert!(pages[1].starts_with("as June was\n\n|") && pages[1].ends_with("<br>12"), "{:?}", pages[1]);
    assert_eq!(pages[2], "13 | |");
}

/// A block to hand over, of words that have no signs.
#[derive(Debug, Clone)]
enum Plain {
    Heading(u8),
    Paragraph,
    Item(usize, bool),
    Continued(usize),
    Code,
    Table(usize, usize),
}

fn plain() -> impl Strategy<Value = Plain> {
    prop_oneof![
        (1..=6_u8).prop_map(Plain::Heading),
        Just(Plain::Paragraph),
        (0..4_usize, any::<bool>()).prop_map(|(depth, numbered)| Plain::Item(depth, numbered)),
        (0..4_usize).prop_map(Plain::Continued),
        Just(Plain::Code),
        (2..4_usize, 0..3_usize).prop_map(|(columns, rows)| Plain::Table(columns, rows)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The text shows as Markdown what the document says beside it.
    #[test]
    fn a_reader_of_markdown_sees_the_same_blocks(blocks in proptest::collection::vec((plain(), "[a-z]{1,6}( [a-z]{1,6}){0,3}"), 0..20)) {
        let found = document(|out| {
            for (block, words) in &blocks {
                match block {
                    Plain::Heading(level) => out.heading(*level, words),
                    Plain::Paragraph => out.paragraph(words),
                    Plain::Item(depth, false) => out.item(*depth, &Mark::Bullet, words),
                    Plain::Item(depth, true) => out.item(*depth, &Mark::Label("1.".to_owned()), words),
                    Plain::Continued(depth) => out.continued(*depth, words),
                    Plain::Code => out.code(words),
                    Plain::Table(columns, rows) => {
                        let row = Row { cells: vec![Words::from(words); *columns], range: None };
                        out.rows(Some(&row), &vec![row.clone(); *rows]);
                    }
                }
            }
        });
        let (sections, blocks) = markdown::structure(&found.text, found.body);
        prop_assert_eq!(&found.blocks, &blocks, "{}", found.text);
        prop_assert_eq!(&found.sections, &sections);
    }
}
