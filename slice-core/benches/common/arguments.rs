//! The command-line arguments of the benchmarks: `[--quick] [--strict] [--json FILE] [class ...] [part of a row's
//! name]`.

use super::timing::Effort;
use super::workloads::{Class, Workload};
use std::time::Duration;

/// The arguments on the command line.
pub struct Arguments {
    /// Whether to measure each row in a single round and not check the rules. This is useful for testing the benchmark
    /// itself.
    pub quick: bool,
    /// Whether to exit with code 1 if a row breaks a [`Rule`](super::verdict::Rule).
    pub strict: bool,
    /// The file to which the times are written as JSON, if any. The path is relative to the folder of this crate, which
    /// is the working directory of benchmarks run by cargo.
    pub json: Option<String>,
    classes: Vec<Class>,
    name_part: Option<String>,
}

impl Arguments {
    /// Returns the arguments of this process. If the arguments name no class, the classes are `default`, of which
    /// `--quick` keeps only `tiny` and `l2`.
    pub fn read(default: &[Class]) -> Self {
        let words: Vec<String> = std::env::args().skip(1).collect();
        let has_flag = |flag: &str| words.iter().any(|word| word == flag);
        let quick = has_flag("--quick");
        let (mut classes, mut name_part, mut json) = (Vec::new(), None, None);
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            if word == "--json" {
                json = Some(
                    rest.next()
                        .expect("expected a file name after --json")
                        .clone(),
                );
                continue;
            }
            if word.starts_with("--") {
                continue;
            }
            match Class::ALL.into_iter().find(|class| class.name() == word) {
                Some(class) => classes.push(class),
                None => name_part = Some(word.clone()),
            }
        }
        if classes.is_empty() {
            let small = |class: &Class| !quick || matches!(class, Class::Tiny | Class::L2);
            classes = default.iter().copied().filter(small).collect();
        }
        Self {
            quick,
            strict: has_flag("--strict"),
            json,
            classes,
            name_part,
        }
    }

    /// Returns the requested classes.
    pub fn classes(&self) -> impl Iterator<Item = Class> {
        self.classes.iter().copied()
    }

    /// Returns the requested rows of a class.
    pub fn rows(&self, class: Class) -> impl Iterator<Item = Workload> {
        let name_part = self.name_part.as_deref().unwrap_or_default();
        let rows = class.rows().into_iter();
        rows.filter(move |row| row.name.contains(name_part))
    }

    /// Returns `true` if all rows of a class are requested.
    #[allow(
        dead_code,
        reason = "used only by the benchmark with an additional table"
    )]
    pub fn every_row_of(&self, class: Class) -> bool {
        self.name_part.is_none() && self.classes.contains(&class)
    }

    /// Returns the effort with which the rows of a class are measured.
    pub fn effort(&self, class: Class) -> Effort {
        let (rounds, micros) = match class {
            _ if self.quick => (1, 0),
            Class::Tiny => (51, 50),
            Class::L2 => (41, 200),
            Class::L3 => (21, 2000),
            Class::Dram | Class::Gib => (9, 0),
        };
        Effort {
            rounds,
            batch: Duration::from_micros(micros),
        }
    }
}
