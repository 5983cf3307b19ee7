"""Runs ONNX models in Burn. For each model, burn-onnx writes a Rust module. One program contains all modules, and runs
the module named on its command line.

This script builds the package in `burn`. If burn-onnx panics while it writes a module, the model counts as refused,
because burn-onnx reports all errors in this way. If a module does not compile, its model counts as crashed.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from harness import HERE, TARGET, TIME_LIMIT_SECONDS, cleaned, correct_results, record_results, models

PACKAGE = HERE / "burn"
FOLDER = TARGET / "burn"
PROGRAMS = Path(os.environ.get("CARGO_TARGET_DIR", PACKAGE / "target")) / "debug"
# The file that contains [verdict, message] for each model whose module could not be written or compiled.
FAILURES = FOLDER / "failures.json"


class Crash(Exception):
    """Raised if the program panics, or if a module does not compile."""


def panic_message(stderr):
    """Returns the first line of the panic message in `stderr`, or the first line of `stderr` if there was no panic."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    # The line before the message contains the thread and the location of the panic.
    at = next((at + 1 for at, line in enumerate(lines[:-1]) if "panicked at" in line), 0)
    return cleaned(lines[at]) if lines else ""


def build(program):
    """Builds a program of the package. Returns Cargo's exit code and the compiler's messages."""
    command = ["cargo", "build", "--bin", program, "--message-format=json"]
    process = subprocess.run(command, cwd=PACKAGE, stdout=subprocess.PIPE, text=True)
    messages = [json.loads(line) for line in process.stdout.splitlines() if line.startswith("{")]
    return process.returncode, [line["message"] for line in messages if line["reason"] == "compiler-message"]


def module_name(name):
    return name.replace("-", "_")


def write_module_list(cases):
    """Writes models.rs: the declarations of the modules of `cases`, and a function that runs one of them by name."""
    lines = []
    for model in cases:
        lines += [f'#[path = "{FOLDER / model["model"]}.rs"]', f"mod {module_name(model['model'])};"]
    lines += ["", "fn module_outcome(name: &str, inputs: &Inputs) -> Option<Outcome> {", "    Some(match name {"]
    for model in cases:
        name = model["model"]
        arguments = ", ".join(f'inputs.get("{given}")' for given in ["x", *model.get("inputs", {})])
        lines += [f'        "{name}" => {{', f"            let model = {module_name(name)}::Model::default();", "            report_loaded();"]
        lines += [f"            model.forward({arguments}).outcome()", "        }"]
    lines += ["        _ => return None,", "    })", "}", ""]
    (FOLDER / "models.rs").write_text("\n".join(lines))


def prepare(cases):
    """Writes and compiles the modules. Returns [verdict, message] for each model that failed."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    failures = {}
    assert build("generate")[0] == 0, "the program `generate` cannot be built"
    for model in cases:
        name = model["model"]
        command = [PROGRAMS / "generate", TARGET / "onnx" / f"{name}.onnx", FOLDER]
        process = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_SECONDS)
        if process.returncode:
            failures[name] = ["refused", panic_message(process.stderr)]
    while True:
        remaining = [model for model in cases if model["model"] not in failures]
        write_module_list(remaining)
        code, messages = build("run")
        if code == 0:
            return failures
        failures_before = len(failures)
        for message in messages:
            if message["level"] != "error":
                continue
            for span in message["spans"]:
                # An error in the call to a module is reported at the module's match arm in models.rs.
                at_call = span["file_name"].endswith("models.rs")
                text = (FOLDER / "models.rs").read_text().splitlines()[: span["line_start"]] if at_call else []
                arm_names = [found[1] for line in text if (found := re.match(r' +"([\w-]+)" => \{', line))]
                name = arm_names[-1] if arm_names else span["file_name"].rsplit("/", 1)[-1].removesuffix(".rs")
                if any(model["model"] == name for model in remaining):
                    failures.setdefault(name, ["crashed", cleaned(f"does not compile: {message['message']}")])
        assert len(failures) > failures_before, [message["rendered"] for message in messages if message["level"] == "error"][:3]


def run(model, stage):
    name = model["model"]
    verdict, message = json.loads(FAILURES.read_text()).get(name, (None, None))
    if verdict:
        raise (Crash if verdict == "crashed" else RuntimeError)(message)
    command = [PROGRAMS / "run", name, TARGET / "onnx" / f"{name}.json"]
    process = subprocess.run(command, capture_output=True, text=True, timeout=TIME_LIMIT_SECONDS - 10)
    printed = process.stdout.splitlines()
    if printed[:1] == ["run"]:
        stage("run")
    if process.returncode:
        raise Crash(panic_message(process.stderr) or f"the process ended with {process.returncode}")
    result = json.loads(printed[-1])
    return np.array(result["values"], np.float32).reshape(result["shape"])


def release(package):
    lock = (PACKAGE / "Cargo.lock").read_text()
    return re.search(rf'name = "{package}"\nversion = "([^"]+)"', lock)[1]


if __name__ == "__main__":
    cases = models("onnx")
    if not sys.argv[1:]:
        FAILURES.unlink(missing_ok=True)
    if not FAILURES.exists():
        failures = prepare(cases)
        FAILURES.write_text(json.dumps(failures, indent=1))
    how = "burn_onnx::ModelGen::new().input(path).out_dir(folder).run_from_cli(), Model::default().forward(x)"
    record_results("burn", "burn-onnx", run, cases, correct_results("onnx"), ["numpy"], how, release=release("burn-onnx"))
