//! Whether a question asks for a sum of money.

/// Things counted in money, whatever is beside them.
const OF_MONEY: [&str; 22] = [
    "cost",
    "costs",
    "costing",
    "spend",
    "spent",
    "spending",
    "expenditure",
    "capex",
    "opex",
    "price",
    "revenue",
    "revenues",
    "fee",
    "fees",
    "dividend",
    "dividends",
    "ebitda",
    "profit",
    "penalty",
    "fine",
    "loan",
    "salary",
];

/// Whether `word`, in lower case, is counted in money.
pub(super) fn is_of_money(word: &str) -> bool {
    OF_MONEY.contains(&word)
}

/// Whether `lower`, with the words `all`, asks for a sum of money by its verb or by what it asks for.
pub(super) fn asks_for_money(lower: &str, all: &[&str]) -> bool {
    const VERBS: [&str; 8] = ["cost", "spend", "spent", "pay", "pays", "paid", "paying", "earn"];
    const SUMS: [&str; 6] = ["budget", "penalty", "fine", "fee", "price", "salary"];
    const DOES: [&str; 8] = ["did", "does", "do", "will", "would", "has", "have", "much"];
    const IS: [&str; 3] = ["is", "was", "were"];
    let begins = |words: &[&str]| {
        matches!(all.first(), Some(&"what" | &"how")) && all.get(1).is_some_and(|word| words.contains(word))
    };
    let says = |words: &[&str]| all.iter().any(|word| words.contains(word));
    // "What regulatory penalty was imposed": what is asked for stands before its verb.
    let before_its_verb = lower.starts_with("what ")
        && all
            .iter()
            .take(4)
            .skip(1)
            .zip(all.iter().skip(2))
            .any(|(sum, verb)| SUMS.contains(sum) && IS.contains(verb));
    (begins(&DOES) && says(&VERBS)) || (begins(&IS) && says(&SUMS)) || before_its_verb
}

#[cfg(test)]
mod tests {
    use super::*;
    use sibyl_text::language::words::words;

    #[test]
    fn money_is_asked_for_by_a_verb_or_by_the_name_of_a_sum() {
        let asks = |text: &str| {
            let lower = text.to_lowercase();
            asks_for_money(&lower, &words(&lower).iter().map(|word| word.text).collect::<Vec<_>>())
        };
        for text in [
            "What did the mill pay for its wood?",
            "How much per ton is it paying for removals?",
            "What will it cost to move the depot?",
            "What is the annual budget of the office?",
            "What regulatory penalty was imposed?",
        ] {
            assert!(asks(text), "{text}");
        }
        for text in
            ["What is the gender pay gap?", "What drives the cost of steel?", "Who pays for the losses?"]
        {
            assert!(!asks(text), "{text}");
        }
    }
}
