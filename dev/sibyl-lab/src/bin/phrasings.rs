//! `cargo xtask phrasings`: lists the shipped search phrasings that are far nearer in meaning to other paragraphs
//! than to their own, and so find the wrong ones.
#![allow(clippy::print_stdout)] // It is a program that talks to its user.

use sibyl_engine::embed::{Embedder, Purpose, Tier};
use sibyl_engine::store::table::chunk::ChunkRow;
use sibyl_lab::shipped::Shipped;
use std::collections::BTreeMap;
use std::process::ExitCode;

type Failure = Box<dyn std::error::Error>;

/// How many other paragraphs are nearer to a phrasing that is listed.
const NEARER: usize = 400;

#[tokio::main]
async fn main() -> ExitCode {
    if let Some(code) = sibyl_engine::reader::run_reader_if_asked() {
        return code;
    }
    let nearer = std::env::args().nth(1).map_or(Ok(NEARER), |word| word.parse());
    let listed = match nearer {
        Ok(nearer) => list(nearer).await,
        Err(error) => Err(format!("a number of paragraphs was expected: {error}").into()),
    };
    match listed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A phrasing and its chunks: those of a paragraph and of its parts.
struct Phrasing {
    words: String,
    /// Places among all chunks.
    own: Vec<usize>,
}

async fn list(nearer: usize) -> Result<(), Failure> {
    let shipped = Shipped::ingested().await?;
    let library = &shipped.library;
    let embedders = library.models().embedders().await;
    let model = embedders.iter().find(|each| each.space().tier == Tier::Embedded);
    let model = &**model.ok_or("the model that ships is not there")?;
    let workspace = library.store().workspace("default").await?.id;
    let standards = sibyl_text::source_type::standards().map(|(kind, _)| kind.name).collect();
    let chunks = library.store().chunks_of_types(workspace, standards).await?;

    let mut own: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
    for (place, chunk) in chunks.iter().enumerate() {
        for words in chunk.phrases() {
            own.entry((&chunk.source_type, words)).or_default().push(place);
        }
    }
    let mut phrasings: Vec<Phrasing> =
        own.into_iter().map(|((_, words), own)| Phrasing { words, own }).collect();
    let all = phrasings.len();
    // First by the text of paragraphs, which is quicker to compare, then also by their other search aids.
    let passages: Vec<String> = chunks.iter().map(ChunkRow::passage).collect();
    let mut counts = nearer_texts(model, &phrasings, &passages, |_, _| None).await?.into_iter();
    phrasings.retain(|_| counts.next().is_some_and(|count| count >= nearer));
    let in_one_line = |chunk: &ChunkRow| chunk.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let texts: Vec<String> = chunks.iter().map(in_one_line).collect();
    let without = |place: usize, words: &str| Some(texts[place].replacen(words, "", 1));
    let counts = nearer_texts(model, &phrasings, &texts, without).await?;
    let ranked = phrasings.iter().zip(counts).filter(|(_, count)| *count >= nearer);
    let mut listed = 0;
    for (Phrasing { words, own }, count) in ranked {
        let chunk = &chunks[own[0]];
        println!("{count}\t{}\t{words}", chunk.header_in_words().unwrap_or_else(|| chunk.title.clone()));
        listed += 1;
    }
    println!("{listed} of {all} phrasings have {nearer} paragraphs or more nearer to them than their own");
    Ok(())
}

/// How many of `texts` are nearer to each phrasing than its nearest chunk, for which `own_text` may supply another
/// text.
async fn nearer_texts(
    model: &dyn Embedder,
    phrasings: &[Phrasing],
    texts: &[String],
    own_text: impl Fn(usize, &str) -> Option<String>,
) -> Result<Vec<usize>, Failure> {
    let words: Vec<String> = phrasings.iter().map(|phrasing| phrasing.words.clone()).collect();
    let queries = model.embed(&words, Purpose::Query).await?;
    let others = model.embed(texts, Purpose::Passage).await?;
    let mut counts = Vec::new();
    for (Phrasing { words, own }, query) in phrasings.iter().zip(&queries) {
        let similarity = |vector: &Vec<f32>| -> f32 { query.iter().zip(vector).map(|(a, b)| a * b).sum() };
        let other_words: Vec<String> = own.iter().filter_map(|place| own_text(*place, words)).collect();
        let owned = match other_words.is_empty() {
            true => own.iter().map(|place| others[*place].clone()).collect(),
            false => model.embed(&other_words, Purpose::Passage).await?,
        };
        let nearest = owned.iter().map(similarity).fold(f32::NEG_INFINITY, f32::max);
        let nearer = others.iter().enumerate().filter(|(place, _)| !own.contains(place));
        counts.push(nearer.filter(|(_, vector)| similarity(vector) > nearest).count());
    }
    Ok(counts)
}
