//! Requirements for an evaluation, such as `recall@5=0.9`, `semantic:ndcg@10=0.6` or at most `tokens@5=800`.

use super::run::{EvaluateOptions, Evaluation};
use crate::error::{Error, Result};
use crate::search::Mode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sibyl_measure::measure::Metric;
use sibyl_measure::outcome::{ANSWERED, LATENCY, NOT_FOUND_ACCURACY, is_latency};
use std::fmt;

/// On which side of a value a measure must stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// The value is the lowest allowed, for a measure where higher is better.
    AtLeast,
    /// The value is the highest allowed, for a measure where lower is better.
    AtMost,
}

/// The lowest or the highest value allowed for a measure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Threshold {
    /// The mode it is measured in.
    pub mode: Mode,
    /// Name of the measure.
    pub measure: String,
    /// On which side of the value it must stay.
    pub bound: Bound,
    /// The value: a share from 0 to 1, tokens or milliseconds.
    pub value: f64,
}

/// A measure that did not keep to its threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Shortfall {
    /// What was required.
    pub threshold: Threshold,
    /// What was measured.
    pub value: f64,
}

impl Threshold {
    /// Reads `measure=value` or `mode:measure=value`; the mode is hybrid by default.
    ///
    /// # Errors
    /// [`Error::Invalid`] for anything else, and for a measure of which `bound` would require the worse side.
    pub fn read(text: &str, bound: Bound) -> Result<Self> {
        let example = match bound {
            Bound::AtLeast => "`recall@5=0.9` or `semantic:recall@5=0.9`",
            Bound::AtMost => "`tokens@5=800` or `semantic:latency_ms=50`",
        };
        let refused =
            |why: &str| Error::Invalid(format!("`{text}` is not a threshold: {why}; write it as {example}"));
        let (what, value) = text.split_once('=').ok_or_else(|| refused("it has no `=`"))?;
        let (mode, measure) = match what.split_once(':') {
            None => (Mode::Hybrid, what),
            Some((mode, measure)) => {
                (read_mode(mode).ok_or_else(|| refused("the mode is unknown"))?, measure)
            }
        };
        let (measure, usual) = match measure.trim() {
            name @ (NOT_FOUND_ACCURACY | ANSWERED) => (name.to_owned(), Bound::AtLeast),
            name if is_latency(name) => (LATENCY.to_owned(), Bound::AtMost),
            name => {
                let metric = name.parse::<Metric>()?;
                let usual = if metric.is_lower_better() { Bound::AtMost } else { Bound::AtLeast };
                (metric.to_string(), usual)
            }
        };
        if usual != bound {
            let (better, option) = match usual {
                Bound::AtLeast => ("higher", "fail_below (--fail-below)"),
                Bound::AtMost => ("lower", "fail_above (--fail-above)"),
            };
            return Err(Error::Invalid(format!(
                "for {measure}, {better} values are better; give `{text}` to {option}"
            )));
        }
        let number = value.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        let value = match bound {
            Bound::AtLeast => number
                .filter(|value| (0.0..=1.0).contains(value))
                .ok_or_else(|| refused("the value is not a number from 0 to 1"))?,
            Bound::AtMost => number
                .filter(|value| *value >= 0.0)
                .ok_or_else(|| refused("the value is not a number of 0 or more"))?,
        };
        Ok(Self { mode, measure, bound, value })
    }

    /// What is wrong with `evaluation`; `None` if it keeps to the threshold.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the evaluation has no such value.
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
        let missed = match self.bound {
            Bound::AtLeast => value < self.value,
            Bound::AtMost => value > self.value,
        };
        Ok(missed.then(|| Shortfall { threshold: self.clone(), value }))
    }
}

impl EvaluateOptions {
    /// Adds the modes and measures that `thresholds` demand.
    pub fn include(&mut self, thresholds: &[Threshold]) {
        for threshold in thresholds {
            if !self.modes.contains(&threshold.mode) {
                self.modes.push(threshold.mode);
            }
            let measured = is_latency(&threshold.measure) || threshold.measure.parse::<Metric>().is_ok();
            if measured && !self.measures.contains(&threshold.measure) {
                self.measures.push(threshold.measure.clone());
            }
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.bound {
            Bound::AtLeast => "=",
            Bound::AtMost => "<=",
        };
        write!(f, "{}:{}{sign}{}", mode_name(self.mode), self.measure, self.value)
    }
}

impl fmt::Display for Shortfall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Threshold { mode, measure, bound, value } = &self.threshold;
        let mode = mode_name(*mode);
        match bound {
            Bound::AtLeast => write!(f, "{mode} {measure} is {:.4}, below {value}", self.value),
            Bound::AtMost => write!(f, "{mode} {measure} is {:.1}, above {value}", self.value),
        }
    }
}

