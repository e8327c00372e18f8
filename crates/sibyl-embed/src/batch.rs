//! How texts are grouped into batches.

/// Groups texts in their order, at most `most` a batch and `budget` estimated tokens; a longer text has its own
/// batch. Returns the range of each batch.
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
    use super::in_order;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_text_is_in_one_batch_within_the_limits(
            lengths in prop::collection::vec(0_usize..400, 0..200),
            most in 1_usize..50,
            budget in 1_usize..1_000,
        ) {
            let batches = in_order(&lengths, most, budget);
            prop_assert_eq!(batches.iter().cloned().flatten().collect::<Vec<_>>(), (0..lengths.len()).collect::<Vec<_>>());
            for batch in &batches {
                let sum: usize = lengths[batch.clone()].iter().sum();
                prop_assert!(batch.len() <= most && (batch.len() == 1 || sum <= budget));
            }
            // No batch had room for the text that follows it.
            for pair in batches.windows(2) {
                let sum: usize = lengths[pair[0].start..=pair[1].start].iter().sum();
                prop_assert!(pair[0].len() == most || sum > budget);
            }
        }
    }
}
