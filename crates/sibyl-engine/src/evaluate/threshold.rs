//! Demands on an evaluation, such as `recall@5=0.9` or `semantic:ndcg@10=0.6`.

use super::measure::Metric;
use super::run::{ANSWERED, EvaluateOptions, Evaluation, NOT_FOUND_ACCURACY};
use crate::error::{Error, Result};
use crate::search::Mode;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use ts_rs::TS;

/// The least that a measure must reach.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Threshold {
    /// The mode it is measured in.
    pub mode: Mode,
    /// Name of the measure.
    pub measure: String,
    /// The least value, from 0 to 1.
    pub at_least: f64,
}

/// A measure that did not reach its threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Shortfall {
    /// What was demanded.
    pub threshold: Threshold,
    /// What was measured.
    pub value: f64,
}

impl Threshold {
    /// What is missing in `evaluation`; `None` where the threshold is reached.
    ///
    /// # Errors
    /// [`Error::Invalid`] where the evaluation holds no such value.
    pub fn shortfall(&self, evaluation: &Evaluation) -> Result<Option<Shortfall>> {
        let Some(&value) = evaluation.measures.get(self.mode).and_then(|scores| scores.get(&self.measure))
        else {
            return Err(Error::Invalid(format!(
                "{} was not measured in {} mode, so `{self}` cannot be checked; name another measure, or a set with \
                 queries that it applies to",
                self.measure,
                mode_name(self.mode)
            )));
        };
        Ok((value < self.at_least).then(|| Shortfall { threshold: self.clone(), value }))
    }
}

impl EvaluateOptions {
    /// Adds the modes and measures that `thresholds` demand.
    pub fn include(&mut self, thresholds: &[Threshold]) {
        for threshold in thresholds {
            if !self.modes.contains(&threshold.mode) {
                self.modes.push(threshold.mode);
            }
            if threshold.measure.parse::<Metric>().is_ok() && !self.measures.contains(&threshold.measure) {
                self.measures.push(threshold.measure.clone());
            }
        }
    }
}

impl FromStr for Threshold {
    type Err = Error;

    /// Reads `measure=value` or `mode:measure=value`; the mode is hybrid where none is named.
    fn from_str(text: &str) -> Result<Self> {
        let refused = |why: &str| {
            Error::Invalid(format!(
                "`{text}` is not a threshold: {why}; write it as `recall@5=0.9` or `semantic:recall@5=0.9`"
            ))
        };
        let (what, value) = text.split_once('=').ok_or_else(|| refused("it has no `=`"))?;
        let (mode, measure) = match what.split_once(':') {
            None => (Mode::Hybrid, what),
            Some((mode, measure)) => {
                (read_mode(mode).ok_or_else(|| refused("the mode is unknown"))?, measure)
            }
        };
        let measure = match measure.trim() {
            name @ (NOT_FOUND_ACCURACY | ANSWERED) => name.to_owned(),
            name => name.parse::<Metric>()?.to_string(),
        };
        let at_least = value.trim().parse::<f64>().ok().filter(|value| (0.0..=1.0).contains(value));
        let at_least = at_least.ok_or_else(|| refused("the value is not a number from 0 to 1"))?;
        Ok(Self { mode, measure, at_least })
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}={}", mode_name(self.mode), self.measure, self.at_least)
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Threshold { mode, measure, at_least } = &self.threshold;
        write!(f, "{} {measure} is {:.4}, below {at_least}", mode_name(*mode), self.value)
    }
}

fn read_mode(text: &str) -> Option<Mode> {
    [Mode::Hybrid, Mode::Semantic, Mode::Keyword].into_iter().find(|&mode| mode_name(mode) == text.trim())
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Hybrid => "hybrid",
        Mode::Semantic => "semantic",
        Mode::Keyword => "keyword",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::run::{ByMode, Scores};
    use std::collections::BTreeMap;

    fn evaluation(recall: f64) -> Evaluation {
        let scores = Scores::from([("recall@5".to_owned(), recall)]);
        Evaluation {
            measures: ByMode { hybrid: Some(scores), semantic: None, keyword: None },
            by_type: BTreeMap::new(),
            per_query: vec![],
            config_hash: String::new(),
            queries: 1,
            answerable: 1,
            types: BTreeMap::new(),
            min_relevance: 0.5,
            notices: vec![],
        }
    }

    #[test]
    fn thresholds_are_read_and_written() {
        for (text, written) in [
            ("recall@5=0.9", "hybrid:recall@5=0.9"),
            ("semantic:r@5 = .9", "semantic:recall@5=0.9"),
            (" keyword : MRR=1", "keyword:rr=1"),
            ("not_found_accuracy=0.5", "hybrid:not_found_accuracy=0.5"),
        ] {
            assert_eq!(text.parse::<Threshold>().unwrap().to_string(), written);
        }
        for (text, says) in [
            ("recall@5", "no `=`"),
            ("recall=0.9", "needs a cutoff"),
            ("fast:recall@5=0.9", "mode is unknown"),
            ("recall@5=90", "from 0 to 1"),
            ("recall@5=NaN", "from 0 to 1"),
            ("recall@5=", "from 0 to 1"),
        ] {
            let error = text.parse::<Threshold>().unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn a_value_on_the_threshold_reaches_it() {
        let threshold: Threshold = "recall@5=0.9".parse().unwrap();
        assert_eq!(threshold.shortfall(&evaluation(0.9)).unwrap(), None);
        let shortfall = threshold.shortfall(&evaluation(0.8999)).unwrap().unwrap();
        assert_eq!(shortfall.to_string(), "hybrid recall@5 is 0.8999, below 0.9");
    }

    #[test]
    fn what_was_not_measured_is_no_success() {
        for text in ["keyword:recall@5=0", "ndcg@10=0"] {
            assert!(text.parse::<Threshold>().unwrap().shortfall(&evaluation(1.0)).is_err());
        }
    }

    #[test]
    fn what_is_demanded_is_measured() {
        let mut options =
            EvaluateOptions { modes: vec![Mode::Hybrid], measures: vec![], ..EvaluateOptions::default() };
        let demands =
            ["keyword:recall@7=0.1", "recall@7=0.1", "answered=0.1"].map(|text| text.parse().unwrap());
        options.include(&demands);
        assert_eq!(options.modes, [Mode::Hybrid, Mode::Keyword]);
        assert_eq!(options.measures, ["recall@7"]);
    }
}
