//! Rows whose `memcpy` is out of line with those of other rows of about their size, so that ratios to it say little.

use super::workloads::Class;

/// A `memcpy` takes at most this many times as long for a byte as that of a median row of its size, and at least its reciprocal.
const IN_LINE: f64 = 1.5;
/// A row is compared with at least this many others.
const OTHERS: usize = 3;

/// The `memcpy` of each row.
#[derive(Default)]
pub struct References(Vec<Reference>);

struct Reference {
    class: Class,
    row: String,
    bytes: usize,
    /// The time of a byte, in nanoseconds.
    time: f64,
}

impl References {
    /// Keeps the time of a row's `memcpy`. Of tiny rows a call takes more than the bytes: they are left out.
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

    /// Returns a sentence for each row that is out of line with rows of half to twice its size in its class.
    pub fn out_of_line(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter_map(|of| {
            let near = |other: &&Reference| {
                let (less, more) = (other.bytes.min(of.bytes), other.bytes.max(of.bytes));
                other.row != of.row && other.class == of.class && more <= 2 * less
            };
            let mut others: Vec<f64> = self.0.iter().filter(near).map(|row| row.time).collect();
            others.sort_by(f64::total_cmp);
            let median = *others.get(others.len() / 2)?;
            let ratio = of.time / median;
            let out = !(1.0 / IN_LINE..=IN_LINE).contains(&ratio);
            (out && others.len() >= OTHERS).then(|| {
                format!(
                    "reference out of line: the memcpy of {} takes {ratio:.2} times as long for a byte as that of rows of its size",
                    of.row
                )
            })
        })
    }
}
