//! Whether chance explains a difference: tests on the differences of paired values, intervals, and the correction for
//! making many tests.

use crate::random::SplitMix64;

/// Random assignments drawn if there are too many to try all (Smucker et al. also use 100,000).
pub const ASSIGNMENTS: u32 = 100_000;

/// Samples that a bootstrap interval is made of.
pub const RESAMPLES: usize = 10_000;

/// P-value from which a difference may be chance.
pub const LEVEL: f64 = 0.05;

/// Smaller differences count as none: sums of shares differ in their last digits.
pub const TIE: f64 = 1e-12;

/// Two-sided p-value of the paired randomisation test on the mean, and whether it is exact.
///
/// Under the null hypothesis each query's two values could be exchanged, so its difference could have the other
/// sign. (Smucker, Allan and Carterette, "A comparison of statistical significance tests for information retrieval
/// evaluation", CIKM 2007.) If there are no more than [`ASSIGNMENTS`] assignments of signs, all are tried; else
/// that many are drawn. A drawn p-value includes the observed assignment (Phipson and Smyth, "Permutation p-values
/// should never be zero", 2010).
pub fn randomisation_test(differences: &[f64], seed: u64) -> (f64, bool) {
    // The sign of no difference changes no sum.
    let differences: Vec<f64> = differences.iter().copied().filter(|d| d.abs() > TIE).collect();
    let observed = differences.iter().sum::<f64>().abs() - TIE;
    let sums = eight_by_eight(&differences);
    let all = u32::try_from(differences.len()).ok().and_then(|count| 1_u32.checked_shl(count));
    if let Some(all) = all.filter(|&all| all <= ASSIGNMENTS) {
        let extreme = (0..all).filter(|&signs| flipped(&sums, || signs.into()) >= observed).count();
        return (extreme as f64 / f64::from(all), true);
    }
    let mut random = SplitMix64::new(seed);
    let extreme = (0..ASSIGNMENTS).filter(|_| flipped(&sums, || random.next()) >= observed).count();
    ((extreme + 1) as f64 / f64::from(ASSIGNMENTS + 1), false)
}

/// The sums of every eight of `differences` under all 256 assignments of signs, indexed by the bits that negate
/// them. A family of comparisons draws many assignments; this way it adds an eighth of the numbers.
fn eight_by_eight(differences: &[f64]) -> Vec<[f64; 256]> {
    let sums = differences.chunks(8).map(|eight| {
        std::array::from_fn(|signs| {
            let signed =
                eight.iter().enumerate().map(|(at, each)| if signs >> at & 1 == 1 { -each } else { *each });
            signed.sum()
        })
    });
    sums.collect()
}

/// Absolute sums of the differences behind `sums`, each negated if its bit in `signs` is set, 64 bits a call.
fn flipped(sums: &[[f64; 256]], mut signs: impl FnMut() -> u64) -> f64 {
    let mut sum = 0.0;
    for block in sums.chunks(8) {
        for (eight, bits) in block.iter().zip(signs().to_le_bytes()) {
            sum += eight[usize::from(bits)];
        }
    }
    sum.abs()
}

/// Two-sided p-value of Student's paired t-test on the mean (Student, "The probable error of a mean", Biometrika
/// 6, 1908). 1 if there is no difference at all, 0 if all are the same and none is 0.
pub fn t_test(differences: &[f64]) -> f64 {
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let squares: f64 = differences.iter().map(|difference| (difference - mean).powi(2)).sum();
    if differences.len() < 2 || mean.abs() <= TIE {
        return 1.0;
    }
    let freedom = count - 1.0;
    let error = (squares / freedom / count).sqrt();
    if error <= TIE {
        return 0.0;
    }
    let t = mean / error;
    // The two tails beyond |t|: I_x(ν/2, ½) with x = ν / (ν + t²) (Abramowitz and Stegun 26.7.1 and 26.5.27).
    statrs::function::beta::beta_reg(freedom / 2.0, 0.5, freedom / (freedom + t * t))
}

/// The middle 95% of the means of samples drawn with replacement (Efron's percentile interval). Sakai, "Evaluating
/// evaluation metrics based on the bootstrap", SIGIR 2006, samples queries in the same way.
pub fn bootstrap_interval(values: &[f64], seed: u64) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let mut random = SplitMix64::new(seed);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let sum: f64 = (0..values.len()).map(|_| values[random.below(values.len())]).sum();
            sum / values.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (quantile(&means, 0.025), quantile(&means, 0.975))
}

/// The quantile of `sorted`, between neighbours in proportion (type 7 of Hyndman and Fan, 1996).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor() as usize;
    let above = sorted.get(below + 1).copied().unwrap_or(sorted[below]);
    sorted[below] + (above - sorted[below]) * (place - below as f64)
}