fn read_mode(text: &str) -> Option<Mode> {
    [Mode::Hybrid, Mode::Semantic, Mode::Keyword].into_iter().find(|&mode| mode_name(mode) == text.trim())
}

/// What `mode` is called.
pub(super) const fn mode_name(mode: Mode) -> &'static str {
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

    fn at_least(text: &str) -> Result<Threshold> {
        Threshold::read(text, Bound::AtLeast)
    }

    fn at_most(text: &str) -> Result<Threshold> {
        Threshold::read(text, Bound::AtMost)
    }

    fn evaluation(recall: f64) -> Evaluation {
        let scores = Scores::from([("recall@5".to_owned(), recall)]);
        Evaluation {
            measures: ByMode { hybrid: Some(scores), semantic: None, keyword: None },
            by_type: BTreeMap::new(),
            per_query: vec![],
            config_hash: String::new(),
            queries: 1,
            answerable: 1,
            unlabelled: Vec::new(),
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
            assert_eq!(at_least(text).unwrap().to_string(), written);
        }
        for (text, written) in [
            ("tokens@5=800", "hybrid:tokens@5<=800"),
            ("keyword: Latency = 12.5", "keyword:latency_ms<=12.5"),
        ] {
            assert_eq!(at_most(text).unwrap().to_string(), written);
        }
        for (text, says) in [
            ("recall@5", "no `=`"),
            ("recall=0.9", "needs a cutoff"),
            ("fast:recall@5=0.9", "mode is unknown"),
            ("recall@5=90", "from 0 to 1"),
            ("recall@5=NaN", "from 0 to 1"),
            ("recall@5=", "from 0 to 1"),
        ] {
            let error = at_least(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        for (text, says) in
            [("tokens@5=-1", "0 or more"), ("latency_ms=inf", "0 or more"), ("tokens=3", "cutoff")]
        {
            let error = at_most(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn a_threshold_on_the_better_side_names_the_other_option() {
        for text in ["tokens@5=0.5", "latency_ms=1"] {
            let error = at_least(text).unwrap_err().to_string();
            assert!(error.contains("lower values are better") && error.contains("fail_above"), "{error}");
        }
        for text in ["recall@5=0.5", "answered=1", "not_found_accuracy=0.2", "judged@10=1"] {
            let error = at_most(text).unwrap_err().to_string();
            assert!(error.contains("higher values are better") && error.contains("fail_below"), "{error}");
        }
    }

    #[test]
    fn the_most_is_still_allowed() {
        let mut measured = evaluation(1.0);
        let scores = measured.measures.hybrid.as_mut().unwrap();
        scores.insert("tokens@5".to_owned(), 800.0);
        assert_eq!(at_most("tokens@5=800").unwrap().shortfall(&measured).unwrap(), None);
        let missed = at_most("tokens@5=799.5").unwrap().shortfall(&measured).unwrap().unwrap();
        assert_eq!(missed.to_string(), "hybrid tokens@5 is 800.0, above 799.5");
    }

    #[test]
    fn a_value_on_the_threshold_reaches_it() {
        let threshold = at_least("recall@5=0.9").unwrap();
        assert_eq!(threshold.shortfall(&evaluation(0.9)).unwrap(), None);
        let shortfall = threshold.shortfall(&evaluation(0.8999)).unwrap().unwrap();
        assert_eq!(shortfall.to_string(), "hybrid recall@5 is 0.8999, below 0.9");
    }

    #[test]
    fn what_was_not_measured_is_no_success() {
        for text in ["keyword:recall@5=0", "ndcg@10=0"] {
            assert!(at_least(text).unwrap().shortfall(&evaluation(1.0)).is_err());
        }
    }

    #[test]
    fn what_is_demanded_is_measured() {
        let mut options =
            EvaluateOptions { modes: vec![Mode::Hybrid], measures: vec![], ..EvaluateOptions::default() };
        let demands =
            ["keyword:recall@7=0.1", "recall@7=0.1", "answered=0.1"].map(|text| at_least(text).unwrap());
        options.include(&demands);
        options.include(&[at_most("latency=20").unwrap(), at_most("tokens@3=20").unwrap()]);
        assert_eq!(options.modes, [Mode::Hybrid, Mode::Keyword]);
        assert_eq!(options.measures, ["recall@7", LATENCY, "tokens@3"]);
    }
}
