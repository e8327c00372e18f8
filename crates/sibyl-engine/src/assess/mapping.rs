//! How the codes of other frameworks relate to requirements of the standards: `data/assessment/mappings.jsonl`, which names
//! the published comparison that each row comes from.

use super::content_index::Framework;
use super::requirement::is_below;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::LazyLock;

const MAPPINGS: &str = include_str!("../../../../data/assessment/mappings.jsonl");

/// How what a code asks for relates to a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "IndexRelation")]
pub enum Relation {
    /// Both ask for the same.
    Same,
    /// One asks for a part of what the other asks for.
    Part,
    /// Both are about the same subject.
    Related,
}

/// A line of the file.
#[derive(Deserialize)]
struct Row {
    framework: Framework,
    code: String,
    /// The requirement.
    id: String,
    relation: Relation,
    /// The published document that says so, with its date.
    source: String,
}

static KNOWN: LazyLock<HashMap<(Framework, String), Vec<Row>>> = LazyLock::new(|| {
    let mut known: HashMap<(Framework, String), Vec<Row>> = HashMap::new();
    // The file is part of the program, and a test reads each of its lines.
    for row in MAPPINGS.lines().filter_map(|line| serde_json::from_str::<Row>(line).ok()) {
        known.entry((row.framework, row.code.clone())).or_default().push(row);
    }
    known
});

/// How `code` of `framework` relates to `requirement`. The document that says so comes with it, unless the
/// requirement is the code's own. `None` if nothing is known.
pub(super) fn relation(
    framework: Framework,
    code: &str,
    requirement: &str,
) -> Option<(Relation, Option<&'static str>)> {
    let own = matches!(framework, Framework::IfrsS1 | Framework::IfrsS2 | Framework::Sasb);
    let itself =
        own.then(|| near(code, Relation::Same, requirement)).flatten().map(|relation| (relation, None));
    let rows = KNOWN.get(&(framework, code.to_owned()));
    let mapped = rows.into_iter().flatten().filter_map(|row| {
        near(&row.id, row.relation, requirement).map(|relation| (relation, Some(row.source.as_str())))
    });
    itself.into_iter().chain(mapped).min_by_key(|(relation, _)| *relation)
}

/// The relation to `requirement` of a code that relates to `id` in this way: what is above or below that is a
/// part.
fn near(id: &str, relation: Relation, requirement: &str) -> Option<Relation> {
    if id == requirement {
        return Some(relation);
    }
    (is_below(requirement, id) || is_below(id, requirement)).then(|| relation.max(Relation::Part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::path::Path;

    #[test]
    fn every_line_is_read_and_says_one_thing() {
        let rows: Vec<Row> = MAPPINGS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(rows.len() > 50);
        let keys: HashSet<_> = rows.iter().map(|row| (row.framework, &row.code, &row.id)).collect();
        assert_eq!(keys.len(), rows.len(), "no pair stands there twice");
        assert!(
            rows.iter().all(|row| row.source.ends_with(|c: char| c.is_ascii_digit())),
            "sources have a date"
        );
    }

    /// The ids explained in `data`, items with those of their paragraphs before them.
    fn explained() -> HashSet<String> {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let mut ids = HashSet::new();
        for name in ["ifrs/s1_full.md", "ifrs/s2_full.md"] {
            let mut path: Vec<(usize, String)> = Vec::new();
            for line in std::fs::read_to_string(data.join(name)).unwrap().lines() {
                let indent = line.len() - line.trim_start().len();
                if let Some(rest) = line.strip_prefix("**S") {
                    path = vec![(0, format!("S{}", rest.split(' ').next().unwrap()))];
                } else if let Some(rest) = line.trim_start().strip_prefix("- **(") {
                    let label = rest.split_once(')').unwrap().0;
                    // An item is indented one step further than its parent.
                    path.retain(|(depth, _)| *depth < indent + 1);
                    path.push((indent + 1, format!("({label})")));
                } else {
                    continue;
                }
                ids.insert(path.iter().map(|(_, part)| part.as_str()).collect::<String>());
            }
        }
        let metrics = std::fs::read_to_string(data.join("sasb_requirements.jsonl")).unwrap();
        ids.extend(metrics.lines().map(|line| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            row["code"].as_str().unwrap().to_owned()
        }));
        ids
    }

    #[test]
    fn every_requirement_is_one_of_the_standards_at_hand() {
        let ids = explained();
        assert!(ids.contains("S2.29(a)(i)(1)") && !ids.contains("S2.29(z)") && ids.contains("TR-AL-110a.1"));
        for row in KNOWN.values().flatten() {
            assert!(
                ids.contains(&row.id),
                "{} {} names {}, which there is not",
                row.framework.label(),
                row.code,
                row.id
            );
        }
    }

    #[test]
    fn codes_relate_to_their_own_requirements_and_to_those_above_and_below() {
        let of =
            |framework, code: &str, id: &str| relation(framework, code, id).map(|(relation, _)| relation);
        assert_eq!(of(Framework::IfrsS2, "S2.29(a)", "S2.29(a)"), Some(Relation::Same));
        assert_eq!(of(Framework::IfrsS2, "S2.29(a)", "S2.29(a)(i)(1)"), Some(Relation::Part));
        assert_eq!(of(Framework::IfrsS2, "S2.29(a)(ii)", "S2.29"), Some(Relation::Part));
        assert_eq!(of(Framework::IfrsS2, "S2.29(a)", "S2.29(b)"), None);
        assert_eq!(of(Framework::Sasb, "IF-EU-110a.1", "IF-EU-110a.1"), Some(Relation::Same));
        assert_eq!(of(Framework::Gri, "305-1", "S2.29(a)(i)(1)"), Some(Relation::Same));
        assert_eq!(of(Framework::Gri, "305-1", "S2.29(a)(i)(2)"), None);
        assert_eq!(
            of(Framework::Gri, "2-9", "S2.6(a)(i)"),
            Some(Relation::Related),
            "no more than the pair itself"
        );
        assert_eq!(of(Framework::Tcfd, "Governance (a)", "S2.6(a)(iii)"), Some(Relation::Part));
        let (_, source) = relation(Framework::Gri, "305-3", "S2.29(a)(i)(3)").unwrap();
        assert!(source.is_some_and(|source| source.contains("January 2024")));
    }
}
