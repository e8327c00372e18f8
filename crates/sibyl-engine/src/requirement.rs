//! What the items of the SASB metrics state of the standard, as it ships. Each requirement has its kind, its short
//! words and the places in the explanation that state it.

use crate::error::Result;
use crate::metric::{MEASURED, RequirementKind, StandardMetric, StandardRequirement};
use crate::shipped;
use serde::Deserialize;
use sibyl_text::source_type;
use std::collections::HashMap;
use std::path::Path;

/// Requirements by the id of the item that states them.
#[derive(Debug, Default)]
pub struct Requirements(HashMap<String, Vec<StandardRequirement>>);

/// A line of the file: a metric.
#[derive(Deserialize)]
struct Row {
    code: String,
    /// Kind, words, places: `measured.2` is the second sentence of what is measured, `counts.strikes-and-lockouts` an item.
    requirements: Vec<(RequirementKind, String, Vec<String>)>,
}

impl Requirements {
    /// Those that ship in `folder`; none if nothing ships.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::Error::Damaged) if the file is not what ships, and errors of reading.
    pub(crate) async fn shipped(folder: Option<&Path>) -> Result<Self> {
        let Some(file) = source_type::standards().find_map(|(_, one)| one.requirements()) else {
            return Ok(Self::default());
        };
        let Some((path, bytes)) = shipped::bytes(folder, file).await? else {
            return Ok(Self::default());
        };
        tokio::task::spawn_blocking(move || Self::read(&path, &bytes)).await?
    }

    fn read(path: &Path, bytes: &[u8]) -> Result<Self> {
        let mut out: HashMap<String, Vec<StandardRequirement>> = HashMap::new();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let row: Row = serde_json::from_slice(line).map_err(|error| shipped::changed(path, &error))?;
            for (kind, words, places) in row.requirements {
                let mut ids: Vec<String> = places.iter().map(|place| item_of(&row.code, place)).collect();
                ids.dedup();
                for id in ids {
                    out.entry(id).or_default().push(StandardRequirement { kind, words: words.clone() });
                }
            }
        }
        Ok(Self(out))
    }

    /// Puts into the items of `metric` what they state.
    pub(crate) fn tell(&self, metric: &mut StandardMetric) {
        for item in metric.items_mut() {
            item.states = self.0.get(&item.id).cloned().unwrap_or_default();
        }
    }
}

/// Id of the item at a place of the metric `code`; all sentences of what is measured are one item.
fn item_of(code: &str, place: &str) -> String {
    let place = match place.split_once('.') {
        Some((MEASURED, _)) => MEASURED,
        _ => place,
    };
    format!("{code}.{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: &str = r#"{"code": "TR-AL-310a.2", "requirements": [["measure", "stoppages", ["measured.1", "measured.2"]],
        ["includes", "strikes, lockouts", ["counts.strikes-and-lockouts"]]]}"#;

    #[test]
    fn an_item_is_told_what_it_states() {
        let row = ROW.replace('\n', " ");
        let requirements = Requirements::read(Path::new("requirements.jsonl"), row.as_bytes()).unwrap();
        let text = "- **TR-AL-310a.2** *(Quantitative; unit: Days)* **Stoppages.** Their number. And length.\n\n  *Counts:*\n  \
                    - Strikes and lockouts.\n  - Sympathy.\n";
        let mut metric = StandardMetric::read(text).remove(0);
        requirements.tell(&mut metric);
        let told = |states: &[StandardRequirement]| -> Vec<(RequirementKind, String)> {
            states.iter().map(|stated| (stated.kind, stated.words.clone())).collect()
        };
        assert_eq!(told(&metric.measured.states), [(RequirementKind::Measure, "stoppages".to_owned())]);
        assert_eq!(
            told(&metric.counts[0].states),
            [(RequirementKind::Includes, "strikes, lockouts".to_owned())]
        );
        assert_eq!(told(&metric.counts[1].states), []);
    }

    #[test]
    fn a_file_that_is_another_is_refused() {
        let error = Requirements::read(Path::new("requirements.jsonl"), b"{}\n").unwrap_err();
        assert!(error.to_string().contains("reinstall Sibyl"), "{error}");
    }
}
