//! What labels are called in files that know only ids, and what chunks are scored under.

use sibyl_space::short_hash;
use std::borrow::Cow;

/// Hex digits that tell the spans of a document apart.
const HASH: usize = 8;

/// The id of a passage in files that know only ids: the path of its document, and the hash of its words and of those
/// `before` them.
pub fn span_id(path: &str, before: &str, quote: &str) -> String {
    let hash = short_hash(&[path, before, quote]);
    format!("{path}#{}", &hash[..HASH])
}

/// The id at the beginning of a name, where [`span_id`] made it; of an identifier the name itself.
pub fn label_id(name: &str) -> &str {
    let hash = |at: usize| {
        let (end, rest) = (at + 1 + HASH, name.as_bytes());
        let digits = rest.get(at + 1..end).is_some_and(|hash| hash.iter().all(u8::is_ascii_hexdigit));
        (digits && rest.get(end).is_none_or(|after| *after == b' ')).then_some(end)
    };
    let end = name.match_indices('#').find_map(|(at, _)| hash(at));
    end.and_then(|end| name.get(..end)).unwrap_or(name)
}

/// `text` without white space, which separates the fields of TREC.
pub fn token(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join("_")
}

/// The id that `id` is scored as. A metric code counts as its topic: `EM-EP-110a.1` as `EM-EP-110a`. An activity
/// metric or a bare industry code counts as the industry's activity group: `TR-AL-000.A` and `TR-AL` as `TR-AL-000`.
/// Every other id counts as itself.
pub fn fold(id: &str) -> Cow<'_, str> {
    let Some((industry, rest)) = split_industry(id) else { return Cow::Borrowed(id) };
    match rest.strip_prefix('-') {
        None if rest.is_empty() => Cow::Owned(format!("{industry}-000")),
        // `DE-AT-2024.pdf` is a document.
        Some(code)
            if code.split_once('.').is_some_and(|(_, end)| end.starts_with(|c: char| c.is_lowercase())) =>
        {
            Cow::Borrowed(id)
        }
        Some(code) => {
            let group = code.split_once('.').map_or(code, |(group, _)| group);
            Cow::Borrowed(&id[..industry.len() + 1 + group.len()])
        }
        None => Cow::Borrowed(id),
    }
}

/// The SASB industry code that `id` begins with, such as `TR-AL`, and what follows it.
fn split_industry(id: &str) -> Option<(&str, &str)> {
    let (industry, rest) = id.split_at_checked(5)?;
    let fits = industry.bytes().enumerate().all(|(at, byte)| match at {
        2 => byte == b'-',
        _ => byte.is_ascii_uppercase(),
    });
    fits.then_some((industry, rest))
}

/// The one id that a chunk is scored under: its own paragraph id or topic code, else the chunk id, which no gold query
/// names. Parts of one paragraph share theirs.
pub fn scored_id(identity: Option<&str>, chunk_id: &str) -> String {
    identity.map_or_else(|| chunk_id.to_owned(), |id| fold(id).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn codes_fold_into_topics_and_activity_groups() {
        for (id, folded) in [
            ("EM-EP-110a.1", "EM-EP-110a"),
            ("EM-EP-110a", "EM-EP-110a"),
            ("TR-AL-000.A", "TR-AL-000"),
            ("TR-AL-000", "TR-AL-000"),
            ("TR-AL", "TR-AL-000"),
            ("S2.14(a)(iv)", "S2.14(a)(iv)"),
            ("S1.A.primary_users", "S1.A.primary_users"),
            ("S2.6", "S2.6"),
            ("", ""),
            ("ÅÄ-ÖÅ", "ÅÄ-ÖÅ"),
            ("EM-EPX", "EM-EPX"),
            ("DE-AT-2024.pdf", "DE-AT-2024.pdf"),
            ("DE-AT-2024.pdf#page=3", "DE-AT-2024.pdf#page=3"),
        ] {
            assert_eq!(fold(id), folded);
        }
    }

    #[test]
    fn a_chunk_is_scored_under_its_own_id() {
        for (identity, id) in [
            (Some("S2.6(a)"), "S2.6(a)"),
            (Some("TR-AL-000"), "TR-AL-000"),
            (Some("EM-EP-110a.1"), "EM-EP-110a"),
            (None, "0123456789abcdef"),
        ] {
            assert_eq!(scored_id(identity, "0123456789abcdef"), id);
        }
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(id in "([A-Z]{2}-[A-Z]{2}(-[0-9]{3}[a-z]?(\\.[0-9A-Z])?)?)|\\PC{0,12}") {
            let once = fold(&id).into_owned();
            prop_assert_eq!(fold(&once), once.as_str());
        }
    }
}
