//! Checks rules about the columns of a table, and reports the rows that break the rules.

use super::reference::References;
use super::timing::{Candidate, Effort, medians};
use std::process::ExitCode;

/// The times of one row, in nanoseconds, by column name.
pub struct Times(Vec<(&'static str, f64)>);

impl Times {
    /// Measures the candidates, and returns their times by name.
    pub fn measure(candidates: &mut [Candidate<'_>], effort: Effort) -> Self {
        let times = medians(candidates, effort);
        let names = candidates.iter().map(|candidate| candidate.name);
        Self(names.zip(times).collect())
    }

    /// Returns the time of a column, if there is one.
    pub fn get(&self, column: &str) -> Option<f64> {
        let entry = self.0.iter().find(|(name, _)| *name == column);
        entry.map(|&(_, time)| time)
    }

    /// Adds the time of a column that was measured separately.
    #[allow(dead_code, reason = "only one benchmark has such a column")]
    pub fn push(&mut self, column: &'static str, time: f64) {
        self.0.push((column, time));
    }

    /// Returns all columns with their times.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.0.iter().copied()
    }
}

/// The rule that the time of `column` is at most `max_ratio` times the time of each of the columns in `others`.
pub struct Rule {
    pub column: &'static str,
    pub others: &'static [&'static str],
    pub max_ratio: f64,
}

impl Rule {
    /// Returns a sentence that names the fastest of the other columns if the rule is broken, or `None` otherwise.
    fn violation(&self, times: &Times) -> Option<String> {
        let others = self
            .others
            .iter()
            .filter_map(|name| Some((name, times.get(name)?)));
        let (name, best) = others.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let ratio = times.get(self.column)? / best;
        (ratio > self.max_ratio)
            .then(|| format!("{} takes {ratio:.2} times as long as {name}", self.column))
    }
}

/// The violations of rules found so far, and the `memcpy` times of the rows, which serve as references.
#[derive(Default)]
pub struct Verdict {
    pub references: References,
    rows: usize,
    rows_with_violations: usize,
    violations: Vec<String>,
}

/// The number of consecutive measurements that must break a rule before the row is reported.
const MAX_MEASUREMENTS: usize = 3;

impl Verdict {
    /// Measures a row and checks the rules for it. Repeats the measurement if the row breaks a rule. Returns the times
    /// of the last measurement.
    pub fn measure_row(
        &mut self,
        row: &str,
        rules: &[Rule],
        mut measure: impl FnMut() -> Times,
    ) -> Times {
        self.rows += 1;
        let mut suspects: Vec<&Rule> = rules.iter().collect();
        let mut measurements = 0;
        loop {
            let times = measure();
            measurements += 1;
            suspects.retain(|rule| rule.violation(&times).is_some());
            if suspects.is_empty() || measurements == MAX_MEASUREMENTS {
                self.rows_with_violations += usize::from(!suspects.is_empty());
                let violations = suspects.iter().filter_map(|rule| rule.violation(&times));
                self.violations
                    .extend(violations.map(|words| format!("{row}: {words}")));
                return times;
            }
        }
    }

    /// Prints the rules, and the rows that break them. Returns a failure if `strict` is true and a row breaks a rule.
    pub fn print(&self, rules: &[Rule], strict: bool) -> ExitCode {
        println!(
            "\n## Verdict\n\nA row breaks a rule only if {MAX_MEASUREMENTS} consecutive measurements break \
             the rule. The rules are:\n"
        );
        for rule in rules {
            println!(
                "* {} may take at most {} times as long as the fastest of these: {}",
                rule.column,
                rule.max_ratio,
                rule.others.join(", ")
            );
        }
        println!();
        for violation in &self.violations {
            println!("* {violation}");
        }
        println!(
            "{} of {} rows break a rule.",
            self.rows_with_violations, self.rows
        );
        for sentence in self.references.outliers() {
            println!("* {sentence}");
        }
        match strict && !self.violations.is_empty() {
            true => ExitCode::FAILURE,
            false => ExitCode::SUCCESS,
        }
    }
}
