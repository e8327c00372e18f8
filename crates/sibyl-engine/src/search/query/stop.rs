//! Words that shape a question but do not say what it is about.

/// Whether `word` (lower case) is a stop word of English or Swedish.
pub(super) fn is_stop_word(word: &str) -> bool {
    ENGLISH.contains(&word) || SWEDISH.contains(&word)
}

/// Function words and the words questions are made of. Words that carry meaning in a standard stay out of the
/// list, such as `must`, `not`, `all` and `material`.
const ENGLISH: &[&str] = &[
    "a", "about", "after", "again", "am", "an", "and", "any", "are", "aren", "as", "at", "be", "because",
    "been", "before", "being", "but", "by", "can", "could", "couldn", "did", "didn", "do", "does", "doesn",
    "doing", "don", "for", "from", "get", "give", "given", "gives", "had", "has", "hasn", "have", "haven",
    "having", "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "isn", "it", "its",
    "just", "let", "like", "ll", "may", "me", "might", "my", "need", "needs", "of", "on", "or", "our",
    "ours", "please", "re", "she", "should", "show", "so", "some", "such", "tell", "than", "that", "the",
    "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "us", "ve", "very",
    "was", "wasn", "we", "were", "weren", "what", "when", "where", "whether", "which", "while", "who",
    "whom", "whose", "why", "will", "with", "would", "you", "your",
];

const SWEDISH: &[&str] = &[
    "att", "av", "de", "dem", "den", "denna", "deras", "dess", "det", "detta", "du", "där", "eller", "en",
    "ett", "från", "för", "gäller", "han", "har", "hon", "hur", "här", "inom", "jag", "kan", "man", "med",
    "mot", "måste", "ni", "när", "och", "om", "oss", "på", "sig", "ska", "skall", "som", "till", "under",
    "ut", "vad", "var", "vi", "vid", "vilka", "vilken", "vilket", "än", "är",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_and_lower_case() {
        for list in [ENGLISH, SWEDISH] {
            assert!(list.windows(2).all(|pair| pair[0] < pair[1]), "{list:?}");
            assert!(list.iter().all(|word| word.to_lowercase() == *word));
        }
    }
}
