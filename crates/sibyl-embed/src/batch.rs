//! How texts are grouped into batches.

/// Groups texts of like length, longest first, so that a batch padded to its longest text stays within `budget`
/// tokens; a longer text is alone. Returns the numbers of the texts of each batch.
pub(super) fn by_length(lengths: &[usize], budget: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&n| std::cmp::Reverse(lengths[n]));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut longest = 0;
    for n in order {
        match batches.last_mut() {
            Some(batch) if (batch.len() + 1) * longest <= budget => batch.push(n),
            _ => {
                longest = lengths[n].max(1);
                batches.push(vec![n]);
            }
        }
    }
    batches
}

/// Groups texts in their order, at most `most` a batch and `budget` estimated tokens; a longer text is alone.
/// Returns the range of each batch.
pub(super) fn in_order(tokens: &[usize], most: usize, budget: usize) -> Vec<std::ops::Range<usize>> {
    let mut batches = Vec::new();
    let (mut start, mut sum) = (0, 0);
    for (n, &count) in tokens.iter().enumerate() {
        if n > start && (n - start >= most || sum + count > budget) {
            batches.push(start..n);
            (start, sum) = (n, 0);
        }
        sum += count;
    }
    if start < tokens.len() {
        batches.push(start..tokens.len());
    }
    batches
}

#[cfg(test)]
mod tests {
    use super::{by_length, in_order};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_text_is_in_one_batch_within_the_limits(
            lengths in prop::collection::vec(0_usize..400, 0..200),
            most in 1_usize..50,
            budget in 1_usize..1_000,
        ) {
            let batches = by_length(&lengths, budget);
            let mut all: Vec<usize> = batches.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..lengths.len()).collect::<Vec<_>>());
            for batch in &batches {
                let longest = batch.iter().map(|&n| lengths[n]).max().unwrap_or(0);
                prop_assert!(batch.len() == 1 || batch.len() * longest <= budget);
            }
            let batches = in_order(&lengths, most, budget);
            prop_assert_eq!(batches.iter().cloned().flatten().collect::<Vec<_>>(), (0..lengths.len()).collect::<Vec<_>>());
            for batch in &batches {
                let sum: usize = lengths[batch.clone()].iter().sum();
                prop_assert!(batch.len() <= most && (batch.len() == 1 || sum <= budget));
            }
            // No batch could have taken the text that follows it.
            for pair in batches.windows(2) {
                let sum: usize = lengths[pair[0].start..=pair[1].start].iter().sum();
                prop_assert!(pair[0].len() == most || sum > budget);
            }
        }
    }
}
