//! Compares the compile times of `s![]` and ndarray's `s!`, and of `py!` and the equivalent methods. Also compares a
//! cold build of this crate with a cold build of an empty macro crate that depends on syn with its feature `full`.
//!
//! `cargo bench -p slice-macro --bench compile_time` prints the tables of `compile_time.md`. Arguments restrict the
//! output to the rows whose names contain one of the arguments, as in `-- expressions`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;
use std::{env, fs};

/// Slices of an array with three axes, each in the notation of this crate and in that of ndarray.
const MIXED: [(&str, &str); 10] = [
    ("1:, :, ::-1", "1.., .., ..;-1"),
    ("0, 1:3, :2", "0, 1..3, ..2"),
    ("-1, :, -1", "-1, .., -1"),
    ("::2, ::2, ::2", "..;2, ..;2, ..;2"),
    ("n, :, n + 1:", "n, .., n + 1.."),
    ("newaxis, 1:-1, 1:-1, 0", "NewAxis, 1..-1, 1..-1, 0"),
    (":, n:, :m", ".., n.., ..m"),
    ("1:2, 0, 0:3", "1..2, 0, 0..3"),
    (":, :, 0", ".., .., 0"),
    ("n:m, :, ::-1", "n..m, .., ..;-1"),
];

/// Slices in which half of the bounds are calls, arithmetic or casts.
const EXPRESSIONS: [(&str, &str); 10] = [
    ("n + 1:, :, ::-1", "n + 1.., .., ..;-1"),
    ("0, m - n:3, :a.len()", "0, m - n..3, ..a.len()"),
    ("a.len() - 1, :, -1", "a.len() - 1, .., -1"),
    ("::2, ::k as isize, :2", "..;2, ..;k as isize, ..2"),
    ("n.min(m), :, n + 1:4", "n.min(m), .., n + 1..4"),
    (
        "newaxis, 1:m - 1, 1:m / 2, 0",
        "NewAxis, 1..m - 1, 1..m / 2, 0",
    ),
    (":, f(n):, :m", ".., f(n).., ..m"),
    ("1:2 * n, 0, 0:f(m)", "1..2 * n, 0, 0..f(m)"),
    (":, :n.max(1), 0", ".., ..n.max(1), 0"),
    ("n:m + 1, :, ::-1", "n..m + 1, .., ..;-1"),
];

/// Statements for `py!`, each with an equivalent statement that calls methods.
const STATEMENTS: [(&str, &str); 10] = [
    (
        "y[1:, :] - y[:-1, :]",
        "&y.at(s![1:, :]) - &y.at(s![:-1, :])",
    ),
    ("k * y[..., ::-1]", "k * &y.at(s![..., ::-1])"),
    (
        "y / y.sum_axis(Axis(1))[:, None]",
        "y / &y.sum_axis(Axis(1)).at(s![:, None])",
    ),
    (
        "x[1:-1, 1:-1] += k * (y[:-2, 1:-1] + y[2:, 1:-1] + y[1:-1, :-2] + y[1:-1, 2:])",
        "{ let sum = &y.at(s![:-2, 1:-1]) + &y.at(s![2:, 1:-1]) + &y.at(s![1:-1, :-2]) + &y.at(s![1:-1, 2:]); \
         let mut inside = x.at_mut(s![1:-1, 1:-1]); inside += &(k * sum); }",
    ),
    ("x[n, :] = 0.0", "x.fill_at(s![n, :], 0.0)"),
    (
        "x[:n, ...] = y[n:, ...]",
        "x.set(s![:n, ...], y.at(s![n:, ...]))",
    ),
    ("y[n, 1:].sum()", "y.at(s![n, 1:]).sum()"),
    ("-y[::2, ::2]", "-&y.at(s![::2, ::2])"),
    (
        "y[1:, 0] * y[:-1, 0] + k",
        "&y.at(s![1:, 0]) * &y.at(s![:-1, 0]) + k",
    ),
    (
        "x[n:n + 2, :] *= k",
        "{ let mut rows = x.at_mut(s![n:n + 2, :]); rows *= k; }",
    ),
];
/// The number of rounds in which each crate is measured by incremental builds. The first round is not counted.
const ROUNDS: usize = 8;
/// The number of rounds in which each crate is measured by cold builds. The first round is not counted.
const COLD_ROUNDS: usize = 4;

/// The code of the two sides of a comparison, without the slices or statements themselves.
struct ComparisonCode {
    parameters: &'static str,
    /// The expression that replaces each use in the crate without uses.
    baseline: &'static str,
    imports: [&'static str; 2],
    uses: [fn(&str) -> String; 2],
}

/// The elapsed time and the processor time of a command in seconds. The processor time is NaN on operating systems
/// other than Linux.
#[derive(Clone, Copy)]
struct Cost {
    wall: f64,
    cpu: f64,
}

impl Cost {
    /// Returns the smaller elapsed time and the smaller processor time. Other programs can only increase a time, so the
    /// smaller time is more accurate.
    fn min(self, other: Self) -> Self {
        Cost {
            wall: self.wall.min(other.wall),
            cpu: self.cpu.min(other.cpu),
        }
    }
}

fn main() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time");
    println!("{} {}\n", version("rustc"), env::consts::ARCH);
    compare_slices(&directory);
    compare_statements(&directory);
    if is_requested("cold") {
        cold_builds(&directory);
    }
}

