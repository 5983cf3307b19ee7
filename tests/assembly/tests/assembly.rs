//! Checks that a slice with constant shapes compiles to nothing but the copy, and that `py!` compiles to the same loops
//! as method calls.
//!
//! The tests compile the library in release mode and read its assembly. A function `name` must not be able to panic,
//! and must not contain more instructions, conditional jumps or calls than `name_by_hand`. In the `py` module, `name`
//! must contain the same loops as `name_by_methods`. `cargo test -p slice-assembly -- --nocapture` prints the counts.

mod library;

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The assembly of the library in release mode.
static ASSEMBLY: LazyLock<String> = LazyLock::new(|| library::assembly("assembly", ".", &[]));

/// Returns the instructions of each function in a module of the library, without label operands.
fn functions(assembly: &str, module: &str) -> BTreeMap<String, Vec<String>> {
    let mut functions = BTreeMap::<String, Vec<String>>::new();
    let mut current = None;
    for line in assembly.lines() {
        let code = line.split(['#', ';']).next().unwrap_or_default().trim_end();
        if let Some(label) = code.strip_suffix(':') {
            if let Some(name) = demangle(label, module) {
                current = Some(name.to_owned());
            }
        } else if code.trim_start().starts_with(".cfi_endproc") {
            current = None;
        } else if let Some(name) = &current
            && code.starts_with('\t')
            && !code.starts_with("\t.")
        {
            let words = code.split_whitespace();
            let code = words.filter(|word| !word.trim_start_matches(['.', 'L']).starts_with("BB"));
            functions
                .entry(name.clone())
                .or_default()
                .push(code.collect::<Vec<_>>().join(" "));
        }
    }
    functions
}

/// Extracts the name of a function or static from its label. Returns `None` if the function or static is not in the
/// module of the library with the mangled path `module`.
fn demangle<'a>(label: &'a str, module: &str) -> Option<&'a str> {
    let (_, path) = label.split_once("14slice_assembly")?;
    let path = path.strip_prefix(module)?;
    let digits = path.find(|c: char| !c.is_ascii_digit())?;
    let length = path[..digits].parse().ok()?;
    path[digits..].get(..length)
}

fn calls(code: &[String]) -> usize {
    let call = |line: &&String| ["call", "bl "].iter().any(|word| line.starts_with(word));
    code.iter().filter(call).count()
}

/// Returns the calls to ndarray's operators.
fn operators(code: &[String]) -> Vec<&String> {
    let operator = |line: &&String| line.contains("call") && line.contains("arithmetic_ops");
    code.iter().filter(operator).collect()
}

fn conditional_jumps(code: &[String]) -> usize {
    let conditional = |line: &&String| {
        let word = line.split(' ').next().unwrap_or_default();
        (word.starts_with('j') && word != "jmp" && word != "jmpq") || word.starts_with("b.")
    };
    code.iter().filter(conditional).count()
}

#[test]
fn constant_slices_compile_to_nothing_but_the_copy() {
    let mut functions = functions(&ASSEMBLY, "");
    // `demangle` returns only the first name of a path, so the instructions of all functions in the `py` module are
    // listed under `py`. These functions have their own test.
    functions.remove("py");
    let mut pairs = 0;
    println!(
        "| function | instructions | instructions by hand | conditional jumps | conditional jumps by hand |"
    );
    println!("|---|--:|--:|--:|--:|");
    for (name, ours) in &functions {
        let Some(by_hand) = functions.get(&format!("{name}_by_hand")) else {
            continue;
        };
        pairs += 1;
        let (jumps, jumps_by_hand) = (conditional_jumps(ours), conditional_jumps(by_hand));
        println!(
            "| `{name}` | {} | {} | {jumps} | {jumps_by_hand} |",
            ours.len(),
            by_hand.len()
        );
        assert!(
            ours.len() <= by_hand.len(),
            "{name} has too many instructions: {ours:#?}"
        );
        assert!(
            jumps <= jumps_by_hand,
            "{name} has too many conditional jumps: {ours:#?}"
        );
        assert!(
            calls(ours) <= calls(by_hand),
            "{name} has too many calls: {ours:#?}"
        );
        assert!(
            !ours.iter().any(|line| line.contains("panic")),
            "{name} can panic: {ours:#?}"
        );
    }
    assert_eq!(
        pairs * 2,
        functions.len(),
        "every function must have a counterpart with hand-written loops"
    );
}

#[test]
fn sliced_statics_are_computed_at_compile_time() {
    let mut section = "";
    let mut lines = ASSEMBLY.lines().map(str::trim);
    for line in lines.by_ref() {
        if line.starts_with(".section") {
            section = line;
        } else if line.strip_suffix(':').and_then(|label| demangle(label, "")) == Some("DESSERTS") {
            break;
        }
    }
    let data: Vec<_> = lines
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    assert_eq!(data, [".ascii", "\"desserts\""]);
    assert!(
        section.contains("rodata") || section.contains("const"),
        "DESSERTS is not in a section of constants, but in {section}"
    );
    assert!(!ASSEMBLY.contains("stressed"));
}

/// Counts the arithmetic instructions for vectors and for single floating-point numbers, by mnemonic.
fn arithmetic_instructions(code: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for line in code {
        let word = line.split(' ').next().unwrap_or_default();
        let arithmetic = ["add", "sub", "mul"].iter().any(|operator| {
            let word = word.trim_start_matches(['v', 'f']);
            word.starts_with(operator) && (word.ends_with("pd") || word.ends_with("sd"))
        });
        if arithmetic {
            *counts.entry(word).or_default() += 1;
        }
    }
    counts
}

#[test]
fn py_compiles_to_the_same_loops_as_methods() {
    let functions = functions(&ASSEMBLY, "2py");
    println!(
        "| function | instructions | instructions with methods | calls | calls with methods | loops |\n|---|--:|--:|--:|--:|---|"
    );
    for (name, ours) in &functions {
        let Some(methods) = functions.get(&format!("{name}_by_methods")) else {
            continue;
        };
        println!(
            "| `{name}` | {} | {} | {} | {} | {:?} |",
            ours.len(),
            methods.len(),
            calls(ours),
            calls(methods),
            arithmetic_instructions(ours)
        );
        assert_eq!(
            arithmetic_instructions(ours),
            arithmetic_instructions(methods),
            "the loops of {name} differ"
        );
        // If the loop is in an operator of ndarray, both functions must call that operator. Other calls may differ:
        // `u[...] += value` broadcasts the value with a function of this library, because its error message differs
        // from ndarray's.
        assert_eq!(
            operators(ours),
            operators(methods),
            "the calls to operators in {name} differ"
        );
        assert!(
            !arithmetic_instructions(ours).is_empty() || !operators(ours).is_empty(),
            "{name} contains neither a loop nor a call to an operator"
        );
    }
    assert_eq!(
        functions.len(),
        10,
        "unexpected functions: {:?}",
        functions.keys()
    );
}
