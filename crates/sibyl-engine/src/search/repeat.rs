//! Passages that repeat a better one. A paragraph and its items have the same words, and a language model gains
//! nothing from reading them twice.

use crate::store::table::chunk::ChunkRow;
use sibyl_text::chunk::Role;
use sibyl_text::{Piece, Span};

/// Whether two chunks have the same words. More than half of the shorter one, in bytes of its document, must also
/// be in the other. Context headers, search aids and text repeated from other chunks do not count.
pub(super) fn repeats(a: &ChunkRow, b: &ChunkRow) -> bool {
    if a.document_id != b.document_id {
        return false;
    }
    let (a, b) = (said(a), said(b));
    let length = |spans: &[Span]| spans.iter().map(Span::len).sum::<usize>();
    let shared: usize = a.iter().flat_map(|one| b.iter().map(|other| one.shared(*other))).sum();
    2 * shared > length(&a).min(length(&b))
}

fn said(chunk: &ChunkRow) -> Vec<Span> {
    let body = |piece: &Piece| match piece {
        Piece::Source { span, role: Role::Body } => Some(*span),
        _ => None,
    };
    chunk.pieces.iter().filter_map(body).collect()
}
