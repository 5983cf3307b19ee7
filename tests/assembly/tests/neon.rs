//! Checks the assembly of the NEON kernels' inner loops, as a substitute for benchmarks on an AArch64 processor.
//!
//! The test compiles slice-core for `aarch64-unknown-linux-gnu`. This requires the target to be installed with rustup,
//! but no linker. The innermost loops must use table look-ups (`tbl`) and deinterleaving loads (`ld2`), and must not
//! contain calls. `cargo test -p slice-assembly --test neon -- --ignored --nocapture` prints the instruction counts.

mod library;

use std::collections::BTreeMap;

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Returns the assembly of slice-core.
fn assembly() -> String {
    // Uses the same features as the test `assembly.rs`, so that slice-macro is not built twice.
    let features = ["--no-default-features", "--features", "slice-macro/py"];
    let options = [&features[..], &["--target", TARGET]].concat();
    library::assembly("neon", "../../slice-core", &options)
}

/// The instructions of a loop that contains no other loop.
type Loop<'a> = Vec<&'a str>;

/// Returns the innermost loops of every function whose mangled name contains `path`.
fn loops<'a>(assembly: &'a str, path: &str) -> Vec<Loop<'a>> {
    let mut innermost_loops = Vec::new();
    let mut lines = assembly.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('_') && line.ends_with(':') && line.contains(path) {
            let body = lines
                .by_ref()
                .take_while(|line| !line.contains(".cfi_endproc"));
            collect_innermost(&body.collect::<Vec<_>>(), &mut innermost_loops);
        }
    }
    innermost_loops
}

fn collect_innermost<'a>(body: &[&'a str], innermost_loops: &mut Vec<Loop<'a>>) {
    let mut labels = BTreeMap::new();
    let mut code = Vec::new();
    for line in body {
        if let Some(label) = line.strip_suffix(':') {
            labels.insert(label, code.len());
        } else if line.starts_with('\t') && !line.starts_with("\t.") {
            code.push(line.trim());
        }
    }
    let back_edges = code.iter().enumerate().filter_map(|(end, line)| {
        let start = *labels.get(line.split_whitespace().last()?)?;
        (start <= end).then_some((start, end))
    });
    let back_edges: Vec<_> = back_edges.collect();
    for &(start, end) in &back_edges {
        let is_nested =
            |&(from, to): &(usize, usize)| (from, to) != (start, end) && start <= from && to <= end;
        if !back_edges.iter().any(is_nested) {
            innermost_loops.push(code[start..=end].to_vec());
        }
    }
}

/// Returns how many instructions of a loop have one of the `mnemonics`.
fn count(code: &Loop<'_>, mnemonics: &[&str]) -> usize {
    let has_mnemonic =
        |line: &&&str| mnemonics.contains(&line.split_whitespace().next().unwrap_or_default());
    code.iter().filter(has_mnemonic).count()
}

/// Returns the number of vectors in each look-up table of a loop, or `None` if the loop contains no look-ups, or if the
/// tables have different sizes.
fn table_size(code: &Loop<'_>) -> Option<usize> {
    let mut sizes = code
        .iter()
        .filter(|line| line.starts_with("tbl"))
        .map(|line| {
            let list = line.split(['{', '}']).nth(1).unwrap_or_default();
            list.split(',').count()
        });
    let first = sizes.next()?;
    sizes.all(|size| size == first).then_some(first)
}

/// Checks that the loops are short. Each iteration copies 64 bytes with four look-ups, the necessary loads, the stores
/// of four vectors, and one branch back to the start. A gather needs only two store instructions, because `stp` stores
/// two vectors.
#[test]
#[ignore = "needs `rustup target add aarch64-unknown-linux-gnu`"]
fn neon_inner_loops_are_short_and_make_no_calls() {
    let assembly = assembly();
    let row_loops = loops(&assembly, "4arch6native4neon13compiled_rows");
    let has_four_lookups =
        |code: &&Loop<'_>| count(code, &["tbl"]) == 4 && count(code, &["bl"]) == 0;
    println!(
        "| vectors in the table | gather instructions | scatter instructions |\n|--:|--:|--:|"
    );
    for (vectors, max_gather, max_scatter) in [(1, 15, 19), (2, 19, 23), (4, 23, 27)] {
        let lookup_loops = row_loops.iter().filter(has_four_lookups);
        let lookup_loops: Vec<_> = lookup_loops
            .filter(|code| table_size(code) == Some(vectors))
            .collect();
        let shortest = |uses_pairs: bool| {
            let candidates = lookup_loops
                .iter()
                .filter(|code| (count(code, &["stp"]) == 2) == uses_pairs);
            candidates.min_by_key(|code| code.len()).copied()
        };
        let gather = shortest(true).unwrap_or_else(|| {
            panic!("no gather loop uses look-ups in {vectors}-vector tables: {row_loops:#?}")
        });
        let scatter = shortest(false).unwrap_or_else(|| {
            panic!("no scatter loop uses look-ups in {vectors}-vector tables: {row_loops:#?}")
        });
        println!("| {vectors} | {} | {} |", gather.len(), scatter.len());
        assert!(
            gather.len() <= max_gather,
            "the gather loop with look-ups in {vectors}-vector tables is too long: {gather:#?}"
        );
        assert!(
            scatter.len() <= max_scatter,
            "the scatter loop with look-ups in {vectors}-vector tables is too long: {scatter:#?}"
        );
        let jumps = gather.iter().filter(|line| line.starts_with("b."));
        assert_eq!(
            jumps.count(),
            1,
            "the gather loop must have one conditional branch: {gather:#?}"
        );
    }
    // `ld2` handles a stride of 2 for elements of 1, 2, 4 or 8 bytes. `tbl` is used for other strides. `rev64` reverses
    // the elements in each half of a 16-byte vector.
    let strides = loops(
        &assembly,
        "10slice_core4copy7kernels7strides13copy_baseline",
    );
    let without_calls = strides.iter().filter(|code| count(code, &["bl"]) == 0);
    let without_calls: Vec<_> = without_calls.collect();
    let count_with = |mnemonic: &str| {
        without_calls
            .iter()
            .filter(|code| count(code, &[mnemonic]) > 0)
            .count()
    };
    println!(
        "strides: {} loops with ld2, {} with tbl, {} with rev64",
        count_with("ld2"),
        count_with("tbl"),
        count_with("rev64")
    );
    assert!(
        count_with("ld2") >= 4,
        "too few loops use ld2: {strides:#?}"
    );
    assert!(
        count_with("tbl") >= 4,
        "too few loops use tbl: {strides:#?}"
    );
    assert!(
        count_with("rev64") >= 3,
        "too few loops use rev64: {strides:#?}"
    );
    for code in without_calls
        .iter()
        .filter(|code| count(code, &["ld2"]) > 0)
    {
        assert!(code.len() <= 8, "a loop with ld2 is too long: {code:#?}");
    }
}
