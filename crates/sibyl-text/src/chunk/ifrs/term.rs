//! Names of the defined terms in Appendix A of both standards and the ids they go by.

/// Printed name in lower case, and the last part of the id if that is different.
const TERMS: [(&str, Option<&str>); 35] = [
    ("business model", None),
    ("disclosure topic", None),
    ("general purpose financial reports", None),
    ("ifrs sustainability disclosure standards", None),
    ("impracticable", None),
    ("material information", None),
    ("primary users of general purpose financial reports (primary users)", Some("primary_users")),
    ("primary users of general purpose financial reports", Some("primary_users")),
    ("primary users", None),
    ("reporting entity", None),
    ("scenario analysis", None),
    ("sustainability-related financial disclosures", None),
    ("sustainability-related risks and opportunities", None),
    ("users of general purpose financial reports (users)", Some("users")),
    ("users of general purpose financial reports", Some("users")),
    ("users", None),
    ("value chain", None),
    ("carbon credit", None),
    ("climate resilience", None),
    ("climate-related physical risks", None),
    ("climate-related risks and opportunities", None),
    ("climate-related transition plan", None),
    ("climate-related transition risks", None),
    ("co2 equivalent", None),
    ("co₂ equivalent", Some("co2_equivalent")),
    ("financed emissions", None),
    ("global warming potential", None),
    ("greenhouse gases", None),
    ("indirect greenhouse gas emissions", None),
    ("internal carbon price", None),
    ("latest international agreement on climate change", None),
    ("scope 1 greenhouse gas emissions", None),
    ("scope 2 greenhouse gas emissions", None),
    ("scope 3 greenhouse gas emissions", None),
    ("scope 3 categories", None),
];

/// The term that `line` begins with, as its length in bytes and its id part: `carbon credit An emissions unit…`
/// gives `(13, "carbon_credit")`. The longest name wins, and it must end with a word.
pub(super) fn known_at(line: &str) -> Option<(usize, String)> {
    let (name, id) = TERMS
        .iter()
        .filter(|(name, _)| {
            let mut letters = line.char_indices();
            name.chars()
                .all(|wanted| letters.next().is_some_and(|(_, c)| c.to_lowercase().eq(wanted.to_lowercase())))
                && !letters.next().is_some_and(|(_, c)| c.is_alphanumeric() || c == '-')
        })
        .max_by_key(|(name, _)| name.len())?;
    let length = line.char_indices().nth(name.chars().count()).map_or(line.len(), |(at, _)| at);
    Some((length, id.map_or_else(|| slug(name), str::to_owned)))
}

/// `Climate-related transition plan` as `climate_related_transition_plan`; at most 80 characters.
pub(super) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars() {
        if c.is_alphanumeric() {
            slug.extend(c.to_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    let end = slug.char_indices().nth(80).map_or(slug.len(), |(at, _)| at);
    slug[..end].trim_end_matches('_').to_owned()
}
