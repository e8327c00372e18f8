//! Reading order of boxes on a page without tags.

use super::geometry::Rect;

/// Boxes beyond which a page is read simply from top to bottom.
const MAX_BOXES: usize = 400;

/// Share of its height from which text that flows around a box stands beside it.
const AROUND: f32 = 0.5;

/// Indices of `boxes` in reading order; `framed` tells which of them are parts of the page in a frame.
///
/// A box is read before another if it stands above it and shares some of its width, or if it stands wholly to
/// the left and nothing between the two in height shares width with both (T. Breuel, *High Performance Document
/// Layout Analysis*, 2003). A line across both columns therefore ends the columns above it. Text that flows around a frame is read before it: a frame
/// interrupts nobody's sentence.
pub(super) fn reading_order(boxes: &[Rect], framed: &[bool]) -> Vec<usize> {
    let mut sorted: Vec<usize> = (0..boxes.len()).collect();
    sorted.sort_by(|&a, &b| {
        boxes[a].top.total_cmp(&boxes[b].top).then(boxes[a].left.total_cmp(&boxes[b].left))
    });
    if boxes.len() > MAX_BOXES {
        return sorted;
    }
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); boxes.len()];
    for &b in &sorted {
        for &a in &sorted {
            if a != b && precedes(boxes, framed, a, b) {
                before[b].push(a);
            }
        }
    }
    let mut out = Vec::with_capacity(boxes.len());
    let mut state = vec![Visit::New; boxes.len()];
    for &start in &sorted {
        visit(start, &before, &mut state, &mut out);
    }
    out
}

#[derive(Clone, Copy, PartialEq)]
enum Visit {
    New,
    Seen,
}

/// Depth-first: everything that comes before a box, then the box. The depth is at most [`MAX_BOXES`].
fn visit(at: usize, before: &[Vec<usize>], state: &mut [Visit], out: &mut Vec<usize>) {
    if state[at] == Visit::Seen {
        return;
    }
    state[at] = Visit::Seen;
    for &earlier in &before[at] {
        visit(earlier, before, state, out);
    }
    out.push(at);
}

fn precedes(boxes: &[Rect], framed: &[bool], a: usize, b: usize) -> bool {
    let (first, second) = (&boxes[a], &boxes[b]);
    let slack = 1.0;
    let around = first.overlap_y(second) > AROUND * first.height().min(second.height());
    if around && framed[a] != framed[b] && first.overlap_x(second) > slack {
        return framed[b];
    }
    if first.overlap_x(second) > slack {
        return first.center().1 < second.center().1;
    }
    if first.center().0 >= second.center().0 {
        return false;
    }
    let (top, bottom) = (first.center().1.min(second.center().1), first.center().1.max(second.center().1));
    !boxes.iter().enumerate().any(|(c, middle)| {
        c != a
            && c != b
            && (top..=bottom).contains(&middle.center().1)
            && middle.overlap_x(first) > slack
            && middle.overlap_x(second) > slack
    })
}
