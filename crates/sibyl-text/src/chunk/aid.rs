//! Search aids: stretches of a chunk that only help to find it and are no part of the passage.
//!
//! They are in the text that is embedded and searched. Code that shows, quotes or exports a chunk uses its
//! [`passage`], and may name its [`phrases`] beside it.

use super::{Chunk, Piece, Role, header_length};
use crate::document::{Document, Span};
use memchr::memmem;
use serde_json::Value;

/// What opens a block that is an aid, in a document that lists words by which people look for its passages.
const NAMES: [&str; 3] = [PHRASES, "*Points to:*", "*Terms:*"];
/// What opens the block that lists the words by which people look for a passage.
const PHRASES: &str = "*Asked as:*";

/// The phrases that the front matter of a document gives it as `search_phrases`; its first chunk is found by them.
pub fn given(document: &Document) -> Vec<String> {
    let listed = document.metadata.get("search_phrases").and_then(Value::as_array);
    let phrases = listed.into_iter().flatten().filter_map(Value::as_str).map(str::trim);
    phrases.filter(|phrase| !phrase.is_empty()).map(str::to_owned).collect()
}

/// A block of phrases in the text of a chunk: `*Asked as:* one; another.`
pub fn phrased(phrases: &[String]) -> String {
    format!("{PHRASES} {}.", phrases.join("; "))
}

/// The phrases of a block of them; none if it is another aid.
fn listed(block: &str) -> impl Iterator<Item = String> + '_ {
    let listed = block.trim().strip_prefix(PHRASES).unwrap_or_default();
    let listed = listed.trim_end().trim_end_matches('.');
    listed
        .split(';')
        .map(|phrase| phrase.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|phrase| !phrase.is_empty())
}

/// Gives the aids of `document` their role in `chunks`, whichever strategy made these. What is repeated from
/// another chunk loses them. A chunk of nothing but aids could not be read. Unless chunks are `units` with ids of
/// their own, it joins the one before it, or else the next.
pub(super) fn set_apart(document: &Document, chunks: &mut Vec<Chunk>, units: bool) {
    let text = document.text.as_str();
    let aids = blocks(text, document.body);
    if aids.is_empty() {
        return;
    }
    let only_aids = |span: Span| span.is_empty() || is_covered(text, span, &aids);
    let mut kept: Vec<Chunk> = Vec::with_capacity(chunks.len());
    for mut chunk in chunks.drain(..) {
        let extent = chunk.extent();
        let before = kept.last_mut().filter(|_| !units).map(|before| (before.extent(), before));
        match before {
            Some((former, before))
                if former.end <= extent.start
                    && only_aids(Span::new(former.end, extent.start))
                    && (only_aids(extent) || only_aids(former)) =>
            {
                let whole = Span::new(former.start, extent.end);
                if only_aids(extent) {
                    own(text, before, whole, &aids);
                } else {
                    own(text, &mut chunk, whole, &aids);
                    *before = chunk;
                }
            }
            _ => {
                own(text, &mut chunk, extent, &aids);
                kept.push(chunk);
            }
        }
    }
    for (index, chunk) in kept.iter_mut().enumerate().filter(|_| !units) {
        if let Some(place) = chunk.metadata.get_mut("chunk_index") {
            *place = index.into();
        }
    }
    *chunks = kept;
}

/// Whether `span` has only aids and white space.
fn is_covered(text: &str, span: Span, aids: &[Span]) -> bool {
    !pieces(text, span, aids).iter().any(|piece| match piece {
        Piece::Source { span, role: Role::Body } => !span.of(text).trim().is_empty(),
        _ => false,
    })
}

/// Makes `extent` the own text of `chunk`, and removes aids from its repeated text.
fn own(text: &str, chunk: &mut Chunk, extent: Span, aids: &[Span]) {
    let mut all = Vec::with_capacity(chunk.pieces.len() + 2);
    for piece in chunk.pieces.drain(..) {
        match piece {
            Piece::Source { role, .. } if role.is_own() => {}
            Piece::Source { span, role } => all.extend(
                pieces(text, span, aids)
                    .into_iter()
                    .filter_map(|part| match part {
                        Piece::Source { span, role: Role::Body } if !span.of(text).trim().is_empty() => {
                            Some(span)
                        }
                        _ => None,
                    })
                    .map(|span| Piece::Source { span, role }),
            ),
            piece => all.push(piece),
        }
    }
    all.extend(pieces(text, extent, aids));
    chunk.pieces = all;
}