/// Compares the times of `s![]` and of ndarray's `s!` in crates with many slices, both for a check after a change and
/// for a build. The time of the same crate without slices is subtracted from each time.
fn compare_slices(directory: &Path) {
    println!(
        "| slices | uses | without | `s![]` | ndarray's `s!` | per `s![]` | per ndarray's `s!` | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let code = ComparisonCode {
        parameters: "a: &Array3<f32>, n: usize, m: usize, k: i32",
        baseline: "a.len()",
        imports: [
            "use slice_core::{StridedSliceExt, s};",
            "use ndarray::{NewAxis, s};",
        ],
        uses: [
            |ours| format!("a.at(s![{ours}])"),
            |ndarrays| format!("a.slice(s![{ndarrays}])"),
        ],
    };
    let (check_after_change, build) = check_and_build(directory);
    for (name, slices, count) in [
        ("mixed, check", &MIXED, 1_000),
        ("mixed, check", &MIXED, 5_000),
        ("expressions, check", &EXPRESSIONS, 1_000),
        ("expressions, check", &EXPRESSIONS, 5_000),
    ] {
        compare(directory, name, &code, slices, count, &check_after_change);
    }
    compare(directory, "mixed, build", &code, &MIXED, 1_000, &build);
    compare(
        directory,
        "expressions, build",
        &code,
        &EXPRESSIONS,
        1_000,
        &build,
    );
}

/// Compares the times of `py!` and of the equivalent methods in the same way as [`compare_slices`].
fn compare_statements(directory: &Path) {
    println!(
        "\n| statements | uses | without | `py!` | methods | per `py!` | per equivalent | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let code = ComparisonCode {
        parameters: "x: &mut Array2<f64>, y: &Array2<f64>, n: usize, k: f64",
        baseline: "y.len()",
        imports: [
            "use slice_core::py;",
            "use slice_core::{StridedSliceExt, s};",
        ],
        uses: [|py| format!("py!({py})"), str::to_owned],
    };
    let (check_after_change, build) = check_and_build(directory);
    compare(
        directory,
        "py, check",
        &code,
        &STATEMENTS,
        1_000,
        &check_after_change,
    );
    compare(
        directory,
        "py, check",
        &code,
        &STATEMENTS,
        5_000,
        &check_after_change,
    );
    compare(directory, "py, build", &code, &STATEMENTS, 1_000, &build);
}

/// Returns two functions: the first runs `cargo check` after a change, and the second runs a build that is not
/// incremental.
fn check_and_build(directory: &Path) -> (impl Fn(&Path) -> Cost, impl Fn(&Path) -> Cost) {
    let check_after_change = |krate: &Path| {
        touch(&krate.join("src/lib.rs"));
        cargo(&["check"], krate, &directory.join("target"))
    };
    let build = |krate: &Path| {
        touch(&krate.join("src/lib.rs"));
        let settings = ["build", "--config", "profile.dev.incremental=false"];
        cargo(&settings, krate, &directory.join("whole"))
    };
    (check_after_change, build)
}

/// Returns whether the command line requests the row `name` of the tables. Without arguments, it requests all rows.
fn is_requested(name: &str) -> bool {
    let mut names = env::args().skip(1).filter(|name| !name.starts_with("--"));
    let first = names.next();
    first.is_none_or(|first| name.contains(&first) || names.any(|other| name.contains(&other)))
}

/// Measures a crate for each side and a crate without uses, and prints two rows: one with the elapsed times, and one
/// with the processor times.
fn compare(
    directory: &Path,
    name: &str,
    code: &ComparisonCode,
    slices: &'static [(&str, &str); 10],
    count: usize,
    run: &dyn Fn(&Path) -> Cost,
) {
    if !is_requested(&format!("{name} {count}")) {
        return;
    }
    let ComparisonCode { imports, uses, .. } = code;
    let crates = [
        (
            "without",
            "",
            &(|_| code.baseline.to_owned()) as &dyn Fn(usize) -> String,
        ),
        ("ours", imports[0], &|i| uses[0](slices[i % slices.len()].0)),
        ("theirs", imports[1], &|i| {
            uses[1](slices[i % slices.len()].1)
        }),
    ]
    .map(|(side, imports, nth_use)| {
        let set = name.split(',').next().unwrap_or_default();
        let source = crate_source(code.parameters, imports, count, nth_use);
        let krate = directory.join(format!("{side}_{set}_{count}"));
        write_crate(&krate, &dependencies(), &source)
    });
    let costs = measure(ROUNDS, &crates, run);
    for (kind, cost) in [
        ("wall", (|cost: Cost| cost.wall) as fn(Cost) -> f64),
        ("CPU", |cost| cost.cpu),
    ] {
        let [without, ours, theirs] = costs.map(cost);
        let per_use = |all: f64| (all - without) / count as f64 * 1e6;
        println!(
            "| {name} | {count} ({kind}) | {without:.2} s | {ours:.2} s | {theirs:.2} s | {:.0} µs | {:.0} µs | {:.2} |",
            per_use(ours),
            per_use(theirs),
            per_use(ours) / per_use(theirs),
        );
    }
}

