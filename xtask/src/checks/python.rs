//! The checks of the Python package, each in a new environment.

use crate::command::{Outcome, Shell};

/// The version of zarr-python whose tests are run, the last one for Python 3.11.
const ZARR: &str = "3.1.6";

/// Builds the package without optimizations, which reuses the dependencies of other checks, and runs the tests of the package
/// itself, with fewer random brackets.
pub fn wheel(shell: &mut Shell) -> Outcome {
    let Some(environment) = environment(shell, "python-wheel", "requirements-short.txt") else {
        return Ok(());
    };
    shell.set("MATURIN_PEP517_ARGS", "--profile dev");
    let install = format!("{environment}/bin/pip install -q --no-deps ./slice-python");
    shell.run(&install)?;
    shell.set("SLICE_ZARR_TEST_BRACKETS", "1000");
    shell.run(&format!(
        "{environment}/bin/python -m pytest -q slice-python/tests/test_package.py slice-python/tests/test_brackets.py"
    ))
}

/// Builds the package, and runs all of its tests, the checks of its types, and the tests of zarr-python, Dask, xarray and Ray.
pub fn python(shell: &mut Shell) -> Outcome {
    let Some(environment) = environment(shell, "python-package", "requirements.txt") else {
        return Ok(());
    };
    shell.run("cargo clippy --manifest-path slice-python/Cargo.toml -- -D warnings")?;
    let pip = format!("{environment}/bin/pip");
    shell.run(&format!("{pip} install -q --no-deps ./slice-python"))?;
    let python = format!("{environment}/bin/python");
    for line in [
        "-m mypy --config-file slice-python/pyproject.toml slice-python/python",
        &format!("-m pyright -p slice-python --pythonpath {python}"),
        "-m pytest -q slice-python/tests",
        "slice-python/tests/suites/with_slice_zarr.py",
        "slice-python/tests/suites/ray_plan.py",
    ] {
        shell.run(&format!("{python} {line}"))?;
    }
    let source = format!("{environment}/zarr");
    if !shell.installs(
        "the source of zarr-python, for its tests",
        &format!("{pip} download -q --no-binary :all: --no-deps --no-build-isolation -d {source} zarr=={ZARR}"),
    ) {
        return Ok(());
    }
    let test = format!("zarr-{ZARR}/tests/test_indexing.py");
    shell.run(&format!(
        "tar xzf {source}/zarr-{ZARR}.tar.gz -C {source} {test}"
    ))?;
    shell.run(&format!(
        "{python} slice-python/tests/suites/zarr_indexing.py {source}/{test}"
    ))
}

/// Creates an environment with the packages that tests require, and returns its folder. Returns `None` if Python or the
/// packages are missing.
fn environment(shell: &mut Shell, name: &str, requirements: &str) -> Option<String> {
    let folder = format!("target/{name}");
    let create = format!("python3.11 -m venv --clear {folder}");
    let install = format!("{folder}/bin/pip install -q -r slice-python/tests/{requirements}");
    let is_ready = shell.installs("Python 3.11, for the Python package", &create)
        && shell.installs("packages from PyPI, for the Python package", &install);
    is_ready.then_some(folder)
}