/// The aids of `span`, in order: blocks of whole lines set apart by blank lines, each up to the line where the
/// next block begins. A document without a list of phrases has none: its terms are part of its text.
fn blocks(text: &str, span: Span) -> Vec<Span> {
    let text = span.of(text);
    let found = |name: &'static str| memmem::find_iter(text.as_bytes(), name);
    if !found(PHRASES).any(|at| opens_block(text, at)) {
        return Vec::new();
    }
    let mut openings: Vec<usize> = NAMES.iter().flat_map(|name| found(name)).collect();
    openings.retain(|&at| opens_block(text, at));
    openings.sort_unstable();
    openings
        .into_iter()
        .map(|at| {
            let start = line_start(text, at);
            Span::new(span.start + start, span.start + start + block_length(&text[start..]))
        })
        .collect()
}

/// Where the line of the byte at `at` begins.
fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |end| end + 1)
}

/// Whether the words at `at` are the first of a block.
fn opens_block(text: &str, at: usize) -> bool {
    let start = line_start(text, at);
    let before = start.checked_sub(1).map_or("", |end| &text[line_start(text, end)..end]);
    text[start..at].trim().is_empty() && before.trim().is_empty()
}

/// Bytes up to the line on which the block after the first of `text` begins.
fn block_length(text: &str) -> usize {
    let (mut length, mut after_blank) = (0, false);
    for line in text.split_inclusive('\n') {
        let blank = line.trim().is_empty();
        if after_blank && !blank {
            break;
        }
        after_blank = blank;
        length += line.len();
    }
    length
}

/// The pieces of the chunk's own text `part`, without white space at its end: the passage, and those of `aids` (in
/// order) inside it.
fn pieces(text: &str, part: Span, aids: &[Span]) -> Vec<Piece> {
    let part = part.trimmed_end(text);
    let mut pieces = Vec::new();
    let mut at = part.start;
    let mut push = |start: usize, end: usize, role| {
        if start < end {
            pieces.push(Piece::Source { span: Span::new(start, end), role });
        }
    };
    // A long document has thousands of aids, and each chunk has a few.
    let first = aids.partition_point(|aid| aid.end <= part.start);
    for aid in aids[first..].iter().take_while(|aid| aid.start < part.end) {
        let (start, end) = (aid.start.max(at), aid.end.min(part.end));
        if start < end {
            push(at, start, Role::Body);
            push(start, end, Role::Aid);
            at = end;
        }
    }
    push(at, part.end, Role::Body);
    pieces
}

/// Where the aids of a chunk of `pieces` are in its text, in order.
///
/// Its own spans follow each other without a gap and end without white space; after them come only aids that are
/// not in the document. So their places follow from the end of `text`.
pub fn aids(pieces: &[Piece], text: &str) -> Vec<Span> {
    let mut aids = Vec::new();
    let mut end = text.len();
    for piece in pieces.iter().rev() {
        let length = match piece {
            Piece::Aid { text, .. } => text.trim_end().len(),
            Piece::Source { span, role } if role.is_own() => span.len(),
            _ => break,
        };
        let Some(start) = end.checked_sub(length).filter(|&start| text.is_char_boundary(start)) else {
            break;
        };
        if !matches!(piece, Piece::Source { role: Role::Body, .. }) {
            aids.push(Span::new(start, end));
        }
        end = if matches!(piece, Piece::Aid { .. }) { text[..start].trim_end().len() } else { start };
    }
    aids.reverse();
    aids
}

/// What a chunk of `pieces` says: `text` without its context header and its aids.
pub fn passage(pieces: &[Piece], text: &str) -> String {
    let mut passage = String::with_capacity(text.len());
    let mut at = header_length(pieces, text);
    for aid in aids(pieces, text) {
        passage.push_str(text.get(at..aid.start).unwrap_or_default());
        at = aid.end;
    }
    passage.push_str(text.get(at..).unwrap_or_default());
    passage.truncate(passage.trim_end().len());
    passage
}

/// The phrases that somebody added by hand to a chunk of `pieces`.
pub fn added(pieces: &[Piece]) -> Vec<String> {
    let blocks = pieces.iter().filter_map(|piece| match piece {
        Piece::Aid { text, by_hand: true } => Some(text),
        _ => None,
    });
    blocks.flat_map(|block| listed(block)).collect()
}

