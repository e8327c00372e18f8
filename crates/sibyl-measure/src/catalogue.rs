//! Every measure there is, with definition and source, as a list shows it.

use crate::measure::{DEFAULT_METRICS, MEASURES, Measure, Unit};
use crate::outcome::{OUTCOME_MEASURES, OutcomeMeasure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_text::param::ParamKind;

/// A measure as a list shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MeasureInfo {
    /// Its name, without a cutoff.
    pub name: String,
    /// One sentence: what it is.
    pub summary: String,
    /// Where it is defined.
    pub source: String,
    /// What its values count.
    pub unit: Unit,
    /// Whether lower is better.
    pub lower_is_better: bool,
    /// Whether it takes a cutoff, as in `ndcg@10`: none, one if wanted, or always.
    pub cutoff: Cutoff,
    /// The names under which it is measured by default.
    pub usual: Vec<String>,
}

/// Whether a measure takes a cutoff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cutoff {
    /// It has none.
    None,
    /// It may have one.
    Optional,
    /// It must have one.
    Required,
}

/// Every measure, including those that do not measure a ranking.
pub fn measures() -> Vec<MeasureInfo> {
    let of = |measure: &&'static dyn Measure| {
        let name = measure.name();
        let usual = DEFAULT_METRICS.iter().filter(|usual| usual.split('@').next() == Some(name));
        MeasureInfo {
            name: name.to_owned(),
            summary: measure.summary().to_owned(),
            source: measure.source().to_owned(),
            unit: measure.unit(),
            lower_is_better: measure.unit() != Unit::Share,
            cutoff: match measure.cutoff().kind {
                ParamKind::Integer { min: 0, .. } => Cutoff::Optional,
                _ => Cutoff::Required,
            },
            usual: usual.map(|&usual| usual.to_owned()).collect(),
        }
    };
    let outcome = |measure: &&'static dyn OutcomeMeasure| MeasureInfo {
        name: measure.name().to_owned(),
        summary: measure.summary().to_owned(),
        source: measure.source().to_owned(),
        unit: measure.unit(),
        lower_is_better: measure.unit() != Unit::Share,
        cutoff: Cutoff::None,
        usual: vec![measure.name().to_owned()],
    };
    MEASURES.iter().map(of).chain(OUTCOME_MEASURES.iter().map(outcome)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_measure_says_what_it_is_and_all_usual_ones_are_there() {
        let all = measures();
        assert!(all.iter().all(|one| one.summary.ends_with('.') && !one.source.is_empty()), "{all:?}");
        let usual: BTreeSet<&str> = all.iter().flat_map(|one| &one.usual).map(String::as_str).collect();
        assert!(DEFAULT_METRICS.iter().all(|name| usual.contains(name)), "{usual:?}");
        let of = |name: &str| all.iter().find(|one| one.name == name).unwrap();
        assert_eq!((of("ndcg").cutoff, of("recall").cutoff), (Cutoff::Optional, Cutoff::Required));
        assert!(
            of("tokens").lower_is_better && of("latency_ms").lower_is_better && !of("rr").lower_is_better
        );
    }
}
