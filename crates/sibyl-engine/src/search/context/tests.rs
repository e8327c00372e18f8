use super::*;
use proptest::prelude::*;
use serde_json::{Map, json};
use sibyl_text::chunk::Role;
use sibyl_text::{Piece, Span};

fn chunk(document: i64, ordinal: i64, text: &str) -> ChunkRow {
    ChunkRow {
        id: document * 1000 + ordinal,
        chunk_id: format!("{document:08x}{ordinal:08x}"),
        document_id: document,
        corpus: "c".to_owned(),
        title: format!("Document {document}"),
        path: format!("{document}.md"),
        ordinal,
        parent: None,
        source_type: "text".to_owned(),
        report_id: None,
        text: text.to_owned(),
        pieces: vec![body(usize::try_from(ordinal).unwrap() * 1000, text.len())],
        metadata: Map::new(),
        pages: None,
        page_labels: None,
        tokens: 0,
        word_count: 0,
        oversize: false,
        content_hash: String::new(),
        ingested_at: String::new(),
    }
}

fn body(start: usize, length: usize) -> Piece {
    Piece::Source { span: Span::new(start, start + length), role: Role::Body }
}

/// A chunk with a context header.
fn headed(document: i64, header: &str, body: &str) -> ChunkRow {
    let plain = chunk(document, 0, &format!("{header}\n\n{body}"));
    let header = Piece::Generated { text: header.to_owned() };
    ChunkRow { pieces: [vec![header], plain.pieces.clone()].concat(), ..plain }
}

#[test]
fn a_first_line_in_brackets_is_a_header_only_where_it_was_generated() {
    let table = chunk(1, 0, "[Table 3]\n\n| site | tonnes |");
    let block = assemble(&[table], ContextOptions::default());
    assert_eq!(block.text, "--- Source: Document 1 ---\n[Table 3]\n\n| site | tonnes |");
    let header = "[Guide > Tables] [Part 2/3]";
    let part = ChunkRow { source_type: "docs".to_owned(), ..headed(1, header, "[Table 3]\nrows") };
    let block = assemble(&[part], ContextOptions::default());
    assert_eq!(block.text, "--- Source: Guide > Tables, Part 2/3 ---\n[Table 3]\nrows");
}

#[test]
fn labels_name_the_source_in_both_languages() {
    let header = "[Arbetsmiljölagen (SFS 1977:1160) > Kap 2 > 3 §]";
    let law = headed(1, header, "Arbetsförhållandena skall anpassas.");
    let law = ChunkRow { source_type: "docs".to_owned(), ..law };
    let policy = ChunkRow {
        title: "Företagets arbetsmiljöpolicy.pdf".to_owned(),
        pages: Some((3, 3)),
        source_type: "report".to_owned(),
        ..headed(2, "[Report > Policy]", "Vår policy.")
    };
    let swedish = ContextOptions { language: LabelLanguage::Sv, ..ContextOptions::default() };
    assert_eq!(
        assemble(&[law.clone(), policy.clone()], swedish).text,
        "--- Källa: Arbetsmiljölagen (SFS 1977:1160) > Kap 2 > 3 § ---\nArbetsförhållandena skall anpassas.\n\n\
         --- Källa: Företagets arbetsmiljöpolicy.pdf > Sida 3 ---\nVår policy."
    );
    let section = json!({"section_path": ["Strategy", "Risk"]});
    let report = ChunkRow { pages: Some((4, 5)), metadata: section.as_object().unwrap().clone(), ..policy };
    let block = assemble(std::slice::from_ref(&report), ContextOptions::default());
    assert_eq!(
        block.text,
        "--- Source: Företagets arbetsmiljöpolicy.pdf > Strategy > Risk > Page 4–5 ---\nVår policy."
    );
    let labelled = ChunkRow { page_labels: Some(("iv".to_owned(), "v".to_owned())), ..report };
    let block = assemble(&[labelled], ContextOptions::default());
    assert_eq!(
        block.text,
        "--- Source: Företagets arbetsmiljöpolicy.pdf > Strategy > Risk > Page 4–5 (iv–v) ---\nVår policy."
    );
}