/// Returns the source of a crate with `count` uses, ten in each function.
fn crate_source(
    parameters: &str,
    imports: &str,
    count: usize,
    nth_use: impl Fn(usize) -> String,
) -> String {
    let mut source = format!(
        "#![allow(unused)]\nuse ndarray::{{Array2, Array3, Axis}};\n{imports}\npub fn f(n: usize) -> usize {{ n }}\n"
    );
    for function in 0..count / 10 {
        source += &format!("pub fn f{function}({parameters}) {{\n");
        for i in 0..10 {
            source += &format!("    let _ = {};\n", nth_use(i));
        }
        source += "}\n";
    }
    source
}

/// Compares a cold build of this crate with a cold build of an empty macro crate that depends on syn. A cold build
/// starts with an empty target folder.
fn cold_builds(directory: &Path) {
    let full =
        "syn = { version = \"3\", features = [\"full\"] }\nquote = \"1\"\nproc-macro2 = \"1\"\n";
    let macro_crate = "[lib]\nproc-macro = true\n";
    let crates = [
        Path::new(env!("CARGO_MANIFEST_DIR")).to_owned(),
        write_crate(
            &directory.join("with_syn"),
            &format!("{full}{macro_crate}"),
            "",
        ),
    ];
    let target = directory.join("cold");
    let costs = measure(COLD_ROUNDS, &crates, |krate| {
        let _ = fs::remove_dir_all(&target);
        cargo(&["build"], krate, &target)
    });
    println!("\n| cold build | wall | CPU |\n|---|---|---|");
    for (name, cost) in [
        "slice-macro and its dependencies",
        "syn with `full`, quote, an empty macro crate",
    ]
    .iter()
    .zip(costs)
    {
        println!("| {name} | {:.2} s | {:.2} s |", cost.wall, cost.cpu);
    }
    println!(
        "| ratio | {:.2} | {:.2} |",
        costs[0].wall / costs[1].wall,
        costs[0].cpu / costs[1].cpu
    );
}

/// Returns the least cost of each crate over all rounds except the first. Each round measures every crate once.
fn measure<const N: usize>(
    rounds: usize,
    crates: &[PathBuf; N],
    run: impl Fn(&Path) -> Cost,
) -> [Cost; N] {
    let mut least = [Cost {
        wall: f64::INFINITY,
        cpu: f64::INFINITY,
    }; N];
    for round in 0..rounds {
        for (krate, least) in crates.iter().zip(&mut least) {
            let cost = run(krate);
            if round > 0 {
                *least = least.min(cost);
            }
        }
    }
    least
}

fn cargo(command: &[&str], krate: &Path, target: &Path) -> Cost {
    let (start, cpu) = (Instant::now(), children_cpu());
    let status = Command::new(env!("CARGO"))
        .args(command)
        .args(["--quiet", "--jobs", "1", "--manifest-path"])
        .arg(krate.join("Cargo.toml"))
        .env("CARGO_TARGET_DIR", target)
        .status()
        .expect("cargo should start");
    assert!(status.success(), "{} does not build", krate.display());
    Cost {
        wall: start.elapsed().as_secs_f64(),
        cpu: children_cpu() - cpu,
    }
}

/// Returns the processor time of all finished child processes in seconds, or NaN on operating systems other than Linux.
fn children_cpu() -> f64 {
    let ticks = || {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // After the name, which is in parentheses, the 14th and 15th fields are the user and system times of the
        // children.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(13);
        Some(fields.next()?.parse::<f64>().ok()? + fields.next()?.parse::<f64>().ok()?)
    };
    ticks().map_or(f64::NAN, |ticks| ticks / 100.0)
}

fn dependencies() -> String {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../slice-core");
    format!("slice-core = {{ path = {core:?} }}\nndarray = \"0.17\"\n")
}

/// Writes a crate in a separate workspace. `dependencies` may continue with other tables of the manifest.
fn write_crate(directory: &Path, dependencies: &str, source: &str) -> PathBuf {
    let name = directory
        .file_name()
        .expect("the path should end in a name")
        .to_string_lossy();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n{dependencies}"
    );
    fs::create_dir_all(directory.join("src")).expect("the folder should be writable");
    fs::write(directory.join("Cargo.toml"), manifest).expect("the manifest should be writable");
    fs::write(directory.join("src/lib.rs"), source).expect("the source should be writable");
    directory.to_owned()
}

fn touch(file: &Path) {
    let source = fs::read(file).expect("the source should be readable");
    fs::write(file, source).expect("the source should be writable");
}

fn version(program: &str) -> String {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .expect("the compiler should start");
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}
