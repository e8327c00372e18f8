//! No chunk of a SASB standard is longer than the shipped sentence transformer reads at once. A metric that is no
//! longer is one chunk.

use sibyl_corpus::root;
use sibyl_text::chunk::{self, ChunkContext, Window};
use sibyl_text::format::{Input, format_of};
use sibyl_text::tokens::{CharsPerToken, TokenCounter};
use std::collections::{BTreeMap, BTreeSet};
use tokenizers::Tokenizer;

/// Tokens of a window besides the markers of its beginning and end, as the model's space names them.
const WINDOW: usize = 254;

/// Tokens that a part marker and blank lines may take.
const FRAME: usize = 8;

struct Pieces(Tokenizer);

impl TokenCounter for Pieces {
    fn name(&self) -> &str {
        "word pieces"
    }
    fn count(&self, text: &str) -> usize {
        self.0.encode_fast(text, false).unwrap().len()
    }
}

#[test]
fn every_chunk_of_a_metric_fits_the_window_and_names_where_it_stands() {
    let model = root().join("data/models/all-MiniLM-L6-v2-int8/tokenizer.json");
    let mut tokenizer = Tokenizer::from_file(model).unwrap();
    tokenizer.with_truncation(None).unwrap().with_padding(None);
    let pieces = Pieces(tokenizer);
    let window = Some(Window { tokens: &pieces, most: WINDOW });
    let strategy = chunk::strategy("sasb").unwrap();
    let settings = chunk::settings(strategy, &serde_json::Map::new()).unwrap();
    let (mut longer, mut nameless, mut metrics) = (Vec::new(), Vec::new(), BTreeSet::new());
    // Tokens of the parts of each metric, and of the header above them.
    let mut parts: BTreeMap<String, (usize, usize, usize)> = BTreeMap::new();
    for entry in std::fs::read_dir(root().join("data/sasb")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        let input = Input { name: &name, bytes: &bytes, page_metadata: None };
        let document = format_of(&input).unwrap().read(&input);
        let context = ChunkContext {
            path: &name,
            tokens: &CharsPerToken,
            window,
            counterparts: &BTreeMap::new(),
            base_url: "",
        };
        let industry = document.metadata["industry"].as_str().unwrap().to_owned();
        for chunk in strategy.chunk(&document, &settings, &context) {
            let text = chunk.text(&document.text);
            let tokens = pieces.count(&text);
            if tokens > WINDOW {
                longer.push(format!("{name}: {tokens} tokens: {text}"));
            }
            let (header, own) = text.split_once("\n\n").unwrap_or_else(|| panic!("{name}: {text}"));
            let codes = chunk.metadata["metric_codes"].as_array().unwrap();
            let codes: Vec<&str> = codes.iter().map(|code| code.as_str().unwrap()).collect();
            let named = header.starts_with(&format!("[SASB > {industry}"))
                && codes.iter().all(|code| {
                    header.contains(&format!(" > {code}")) || own.contains(&format!("- **{code}**"))
                });
            if !named {
                nameless.push(text.clone());
            }
            if let [code] = codes[..] {
                let (count, all, above) = parts.entry(code.to_owned()).or_default();
                (*count, *all, *above) =
                    (*count + 1, *all + pieces.count(own), pieces.count(header).max(*above));
            }
            metrics.extend(codes.into_iter().map(str::to_owned));
        }
    }
    let cut = parts.iter().filter(|(_, (count, all, above))| *count > 1 && all + above + FRAME <= WINDOW);
    assert_eq!(cut.map(|(code, _)| code).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(longer, Vec::<String>::new());
    assert_eq!(nameless, Vec::<String>::new());
    assert_eq!(metrics.len(), 982 + 217);
}