#[test]
fn passages_are_grouped_by_document_in_its_order() {
    let ranked = [chunk(2, 9, "b9"), chunk(1, 4, "a4"), chunk(2, 3, "b3"), chunk(1, 1, "a1")];
    let block = assemble(&ranked, ContextOptions::default());
    let bodies: Vec<&str> = block.text.lines().filter(|line| line.len() == 2).collect();
    assert_eq!(bodies, ["b3", "b9", "a1", "a4"]);
    assert_eq!(block.sources.iter().map(|source| source.number).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(block.left_out.is_empty());
}

#[test]
fn a_paragraph_and_its_items_never_come_together() {
    let stretch =
        |ordinal, pieces: &[Piece]| ChunkRow { pieces: pieces.to_vec(), ..chunk(1, ordinal, "words") };
    let lead_in = Piece::Source { span: Span::new(0, 90), role: Role::LeadIn };
    let (whole, item, inner, other) = (
        stretch(0, &[body(0, 400)]),
        stretch(1, &[lead_in.clone(), body(100, 80)]),
        stretch(2, &[lead_in.clone(), body(140, 20)]),
        stretch(3, &[lead_in, body(200, 90)]),
    );
    let taken = |ranked: &[&ChunkRow]| {
        let block = assemble(&ranked.iter().copied().cloned().collect::<Vec<_>>(), ContextOptions::default());
        assert_eq!(block.sources.len() + block.left_out.len(), ranked.len());
        block.sources.iter().map(|source| source.chunk_id[8..].parse().unwrap()).collect::<Vec<u32>>()
    };
    assert_eq!(taken(&[&whole, &item, &inner]), [0]);
    assert_eq!(taken(&[&item, &whole, &other]), [1, 3]);
    assert_eq!(taken(&[&inner, &item, &whole, &other]), [2, 3]);
    // Parts of a long paragraph, and its items, which begin and end elsewhere.
    let (first, second) = (stretch(4, &[body(0, 230)]), stretch(5, &[body(230, 170)]));
    assert_eq!(taken(&[&first, &second]), [4, 5]);
    assert_eq!(taken(&[&second, &other]), [5]);
    assert_eq!(taken(&[&stretch(6, &[body(190, 60)]), &second, &first]), [5, 6]);
    let elsewhere = ChunkRow { document_id: 2, ..stretch(7, &item.pieces) };
    assert_eq!(taken(&[&item, &elsewhere]).len(), 2);
}

#[test]
fn twenty_large_chunks_are_cut_to_the_budget() {
    let ranked: Vec<ChunkRow> = (0..20).map(|n| chunk(n, 0, &"word ".repeat(400))).collect();
    let block = assemble(&ranked, ContextOptions::default());
    assert!(block.total_tokens <= DEFAULT_BUDGET && block.total_tokens > DEFAULT_BUDGET - 600);
    assert_eq!(block.sources.len() + block.left_out.len(), 20);
    let empty = assemble(&[], ContextOptions::default());
    assert_eq!((empty.text.as_str(), empty.total_tokens, empty.sources.len()), ("", 0, 0));
}

proptest! {
    #[test]
    fn the_budget_holds_and_nothing_is_lost(
        lengths in prop::collection::vec((0..4_i64, 0..400_usize), 0..30), max_tokens in 0..500_usize
    ) {
        let ranked: Vec<ChunkRow> =
            (0..).zip(&lengths).map(|(n, (document, length))| chunk(*document, n, &"å".repeat(*length))).collect();
        let options = ContextOptions { max_tokens, language: LabelLanguage::Sv };
        let block = assemble(&ranked, options);
        prop_assert!(block.total_tokens <= max_tokens);
        prop_assert_eq!(block.sources.len() + block.left_out.len(), ranked.len());
        prop_assert_eq!(block.total_tokens, CharsPerToken.count(&block.text));
        prop_assert_eq!(&block, &assemble(&ranked, options));
    }
}