/// A chunk of `pieces` and `text` with `phrases` in place of those added to it by hand.
pub fn with_added(pieces: &[Piece], text: &str, phrases: &[String]) -> (Vec<Piece>, String) {
    let mut end = text.len();
    let mut pieces = pieces.to_vec();
    // They come last, each after a blank line.
    while let Some(Piece::Aid { text: block, .. }) =
        pieces.pop_if(|piece| matches!(piece, Piece::Aid { by_hand: true, .. }))
    {
        end = text[..end].strip_suffix(block.as_str()).map_or(end, |rest| rest.trim_end().len());
    }
    let mut text = text[..end].to_owned();
    if !phrases.is_empty() {
        let block = phrased(phrases);
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&block);
        pieces.push(Piece::Aid { text: block, by_hand: true });
    }
    (pieces, text)
}

/// The phrases by which a chunk of `pieces` is found.
pub fn phrases(pieces: &[Piece], text: &str) -> Vec<String> {
    aids(pieces, text).into_iter().flat_map(|aid| listed(aid.of(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chunk::joined;
    use proptest::prelude::*;

    const ITEM: &str = "**(a)** One\ntwo.\n\n  *Terms:* users\n  (S1.A.users).\n\n  *Asked as:* who\n  looks; why.\n\n  - **(i)** Deep.\n\n*Asked as:* last one.\n";

    fn own(text: &str) -> Vec<Piece> {
        let span = Span::new(0, text.len());
        pieces(text, span, &blocks(text, span))
    }

    #[test]
    fn the_blocks_of_aids_are_no_part_of_the_passage() {
        let pieces = own(ITEM);
        assert_eq!(joined(&pieces, ITEM), ITEM.trim_end(), "what is embedded stays as it is written");
        assert_eq!(passage(&pieces, ITEM.trim_end()), "**(a)** One\ntwo.\n\n  - **(i)** Deep.");
        assert_eq!(phrases(&pieces, ITEM.trim_end()), ["who looks", "why", "last one"]);
    }

    #[test]
    fn an_aid_begins_a_block_of_its_own() {
        let text = "Words about\n*Asked as:* a mark inside.\n\n*Askedas:* no.";
        assert_eq!(own(text), [Piece::Source { span: Span::new(0, text.len()), role: Role::Body }]);
    }

    #[test]
    fn what_stands_nowhere_in_the_document_comes_last() {
        let mut pieces = vec![Piece::Generated { text: "[A > B]".to_owned() }];
        pieces.extend(own(ITEM));
        let added = phrased(&["how much".to_owned(), "by when".to_owned()]);
        pieces.push(Piece::Aid { text: added.clone(), by_hand: false });
        let text = joined(&pieces, ITEM);
        assert_eq!(text, format!("[A > B]\n\n{}\n\n{added}", ITEM.trim_end()));
        assert_eq!(passage(&pieces, &text), "**(a)** One\ntwo.\n\n  - **(i)** Deep.");
        assert_eq!(phrases(&pieces, &text), ["who looks", "why", "last one", "how much", "by when"]);
    }

    #[test]
    fn what_was_added_by_hand_is_put_last_and_taken_away_again() {
        let mut pieces = own(ITEM);
        pieces.push(Piece::Aid { text: phrased(&["days off".to_owned()]), by_hand: false });
        let text = joined(&pieces, ITEM);
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let (with, longer) = with_added(&pieces, &text, &words(&["holiday", "time off"]));
        assert_eq!(longer, format!("{text}\n\n*Asked as:* holiday; time off."));
        assert_eq!(longer, joined(&with, ITEM), "the text is that of its pieces");
        assert_eq!(added(&with), ["holiday", "time off"]);
        assert_eq!(
            phrases(&with, &longer),
            ["who looks", "why", "last one", "days off", "holiday", "time off"]
        );
        assert_eq!(passage(&with, &longer), passage(&pieces, &text));
        let (fewer, shorter) = with_added(&with, &longer, &words(&["time off"]));
        assert_eq!(shorter, format!("{text}\n\n*Asked as:* time off."));
        assert_eq!(with_added(&fewer, &shorter, &[]), (pieces, text));
    }

    /// `text` in chunks that begin at `starts`, the first with a lead-in.
    fn cut(text: &str, starts: &[usize]) -> Vec<Chunk> {
        let document =
            Document { text: text.to_owned(), body: Span::new(0, text.len()), ..Document::default() };
        let ends = starts[1..].iter().copied().chain([text.len()]);
        let spans = starts.iter().zip(ends).map(|(&start, end)| Span::new(start, end).trimmed_end(text));
        let chunk = |(index, span): (usize, Span)| {
            let overlap =
                index.checked_sub(1).map(|before| Span::new(starts[before], span.start).trimmed_end(text));
            let pieces = overlap.into_iter().map(|span| Piece::Source { span, role: Role::Overlap });
            let pieces = pieces.chain([Piece::Source { span, role: Role::Body }]).collect();
            Chunk { pieces, parent: None, oversize: false, metadata: serde_json::Map::new() }
        };
        let mut chunks = spans.enumerate().map(chunk).collect();
        set_apart(&document, &mut chunks, false);
        chunks
    }

    #[test]
    fn any_strategy_sets_the_aids_of_a_document_apart() {
        let text = "First words.\n\n*Asked as:* who looks;\nwhy.\n\nSecond words.\n\n*Terms:* users.\n";
        let chunks = cut(text, &[0, text.find("looks").unwrap(), text.find("words.\n\n*Terms").unwrap()]);
        let told: Vec<String> =
            chunks.iter().map(|chunk| passage(&chunk.pieces, &chunk.text(text))).collect();
        assert_eq!(told, ["First words.", "First words.\n\nSecond", "Second words."]);
        let embedded: Vec<String> = chunks.iter().map(|chunk| chunk.text(text)).collect();
        assert!(embedded[0].ends_with("*Asked as:* who"), "a chunk is still found by its aids: {embedded:?}");
        assert!(embedded[2].ends_with("*Terms:* users."), "{embedded:?}");
    }

    #[test]
    fn a_chunk_of_aids_alone_joins_the_one_it_follows() {
        let text = "*Asked as:* a title.\n\nWords.\n\n*Asked as:* who looks; when; why.\n\nMore.";
        let at = |words: &str| text.find(words).unwrap();
        let chunks = cut(text, &[0, at("Words"), at("*Asked as:* who"), at("when"), at("why"), at("More")]);
        let told: Vec<String> =
            chunks.iter().map(|chunk| passage(&chunk.pieces, &chunk.text(text))).collect();
        assert_eq!(told, ["Words.", "More."]);
        let phrases: Vec<_> = chunks.iter().map(|chunk| phrases(&chunk.pieces, &chunk.text(text))).collect();
        assert_eq!(phrases, [vec!["a title", "who looks", "when", "why"], vec![]]);
    }

    #[test]
    fn what_a_document_without_phrases_calls_its_terms_is_what_it_says() {
        let text = "Words.\n\n*Terms:* users.";
        let chunks = cut(text, &[0]);
        assert_eq!(passage(&chunks[0].pieces, text), text);
    }

    proptest! {
        #[test]
        fn aids_are_found_where_they_stand(
            blocks in prop::collection::vec(("( {0,4}|)(\\*Asked as:\\* |\\*Terms:\\* |- |)[a-zé;. ]{1,20}(\n[a-z]{1,9})?", "\n\n( \n)?"), 1..8),
            header in prop::option::of("\\[[a-z]{1,8}\\]"), added in prop::option::of("[a-z]{1,8}")
        ) {
            let document: String = blocks.iter().flat_map(|(block, gap)| [block.as_str(), gap]).collect();
            let own = own(&document);
            let mut pieces: Vec<Piece> = header.into_iter().map(|text| Piece::Generated { text }).collect();
            pieces.extend(own.iter().cloned());
            pieces.extend(added.map(|word| Piece::Aid { text: phrased(&[word]), by_hand: false }));
            let text = joined(&pieces, &document);
            let expected: Vec<&str> = pieces
                .iter()
                .filter(|piece| matches!(piece, Piece::Source { role: Role::Aid, .. } | Piece::Aid { .. }))
                .map(|piece| piece.text(&document).trim())
                .filter(|words| !words.is_empty())
                .collect();
            let found: Vec<&str> = aids(&pieces, &text).iter().map(|aid| aid.of(&text).trim()).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
