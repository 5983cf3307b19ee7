//! Finds rows whose `memcpy` is much slower or faster than the `memcpy` of other rows with a similar size. A copy
//! cannot be judged by its ratio to such a `memcpy`.

use super::workloads::Class;

/// A row is reported if the time per byte of its `memcpy` differs from the median of other rows of a similar size by
/// more than this factor, in either direction.
const MAX_RATIO: f64 = 1.5;
/// The minimum number of other rows of a similar size with which a row is compared. If there are fewer, the row is not
/// reported.
const MIN_OTHER_ROWS: usize = 3;

/// The `memcpy` time of each row.
#[derive(Default)]
pub struct References(Vec<Reference>);

struct Reference {
    class: Class,
    row: String,
    bytes: usize,
    /// The time per byte, in nanoseconds.
    time: f64,
}

impl References {
    /// Records the time of a row's `memcpy`. Ignores tiny rows, in which the call takes longer than the copy.
    pub fn push(&mut self, class: Class, row: &str, bytes: usize, nanoseconds: f64) {
        if class != Class::Tiny && bytes > 0 {
            self.0.push(Reference {
                class,
                row: row.to_owned(),
                bytes,
                time: nanoseconds / bytes as f64,
            });
        }
    }

    /// Returns a sentence for each row whose `memcpy` is an outlier among the rows of the same class with at least half
    /// and at most twice the size of the row.
    pub fn outliers(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|this| {
            let is_similar = |other: &&Reference| {
                let (less, more) = (other.bytes.min(this.bytes), other.bytes.max(this.bytes));
                other.row != this.row && other.class == this.class && more <= 2 * less
            };
            let mut others: Vec<f64> = self.0.iter().filter(is_similar).map(|row| row.time).collect();
            others.sort_by(f64::total_cmp);
            let median = *others.get(others.len() / 2)?;
            let ratio = this.time / median;
            let is_outlier = !(1.0 / MAX_RATIO..=MAX_RATIO).contains(&ratio);
            (is_outlier && others.len() >= MIN_OTHER_ROWS).then(|| {
                format!(
                    "unreliable reference: the memcpy of {} takes {ratio:.2} times as long per byte as the median memcpy of rows of a similar size",
                    this.row
                )
            })
        })
    }
}
