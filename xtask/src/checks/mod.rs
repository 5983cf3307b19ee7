//! The list of all checks, each with a name.

mod costs;
mod examples;
mod fresh;
mod landing;
mod python;
mod release;

use crate::command::{Outcome, Shell};

/// A check that can be run by name.
pub struct Check {
    pub name: &'static str,
    pub description: &'static str,
    pub run: fn(&mut Shell) -> Outcome,
}

const fn check(
    name: &'static str,
    description: &'static str,
    run: fn(&mut Shell) -> Outcome,
) -> Check {
    Check {
        name,
        description,
        run,
    }
}

/// The checks that must pass before a change is merged. They run in this order.
pub const LANDING: &[Check] = &[
    check("format", "every package is formatted", landing::format),
    check(
        "lints",
        "clippy, for all targets and features",
        landing::lints,
    ),
    check(
        "fresh",
        "the main example and the tests, as on a fresh machine",
        fresh::fresh,
    ),
    check(
        "remote",
        "tests with asynchronous storage and an S3 server",
        landing::remote,
    ),
    check(
        "wheel",
        "the Python package, in a new environment",
        python::wheel,
    ),
    check(
        "docs",
        "the documentation builds without warnings",
        landing::docs,
    ),
    check("api", "the public API matches .ci/public-api", landing::api),
    check(
        "page",
        "the playground, a web page for trying out slices, in a browser",
        landing::page,
    ),
    check(
        "benches",
        "the benchmarks, with few samples",
        landing::benches,
    ),
];

/// More checks that must pass before a change is merged. They run in parallel with the checks in [`LANDING`], in a
/// separate target directory.
pub const PARALLEL: &[Check] = &[
    check(
        "features",
        "every set of features compiles",
        landing::features,
    ),
    check(
        "bare-tests",
        "the tests of slice-core and slice-zarr without features",
        landing::bare_tests,
    ),
    check(
        "targets",
        "compilation for targets without the standard library",
        landing::targets,
    ),
    check(
        "no-std",
        "a program without the standard library",
        landing::no_std,
    ),
    check("neon", "the machine code for AArch64", landing::neon),
    check(
        "oldest-rust",
        "the tests with the minimum Rust version, without debug assertions",
        landing::oldest_rust,
    ),
    check(
        "tensors",
        "the packages for the tensors of candle, burn, DLPack and safetensors",
        release::tensors,
    ),
];

/// The checks to run before a release and after every change to `unsafe` code. They need a nightly compiler, Debian, a
/// network connection, or more time than the checks in [`LANDING`].
pub const RELEASE: &[Check] = &[
    check(
        "python",
        "the Python package, with the tests of zarr-python, Dask, xarray and Ray",
        python::python,
    ),
    check(
        "more-lints",
        "clippy without default features, and for the crates outside the workspace",
        release::more_lints,
    ),
    check(
        "tensor-lints",
        "clippy and documentation of the packages for the tensors of other crates",
        release::tensor_lints,
    ),
    check(
        "commands",
        "the main example and the tests, in a release build and with other settings",
        release::commands,
    ),
    check(
        "growth",
        "the memory and the work for models of four megabytes",
        release::growth,
    ),
    check("i686", "the tests on a 32-bit target", release::i686),
    check(
        "aarch64",
        "the tests on an emulated AArch64",
        release::aarch64,
    ),
    check(
        "windows",
        "the tests of slice-core and the command on an emulated Windows",
        release::windows,
    ),
    check(
        "packages",
        "the packages for crates.io, and their doctests",
        packages,
    ),
    check(
        "oldest-crates",
        "compilation with the oldest dependencies that the manifests allow",
        release::oldest_crates,
    ),
    check(
        "docs-rs",
        "the documentation as docs.rs builds it, with an example for each item",
        release::docs_rs,
    ),
    check(
        "semver",
        "incompatible changes since the last version",
        release::semver,
    ),
    check(
        "deny",
        "the licenses of dependencies, and security advisories",
        release::deny,
    ),
    check(
        "miri",
        "copying elements with padding or pointers, and slicing with lists, under Miri",
        release::miri,
    ),
    check(
        "big-endian",
        "the tests on a big-endian target, under Miri",
        release::big_endian,
    ),
];

/// Measurements, which run only if they are named.
pub const MEASUREMENTS: &[Check] = &[check(
    "costs",
    "the build times and program sizes in slice-core/docs/compile_time.md (takes ten minutes)",
    costs::costs,
)];

/// Installs the requirements of the checks in [`LANDING`] and [`PARALLEL`]: targets, the source of the standard library
/// and the oldest supported Rust.
pub use landing::{build_page, prepare};
/// The check of the packages, which a release also runs, and the packages outside the workspace.
pub use release::{TENSOR_PACKAGES, packages};
