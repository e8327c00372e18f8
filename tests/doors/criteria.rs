//! The exit criteria of the main document (section 9) that concern the engine.

use crate::{list, paragraphs, text, write};
use serde_json::{Value, json};
use sibyl_loopback::{Options, Provider};
use sibyl_tests::program::Sibyl;

/// Length of the vectors that the main document asks for (section 1).
const DIMENSIONS: usize = 1_536;

/// A library whose only model is a provider of 1,536 dimensions on this machine.
fn with_provider() -> (Sibyl, Provider) {
    let sibyl = Sibyl::fresh_with_words();
    let provider = Provider::start(Options { dimensions: DIMENSIONS, ..Options::default() }).unwrap();
    for (name, value) in [("base_url", provider.url().as_str()), ("remote_embedding", "true")] {
        assert_eq!(sibyl.run(&["settings", name, value]).code, 0);
    }
    (sibyl, provider)
}

/// The text of each chunk of the corpus with its vector, as in the library file.
fn vectors(sibyl: &Sibyl, corpus: &str) -> Vec<(String, Vec<f32>)> {
    let library = rusqlite::Connection::open(sibyl.folder().join("library.sibyl")).unwrap();
    let mut select = library
        .prepare(
            "SELECT c.text, v.vector FROM chunk c JOIN corpus o ON o.id = c.corpus_id
             LEFT JOIN vector v ON v.input_hash = c.input_hash WHERE o.name = ?1 ORDER BY c.id",
        )
        .unwrap();
    let numbers = |blob: Vec<u8>| blob.as_chunks().0.iter().map(|four| f32::from_le_bytes(*four)).collect();
    let rows = select.query_map([corpus], |row| {
        Ok((row.get(0)?, row.get::<_, Option<Vec<u8>>>(1)?.map(numbers).unwrap_or_default()))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

/// Criteria 1 and 2: vectors of 1,536 numbers, and of many texts each its own, in the order asked.
#[test]
fn texts_are_embedded_in_order_with_vectors_of_1536_numbers() {
    let (sibyl, provider) = with_provider();
    let folder = tempfile::tempdir().unwrap();
    let birds = ["bittern", "corncrake", "dotterel", "fieldfare", "garganey"];
    for n in 1..=20 {
        let words = format!("# Pool {n}\n\nText {n} tells of {} {} seen by the weir.\n", n * 7, birds[n % 5]);
        write(folder.path(), &format!("pools/{n:02}.md"), words);
    }
    let pools = folder.path().join("pools");
    let job = sibyl.json(&["ingest", text(&pools), "--corpus", "pools", "--remote"]);
    assert_eq!(job["total_chunks"].as_u64().unwrap(), 20, "{job}");
    let made = vectors(&sibyl, "pools");
    assert_eq!(made.len(), 20);
    for (text, vector) in &made {
        assert_eq!(vector.len(), DIMENSIONS, "{text}");
        let expected = sibyl_loopback::vector(text, DIMENSIONS);
        let length = expected.iter().map(|x| x * x).sum::<f32>().sqrt();
        let apart = vector.iter().zip(&expected).map(|(a, b)| (a - b / length).abs()).fold(0.0, f32::max);
        assert!(apart < 1e-6, "the vector of another text stands at {text:?}: {apart}");
    }
    let asked: Vec<usize> = provider.requests().iter().map(|request| request.texts.len()).collect();
    assert_eq!(asked, [20], "one batch");
    let models = sibyl.json(&["models"]);
    let remote = models.as_array().unwrap().iter().find(|model| model["space"]["tier"] == "remote").unwrap();
    assert_eq!((&remote["space"]["dimensions"], &remote["vectors"]), (&json!(DIMENSIONS), &json!(20)));
}

const TYPES: [&str; 3] = ["ifrs_s1", "ifrs_s2", "sasb"];

/// Criteria 3, 4, 5, 13 and 14.
#[test]
fn what_ships_is_counted_by_type_and_ingested_once() {
    let sibyl = Sibyl::fresh_with_words();
    let first = sibyl.json(&["ingest"]);
    assert_eq!(first["status"], "completed");
    let counts = TYPES.map(|name| first[format!("{name}_chunks")].as_u64().unwrap());
    assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    assert_eq!(first["total_chunks"], json!(counts.iter().sum::<u64>()));
    assert!(first["duration_seconds"].as_f64().unwrap() > 0.0);

    let stats = sibyl.json(&["stats"]);
    let mut expected = json!({ "report": 0, "total": first["total_chunks"] });
    for (name, count) in TYPES.into_iter().zip(counts) {
        expected[name] = count.into();
    }
    for (name, count) in expected.as_object().unwrap() {
        assert_eq!(stats[name], *count, "{name}");
    }

    let again = sibyl.json(&["ingest"]);
    assert_eq!(again["status"], "already_ingested");
    assert_eq!(again["message"], "Corpus already exists. Delete it first to re-ingest.");
    for (name, count) in TYPES.into_iter().zip(counts) {
        assert_eq!(again["existing_counts"][name], json!(count), "{name}");
    }
    assert_eq!(sibyl.json(&["stats"]), stats);
    let told = sibyl.run(&["ingest"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.starts_with("Already ingested: nothing changed."), "{}", told.out);
}

/// Criteria 6 and 10, with the result schema of section 4.6 and the metadata of appendix A.2.
#[test]
fn a_paragraph_comes_by_its_id_in_the_result_schema() {
    let sibyl = Sibyl::with_words();
    let hit = sibyl.json(&["paragraph", "S2.14(a)(iv)"]);
    let chunk_id = hit["chunk_id"].as_str().unwrap();
    assert!(chunk_id.len() == 16 && chunk_id.bytes().all(|b| b.is_ascii_hexdigit()), "{chunk_id}");
    let text = hit["chunk_text"].as_str().unwrap();
    assert!(text.starts_with("[IFRS S2 > Strategy > ") && text.contains("> S2.14(a)(iv)]\n"), "{text}");
    assert_eq!((&hit["source_type"], &hit["report_id"]), (&json!("ifrs_s2"), &Value::Null));
    assert!(hit["score"].is_number() && hit["search_method"].is_string());
    let metadata = &hit["metadata"];
    for (name, value) in [("paragraph_id", "S2.14(a)(iv)"), ("standard", "S2"), ("pillar", "strategy")] {
        assert_eq!(metadata[name], value, "{name}");
    }
    assert!(!metadata["section"].as_str().unwrap().is_empty());
    assert!(metadata["sub_requirements"].is_array());
    assert!(metadata["s1_counterpart"].as_str().unwrap().starts_with("S1.33"), "{metadata}");
    // Ids may be written as people write them, and an item's parent names it.
    assert_eq!(sibyl.json(&["paragraph", "s2.14 (a) (iv)"])["chunk_id"], hit["chunk_id"]);
    let parent = sibyl.json(&["paragraph", "S2.14(a)"]);
    assert!(list(&parent["metadata"], "sub_requirements").contains(&json!("S2.14(a)(iv)")));
}

#[test]
fn an_unknown_id_is_told_with_its_neighbours() {
    let sibyl = Sibyl::with_words();
    let run = sibyl.run(&["paragraph", "S2.99"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("`S2.99` does not exist") && run.err.contains("S2.37"), "{}", run.err);
    let run = sibyl.run(&["paragraph", "S2.99", "--json"]);
    assert_eq!(run.code, 1);
    let told: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(told["error"]["code"], "not_found");
    for words in [&["paragraph"][..], &["search", "x", "--mode", "magic"], &["fly"]] {
        assert_eq!(sibyl.run(words).code, 2, "{words:?}");
    }
}

/// Criteria 7, 8 and 9.
#[test]
fn each_mode_finds_what_it_is_for() {
    let sibyl = Sibyl::with_instant_vectors();
    let semantic = sibyl.json(&["search", "transition plan", "--mode", "semantic"]);
    assert!(paragraphs(&semantic).iter().any(|id| id.starts_with("S2.14")), "{:?}", paragraphs(&semantic));
    let keyword = sibyl.json(&["search", "S2.14(a)(iv)", "--mode", "keyword"]);
    assert_eq!(paragraphs(&keyword).first(), Some(&"S2.14(a)(iv)"));
    let hybrid = sibyl.json(&["search", "Scope 3 emissions S2.29"]);
    let legs = |answer: &Value| -> Vec<String> {
        let leaves = list(answer, "results").iter().flat_map(|hit| list(hit, "contributions"));
        let mut legs: Vec<String> = leaves.map(|leaf| leaf["leg"].as_str().unwrap().to_owned()).collect();
        legs.sort();
        legs.dedup();
        legs
    };
    let found = legs(&hybrid);
    assert!(
        ["keyword", "reference", "semantic"].iter().all(|leg| found.iter().any(|l| l == leg)),
        "{found:?}"
    );
    assert_eq!(legs(&semantic), ["semantic"]);
    assert!(!legs(&keyword).contains(&"semantic".to_owned()));
    for (mode, answer) in [("semantic", &semantic), ("keyword", &keyword), ("hybrid", &hybrid)] {
        assert_eq!(answer["search_mode"], mode);
        assert_eq!(answer["total_results"], json!(list(answer, "results").len()));
        assert!(list(answer, "results").iter().all(|hit| hit["search_method"] == mode), "{mode}");
    }
    assert_eq!([&semantic["total_results"], &hybrid["total_results"]], [10, 10]);
    let few = sibyl.json(&["search", "Scope 3 emissions S2.29", "-k", "3"]);
    assert_eq!(paragraphs(&few), paragraphs(&hybrid)[..3]);
}

/// Criterion 11.
#[test]
fn a_parsed_report_is_ingested_with_its_pages_and_embedded() {
    let (sibyl, _provider) = with_provider();
    let folder = tempfile::tempdir().unwrap();
    let filling = "The board oversees the weir and whatever flows over it. ".repeat(40);
    let first = format!("# Annual report of Brackwater Mills\n\n## Governance\n\n{filling}\n\n");
    let second = format!("## Emissions\n\nScope 1 emissions were 12 tonnes of quillwort dust. {filling}\n");
    write(folder.path(), "brackwater.md", format!("{first}{second}"));
    let pages = json!([{ "page": 1, "text": first }, { "page": 2, "text": second }]);
    write(folder.path(), "brackwater.pages.json", pages.to_string());
    let path = folder.path().join("brackwater.md");
    let words = ["ingest", text(&path), "--report-id", "brackwater-2024", "--remote"];
    let job = sibyl.json(&words);
    assert_eq!(job["report"]["documents"]["created"], 1, "{job}");
    let made = vectors(&sibyl, "reports");
    assert_eq!(json!(made.len()), job["total_chunks"]);
    assert!(made.iter().all(|(_, vector)| vector.len() == DIMENSIONS), "each chunk has its vector");
    let near =
        sibyl.json(&["search", "tonnes of quillwort", "--mode", "semantic", "--source-type", "report"]);
    assert_eq!(near["trace"]["tier"], "remote");
    assert!(list(&near, "results")[0]["chunk_text"].as_str().unwrap().contains("quillwort"), "{near}");
    let found = sibyl.json(&["search", "quillwort", "--mode", "keyword"]);
    let hit = list(&found, "results").first().unwrap_or_else(|| panic!("{found}"));
    assert_eq!((&hit["source_type"], &hit["report_id"]), (&json!("report"), &json!("brackwater-2024")));
    assert_eq!((&hit["metadata"]["page_start"], &hit["metadata"]["page_end"]), (&json!(2), &json!(2)));
    let path = list(&hit["metadata"], "section_path").last().unwrap();
    assert_eq!(path, "Emissions");
    assert_eq!(sibyl.json(&["stats"])["report"], job["total_chunks"]);
    let deleted = sibyl.json(&["delete", "--report", "brackwater-2024"]);
    assert_eq!((&deleted["status"], &deleted["deleted_count"]), (&json!("deleted"), &job["total_chunks"]));
    assert_eq!(sibyl.json(&["stats"])["report"], 0);
    assert_eq!(sibyl.run(&["delete", "--report", "brackwater-2024"]).code, 1);
}

/// Criterion 12, in the layout of section 6.3.
#[test]
fn lookup_formats_results_for_a_language_model() {
    let sibyl = Sibyl::with_instant_vectors();
    let run = sibyl.run(&["lookup", "transition plan assumptions", "--source-type", "ifrs_s2", "-k", "3"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let blocks: Vec<&str> = run.out.trim_end().split("--- ").collect();
    let (before, results, end) = (blocks[0], &blocks[1..blocks.len() - 1], blocks[blocks.len() - 1]);
    assert_eq!((before, end), ("", "No more results ---"));
    // A head line ends with the same dashes that open the next block.
    let heads: Vec<&str> = run.out.lines().filter(|line| line.starts_with("--- Result ")).collect();
    assert_eq!(heads.len(), 3, "{}", run.out);
    for (number, head) in (1..).zip(&heads) {
        let opening = format!("--- Result {number} (source: ifrs_s2, score: ");
        let score = head.strip_prefix(&opening).and_then(|rest| rest.strip_suffix(") ---"));
        let score = score.unwrap_or_else(|| panic!("{head}"));
        assert!(score.len() == 4 && (0.0..=1.0).contains(&score.parse::<f64>().unwrap()), "{head}");
    }
    assert!(!results.is_empty());
    let mut lines = run.out.lines();
    lines.next();
    let place = lines.next().unwrap();
    assert!(place.starts_with("[Paragraph: S2.") && place.contains(" | Pillar: "), "{place}");
    assert!(place.contains(" | Section: ") && place.ends_with(']'), "{place}");
    assert_eq!(lines.next(), Some(""));
    assert!(!lines.next().unwrap().is_empty());

    let exact = sibyl.run(&["lookup", "--paragraph-id", "S2.14(a)(iv)"]);
    assert!(exact.out.lines().nth(1).unwrap().starts_with("[Paragraph: S2.14(a)(iv) | Pillar: Strategy"));
    assert_eq!(sibyl.run(&["lookup"]).code, 2);
    let nothing = sibyl.run(&["lookup", "quillwort", "--source-type", "report"]);
    let said = "--- No more results ---\nnote: no chunk in this workspace has the source type `report`";
    assert_eq!((nothing.code, nothing.out.trim_end()), (0, said));
}