/// P-values corrected for multiple tests, in their order: the chance that any of the tests errs stays below the
/// level. (Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6,
/// 1979.)
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let (mut corrected, mut least) = (vec![0.0; values.len()], 0.0_f64);
    for (rank, at) in order.into_iter().enumerate() {
        least = least.max((values.len() - rank) as f64 * values[at]).min(1.0);
        corrected[at] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-9, "{value} instead of {expected}");
    }

    #[test]
    fn students_test_is_that_of_the_tables() {
        // Mean 2, standard deviation 1 of 4: t = 4 with 3 degrees of freedom. The distribution has a closed form there:
        // P(|T| > t) = 1 − 2/π · (arctan(t/√3) + (t/√3) / (1 + t²/3)).
        let spread = 1.5_f64.sqrt();
        let values = [2.0 - spread, 2.0 + spread, 2.0, 2.0];
        let x = 4.0 / 3.0_f64.sqrt();
        close(t_test(&values), 1.0 - std::f64::consts::FRAC_2_PI * (x.atan() + x / (1.0 + x * x)));
        close(t_test(&[0.0, 0.0]), 1.0);
        close(t_test(&[0.5, 0.5, 0.5]), 0.0);
        close(t_test(&[0.7]), 1.0);
    }

    #[test]
    fn each_p_value_is_multiplied_by_those_not_yet_passed_and_never_falls() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.5]);
        // 4 · .01; 2 · .04 = .08 is less than 3 · .03 = .09, which comes before it; 1 · .5.
        for (value, expected) in corrected.iter().zip([0.04, 0.09, 0.09, 0.5]) {
            close(*value, expected);
        }
        assert!(holm(&[]).is_empty());
        close(holm(&[0.9, 0.8])[1], 1.0);
    }

    #[test]
    fn an_interval_holds_the_middle_of_the_means() {
        close(bootstrap_interval(&[0.25; 9], 1).0, 0.25);
        // The mean of 0 and 1 from one draw each of two: 0, ½ or 1 with ¼, ½ and ¼.
        assert_eq!(bootstrap_interval(&[0.0, 1.0], 1), (0.0, 1.0));
        let (low, high) = bootstrap_interval(&[0.0, 1.0].repeat(50), 7);
        // Standard error .05: within 1.96 of them.
        assert!((low - 0.402).abs() < 0.011 && (high - 0.598).abs() < 0.011, "{low} {high}");
        assert_eq!(bootstrap_interval(&[0.2, 0.4], 3), bootstrap_interval(&[0.2, 0.4], 3));
        close(quantile(&[1.0, 2.0, 4.0], 0.75), 3.0);
    }

    #[test]
    fn p_values_are_those_of_counting_assignments() {
        // n differences of one size and one sign: only the two assignments with all signs alike are as extreme.
        for n in 1..=16_i32 {
            let (p, exact) = randomisation_test(&vec![0.1; n as usize], 0);
            assert!(exact && (p - 2.0 / f64::from(2_u32.pow(n as u32))).abs() < 1e-15, "{n}: {p}");
        }
        // 40 equal differences, 26 for and 14 against: two-sided sign test, 2 · P(Bin(40, ½) ≥ 26) = 0.0807.
        let differences: Vec<f64> = (0..40).map(|i| if i < 26 { 0.1 } else { -0.1 }).collect();
        let (p, exact) = randomisation_test(&differences, 1);
        assert!(!exact && (p - 0.0807).abs() < 0.004, "{p}");
    }

    #[test]
    fn no_difference_is_no_finding() {
        assert_eq!(randomisation_test(&[], 0), (1.0, true));
        assert_eq!(randomisation_test(&[0.0; 300], 0), (1.0, true));
    }

    #[derive(serde::Deserialize)]
    struct Fixture {
        cases: Vec<Case>,
        holm: Vec<(Vec<f64>, Vec<f64>)>,
    }

    #[derive(serde::Deserialize)]
    struct Case {
        before: Vec<f64>,
        after: Vec<f64>,
        t_test: f64,
        randomisation: f64,
        interval: (f64, f64),
    }

    #[test]
    fn tests_and_intervals_are_those_of_scipy() {
        let fixture: Fixture =
            serde_json::from_str(include_str!("../tests/fixtures/significance.json")).unwrap();
        assert!(fixture.cases.len() > 5);
        for (number, case) in fixture.cases.iter().enumerate() {
            let differences: Vec<f64> =
                case.after.iter().zip(&case.before).map(|(after, before)| after - before).collect();
            let p = t_test(&differences);
            assert!((p - case.t_test).abs() < 1e-9, "{number}: t-test {p} instead of {}", case.t_test);
            let (p, _) = randomisation_test(&differences, 0);
            let error = 4.0 * (case.randomisation * (1.0 - case.randomisation) / 1e5).sqrt() + 2e-5;
            assert!(
                (p - case.randomisation).abs() <= error,
                "{number}: randomisation {p} instead of {}",
                case.randomisation
            );
            let (low, high) = bootstrap_interval(&differences, 0);
            let width = case.interval.1 - case.interval.0;
            let near = |value: f64, expected: f64| (value - expected).abs() <= 0.05 * width + 1e-12;
            assert!(
                near(low, case.interval.0) && near(high, case.interval.1),
                "{number}: {low} to {high} instead of {:?}",
                case.interval
            );
        }
        for (values, expected) in &fixture.holm {
            for (value, expected) in holm(values).iter().zip(expected) {
                close(*value, *expected);
            }
        }
    }
}
