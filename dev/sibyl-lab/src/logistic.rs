//! Logistic regression with a ridge, by Newton's method (Hastie, Tibshirani and Friedman, "The Elements of Statistical
//! Learning", 2009, section 4.4.1).

/// Strength of the ridge, which draws weights towards 0; the constant is free.
const RIDGE: f64 = 1.0;
/// Maximum number of steps, and the step below which it is done.
const STEPS: usize = 50;
const DONE: f64 = 1e-9;

/// Something whose outcome is known.
#[derive(Debug, Clone)]
pub struct Example {
    /// Its features, as many as of every other example, each of about the size 1.
    pub features: Vec<f64>,
    /// The outcome.
    pub met: bool,
    /// How much it counts, 1 by default.
    pub weight: f64,
}

/// Fitted weights.
#[derive(Debug, Clone, Default)]
pub struct Logistic {
    /// Log odds where all features are 0.
    pub constant: f64,
    /// What one unit of each feature adds to the log odds.
    pub weights: Vec<f64>,
}

impl Logistic {
    /// The weights that make the outcomes of `examples` likeliest.
    pub fn fit(examples: &[Example]) -> Self {
        let features = examples.first().map_or(0, |one| one.features.len());
        let mut model = Self { constant: 0.0, weights: vec![0.0; features] };
        for _ in 0..STEPS {
            // The gradient, and the matrix of second derivatives beside it.
            let mut rows = vec![vec![0.0; features + 2]; features + 1];
            for one in examples {
                let likelihood = model.likelihood(&one.features);
                let left = one.weight * (f64::from(u8::from(one.met)) - likelihood);
                let bend = one.weight * likelihood * (1.0 - likelihood);
                let values: Vec<f64> = [1.0].into_iter().chain(one.features.iter().copied()).collect();
                for (row, value) in rows.iter_mut().zip(&values) {
                    for (cell, other) in row.iter_mut().zip(&values) {
                        *cell += bend * value * other;
                    }
                    row[features + 1] += left * value;
                }
            }
            for (at, weight) in model.weights.iter().enumerate() {
                rows[at + 1][at + 1] += RIDGE;
                rows[at + 1][features + 1] -= RIDGE * weight;
            }
            let step = solved(rows);
            model.constant += step[0];
            model.weights.iter_mut().zip(&step[1..]).for_each(|(weight, step)| *weight += step);
            if step.iter().all(|step| step.abs() < DONE) {
                break;
            }
        }
        model
    }

    /// The likelihood of what has these `features`, 0 to 1.
    pub fn likelihood(&self, features: &[f64]) -> f64 {
        let odds: f64 = self.weights.iter().zip(features).map(|(weight, value)| weight * value).sum();
        1.0 / (1.0 + (-(self.constant + odds)).exp())
    }
}

/// The solution of the linear equations in `rows`, each with its right side last; 0 for what they leave open.
fn solved(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let size = rows.len();
    for at in 0..size {
        let pivot = (at..size).max_by(|a, b| rows[*a][at].abs().total_cmp(&rows[*b][at].abs())).unwrap_or(at);
        rows.swap(at, pivot);
        let top = rows[at].clone();
        if top[at].abs() < f64::EPSILON {
            continue;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(other, _)| *other != at) {
            let factor = row[at] / top[at];
            row.iter_mut().zip(&top).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    let value =
        |at: usize| if rows[at][at].abs() < f64::EPSILON { 0.0 } else { rows[at][size] / rows[at][at] };
    (0..size).map(value).collect()
}
