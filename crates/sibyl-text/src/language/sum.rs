//! Names of sums, as tables write them.

/// Words that begin the name of a sum, or are all of it.
const SUMS: [&str; 22] = [
    "total",
    "totals",
    "sum",
    "grand",
    "all",
    "summa",
    "summe",
    "gesamt",
    "insgesamt",
    "totalt",
    "totale",
    "totaal",
    "ensemble",
    "합계",
    "총계",
    "전체",
    "소계",
    "合计",
    "合計",
    "总计",
    "總計",
    "小计",
];

/// Words at the end of the name of a sum.
const AT_THE_END: [&str; 6] = ["total", "totals", "combined", "altogether", "gesamt", "totalt"];

fn words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// The part of `name` after the word for a sum that it begins with: `emissions` of `Total emissions`. `None` if it
/// begins with no such word.
pub fn summed(name: &str) -> Option<Vec<String>> {
    let words = words(name);
    let (first, rest) = words.split_first()?;
    SUMS.contains(&first.as_str()).then(|| rest.to_vec())
}

/// Whether `name` is only a word for a sum: `Total`, `Grand total`, `合计`.
pub fn is_bare(name: &str) -> bool {
    summed(name).is_some_and(|rest| rest.iter().all(|word| word == "total"))
}

/// Whether `name` is that of any sum: `Total emissions`, `Scope 1, total`, `Group total`.
pub fn is_sum(name: &str) -> bool {
    let words = words(name);
    let last = words.last().map(String::as_str).unwrap_or_default();
    summed(name).is_some() || AT_THE_END.contains(&last) || name.to_lowercase().ends_with(" in all")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_known_by_their_first_or_last_word() {
        for name in ["Total", "Grand total", "**Total**", "전체", "合计"] {
            assert!(is_bare(name) && is_sum(name), "{name}");
        }
        for name in ["Total emissions", "Scope 1, total", "Group total", "Sites in all", "Gesamt Emissionen"]
        {
            assert!(is_sum(name) && !is_bare(name), "{name}");
        }
        for name in ["Totally new", "Scope 1", "Allocation", ""] {
            assert!(!is_sum(name), "{name}");
        }
        assert_eq!(summed("Total energy use"), Some(vec!["energy".to_owned(), "use".to_owned()]));
    }
}
