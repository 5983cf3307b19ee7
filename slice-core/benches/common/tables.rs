//! Prints the tables of a benchmark: a table for each class, with a row for each workload.

use std::process::ExitCode;

use slice_core::{InstructionSet, instruction_set};

use super::arguments::Arguments;
use super::record::Record;
use super::timing::Effort;
use super::verdict::{Rule, Times, Verdict};
use super::workloads::{Class, Workload};

/// The parameters for measuring a row.
pub struct Row<'a> {
    /// The workload of the row.
    pub work: &'a Workload,
    pub class: Class,
    pub effort: Effort,
    /// The rules for the times.
    pub rules: &'a [Rule],
    pub verdict: &'a mut Verdict,
}

/// Prints the tables, and lists the rows that break rules. `head` returns the header of a table, and `measure` measures
/// and prints a row.
pub fn tables(
    arguments: &Arguments,
    bench: &'static str,
    rules: &[Rule],
    head: impl Fn(Class) -> String,
    measure: impl Fn(Row<'_>) -> Times,
) -> ExitCode {
    let checked_rules: &[Rule] = if arguments.quick { &[] } else { rules };
    let mut verdict = Verdict::default();
    let record = arguments.json.as_ref();
    let record = record.map(|path| Record::new(path, bench));
    for class in arguments.classes() {
        println!("\n## {}{}", class.name(), head(class));
        for work in arguments.rows(class) {
            let times = measure(Row {
                work: &work,
                class,
                effort: arguments.effort(class),
                rules: checked_rules,
                verdict: &mut verdict,
            });
            let bytes = work.selection.len() * work.element.size();
            let reference = times
                .get("memcpy")
                .expect("the time of memcpy should be measured");
            verdict.references.push(class, &work.name, bytes, reference);
            if let Some(record) = &record {
                record.save(class, &work, &times);
            }
        }
    }
    if arguments.quick {
        return ExitCode::SUCCESS;
    }
    verdict.print(rules, arguments.strict)
}

/// Calls a generic function with the element type of a row.
#[allow(unused_macros, reason = "not every benchmark has tables")]
macro_rules! with_element_type {
    ($measure:ident($row:expr)) => {
        match $row.work.element {
            ElementType::U8 => $measure::<u8>($row),
            ElementType::F32 => $measure::<f32>($row),
            ElementType::F64 => $measure::<f64>($row),
        }
    };
}
#[allow(unused_imports, reason = "not every benchmark has tables")]
pub(crate) use with_element_type;

/// Returns the instruction sets supported by the processor, except the most capable one, each with a name. `names`
/// contains the names for AVX2, SSSE3 and the baseline.
pub fn lesser_sets<N>(names: [N; 3]) -> impl Iterator<Item = (N, InstructionSet)> {
    let sets = [
        InstructionSet::Avx2,
        InstructionSet::Ssse3,
        InstructionSet::Baseline,
    ];
    let best = instruction_set();
    let named = names.into_iter().zip(sets);
    named.filter(move |&(_, set)| set != best && best.includes(set))
}
